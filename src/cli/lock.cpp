#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "answers/headline.hpp"
#include "api/files.hpp"
#include "api/usage.hpp"
#include "cli/answer.hpp"
#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "cli/project_option.hpp"
#include "container/registry.hpp"
#include "files/frozen.hpp"
#include "model/shell_word.hpp"
#include "model/spelling.hpp"
#include "project/diff.hpp"
#include "project/freeze.hpp"
#include "util/files.hpp"
#include "util/temporary_file.hpp"

namespace envgen::cli {
namespace {

struct LockOptions {
  RequestOptions request;
  std::string project;
  std::string output;
  bool check = false;
  bool force = false;
  bool freeze = false;
};

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// False of a device or a folder, of which write_file says what is wrong.
bool may_hold_lock(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

/// The project file to read: the named one, else the one of this folder; empty when the flags have to say it all.
Expected<std::string> find_project(const LockOptions& options) {
  if (!options.project.empty()) return options.project;
  std::string here(project::project_file_name);
  if (exists(here)) return here;
  if (asks_for_anything(options.request)) return std::string();
  return fail(ErrorCode::usage, "nothing to lock: there is no envgen.json here, and no flag was given", "lock",
              {"'envgen init' writes a project file", "or use flags: envgen lock --torch 2.3 --gpu 4090"});
}

/// Where the lock of a project file is; of flags alone (empty), that of this folder.
std::string lock_of(const std::string& project) {
  return project.empty() ? std::string(project::lock_file_name) : project::lock_beside(project).string();
}

/// The lock that stands there already.
struct OldLock {
  std::string bytes;
  Expected<project::Lock> lock;
};

OldLock read_old(const std::string& path) {
  auto bytes = util::read_file(path, project::largest_lock);
  if (!bytes) return {{}, tl::unexpected(bytes.error())};
  auto lock = project::parse_lock(*bytes, path, project::Edited::accepted);
  return {std::move(*bytes), std::move(lock)};
}

/// The tree of the lock that stands there, where it serves the fresh environment, too: only --freeze asks an index.
void keep_frozen_tree(project::Lock& fresh, const std::string& path, const files::Options& options,
                      const std::vector<std::string>& made) {
  if (!may_hold_lock(path)) return;
  const auto old = read_old(path);
  if (!old.lock || old.lock->edited || !old.lock->environment.frozen) return;
  if (project::still_frozen(old.lock->environment, fresh.environment, options)) {
    fresh.environment.frozen = old.lock->environment.frozen;
    fresh.environment.frozen->images =
        project::kept_images(*old.lock->environment.frozen, {fresh.environment, options, {}, made}, note);
  } else {
    note("the frozen tree is for another environment; 'envgen lock --freeze' regenerates it");
  }
}

std::string lines_of(const std::vector<project::Difference>& differences) {
  std::string text;
  for (const auto& difference : differences) text += fmt::format("  {}\n", difference.text);
  return text;
}

/// `state` is the member that tells the outcome.
std::string lock_json(const std::string& path, std::string_view state, bool holds,
                      const std::vector<project::Difference>& differences) {
  constexpr int indent = 2;
  util::JsonWriter json(indent);
  json.begin_object().member("schema_version", 1).member("lock", path).member(state, holds).key("differences");
  project::write_differences(json, differences);
  json.end_object();
  return json.take() + "\n";
}

Expected<Exit> check_lock(const project::Lock& fresh, const std::string& path, const Context& context) {
  if (!exists(path))
    return fail(ErrorCode::differs, "there is no lock yet", path, {fmt::format("'{}' writes it", project::lock_command(path))});
  const auto old = read_old(path);
  if (!old.lock) return tl::unexpected(old.lock.error());
  const auto found = project::differences(*old.lock, fresh);
  const bool current = !old.lock->edited && !project::any_matters(found);
  const auto name = in_one_line(path);  // it may hold anything
  std::string text;
  if (context.json) {
    text = lock_json(path, "current", current, found);
  } else if (old.lock->edited) {
    text = fmt::format("{} was edited by hand; '{}' overwrites it{}\n", name, project::lock_command(path, " --force"),
                       found.empty() ? "" : ", with these changes:") +
           lines_of(found);
  } else if (current) {
    text = fmt::format("{} is up to date{}\n", name, found.empty() ? "" : ", with differences that do not matter:") +
           lines_of(found);
  } else {
    text = fmt::format("{} is out of date; '{}' updates it, with these changes:\n", name, project::lock_command(path)) +
           lines_of(found);
  }
  if (auto printed = written(text); !printed) return printed;
  return current ? Exit::ok : Exit::differs;
}

/// The project that a lock beside it is for: its name, empty where there is none, and what it says.
struct Project {
  const std::string& name;
  const project::WrittenProject& said;
};

/// What to do about a lock of another request than the project's, which calls it out of date; empty: of the same request.
std::string strayed(const project::Lock& lock, const std::string& path, const Project& project, const matrix::Matrix& matrix) {
  if (project.name.empty() || path != lock_of(project.name)) return "";
  const auto quiet = [](const std::string& /*remark*/) {};  // those were told when the request was resolved
  if (api::check_current(lock, path, project.said, matrix, quiet)) return "";
  return fmt::format(
      "The request in {0} is different, so 'envgen generate' will call this lock out of date: put the values into {0}, or lock "
      "to another file with -o.\n",
      in_one_line(project.name));
}

/// What a lock that was just written is for; empty: the command would have to name the files.
std::string next_of(const Environment& environment, const std::string& path, const Project& project) {
  if (path != lock_of(project.name)) return "";
  const auto command =
      project.said.outputs.files.empty() ? fmt::format("render {}", api::first_output(environment)) : std::string("generate");
  if (project.name.empty() || project.name == project::project_file_name) return fmt::format("Next: envgen {}\n", command);
  return fmt::format("Next: envgen {} --project {}\n", command, shell_word(in_one_line(project.name)));
}

Expected<Exit> write_lock(const project::Lock& fresh, const LockOptions& options, const std::string& path, const Project& project,
                          const matrix::Matrix& matrix, const Context& context) {
  const auto bytes = project::lock_text(fresh);
  if (path == "-") return written_as_it_is(bytes);
  std::vector<project::Difference> found;
  bool same = false;
  if (may_hold_lock(path)) {
    const auto old = read_old(path);
    if (!old.lock && !options.force) return tl::unexpected(old.lock.error());
    if (old.lock && old.lock->edited && !options.force)
      return fail(ErrorCode::differs, "the lock was changed after envgen wrote it (by hand, or by a merge); unchanged", path,
                  {fmt::format("'{}' overwrites it", project::lock_command(path, " --force"))});
    if (old.lock) found = project::differences(*old.lock, fresh);
    same = old.bytes == bytes;
  }
  if (same) {
    util::TemporaryFile::remove_leftovers(std::filesystem::path(path).parent_path());
  } else if (auto wrote = util::write_file(path, bytes); !wrote) {
    return tl::unexpected(wrote.error());
  }
  if (context.json) return written(lock_json(path, "written", !same, found));
  const auto line = answers::headline(fresh.environment);
  const auto beside = strayed(fresh, path, project, matrix);
  if (same) return written(fmt::format("unchanged {}: {}\n{}{}", in_one_line(path), line, lines_of(found), beside));
  return written(fmt::format("wrote {}: {}\n{}{}", in_one_line(path), line, lines_of(found),
                             beside.empty() ? next_of(fresh.environment, path, project) : beside));
}

Expected<Exit> run_lock(const LockOptions& options, Context& context) {
  auto matrix = context.matrix();
  if (!matrix) return tl::unexpected(matrix.error());
  const auto project = find_project(options);
  if (!project) return tl::unexpected(project.error());
  const auto said = read_named(*project);
  if (!said) return tl::unexpected(said.error());
  auto request = request_to_resolve(options.request, *project, *said, *matrix);
  if (!request) return tl::unexpected(request.error());
  auto made = fresh_lock(std::move(*request), *project, *matrix, context);
  if (!made) return tl::unexpected(made.error());
  if (const auto* exit = std::get_if<Exit>(&*made)) return *exit;
  auto& fresh = std::get<project::Lock>(*made);
  const auto path = options.output.empty() ? lock_of(*project) : options.output;
  if (std::error_code ignored; !project->empty() && std::filesystem::equivalent(path, *project, ignored))
    return fail(ErrorCode::usage, "this is the project file, and a lock would overwrite it", path,
                {"-o FILE writes to another one"});
  if (options.check && path == "-") return fail(ErrorCode::usage, "--check needs a file to compare; '-' is not a file", "-o");
  const auto chosen = api::project_options(*said, *matrix);
  if (!chosen) return tl::unexpected(chosen.error());
  // A lock from which the project's files cannot be made helps nobody; no index need be asked to know that.
  if (!said->outputs.files.empty()) {
    const auto files = api::files_of(*said, api::inputs_of(fresh, *chosen, *said, *matrix));
    if (!files) return tl::unexpected(files.error());
  }
  const auto made_files = project::names_of(said->outputs.files);
  if (options.freeze) {
    auto frozen = project::freeze(fresh.environment, *chosen, note);
    if (!frozen) return tl::unexpected(std::move(frozen.error()));
    auto images = container::find_digests(files::images_by_tag({fresh.environment, *chosen, {}, made_files}),
                                          fresh.environment.platform, note);
    if (!images) return tl::unexpected(std::move(images.error()));
    frozen->images = std::move(*images);
    fresh.environment.frozen = std::move(*frozen);
  } else {
    keep_frozen_tree(fresh, path, *chosen, made_files);
  }
  if (options.check) return check_lock(fresh, path, context);
  return write_lock(fresh, options, path, {*project, *said}, *matrix, context);
}

}  // namespace

Action setup_lock(CLI::App& app, Context& context) {
  auto options = std::make_shared<LockOptions>();
  add_request_options(app, options->request);
  add_project_option(app, options->project,
                     "the project file; flags override its values (default: envgen.json in this folder, if there is one)");
  app.add_option("-o,--output", options->output, "the lock (default: envgen.lock beside the project file; - is standard output)")
      ->check(refuse_empty)
      ->type_name("FILE")
      ->group("Output");
  auto* check = app.add_flag("--check", options->check, "write nothing; exit 9 if the lock is out of date")->group("Output");
  app.add_flag("--freeze", options->freeze,
               "add the whole dependency tree with hashes, as resolved by uv (the Dockerfile, setup.sh and requirements.txt then "
               "install with hash checking), and the image digests that docker, skopeo or podman can resolve")
      ->group("Output")
      ->excludes(check);
  app.add_flag("--force", options->force, "overwrite a lock that was edited by hand or cannot be read")
      ->group("Output")
      ->excludes(check);
  add_format(app, context);
  app.footer(
      "If no environment satisfies the request, the old lock is kept; exit status 3 (with proof), or 8 if a fact is missing.\n"
      "A lock is still up to date if only the data revision or the wording of a reason has changed.");
  return [options, &context] { return run_lock(*options, context); };
}

}  // namespace envgen::cli
