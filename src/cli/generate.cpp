#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/project_option.hpp"
#include "cli/write_outputs.hpp"
#include "output/outputs.hpp"
#include "project/lock.hpp"
#include "project/project_file.hpp"

namespace envgen::cli {
namespace {

struct GenerateOptions {
  std::string project{project::project_file_name};
  std::string folder;
  WriteFlags write;
};

/// True when the lock answers the project's request: the same values, in whatever order.
bool is_answered(const project::WrittenProject& project, const project::Lock& lock) {
  if (!project.preset.empty()) return true;  // a preset is replaced by its values in a lock
  const auto values = [](const Request& request) {
    std::vector<std::pair<Field, std::string>> result;
    for (const auto& value : request.values) {
      if (value.text != "auto") result.emplace_back(value.field, value.text);
    }
    std::sort(result.begin(), result.end());
    return result;
  };
  return values(project.request) == values(lock.request);
}

Expected<output::Files> make_all(const project::WrittenProject& project, const project::Lock& lock) {
  output::Files files;
  const auto sum = project::integrity_of(lock);
  for (const auto& name : project.outputs.files) {
    auto made = output::find_output(name.value)->make({lock.environment, project.outputs.options, sum});
    if (!made) {
      auto error = std::move(made.error());
      error.code = ErrorCode::bad_input;
      error.message = fmt::format("{}: {}", name.value, error.message);
      error.origin = name.where;
      return tl::unexpected(std::move(error));
    }
    files.insert(files.end(), std::make_move_iterator(made->begin()), std::make_move_iterator(made->end()));
  }
  return files;
}

Expected<Exit> run_generate(const GenerateOptions& options) {
  const auto project = project::read_project(options.project);
  if (!project) return tl::unexpected(project.error());
  if (project->outputs.files.empty())
    return fail(ErrorCode::bad_input, "the project asks for no files", options.project + "#/outputs/files",
                {R"("outputs": {"files": ["dockerfile", "run"]})"});
  const auto beside = std::filesystem::path(options.project).parent_path();
  const auto lock_path = beside / project::lock_file_name;
  auto lock = project::read_lock(lock_path);
  if (!lock) return tl::unexpected(std::move(lock.error()));
  if (!is_answered(*project, *lock))
    return fail(ErrorCode::differs, "the lock answers another request than the project's", lock_path.string(),
                {"'envgen lock' writes it anew"});
  const auto files = make_all(*project, *lock);
  if (!files) return tl::unexpected(files.error());
  return write_outputs(*files, options.folder.empty() ? beside : std::filesystem::path(options.folder), options.write);
}

}  // namespace

Action setup_generate(CLI::App& app, Context&) {
  auto options = std::make_shared<GenerateOptions>();
  app.add_option("--project", options->project, "the project file; its lock lies beside it (default: envgen.json)")
      ->check(refuse_empty)
      ->type_name("FILE");
  app.add_option("-o,--output", options->folder, "the folder to write to (default: that of the project file)")
      ->check(refuse_empty)
      ->type_name("DIR")
      ->group("Output");
  add_write_options(app, options->write);
  app.footer(
      "Exit status: 0, 4 when the project or the lock cannot be used, 9 when a file was edited by hand or is not current.");
  return [options] { return run_generate(*options); };
}

}  // namespace envgen::cli
