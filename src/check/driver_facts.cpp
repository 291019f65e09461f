#include "check/driver_facts.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "check/specifier.hpp"

namespace envgen::check {
namespace {

/// Every release that some fact names, in the branches that are known, ascending.
std::vector<DriverVersion> named_releases(const matrix::Matrix& matrix) {
  std::vector<DriverVersion> releases;
  const auto add = [&](DriverVersion driver) {
    const auto* branch = matrix.branch(driver.branch());
    if (branch != nullptr && branch->first && driver >= branch->first) releases.push_back(driver);
  };
  for (const auto& branch : matrix->branches) {
    for (const auto driver : {branch.first, branch.latest}) {
      if (driver) releases.push_back(driver);
    }
  }
  for (const auto& minor : matrix->cuda_minors) add(minor.native_driver);
  for (const auto& major : matrix->cuda_majors) {
    add(major.minor_compat_driver);
    for (const auto& exception : major.except) add(exception.driver);
  }
  for (const auto& gpu : matrix->gpu_drivers) {
    if (!gpu.tegra) add(gpu.first_driver);  // those of Jetson boards are numbers of their own
  }
  for (const auto& gpu : matrix->gpus) {
    for (const auto first : gpu.first_drivers) add(first);
    add(gpu.mig_driver);
  }
  std::sort(releases.begin(), releases.end());
  releases.erase(std::unique(releases.begin(), releases.end()), releases.end());
  return releases;
}

/// A board is added to each branch by a release of its own, until a branch begins with it.
bool has_learned(DriverVersion driver, const matrix::Gpu& row) {
  const auto& firsts = row.first_drivers;
  const auto told =
      std::find_if(firsts.begin(), firsts.end(), [&](DriverVersion one) { return one.branch() == driver.branch(); });
  if (told != firsts.end()) return driver >= *told;
  return std::all_of(firsts.begin(), firsts.end(), [&](DriverVersion one) { return one.branch() < driver.branch(); });
}

/// The bounds of a range as releases that no fact has to name: the bound itself, or where it is excluded a number right after it,
/// unless a later release of its branch is known to be in the range.
std::vector<DriverVersion> beyond_known(const matrix::Matrix& matrix, std::string_view range,
                                        const std::vector<DriverVersion>& known) {
  std::uint16_t last = 0;
  for (const auto& branch : matrix->branches) last = std::max(last, branch.branch);
  std::vector<DriverVersion> bounds;
  std::vector<DriverVersion> after;
  for (auto rest = range; !rest.empty();) {
    const auto clause = cut_clause(rest);
    const auto bound = clause.version;
    if (!bound) continue;
    // One part is a branch, which is no release; but after the last release that is known there is nothing else to name.
    constexpr std::uint16_t two_years = 80;  // branches rise by some forty a year
    const bool slip = bound.major() > last + two_years;
    const bool within = bound.major() < last || slip;
    const bool named = std::any_of(known.begin(), known.end(), [&](DriverVersion one) { return one.branch() == bound.major(); });
    if (slip || (bound.count() == 1 && (within || named))) continue;
    if (satisfies(range, bound)) {
      bounds.emplace_back(bound);
      continue;
    }
    std::array<std::uint16_t, 3> parts{bound.part(0), bound.part(1), bound.part(2)};
    ++parts.at(clause.wildcard ? static_cast<std::size_t>(bound.count() - 1) : parts.size() - 1);
    const Version next(parts[0], parts[1], parts[2]);
    if (!satisfies(range, next)) continue;
    after.emplace_back(clause.wildcard ? next : Version(bound.part(0), bound.part(1), bound.part(2), 1));
  }
  for (const auto driver : after) {
    const auto later = [&](DriverVersion one) { return one > driver && one.branch() == driver.branch(); };
    if (std::none_of(known.begin(), known.end(), later) && std::none_of(bounds.begin(), bounds.end(), later))
      bounds.push_back(driver);
  }
  return bounds;
}

/// The brands under which the driver may know a board of a class. Data-centre boards lost the name Tesla on the way.
bool has_brand(matrix::GpuClass gpu_class, matrix::Brand brand) {
  using matrix::Brand;
  using matrix::GpuClass;
  switch (gpu_class) {
    case GpuClass::datacenter:
      return brand == Brand::tesla || brand == Brand::nvidia;
    case GpuClass::consumer:
      return brand == Brand::geforce || brand == Brand::geforcertx || brand == Brand::titan || brand == Brand::titanrtx;
    case GpuClass::workstation:
      return brand == Brand::quadro || brand == Brand::quadrortx || brand == Brand::nvidiartx || brand == Brand::nvidia;
    case GpuClass::jetson:
      return false;
  }
  return false;
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
    const auto* known = board->drivers;
    if (known == nullptr || (known->last_branch != 0 && native_floor_.branch() > known->last_branch)) return false;
    const auto eligible = [](matrix::GpuClass one) {
      return one == matrix::GpuClass::datacenter || one == matrix::GpuClass::jetson;
    };
    return !board->classes.empty() && std::all_of(board->classes.begin(), board->classes.end(), eligible);
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
      const auto* known = board->drivers;
      return known != nullptr && (known->last_branch == 0 || row.branch <= known->last_branch);
    });
  });
}

bool DriverFacts::knows_all(DriverVersion driver, std::span<const AskedBoard* const> boards) {
  return std::all_of(boards.begin(), boards.end(), [&](const AskedBoard* board) {
    const auto* known = board->drivers;
    if (known == nullptr || driver < known->first_driver) return false;
    if (known->last_branch != 0 && driver.branch() > known->last_branch) return false;
    return board->rows.empty() || std::any_of(board->rows.begin(), board->rows.end(), [&](const matrix::Gpu* row) {
             return has_learned(driver, *row) && (!board->mig || driver >= row->mig_driver);
           });
  });
}

DriverVersion DriverFacts::oldest_that_knows(DriverVersion from, std::span<const AskedBoard* const> boards) {
  std::vector<DriverVersion> firsts{from};
  for (const auto* board : boards) {
    if (board->drivers != nullptr) firsts.push_back(board->drivers->first_driver);
    for (const auto* row : board->rows) {
      firsts.insert(firsts.end(), row->first_drivers.begin(), row->first_drivers.end());
      firsts.push_back(row->mig_driver);
    }
  }
  std::sort(firsts.begin(), firsts.end());
  const auto found =
      std::find_if(firsts.begin(), firsts.end(), [&](DriverVersion one) { return one >= from && knows_all(one, boards); });
  return found == firsts.end() ? DriverVersion() : *found;
}

DriverFacts::Meant DriverFacts::meant_by(std::string_view text) const {
  // R535, v535
  if (!text.empty() && std::string_view("RrVv").find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  if (text.ends_with(".xx") || text.ends_with(".XX")) text.remove_suffix(3);  // 535.xx
  auto rest = text;
  const auto clause = cut_clause(rest);
  // One branch or release: `535`, `535.183.01`, `==535`, `535.*`.
  const bool one = rest.empty() && clause.version && (clause.relation == Relation::prefix || clause.relation == Relation::equal);
  Meant meant{{}, !one};
  constexpr int parts_of_release = 3;
  for (const auto driver : named_releases(matrix_)) {
    const bool is_meant = one ? clause.version.count() < parts_of_release && driver.version().under(clause.version)
                              : satisfies(text, driver.version());
    if (is_meant) meant.releases.push_back(driver);
  }
  if (one) {
    if (meant.releases.empty()) meant.releases.emplace_back(clause.version);
    return meant;
  }
  const auto bounds = beyond_known(matrix_, text, meant.releases);
  meant.releases.insert(meant.releases.end(), bounds.begin(), bounds.end());
  std::sort(meant.releases.begin(), meant.releases.end());
  return meant;
}

DriverFacts::Meant DriverFacts::meant_on_windows(std::string_view text) const {
  const auto release = DriverVersion::parse(text);
  if (!release) return meant_by(text);
  std::string branch(text.substr(0, text.find('.')));
  for (const auto& row : matrix_->branches) {  // ascending
    if (row.branch <= release->branch()) branch = std::to_string(row.branch);
  }
  return meant_by(branch);
}

Gate::Gate(const matrix::Matrix& matrix, Version cuda, int index)
    : facts_(matrix, index < 0 ? cuda : matrix->gates[static_cast<std::size_t>(index)].cuda) {
  if (index >= 0) rows_.push_back(&matrix->gates[static_cast<std::size_t>(index)]);
  for (const auto& row : matrix->gates) {
    if (index < 0 && row.cuda == cuda) rows_.push_back(&row);
  }
}

bool Gate::opens(DriverVersion driver, std::span<const AskedBoard* const> boards) const {
  using matrix::GpuClass;
  if (facts_.native(driver)) return true;
  const auto passes = [&](GpuClass gpu_class) {
    return std::all_of(rows_.begin(), rows_.end(), [&](const matrix::Gate* row) {
      return std::any_of(row->exceptions.begin(), row->exceptions.end(), [&](const matrix::GateException& exception) {
        return exception.branch == driver.branch() && has_brand(gpu_class, exception.brand);
      });
    });
  };
  if (rows_.empty()) return false;
  // Without a board it may be any that is put into a PC.
  if (boards.empty()) return passes(GpuClass::consumer) && passes(GpuClass::workstation) && passes(GpuClass::datacenter);
  return std::all_of(boards.begin(), boards.end(), [&](const AskedBoard* board) {
    return !board->classes.empty() && std::all_of(board->classes.begin(), board->classes.end(), passes);
  });
}

}  // namespace envgen::check
