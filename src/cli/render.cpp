#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "api/files.hpp"
#include "api/request.hpp"
#include "cli/answer.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/output_options.hpp"
#include "cli/project_option.hpp"
#include "cli/write_outputs.hpp"
#include "files/outputs.hpp"
#include "files/tools.hpp"
#include "model/spelling.hpp"

namespace envgen::cli {
namespace {

struct RenderOptions {
  std::string kind;
  RequestOptions request;
  std::string project;
  std::string lock;
  std::string path;
  OutputFlags output;
  WriteFlags write;
};

bool is_here(std::string_view name) {
  std::error_code ignored;
  return std::filesystem::exists(std::string(name), ignored);
}

/// The project file: the named one, else the one beside the named lock, else the one of this folder; empty: there is none.
std::string find_project(const RenderOptions& options) {
  if (!options.project.empty()) return options.project;
  const auto file = (std::filesystem::path(options.lock).parent_path() / project::project_file_name).string();
  return is_here(file) ? file : std::string();
}

/// The request of a lock that an output cannot be made from: it is for another installer, or for files without a container. None:
/// it serves. `implied`: its engine was not asked for.
std::optional<Request> request_for(const files::Output& kind, const project::Lock& lock, bool implied) {
  auto request = lock.request;
  const auto has = name_of(lock.environment.installer);
  const bool installs = kind.installer.empty() || has == kind.installer || request.find(Field::installer) != nullptr;
  const bool runs = !kind.container || lock.environment.engine != Engine::none || !implied;
  if (installs && runs) return std::nullopt;
  if (!installs)
    note(fmt::format("envgen.lock is for {}, so its request is resolved for {}; for a lock, use 'envgen lock --installer {}'",
                     has, kind.installer, kind.installer));
  if (!runs) {
    note(
        fmt::format("envgen.lock is for files without a container, so its request is resolved again; for a lock, add {} to the "
                    "files in the project",
                    kind.name));
    std::erase_if(request.values, [](const RequestValue& value) { return value.field == Field::engine; });
  }
  return request;
}

/// A named lock as it is; the lock of this folder, which must answer the project beside it; else what the flags and the project
/// file (empty: none) ask for, resolved now.
Expected<std::variant<project::Lock, Exit>> find_lock(const RenderOptions& options, const files::Output& kind,
                                                      const std::string& file, const project::WrittenProject& project,
                                                      const files::Options& chosen, Context& context) {
  const bool asked = asks_for_anything(options.request);
  if (!options.lock.empty()) {
    if (asked || !options.project.empty())
      return fail(ErrorCode::usage, "a lock is rendered as is, so it cannot be combined with a request", "--lock");
    return project::read_lock(options.lock);
  }
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  std::optional<Request> locked;
  if (!asked && options.project.empty() && is_here(project::lock_file_name)) {
    auto lock =
        file.empty() ? project::read_lock(project::lock_file_name) : current_lock(project, project::lock_file_name, *matrix);
    if (!lock) return tl::unexpected(std::move(lock.error()));
    // The files of the project implied no engine, where nobody asked for that.
    locked = request_for(kind, *lock, !file.empty() && project.request.find(Field::engine) == nullptr);
    if (!locked) return std::move(*lock);
  }
  if (!asked && file.empty() && !locked)
    return fail(ErrorCode::usage, "nothing to render: there is no envgen.lock or envgen.json here, and no flag was given",
                "render", {fmt::format("for example: envgen render {} --torch 2.3 --gpu 4090", kind.name)});
  auto request = locked ? Expected<Request>(std::move(*locked)) : request_of(options.request, file, project, *matrix);
  if (request && !kind.installer.empty() && request->find(Field::installer) == nullptr)
    request->values.push_back({Field::installer, std::string(kind.installer), Origin::flag, fmt::format("render {}", kind.name)});
  // With the project's own outputs, or the file would be for another environment than that of its lock.
  auto names = project::names_of(project.outputs.files);
  if (std::find(names.begin(), names.end(), kind.name) == names.end()) names.emplace_back(kind.name);
  if (request) request = api::with_outputs(std::move(*request), chosen, names, *matrix, note);
  if (!request) return tl::unexpected(std::move(request.error()));
  return fresh_lock(std::move(*request), file, *matrix, context, stderr);
}

/// A folder takes all files by their names; else the first one gets the given name, and the others lie beside it.
Expected<Exit> write_to(const std::string& path, files::Files files, const WriteFlags& flags) {
  const std::filesystem::path target(path);
  std::error_code ignored;
  if (path.ends_with('/') || std::filesystem::is_directory(target, ignored)) return write_outputs(files, target, flags);
  // Files of one output refer to each other by their names, and so they keep these.
  if (files.front().path.find('/') != std::string::npos)
    return fail(ErrorCode::usage, fmt::format("this output must be written as {}", files.front().path), "-o",
                {"name its parent folder: -o ./"});
  files.front().path = target.filename().string();
  return write_outputs(files, target.parent_path(), flags);
}

Expected<Exit> run_render(const RenderOptions& options, Context& context) {
  const auto kind = find_kind(options.kind, "render");
  if (!kind) return tl::unexpected(kind.error());
  const auto file = find_project(options);
  const auto project = read_named(file);
  if (!project) return tl::unexpected(project.error());
  auto chosen = output_options(options.output, project->outputs.options);
  if (!chosen) return tl::unexpected(chosen.error());
  const auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  chosen = api::with_facts(std::move(*chosen), *matrix);
  if (!chosen) return tl::unexpected(chosen.error());
  const auto made = find_lock(options, **kind, file, *project, *chosen, context);
  if (!made) return tl::unexpected(made.error());
  if (const auto* exit = std::get_if<Exit>(&*made)) return *exit;
  const auto& lock = std::get<project::Lock>(*made);
  const auto inputs = api::inputs_of(lock, *chosen, *project, *matrix);
  if (auto checked = files::check_tools(*chosen); !checked) return tl::unexpected(std::move(checked.error()));
  const auto files = files::make(**kind, inputs);
  if (!files) {
    auto error = files.error();
    if (!options.lock.empty() && error.origin.starts_with('/')) error.origin = options.lock + "#" + error.origin;
    return tl::unexpected(std::move(error));
  }
  api::say_what_is_not_mirrored(inputs, note);
  note_what_is_needed(*files);
  const bool compares = options.write.check || options.write.diff || options.write.force;
  if (options.path == "-" && compares)
    return fail(ErrorCode::usage, "standard output cannot be compared or overwritten", "-o", {"name a file or a folder"});
  if (!options.path.empty() && options.path != "-") return write_to(options.path, *files, options.write);
  auto printed = cli::written_as_it_is(files->front().text);
  // Last, so that a terminal still shows it.
  for (const auto& other : *files) {
    if (other.needed) note(fmt::format("this file needs '{}' next to it; '-o ./' writes both", other.path));
  }
  return printed;
}

}  // namespace

Action setup_render(CLI::App& app, Context& context) {
  auto options = std::make_shared<RenderOptions>();
  app.add_option("kind", options->kind,
                 "what to render: dockerfile, conda, requirements, pyproject, run, compose, setup, devcontainer, vscode or ci")
      ->required()
      ->type_name("OUTPUT");
  add_request_options(app, options->request);
  add_project_option(
      app, options->project,
      "the project file whose request is resolved; flags override its values (default: envgen.json in this folder)");
  app.add_option("--lock", options->lock, "the lock to render (default: envgen.lock in this folder, if no request is given)")
      ->check(refuse_empty)
      ->type_name("FILE")
      ->group("Request");
  add_output_options(app, options->output);
  auto* path = app.add_option("-o,--output", options->path,
                              "the file or folder to write to (default: -, standard output, which gets only the first file)")
                   ->check(refuse_empty)
                   ->type_name("PATH")
                   ->group("Output");
  add_write_options(app, options->write);
  for (const auto* flag : {"--check", "--diff", "--force"}) app.get_option(flag)->needs(path);
  app.footer(
      "Exit status: 0 on success; 3 (with proof) if there is no environment; 9 if a file was edited by hand or is out of date.");
  return [options, &context] { return run_render(*options, context); };
}

}  // namespace envgen::cli
