#include "matrix/linting.hpp"

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "model/version_spec.hpp"

namespace envgen::matrix {
namespace {

/// `2024`, `2024-06`, `2024-06-05`.
bool is_date(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-dd";
  if (text.size() != 4 && text.size() != 7 && text.size() != form.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]) return false;
  }
  if (text.size() > 4 && (text.substr(5, 2) < "01" || text.substr(5, 2) > "12")) return false;
  return text.size() <= 7 || (text.substr(8, 2) >= "01" && text.substr(8, 2) <= "31");
}

/// The smallest version above all that lie under `version`.
Version after(Version version) {
  const auto bump = [](std::uint16_t part) { return static_cast<std::uint16_t>(part + 1); };
  switch (version.count()) {
    case 1:
      return Version(bump(version.part(0)));
    case 2:
      return {version.part(0), bump(version.part(1))};
    default:
      return {version.part(0), version.part(1), bump(version.part(2))};
  }
}

/// True when some version meets the specifier: the lowest that could is 0, an end of a clause, or just above one.
bool can_hold(const VersionSpec& spec) {
  std::vector<Version> candidates{Version(0)};
  for (const auto& clause : spec.clauses()) {
    candidates.push_back(clause.version);
    candidates.push_back(after(clause.version));
    const auto just_above = Version::parse(fmt::format("{}{}", clause.version,
                                                       clause.version.count() == 1   ? ".0.0.1"
                                                       : clause.version.count() == 2 ? ".0.1"
                                                       : clause.version.count() == 3 ? ".1"
                                                                                     : ""));
    if (just_above) candidates.push_back(*just_above);
  }
  return any(candidates, [&](Version version) { return spec.matches(version); });
}

void check_pythons(Lint& lint, const Cell& list, bool may_be_empty) {
  const auto items = list.items();
  for (const auto& item : items) {
    const auto python = PythonVersion::parse(item.text());
    constexpr std::uint8_t first_free_threaded = 13;
    if (python && python->free_threaded && python->minor < first_free_threaded)
      lint.find(item, fmt::format("there is no Python {}: free-threading began with 3.13", *python));
  }
  if (list.is_list() && items.empty() && !may_be_empty)
    lint.find(list, "an empty list means that nothing can install it; null means unknown");
}

}  // namespace

void Lint::find(const std::string& where, const std::string& message, std::vector<std::string> hints) {
  // Names and texts of a file may hold control characters.
  problems_.push_back(Error{ErrorCode::differs, in_one_line(message), in_one_line(where), std::move(hints)});
}

void Lint::check_forms(const Table& table, const Cell& row) {
  for (const auto& field : table.fields) {
    const auto cell = row.maybe(field.name);
    const auto form = field.form.name;
    const auto text = cell.is_text() ? cell.text() : std::string_view();
    if (field.inside != nullptr && cell.is_list()) {
      for (const auto& item : cell.items()) check_forms(*field.inside, item);
    } else if (field.inside != nullptr) {
      check_forms(*field.inside, cell);
    } else if (form.starts_with("pythons")) {
      check_pythons(*this, cell, form == "pythons_or_none");
    } else if (form == "systems") {
      for (const auto& item : cell.items()) check_system(item);
    } else if (form == "cuda") {
      check_cuda(cell, Version::parse(text).value_or(Version()));
    } else if (text.empty()) {
      continue;
    } else if (form == "system") {
      check_system(cell);
    } else if (form == "driver") {
      check_driver(cell);
    } else if ((form == "date" || form == "when") && !is_date(text)) {
      find(cell, fmt::format("{} is not a date (2024-06-05, 2024-06 or 2024)", in_quotes(text)));
    } else if (form == "glibc") {
      const auto version = Version::parse(text).value_or(Version());
      if (version.major() != 2 || version.count() != 2)
        find(cell, fmt::format("{} is not a glibc version (2.28)", in_quotes(text)));
    }
  }
}

void Lint::check_system(const Cell& cell) {
  const auto id = cell.text();
  if (id.empty() || any(root.os, [&](const Os& os) { return os.id.view() == id; })) return;
  std::vector<std::string_view> known;
  for (const auto& os : root.os) known.push_back(os.id);
  find(cell.where(), fmt::format("the operating system {} is not in os.json", in_quotes(id)), did_you_mean(id, known, 1));
}

void Lint::check_driver(const Cell& cell, bool tegra) {
  const auto text = cell.text();
  if (text.empty()) return;
  const auto version = Version::parse(text).value_or(Version());
  constexpr std::uint16_t oldest = 300;
  constexpr std::uint16_t newest = 999;
  const bool good =
      version.count() >= 2 && version.count() <= 3 && (tegra || (version.major() >= oldest && version.major() <= newest));
  if (!good) find(cell, fmt::format("{} is not a driver version (535.183.01)", in_quotes(text)));
}

void Lint::check_cuda(const Cell& cell, Version minor) {
  if (!minor) return;
  const auto name = minor.to_string();
  if (minor.count() != 2) return find(cell, fmt::format("a CUDA minor has two parts; {} has {}", name, minor.count()));
  if (!any(root.toolkits, [&](const Toolkit& row) { return row.minor == minor; }))
    find(cell, fmt::format("cuda.json has no CUDA {} toolkit", name));
  if (!any(root.cuda_minors, [&](const CudaMinor& row) { return row.cuda == minor; }))
    find(cell, fmt::format("CUDA {} is not in the minors of cuda.json", name));
  if (!any(root.cuda_majors, [&](const CudaMajor& row) { return row.cuda == minor.major(); }))
    find(cell, fmt::format("CUDA {} is not in the majors of cuda.json", minor.major()));
}

void Lint::check_spec(const Cell& cell, std::string_view text, const std::vector<Version>* among, std::string_view what) {
  const auto spec = wheel_spec(text);
  if (!spec) return find(cell, fmt::format("{} is {}", in_quotes(text), spec.error().message));
  if (!can_hold(*spec)) return find(cell, fmt::format("no version satisfies {}", in_quotes(text)));
  if (among != nullptr && !any(*among, [&](Version version) { return spec->matches(version); }))
    find(cell, fmt::format("no {} in the matrix satisfies {}", what, in_quotes(text)));
}

void Lint::check_branch(const Cell& cell, std::uint16_t branch) {
  if (branch != 0 && !any(root.branches, [&](const DriverBranch& row) { return row.branch == branch; }))
    find(cell, fmt::format("the branch {} is not in drivers.json", branch));
}

std::vector<Version> releases_of(const Root& root, Framework framework) {
  std::vector<Version> result;
  for (const auto& row : root.releases) {
    if (row.framework == framework && row.version) result.push_back(row.version);
  }
  return result;
}

std::vector<Version> pythons_of(Lint& lint) {
  std::vector<Version> result;
  for (const auto& row : lint.rows(tables::pythons)) {
    if (const auto version = lint.cell(row).maybe("version").version()) result.push_back(version);
  }
  return result;
}

}  // namespace envgen::matrix
