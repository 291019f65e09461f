#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "answers/headline.hpp"
#include "api/files.hpp"
#include "cli/answer.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/project_option.hpp"
#include "cli/write_outputs.hpp"
#include "model/spelling.hpp"
#include "util/files.hpp"

namespace envgen::cli {
namespace {

struct GenerateOptions {
  std::string project{project::project_file_name};
  std::string folder;
  bool locked = false;
  WriteFlags write;
};

/// A project file may have any name, that of an output too.
Expected<void> refuse_own_input(const files::Files& files, const std::filesystem::path& folder,
                                std::initializer_list<std::filesystem::path> inputs) {
  for (const auto& file : files) {
    for (const auto& input : inputs) {
      std::error_code ignored;
      if (std::filesystem::equivalent(folder / file.path, input, ignored))
        return fail(ErrorCode::usage, "the files are generated from this one, and one of them would overwrite it", input.string(),
                    {"choose another folder with -o DIR"});
    }
  }
  return {};
}

/// The project file as its files name it, seen from their folder: `envgen.json`, `../train/envgen.json`. Two projects that are
/// called alike do not overwrite each other's files in one folder.
std::string name_in(const std::filesystem::path& folder, const std::filesystem::path& project) {
  std::error_code error;
  // What is not there yet has no canonical path of its own.
  const auto whole = [&](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  };
  const auto from = whole(folder.empty() ? "." : folder);
  const auto name = whole(project).lexically_relative(from);
  return (error || name.empty() ? project.filename() : name).generic_string();
}

/// Where files are to be written and there is no lock yet, it is made, too.
bool makes_lock(const GenerateOptions& options, const std::filesystem::path& path) {
  std::error_code ignored;
  const bool writes = !options.locked && !options.write.check && !options.write.diff;
  return writes && !std::filesystem::exists(std::filesystem::symlink_status(path, ignored));
}

/// The lock beside the project, or one that is made for it; its proof that there is no environment goes to stderr, with its exit
/// status.
Expected<std::variant<project::Lock, Exit>> find_lock(const GenerateOptions& options, const project::WrittenProject& project,
                                                      const std::filesystem::path& path, bool is_new,
                                                      const matrix::Matrix& matrix, const Context& context) {
  if (!is_new) return current_lock(project, path, matrix);
  auto request = request_to_resolve({}, options.project, project, matrix);
  if (!request) return tl::unexpected(std::move(request.error()));
  return fresh_lock(std::move(*request), options.project, matrix, context, stderr);
}

Expected<Exit> run_generate(const GenerateOptions& options, Context& context) {
  const auto project = project::read_project(options.project);
  if (!project) return tl::unexpected(project.error());
  if (project->outputs.files.empty())
    return fail(ErrorCode::bad_input, "the project lists no files to generate", options.project + "#/outputs/files",
                {R"("outputs": {"files": ["dockerfile", "run"]})"});
  const auto beside = std::filesystem::path(options.project).parent_path();
  const auto lock_path = project::lock_beside(options.project);
  const auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  const bool is_new = makes_lock(options, lock_path);
  const auto made = find_lock(options, *project, lock_path, is_new, *matrix, context);
  if (!made) return tl::unexpected(made.error());
  if (const auto* exit = std::get_if<Exit>(&*made)) return *exit;
  const auto& lock = std::get<project::Lock>(*made);
  const auto chosen = api::project_options(*project, *matrix);
  if (!chosen) return tl::unexpected(chosen.error());
  const auto inputs = api::inputs_of(lock, *chosen, *project, *matrix);
  auto files = api::files_of(*project, inputs);
  if (!files) return tl::unexpected(files.error());
  const auto folder = options.folder.empty() ? beside : std::filesystem::path(options.folder);
  if (const auto name = name_in(folder, options.project); name != project::project_file_name) {
    for (auto& file : *files) file.text = files::sealed_for(std::move(file.text), in_one_line(name));
  }
  if (auto kept = refuse_own_input(*files, folder, {options.project, lock_path}); !kept)
    return tl::unexpected(std::move(kept.error()));
  if (is_new) {  // only now, because a lock from which no files can be made helps nobody
    // Nothing is written where one of the files may not be, and so no lock, either.
    if (auto safe = refuse_loss(*files, folder, options.write); !safe) return tl::unexpected(std::move(safe.error()));
    if (auto wrote = util::write_file(lock_path, project::lock_text(lock)); !wrote)
      return tl::unexpected(std::move(wrote.error()));
    note(fmt::format("wrote {}: {}", in_one_line(lock_path.string()), answers::headline(lock.environment)));
  }
  api::say_what_is_not_mirrored(inputs, note);
  if (!options.write.check) note_what_is_needed(*files);
  return write_outputs(*files, folder, options.write);
}

}  // namespace

Action setup_generate(CLI::App& app, Context& context) {
  auto options = std::make_shared<GenerateOptions>();
  app.add_option("--project", options->project, "the project file; the lock of gpu.json is gpu.lock (default: envgen.json)")
      ->check(refuse_empty)
      ->type_name("FILE");
  app.add_option("-o,--output", options->folder, "the folder to write to (default: that of the project file)")
      ->check(refuse_empty)
      ->type_name("DIR")
      ->group("Output");
  app.add_flag("--locked", options->locked, "fail if there is no envgen.lock yet, instead of creating it (for CI)")
      ->group("Output");
  add_write_options(app, options->write);
  app.footer(
      "Exit status: 0 on success; 4 if the project or lock cannot be used; 9 if a file was edited by hand or is out of date.");
  return [options, &context] { return run_generate(*options, context); };
}

}  // namespace envgen::cli
