#include "files/on_disk.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <dtl/dtl.hpp>

#include "model/spelling.hpp"
#include "util/files.hpp"
#include "util/interrupt.hpp"
#include "util/temporary_file.hpp"

namespace envgen::files {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largest_file = std::size_t{16} << 20;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// A checkout on Windows is no edit by hand.
std::string with_unix_line_ends(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') result += text[i];
  }
  return result;
}

/// Whether a link, of the file or of a folder on the way to it, leads to another place than `folder`.
bool leads_out(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const auto root = fs::weakly_canonical(folder.empty() ? "." : folder, error);
  const auto real = error ? fs::path() : fs::weakly_canonical(path, error);
  return error || *real.lexically_relative(root).begin() == "..";
}

/// Whether both texts were made from one project file. `render` does not say of which folder it is (and of envgen.json not at
/// all): it is another one where there is such a file beside the texts.
bool is_of_same_project(std::string_view old, std::string_view text, const fs::path& folder) {
  const auto before = project_of(old);
  const auto now = project_of(text);
  if (before == now) return true;
  const fs::path name(before.empty() ? "envgen.json" : std::string(before));
  std::error_code ignored;
  return !name.has_parent_path() && name == fs::path(now).filename() && !fs::exists(folder / name, ignored);
}

Expected<Standing> standing(const File& file, const fs::path& folder) {
  Standing result{folder / file.path, &file, Change::create, {}, leads_out(folder / file.path, folder)};
  std::error_code error;
  const auto status = fs::status(result.path, error);
  if (status.type() == fs::file_type::not_found) return result;
  if (status.type() != fs::file_type::regular)
    return fail(ErrorCode::bad_input, "not a regular file; not replaced", result.path.string());
  constexpr auto writing = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  result.read_only = (status.permissions() & writing) == fs::perms::none;
  auto old = util::read_file(result.path, largest_file);
  if (!old) return tl::unexpected(std::move(old.error()));
  result.old = with_unix_line_ends(*old);
  result.of_windows = result.old != *old;
  if (result.old == file.text) {
    const bool runs = (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
    result.change = !result.of_windows && (runs || !file.executable) ? Change::none : Change::restore;
    return result;
  }
  switch (state_of(result.old)) {
    case State::unmarked:
      result.change = file.proposed ? Change::kept : Change::foreign;
      break;
    case State::untouched:
      result.change = is_of_same_project(result.old, file.text, folder) ? Change::update : Change::another;
      break;
    case State::edited:
      result.change = Change::edited;
      break;
  }
  return result;
}

/// What will keep a file from being written, as far as it shows before: a folder that is none, or that takes no file.
Expected<void> can_be_written(const fs::path& path) {
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(path, error)) && !fs::exists(path, error))
    return fail(ErrorCode::bad_input, "a dangling link, which would be replaced by a file", path.string(),
                {"remove the link, or create its target"});
  const auto parent = path.parent_path();
  auto there = parent.empty() ? fs::path(".") : parent;
  while (fs::status(there, error).type() == fs::file_type::not_found && there.has_relative_path()) {
    there = there.parent_path();
    if (there.empty()) there = ".";
  }
  const bool is_folder = fs::is_directory(there, error);
  if (is_folder && ::access(there.c_str(), W_OK | X_OK) == 0) return {};
  const auto why = std::generic_category().message(is_folder ? errno : ENOTDIR);
  if (is_folder && (there == parent || parent.empty()))
    return fail(ErrorCode::bad_input, fmt::format("cannot write the file ({})", why), path.string());
  return fail(ErrorCode::bad_input, fmt::format("cannot create the folder ({})", why), parent.string());
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

using Place = std::vector<Standing>::const_iterator;

/// The error, and how far the writing came where it began: `next` is the first file that is not written.
tl::unexpected<Error> stopped(Error error, const std::vector<Standing>& standings, Place next) {
  std::vector<std::string> written;
  std::vector<std::string> left;
  for (auto one = standings.begin(); one != standings.end(); ++one) {
    if (!stays(one->change)) (one < next ? written : left).push_back(in_one_line(one->path.string()));
  }
  if (!written.empty()) {
    error.hints.push_back(fmt::format("written: {}", fmt::join(written, ", ")));
    if (!left.empty()) error.hints.push_back(fmt::format("not written: {}", fmt::join(left, ", ")));
  }
  return tl::unexpected(std::move(error));
}

}  // namespace

Expected<std::vector<Standing>> standings(const Files& files, const fs::path& folder) {
  std::vector<Standing> result;
  for (const auto& file : files) {
    auto one = standing(file, folder);
    if (!one) return tl::unexpected(std::move(one.error()));
    result.push_back(std::move(*one));
  }
  return result;
}

bool lacks_include(const Standing& standing) {
  const auto& file = *standing.file;
  return standing.change == Change::kept && !file.included.empty() && !includes(standing.old, file.included);
}

namespace {

std::string why_it_stays(const Standing& standing) {
  switch (standing.change) {
    case Change::edited:
      return "the file was edited by hand";
    case Change::another: {
      const auto project = project_of(standing.old);
      return project.empty() ? fmt::format("the file was not generated from {}", project_of(standing.file->text))
                             : fmt::format("the file was generated from {}", in_one_line(project));
    }
    default:
      return "envgen did not write this file";
  }
}

}  // namespace

Expected<void> refuse_loss(const std::vector<Standing>& standings) {
  for (const auto& one : standings) {
    if (one.leads_out && !stays(one.change))
      return fail(ErrorCode::differs, "a link leads out of the folder; nothing was written", one.path.string(),
                  {"--diff shows what would change", "--force follows the link"});
  }
  for (const auto& one : standings) {
    if (one.change == Change::edited || one.change == Change::foreign || one.change == Change::another) {
      std::vector<std::string> hints{"--diff shows what would change", "--force overwrites it"};
      if (one.change == Change::another) hints.emplace_back("-o DIR writes to another folder");
      return fail(ErrorCode::differs, fmt::format("{}; nothing was written", why_it_stays(one)), one.path.string(),
                  std::move(hints));
    }
    if (one.read_only && !stays(one.change))
      return fail(ErrorCode::differs, "the file is read-only; nothing was written", one.path.string(),
                  {"--diff shows what would change", "--force overwrites it, and leaves it read-only"});
  }
  return {};
}

std::string unified_diff(const std::string& before, const std::string& after, const std::string& name) {
  if (before == after) return {};
  dtl::Diff<std::string> diff(lines_of(before), lines_of(after));
  diff.compose();
  diff.composeUnifiedHunks();
  std::ostringstream text;
  diff.printUnifiedFormat(text);
  return fmt::format("--- {0}\n+++ {0} (as generated)\n{1}", name, text.str());
}

Expected<void> write(const std::vector<Standing>& standings) {
  for (const auto& one : standings) {  // they belong together: none is written where one cannot be
    if (stays(one.change)) continue;
    if (auto possible = can_be_written(one.path); !possible) return possible;
  }
  const util::InterruptScope scope;  // between two files, too, nothing ends without a word
  for (auto one = standings.begin(); one != standings.end(); ++one) {
    const auto parent = one->path.parent_path();
    if (stays(one->change)) {
      util::TemporaryFile::remove_leftovers(parent);
      continue;
    }
    std::error_code error;
    if (!parent.empty()) fs::create_directories(parent, error);
    if (error)
      return stopped({ErrorCode::bad_input, fmt::format("cannot create the folder ({})", error.message()), parent.string(), {}},
                     standings, one);
    const auto mode = one->file->executable ? util::FileMode::executable : util::FileMode::plain;
    if (auto wrote = util::write_file(one->path, one->file->text, mode); !wrote) {
      const bool is_there = wrote.error().code == ErrorCode::interrupted;
      return stopped(std::move(wrote.error()), standings, is_there ? one + 1 : one);
    }
  }
  return {};
}

}  // namespace envgen::files
