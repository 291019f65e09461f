#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "api/files.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/project_option.hpp"
#include "cli/write_outputs.hpp"

namespace envgen::cli {
namespace {

struct GenerateOptions {
  std::string project{project::project_file_name};
  std::string folder;
  WriteFlags write;
};

/// A project file may have any name, that of an output too.
Expected<void> refuse_own_input(const files::Files& files, const std::filesystem::path& folder,
                                std::initializer_list<std::filesystem::path> inputs) {
  for (const auto& file : files) {
    for (const auto& input : inputs) {
      std::error_code ignored;
      if (std::filesystem::equivalent(folder / file.path, input, ignored))
        return fail(ErrorCode::usage, "this is what the files are made from, and one of them would replace it", input.string(),
                    {"-o DIR names another folder"});
    }
  }
  return {};
}

Expected<Exit> run_generate(const GenerateOptions& options, Context& context) {
  const auto project = project::read_project(options.project);
  if (!project) return tl::unexpected(project.error());
  if (project->outputs.files.empty())
    return fail(ErrorCode::bad_input, "the project asks for no files", options.project + "#/outputs/files",
                {R"("outputs": {"files": ["dockerfile", "run"]})"});
  const auto beside = std::filesystem::path(options.project).parent_path();
  const auto lock_path = beside / project::lock_file_name;
  const auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  const auto lock = current_lock(*project, lock_path, *matrix);
  if (!lock) return tl::unexpected(lock.error());
  const auto chosen = api::project_options(*project, *matrix);
  if (!chosen) return tl::unexpected(chosen.error());
  const auto inputs = api::inputs_of(*lock, *chosen, *project, *matrix);
  const auto files = api::files_of(*project, inputs);
  if (!files) return tl::unexpected(files.error());
  api::say_what_is_not_mirrored(inputs, note);
  note_what_is_needed(*files);
  const auto folder = options.folder.empty() ? beside : std::filesystem::path(options.folder);
  if (auto kept = refuse_own_input(*files, folder, {options.project, lock_path}); !kept)
    return tl::unexpected(std::move(kept.error()));
  return write_outputs(*files, folder, options.write);
}

}  // namespace

Action setup_generate(CLI::App& app, Context& context) {
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
  return [options, &context] { return run_generate(*options, context); };
}

}  // namespace envgen::cli
