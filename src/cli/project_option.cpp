#include "cli/project_option.hpp"

#include <CLI/CLI.hpp>

#include "api/request.hpp"
#include "cli/choice_options.hpp"

namespace envgen::cli {

void add_project_option(CLI::App& app, std::string& file, const std::string& help) {
  app.add_option("--project", file, help)->check(refuse_empty)->type_name("FILE")->group("Request");
}

Expected<project::WrittenProject> read_named(const std::string& file) {
  return file.empty() ? project::WrittenProject() : project::read_project(file);
}

Expected<Request> request_of(const RequestOptions& options, const std::string& file, const project::WrittenProject& project,
                             const matrix::Matrix& matrix) {
  auto request = make_request(options, {project.request, project.preset}, matrix);
  if (request || !options.preset.empty() || request.error().origin != "--preset") return request;
  auto error = request.error();
  error.code = ErrorCode::bad_input;
  error.origin = file + "#/request/preset";
  return tl::unexpected(std::move(error));
}

Expected<Request> request_to_resolve(const RequestOptions& options, const std::string& file,
                                     const project::WrittenProject& project, const matrix::Matrix& matrix) {
  auto request = request_of(options, file, project, matrix);
  return request ? api::with_outputs(std::move(*request), project.outputs, matrix, note) : request;
}

Expected<project::Lock> current_lock(const project::WrittenProject& project, const std::filesystem::path& path,
                                     const matrix::Matrix& matrix) {
  auto lock = project::read_lock(path);
  if (!lock) return lock;
  if (auto current = api::check_current(*lock, path.string(), project, matrix, note); !current)
    return tl::unexpected(std::move(current.error()));
  return lock;
}

Error of_project(Error error, const std::string& file) {
  if (!file.empty() && error.code == ErrorCode::usage && error.origin.starts_with(file + "#")) error.code = ErrorCode::bad_input;
  return error;
}

}  // namespace envgen::cli
