#include "cli/write_outputs.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/choice_options.hpp"
#include "model/spelling.hpp"
#include "output/on_disk.hpp"

namespace envgen::cli {
namespace {

using output::Change;
using output::Standing;

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
    if (output::stays(one.change)) continue;
    current = false;
    text += one.change == Change::restore
                ? fmt::format("{}: the line ends are those of Windows, or it may not be run\n", shown(one.path))
                : output::unified_diff(one.old, one.file->text, shown(one.path));
  }
  if (current && check) text = "all files are current\n";
  if (auto printed = written(text); !printed) return printed;
  return check && !current ? Exit::differs : Exit::ok;
}

/// Whether a line of `text` that is no comment names that file.
bool includes(std::string_view text, std::string_view file) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.substr(0, line.find('#')).find(file) != std::string_view::npos) return true;
  }
  return false;
}

/// Says what a file that stays lacks: without it, the rest of the output is of no use.
void note_missing_includes(const std::vector<Standing>& standings) {
  for (const auto& one : standings) {
    if (one.change != Change::kept || one.file->included.empty() || includes(one.old, one.file->included)) continue;
    note(fmt::format("{} is yours and stays; it does not include the jobs of envgen:\n  include:\n    - local: {}",
                     shown(one.path), one.file->included));
  }
}

/// What a repository brings along may be a link into the home of whoever generates.
Expected<void> refuse_links_out(const std::vector<Standing>& standings) {
  const auto out = std::find_if(standings.begin(), standings.end(),
                                [](const Standing& one) { return one.leads_out && !output::stays(one.change); });
  if (out == standings.end()) return {};
  return fail(ErrorCode::differs, "a link leads out of the folder, so nothing is written", out->path.string(),
              {"--diff shows what would change", "--force follows the link"});
}

Expected<void> refuse_loss(const std::vector<Standing>& standings) {
  const auto lost = std::find_if(standings.begin(), standings.end(), [](const Standing& one) {
    return one.change == Change::edited || one.change == Change::foreign;
  });
  if (lost == standings.end()) return {};
  return fail(ErrorCode::differs,
              lost->change == Change::edited ? "the file was edited by hand, so nothing is written"
                                             : "envgen did not write this file, so nothing is written",
              lost->path.string(), {"--diff shows what would change", "--force overwrites it"});
}

}  // namespace

void add_write_options(CLI::App& app, WriteFlags& flags) {
  auto* check =
      app.add_flag("--check", flags.check, "write nothing; exit 9 with a diff when a file is not what would be written now")
          ->group("Output");
  auto* diff = app.add_flag("--diff", flags.diff, "write nothing, show what would change")->group("Output")->excludes(check);
  app.add_flag("--force", flags.force,
               "overwrite files that were edited by hand or are not envgen's, and follow links out of the folder")
      ->group("Output")
      ->excludes(check)
      ->excludes(diff);
}

void note_what_is_needed(const output::Files& files) {
  std::vector<std::string> said;
  for (const auto& file : files) {
    for (const auto& text : file.notes) {
      if (std::find(said.begin(), said.end(), text) != said.end()) continue;
      note(text);
      said.push_back(text);
    }
  }
}

Expected<Exit> write_outputs(const output::Files& files, const std::filesystem::path& folder, const WriteFlags& flags) {
  const auto standings = output::standings(files, folder);
  if (!standings) return tl::unexpected(standings.error());
  if (flags.check || flags.diff) return show_differences(*standings, flags.check);
  if (!flags.force) {
    if (auto inside = refuse_links_out(*standings); !inside) return tl::unexpected(std::move(inside.error()));
    if (auto kept = refuse_loss(*standings); !kept) return tl::unexpected(std::move(kept.error()));
  }
  if (auto wrote = output::write(*standings); !wrote) return tl::unexpected(std::move(wrote.error()));
  std::string text;
  for (const auto& one : *standings) text += fmt::format("{} {}\n", said_of(one.change), shown(one.path));
  note_missing_includes(*standings);
  return written(text);
}

}  // namespace envgen::cli
