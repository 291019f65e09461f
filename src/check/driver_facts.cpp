#include "check/driver_facts.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "check/specifier.hpp"
#include "model/spelling.hpp"

namespace envgen::check {
namespace {

/// The one branch or release that a text names: `535`, `535.183.01`, `==535`, `535.*`; none of a range.
std::optional<DriverVersion> named_alone(std::string_view text) {
  while (text.starts_with('=')) text.remove_prefix(1);
  if (text.ends_with(".*")) text.remove_suffix(2);
  const auto version = DriverVersion::parse(without_spaces_around(text));
  return version ? std::optional(*version) : std::nullopt;
}

}  // namespace

DriverFacts::DriverFacts(const matrix::Matrix& matrix, Version cuda) : matrix_(matrix), cuda_(cuda) {
  for (const auto& minor : matrix->cuda_minors) {
    if (minor.cuda == cuda) native_floor_ = minor.native_driver;
  }
  for (const auto& major : matrix->cuda_majors) {
    if (major.cuda != cuda.major()) continue;
    compat_floor_ = major.minor_compat_driver;
    for (const auto& exception : major.except) {
      if (exception.cuda == cuda) compat_floor_ = exception.driver;
    }
  }
}

bool DriverFacts::native(DriverVersion driver) const {
  if (native_floor_) return driver >= native_floor_;
  // What a branch reports, every newer one does.
  return std::any_of(matrix_->branches.begin(), matrix_->branches.end(),
                     [&](const matrix::DriverBranch& row) { return row.cuda >= cuda_ && row.branch <= driver.branch(); });
}

bool DriverFacts::forward_compat(DriverVersion driver, std::span<const AskedBoard* const> boards) const {
  const auto* cell = matrix_.forward_compat(cuda_, driver.branch());
  if (cell == nullptr || !cell->works || boards.empty()) return false;
  const auto* branch = matrix_.branch(driver.branch());
  if (branch != nullptr && driver < branch->first) return false;
  return std::all_of(boards.begin(), boards.end(), [&](const AskedBoard* board) {
    // The package holds a driver of that CUDA's own branch, which must know the board too.
    const auto* known = matrix_.gpu_driver(board->capability);
    if (known == nullptr || (known->last_branch != 0 && native_floor_.branch() > known->last_branch)) return false;
    const auto eligible = [](const matrix::Gpu* row) {
      return row->gpu_class == matrix::GpuClass::datacenter || row->gpu_class == matrix::GpuClass::jetson;
    };
    return !board->rows.empty() && std::all_of(board->rows.begin(), board->rows.end(), eligible);
  });
}

Version DriverFacts::reported_by(DriverVersion driver) const {
  Version newest;
  for (const auto& minor : matrix_->cuda_minors) {
    const bool reports = minor.native_driver && driver >= minor.native_driver;
    if (reports && (!newest || minor.cuda > newest)) newest = minor.cuda;
  }
  return newest;
}

DriverVersion DriverFacts::first_of_branch(DriverVersion driver) const {
  const auto* branch = matrix_.branch(driver.branch());
  return branch != nullptr && branch->first ? branch->first : driver;
}

bool DriverFacts::reported_by_some(std::span<const AskedBoard* const> boards) const {
  return std::any_of(matrix_->branches.begin(), matrix_->branches.end(), [&](const matrix::DriverBranch& row) {
    if (row.cuda < cuda_) return false;
    return std::all_of(boards.begin(), boards.end(), [&](const AskedBoard* board) {
      const auto* known = matrix_.gpu_driver(board->capability);
      return known != nullptr && (known->last_branch == 0 || row.branch <= known->last_branch);
    });
  });
}

std::string DriverFacts::unknown_to(DriverVersion driver, Capability gpu) const {
  const auto* row = matrix_.gpu_driver(gpu);
  if (row == nullptr) return fmt::format("no fact says which drivers know compute capability {}", gpu.to_string());
  if (row->first_driver && driver < row->first_driver)
    return fmt::format("driver {} does not know {}, the first that does is {}", driver.to_string(), gpu.to_string(),
                       row->first_driver.to_string());
  if (row->last_branch != 0 && driver.branch() > row->last_branch)
    return fmt::format("driver {} does not know {}, R{} was the last that did", driver.to_string(), gpu.to_string(),
                       row->last_branch);
  return {};
}

/// Every release that some fact names, in the branches that are known, ascending.
std::vector<DriverVersion> DriverFacts::named_releases() const {
  std::set<DriverVersion> named;
  for (const auto& branch : matrix_->branches) named.insert({branch.first, branch.latest});
  for (const auto& minor : matrix_->cuda_minors) named.insert(minor.native_driver);
  for (const auto& major : matrix_->cuda_majors) {
    named.insert(major.minor_compat_driver);
    for (const auto& exception : major.except) named.insert(exception.driver);
  }
  for (const auto& gpu : matrix_->gpu_drivers) {
    if (!gpu.tegra) named.insert(gpu.first_driver);  // those of Jetson boards are numbers of their own
  }
  std::vector<DriverVersion> releases;
  for (const auto driver : named) {
    const auto* branch = matrix_.branch(driver.branch());
    if (branch != nullptr && branch->first && driver >= branch->first) releases.push_back(driver);
  }
  return releases;
}

/// The bounds of a range as releases that no fact has to name: the bound itself, or where it is excluded a number right after it,
/// unless a later release of its branch is known to be in the range.
std::vector<DriverVersion> DriverFacts::beyond_known(std::string_view range, const std::vector<DriverVersion>& known) const {
  const auto last = std::max_element(matrix_->branches.begin(), matrix_->branches.end(),
                                     [](const auto& a, const auto& b) { return a.branch < b.branch; });
  std::vector<DriverVersion> bounds;
  std::vector<DriverVersion> after;
  for (auto rest = range; !rest.empty();) {
    const auto clause = without_spaces_around(cut(rest, ','));
    auto number = clause.substr(std::min(clause.find_first_of("0123456789"), clause.size()));
    const bool wildcard = number.ends_with(".*");
    if (wildcard) number.remove_suffix(2);
    const auto parsed = Version::parse(number);
    if (!parsed) continue;
    const auto bound = *parsed;
    // One part is a branch, which is no release; but after the last release that is known there is nothing else to name.
    constexpr std::uint16_t three_digits = 999;
    const bool within = last == matrix_->branches.end() || bound.major() < last->branch || bound.major() > three_digits;
    const bool named = std::any_of(known.begin(), known.end(), [&](DriverVersion one) { return one.branch() == bound.major(); });
    if (bound.count() == 1 && (within || named)) continue;
    if (satisfies(range, bound)) {
      bounds.emplace_back(bound);
      continue;
    }
    const bool above = clause.starts_with('>') && !clause.starts_with(">=");
    if (!above && !clause.starts_with('!')) continue;
    std::array<std::uint16_t, 3> parts{bound.part(0), bound.part(1), bound.part(2)};
    ++parts.at(wildcard ? static_cast<std::size_t>(bound.count() - 1) : parts.size() - 1);
    const Version next(parts[0], parts[1], parts[2]);
    if (!satisfies(range, next)) continue;
    after.emplace_back(wildcard ? next : Version(bound.part(0), bound.part(1), bound.part(2), 1));
  }
  for (const auto driver : after) {
    const auto later = [&](DriverVersion one) { return one > driver && one.branch() == driver.branch(); };
    if (std::none_of(known.begin(), known.end(), later) && std::none_of(bounds.begin(), bounds.end(), later))
      bounds.push_back(driver);
  }
  return bounds;
}

DriverFacts::Meant DriverFacts::meant_by(std::string_view text) const {
  // R535, nvidia-driver-535
  if (const auto dash = text.rfind('-'); dash != std::string_view::npos) text.remove_prefix(dash + 1);
  if (text.starts_with('R') || text.starts_with('r')) text.remove_prefix(1);
  const auto one = named_alone(text);
  Meant meant{{}, !one};
  constexpr int parts_of_release = 3;
  for (const auto driver : named_releases()) {
    const bool is_meant = one ? one->version().count() < parts_of_release && driver.version().under(one->version())
                              : satisfies(text, driver.version());
    if (is_meant) meant.releases.push_back(driver);
  }
  if (one && meant.releases.empty()) meant.releases.push_back(*one);
  if (one) return meant;
  const auto bounds = beyond_known(text, meant.releases);
  meant.releases.insert(meant.releases.end(), bounds.begin(), bounds.end());
  std::sort(meant.releases.begin(), meant.releases.end());
  return meant;
}

}  // namespace envgen::check
