#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/choice_options.hpp"
#include "cli/commands.hpp"
#include "model/spelling.hpp"
#include "project/diff.hpp"
#include "project/project_file.hpp"

namespace envgen::cli {
namespace {

struct DiffOptions {
  std::string before;
  std::string after;
};

std::string diff_json(const DiffOptions& options, const std::vector<project::Difference>& found) {
  constexpr int indent = 2;
  util::JsonWriter json(indent);
  json.begin_object().member("schema_version", 1).member("before", options.before).member("after", options.after);
  json.member("equal", found.empty()).key("differences");
  project::write_differences(json, found);
  json.end_object();
  return json.take() + "\n";
}

std::string text_of(const DiffOptions& options, const std::vector<project::Difference>& found) {
  if (found.empty()) return fmt::format("{} and {} are the same\n", options.before, options.after);
  std::string text;
  if (!project::any_matters(found)) text += "the environment is the same\n";
  for (const auto& difference : found) text += difference.text + "\n";
  return text;
}

/// A lock to compare. A project file is refused by what it is, not by what a lock has and it has not.
Expected<project::Lock> compared_lock(const std::string& path) {
  auto lock = project::read_lock(path, project::Advice::none);
  if (lock || !project::read_project(path)) return lock;
  return fail(ErrorCode::bad_input, "this is a project file, and locks are compared", path,
              {fmt::format("its lock is {}", in_one_line(project::lock_beside(path).string()))});
}

Expected<Exit> run_diff(const DiffOptions& options, const Context& context) {
  const auto before = compared_lock(options.before);
  if (!before) return tl::unexpected(before.error());
  const auto after = compared_lock(options.after);
  if (!after) return tl::unexpected(after.error());
  const auto found = project::differences(*before, *after);
  if (auto printed = written(context.json ? diff_json(options, found) : text_of(options, found)); !printed) return printed;
  return found.empty() ? Exit::ok : Exit::differs;
}

}  // namespace

Action setup_diff(CLI::App& app, Context& context) {
  auto options = std::make_shared<DiffOptions>();
  app.add_option("before", options->before, "a lock")->required()->type_name("FILE");
  app.add_option("after", options->after, "the lock to compare it with")->required()->type_name("FILE");
  add_format(app, context);
  app.footer("Exit status: 0 when both are the same, 9 when they differ, 4 when one of them cannot be read.");
  return [options, &context] { return run_diff(*options, context); };
}

}  // namespace envgen::cli
