#include "check/driver_facts.hpp"

#include <algorithm>
#include <optional>

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

std::vector<DriverVersion> DriverFacts::meant_by(std::string_view text) const {
  // R535, nvidia-driver-535
  if (const auto dash = text.rfind('-'); dash != std::string_view::npos) text.remove_prefix(dash + 1);
  if (text.starts_with('R') || text.starts_with('r')) text.remove_prefix(1);
  if (const auto one = named_alone(text)) {
    const auto* branch = one->version().count() == 1 ? matrix_.branch(one->branch()) : nullptr;
    return {branch != nullptr ? branch->first : *one};
  }
  std::vector<DriverVersion> result;
  const auto add = [&](DriverVersion driver) {
    if (driver && satisfies(text, driver.version())) result.push_back(driver);
  };
  for (const auto& branch : matrix_->branches) {
    add(branch.first);
    add(branch.latest);
  }
  // A bound of one part is a branch, which is no release; one of more may be a release that no row has.
  for (auto rest = text; !rest.empty();) {
    auto bound = cut(rest, ',');
    bound.remove_prefix(std::min(bound.find_first_of("0123456789"), bound.size()));
    const auto version = DriverVersion::parse(without_spaces_around(bound));
    if (version && version->version().count() > 1) add(*version);
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace envgen::check
