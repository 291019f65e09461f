#include "cli/write_outputs.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/choice_options.hpp"
#include "files/on_disk.hpp"
#include "model/spelling.hpp"

namespace envgen::cli {
namespace {

using files::Change;
using files::Standing;

std::string_view said_of(Change change) {
  switch (change) {
    case Change::none:
      return "unchanged";
    case Change::create:
      return "wrote";
    case Change::update:
    case Change::restore:
      return "updated";
    case Change::kept:
      return "kept";
    case Change::another:
    case Change::edited:
    case Change::foreign:
      return "overwrote";
  }
  return {};
}

/// A path may hold anything.
std::string shown(const std::filesystem::path& path) { return in_one_line(path.string()); }

Expected<Exit> show_differences(const std::vector<Standing>& standings, bool check) {
  std::string text;
  bool current = true;
  for (const auto& one : standings) {
    if (files::stays(one.change)) continue;
    current = false;
    text += one.change == Change::restore
                ? fmt::format("{}: it {}; the same command without --{} fixes that{}\n", shown(one.path),
                              one.of_windows ? "has Windows line endings" : "is not executable", check ? "check" : "diff",
                              one.of_windows ? ", and '* text=auto eol=lf' in .gitattributes prevents it" : "")
                : files::unified_diff(one.old, one.file->text, shown(one.path));
  }
  if (current && check) text = "all files are up to date\n";
  if (auto printed = written(text); !printed) return printed;
  return check && !current ? Exit::differs : Exit::ok;
}

/// Says what a file that stays lacks: without it, the rest of the output is of no use.
void note_missing_includes(const std::vector<Standing>& standings) {
  for (const auto& one : standings) {
    if (!files::lacks_include(one)) continue;
    note(fmt::format("{} is yours and is unchanged; it does not include envgen's jobs:\n  include:\n    - local: {}",
                     shown(one.path), one.file->included));
  }
}

Expected<void> refuse_loss(const std::vector<Standing>& standings, const WriteFlags& flags) {
  const bool may = flags.force || flags.check || flags.diff;
  return may ? Expected<void>() : files::refuse_loss(standings);
}

}  // namespace

void add_write_options(CLI::App& app, WriteFlags& flags) {
  auto* check =
      app.add_flag("--check", flags.check, "write nothing; exit 9 with a diff if a file is out of date")->group("Output");
  auto* diff = app.add_flag("--diff", flags.diff, "write nothing; show what would change")->group("Output")->excludes(check);
  app.add_flag("--force", flags.force,
               "overwrite files that were edited by hand, that envgen did not write or wrote for another project, or that are "
               "read-only, and follow symlinks that leave the folder")
      ->group("Output")
      ->excludes(check)
      ->excludes(diff);
}

void note_what_is_needed(const files::Files& files) {
  std::vector<std::string> said;
  for (const auto& file : files) {
    for (const auto& text : file.notes) {
      if (std::find(said.begin(), said.end(), text) != said.end()) continue;
      note(text);
      said.push_back(text);
    }
  }
}

Expected<void> refuse_loss(const files::Files& files, const std::filesystem::path& folder, const WriteFlags& flags) {
  const auto standings = files::standings(files, folder);
  if (!standings) return tl::unexpected(standings.error());
  return refuse_loss(*standings, flags);
}

Expected<Exit> write_outputs(const files::Files& files, const std::filesystem::path& folder, const WriteFlags& flags) {
  const auto standings = files::standings(files, folder);
  if (!standings) return tl::unexpected(standings.error());
  if (flags.check || flags.diff) return show_differences(*standings, flags.check);
  if (auto safe = refuse_loss(*standings, flags); !safe) return tl::unexpected(std::move(safe.error()));
  if (auto wrote = files::write(*standings); !wrote) return tl::unexpected(std::move(wrote.error()));
  std::string text;
  for (const auto& one : *standings) text += fmt::format("{} {}\n", said_of(one.change), shown(one.path));
  note_missing_includes(*standings);
  return written(text);
}

}  // namespace envgen::cli
