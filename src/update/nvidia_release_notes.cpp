#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "update/answers.hpp"
#include "update/html.hpp"
#include "update/readers.hpp"
#include "update/release_note_cells.hpp"

namespace envgen::update {
namespace {

namespace tables = matrix::tables;

constexpr std::string_view notes_root = "https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/";

using Row = std::vector<std::string>;

bool has_text(const Row& row, std::string_view text) {
  return std::any_of(row.begin(), row.end(), [&](const std::string& cell) { return cell.find(text) != std::string::npos; });
}

bool is_heading(const Row& row) {
  return has_text(row, "Driver Version") || has_text(row, "Driver Branch") || has_text(row, "Driver Range") ||
         std::find(row.begin(), row.end(), "Min") != row.end();
}

/// The tables that are read, by their headings: captions and numbers have changed, and so has the number of tables.
enum class Kind { branches, drivers, compatibility, other };
Kind kind_of(const HtmlTable& table) {
  const auto some = [&](std::string_view text) {
    return std::any_of(table.rows.begin(), table.rows.end(),
                       [&](const Row& row) { return is_heading(row) && has_text(row, text); });
  };
  if (some("Minor Version Compatibility")) return Kind::compatibility;
  if (some("Driver Branch")) return Kind::branches;
  return some("Linux x86_64 Driver Version") ? Kind::drivers : Kind::other;
}

/// A row that says something: what it is about, and the cell of Linux.
struct Line {
  std::string label;
  std::string cell;
};

/// Errors (network): a row has no second cell.
Expected<std::vector<Line>> lines_in(const std::vector<HtmlTable>& all, Kind kind, const std::string& url) {
  std::vector<Line> lines;
  for (const auto& table : all) {
    if (kind_of(table) != kind) continue;
    for (const auto& row : table.rows) {
      const bool says_nothing = std::all_of(row.begin(), row.end(), [](const std::string& cell) { return cell.empty(); });
      if (says_nothing || is_heading(row)) continue;
      // Drivers for Linux come first, in all versions of this page. A driver that spans rows stands in the first of them.
      lines.push_back({row.front(), row.size() > 1 ? row[1] : std::string()});
      if (row.size() < 2 && kind != Kind::compatibility)
        return other_shape(fmt::format("no driver for {}", in_quotes(row.front())), url);
    }
    if (!table.ended) return other_shape("the page ends inside a table", url);
  }
  return lines;
}

/// The value of a row that is known; empty: there is no such row, or it is null.
std::string value_in(const matrix::Documents& known, const matrix::Table& table, const char* key, const std::string& value,
                     const char* field) {
  for (const auto& row : known.rows(table)) {
    if (text_in(*row.value, key) == value) return text_in(*row.value, field);
  }
  return {};
}

/// Whether a row is known, or newer than all that are: that an older one is not known is on purpose.
bool is_wanted(const matrix::Documents& known, const matrix::Table& table, const char* key, const std::string& value) {
  const auto& rows = known.rows(table);
  const auto version = Version::parse(value);
  return has_row(known, table, key, value) || std::all_of(rows.begin(), rows.end(), [&](const matrix::Documents::Row& row) {
           const auto other = Version::parse(text_in(*row.value, key));
           return version && other && *other < *version;
         });
}

bool is_of_branch(std::string_view driver, const std::string& branch) { return driver.starts_with(branch + "."); }

/// What the tables state, as it is gathered.
class DriverClaims {
 public:
  DriverClaims(const matrix::Documents& known, Reading& reading) : known_(known), reading_(reading) {}

  void toolkit(const std::string& version, const std::string& driver) {
    if (has_row(known_, tables::toolkits, "version", version))
      claim(tables::toolkits, {{"version", version}, {"driver", driver}});
  }
  /// `driver`: the first that reports it; empty: none is stated.
  void minor(const std::string& cuda, const std::string& driver) {
    if (!is_wanted(known_, tables::cuda_minors, "cuda", cuda)) return;
    Json row{{"cuda", cuda}};
    if (!driver.empty()) row["native_driver"] = driver;
    claim(tables::cuda_minors, std::move(row));
    minors_.try_emplace(cuda, driver);
  }
  void branch(const std::string& cuda, const std::string& branch) {
    // A driver of another branch contradicts it.
    if (const auto driver = native_driver(cuda); !driver.empty() && !is_of_branch(driver, branch)) return minor(cuda, branch);
    minor(cuda, {});
    // The newest minor of a branch comes first.
    if (!minors_.contains(cuda) || !branches_.insert(branch).second) return;
    if (is_wanted(known_, tables::driver_branches, "branch", branch))
      claim(tables::driver_branches, {{"branch", branch}, {"cuda", cuda}});
  }
  void major(const std::string& cuda, const std::string& driver) {
    if (is_wanted(known_, tables::cuda_majors, "cuda", cuda))
      claim(tables::cuda_majors, {{"cuda", cuda}, {"minor_compat_driver", exact(cuda, driver)}});
  }

  /// Errors (network): of the minors whose driver is known, it states too few.
  Expected<void> not_shrunk(const std::string& url) const {
    std::size_t known = 0;
    std::size_t listed = 0;
    for (const auto& row : known_.rows(tables::cuda_minors)) {
      if (text_in(*row.value, "native_driver").empty()) continue;
      ++known;
      if (minors_.contains(text_in(*row.value, "cuda"))) ++listed;
    }
    return update::not_shrunk(listed, known, "CUDA releases", url);
  }

 private:
  void claim(const matrix::Table& table, Json row) { reading_.claims.push_back({&table, std::move(row)}); }

  std::string native_driver(const std::string& cuda) const {
    const auto stated = minors_.find(cuda);
    if (stated != minors_.end() && !stated->second.empty()) return stated->second;
    return value_in(known_, tables::cuda_minors, "cuda", cuda, "native_driver");
  }

  /// `580` is all drivers of R580: one that is known stands for it, or else that of the first minor, or else what is below them
  /// all.
  std::string exact(const std::string& cuda, const std::string& driver) const {
    if (driver.find('.') != std::string::npos) return driver;
    const auto known = value_in(known_, tables::cuda_majors, "cuda", cuda, "minor_compat_driver");
    if (!known.empty()) return is_of_branch(known, driver) ? known : driver;
    const auto first = native_driver(cuda + ".0");
    return is_of_branch(first, driver) ? first : driver + ".00";
  }

  const matrix::Documents& known_;
  Reading& reading_;
  std::map<std::string, std::string> minors_;  ///< those that are stated, and their drivers
  std::set<std::string> branches_;
};

tl::unexpected<Error> no_release(const Line& line, const std::string& url) {
  return other_shape(fmt::format("{} is not a release of CUDA", in_quotes(line.label)), url);
}
tl::unexpected<Error> no_driver(const Line& line, std::string_view what, const std::string& url) {
  return other_shape(fmt::format("the {} of {} is {}", what, in_quotes(line.label), in_quotes(line.cell)), url);
}

Expected<void> read_drivers(const std::vector<Line>& lines, DriverClaims& stated, const std::string& url) {
  for (const auto& line : lines) {
    const auto release = cuda_release(line.label);
    if (!release) return no_release(line, url);
    const auto driver = driver_of(line.cell);
    const bool is_branch = driver && !driver->empty() && driver->find('.') == std::string::npos;
    if (!driver || is_branch) return no_driver(line, "driver", url);
    if (!release->toolkit.empty() && !driver->empty()) stated.toolkit(release->toolkit, *driver);
    if (release->general) stated.minor(release->minor, *driver);
  }
  return {};
}

Expected<void> read_branches(const std::vector<Line>& lines, DriverClaims& stated, const std::string& url) {
  for (const auto& line : lines) {
    const auto release = cuda_release(line.label);
    if (!release) return no_release(line, url);
    const auto branch = branch_of(line.cell);
    if (!branch) return no_driver(line, "driver branch", url);
    if (release->general) stated.branch(release->minor, *branch);
  }
  return {};
}

Expected<void> read_compatibility(const std::vector<Line>& lines, DriverClaims& stated, const std::string& url) {
  for (const auto& line : lines) {
    const auto major = cuda_major(line.label);
    if (!major) return no_release(line, url);
    if (major->empty()) continue;
    const auto driver = driver_of(line.cell);
    if (!driver) return no_driver(line, "minimum driver", url);
    if (!driver->empty()) stated.major(*major, *driver);
  }
  return {};
}

}  // namespace

Expected<std::vector<Reading>> read_nvidia_release_notes(Visit& visit) {
  const auto url = fmt::format("{}index.html", visit.at(notes_root));
  Reading result{"nvidia-release-notes", "NVIDIA's release notes of CUDA: the drivers of the toolkits", url, {}, {}};
  visit.progress("CUDA", 0, 1);
  const auto page = body_of(get(visit.client, url, "text/html"), url);
  if (!page) return tl::unexpected(page.error());
  const auto all = html_tables(*page);
  DriverClaims stated(visit.known, result);
  struct Part {
    Kind kind;
    const char* what;  ///< null: older pages have none
    Expected<void> (*read)(const std::vector<Line>&, DriverClaims&, const std::string&);
  };
  // Branches are held against drivers, and what runs every minor of a major against the driver of its first.
  static constexpr std::array parts{
      Part{Kind::drivers, "of CUDA releases and their Linux drivers", read_drivers},
      Part{Kind::branches, nullptr, read_branches},
      Part{Kind::compatibility, "of minor-version compatibility", read_compatibility},
  };
  for (const auto& part : parts) {
    const auto lines = lines_in(all, part.kind, url);
    if (!lines) return tl::unexpected(lines.error());
    if (lines->empty() && part.what != nullptr) return other_shape(fmt::format("no table {}", part.what), url);
    if (auto read = part.read(*lines, stated, url); !read) return tl::unexpected(read.error());
  }
  if (auto whole = stated.not_shrunk(url); !whole) return tl::unexpected(whole.error());
  return std::vector<Reading>{std::move(result)};
}

}  // namespace envgen::update
