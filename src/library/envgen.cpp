#include "library/envgen.hpp"

#include "answers/answer_json.hpp"
#include "api/answer.hpp"
#include "api/files.hpp"
#include "api/lock.hpp"
#include "api/request.hpp"
#include "files/install_commands.hpp"
#include "matrix/embedded/embedded.hpp"

namespace envgen::library {
namespace {

/// As the command line writes it (cli::print_error), in one line.
std::string line_of(const Error& error) { return error.origin.empty() ? error.message : error.origin + ": " + error.message; }

[[noreturn]] void refuse(const Error& error) { throw Failure(line_of(error), answers::error_json(error, 0), error.hints); }

template <class T>
T value_of(Expected<T> expected) {
  if (!expected) refuse(expected.error());
  if constexpr (!std::is_void_v<T>) return std::move(*expected);
}

/// Every value of a project stands in it, so a bad one is bad input and no wrong flag.
template <class T>
Expected<T> of_project(Expected<T> expected) {
  if (expected || expected.error().code != ErrorCode::usage) return expected;
  auto error = std::move(expected.error());
  error.code = ErrorCode::bad_input;
  if (error.origin == "--preset") error.origin = std::string(project::project_file_name) + "#/request/preset";
  return tl::unexpected(std::move(error));
}

project::WrittenProject read(std::string_view text) {
  return value_of(project::parse_project(std::string(text), std::string(project::project_file_name)));
}

void refuse_auto(const Request& request) {
  for (const auto& value : request.values) {
    if (asks_the_machine(value))
      refuse({ErrorCode::bad_input,
              "the library does not look at the machine, so auto stands for nothing",
              value.where,
              {"name the value, or run envgen"}});
  }
}

}  // namespace

Answer resolve(std::string_view text) {
  const auto& matrix = matrix::embedded();
  const auto project = read(text);
  Answer result;
  const auto say = [&](const std::string& note) { result.notes.push_back(note); };
  auto request = value_of(of_project(api::with_preset(project.request, project.preset, matrix)));
  request = value_of(of_project(api::with_outputs(std::move(request), project.outputs, matrix, say)));
  refuse_auto(request);
  auto answer = value_of(of_project(api::answer_to_lock(matrix, std::move(request))));
  result.json = api::json(matrix, answer, 0);
  result.text = api::text(matrix, answer, {});
  if (!answer.environment) {
    result.kind = answer.is_proof() ? Answer::Kind::conflict : Answer::Kind::unknown;
    return result;
  }
  result.kind = Answer::Kind::environment;
  result.install = files::install_commands(*answer.environment);
  result.lock = project::lock_text(api::lock_of(matrix, std::move(answer)));
  return result;
}

std::vector<File> files(std::string_view project_text, std::string_view lock_text) {
  const auto& matrix = matrix::embedded();
  const auto project = read(project_text);
  const std::string name(project::lock_file_name);
  const auto lock = value_of(project::parse_lock(std::string(lock_text), name, project::Edited::refused));
  value_of(of_project(api::check_current(lock, name, project, matrix, [](const std::string&) {})));
  const auto options = value_of(api::project_options(project, matrix));
  std::vector<File> result;
  for (auto& file : value_of(api::files_of(project, api::inputs_of(lock, options, project, matrix))))
    result.push_back({std::move(file.path), std::move(file.text), file.executable});
  return result;
}

std::string_view version() { return ENVGEN_VERSION; }

}  // namespace envgen::library
