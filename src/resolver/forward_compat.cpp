#include "resolver/predicates.hpp"

#include <algorithm>
#include <tuple>

namespace envgen::resolver {

using matrix::Build;
using matrix::Evidence;
using matrix::ImageTag;
using matrix::Matrix;
using matrix::TagStatus;
using matrix::Tribool;

CompatRow compat_row(const Matrix& matrix, Version cuda, std::uint16_t branch) {
  if (const auto* own = matrix.forward_compat(cuda, branch)) return {own, false};
  const auto* drivers = matrix.branch(branch);
  CompatRow newest;
  for (const auto& row : matrix->forward_compat) {
    if (row.branch != branch || row.cuda >= cuda) continue;
    // A package is also of no use under a branch that reports its CUDA or a later one: that says nothing of later packages.
    if (drivers == nullptr || !drivers->cuda || drivers->cuda >= row.cuda) continue;
    if (newest.row == nullptr || row.cuda > newest.row->cuda) newest = {&row, true};
  }
  // Where a later package supports the branch again, as R560's does for 12.9 and not for 12.8, nothing follows for the next one.
  return newest.row != nullptr && newest.row->works ? CompatRow() : newest;
}

Tribool is_forward_compatible(const Matrix& matrix, const Build& build, DriverVersion driver) {
  const auto known = compat_row(matrix, build.cuda, driver.branch());
  const auto* branch = matrix.branch(driver.branch());
  // The table speaks of the releases of a branch, not of a number before them.
  if (known.row == nullptr || (branch != nullptr && driver < branch->first)) return Tribool::unknown;
  return known.row->works ? Tribool::yes : Tribool::no;
}

namespace {

/// The package holds the driver library of that CUDA's own branch, which has to know the boards as well.
bool compat_works(const Matrix& matrix, const Build& build, const AskedMachine& machine, DriverVersion driver) {
  const auto native = native_floor(matrix, build);
  const bool known = native && (machine.known.last_branch() == 0 || native.branch() <= machine.known.last_branch());
  return known && machine.datacenter == Tribool::yes && is_forward_compatible(matrix, build, driver) == Tribool::yes;
}

/// dist/*/ubuntu*/base/Dockerfile of NVIDIA's container-images/cuda (mirror abyss-solutions/nvidia_container_images@9257ca04,
/// read 2026-11-23): the images for x86_64 hold cuda-compat from CUDA 10.0 on, those for arm64 from 12.5.1 on.
bool holds_compat(const ImageTag& image, Platform platform) {
  const auto first = platform == Platform::linux_aarch64 ? Version(12, 5, 1) : Version(10, 0);
  return image.is_base && image.os.view().starts_with("ubuntu") && image.cuda >= first;
}

}  // namespace

bool compat_is_harmless(const Matrix& matrix, const Build& build, const AskedMachine& machine, const Carried& carried, bool jit) {
  if (machine.tegra) return false;
  // A free driver may be any from the minimum on.
  if (machine.drivers.empty()) return carried.minimum && is_native(matrix, build, carried.minimum) == Tribool::yes;
  return std::all_of(machine.drivers.begin(), machine.drivers.end(), [&](DriverVersion driver) {
    if (is_native(matrix, build, driver) == Tribool::yes) return true;
    const bool in_use = !jit && is_minor_compatible(matrix, build, driver);
    return !in_use || compat_works(matrix, build, machine, driver);
  });
}

const ImageTag* compat_image(const Matrix& matrix, const Query& query, const Build& build) {
  const auto rank = [](const ImageTag& image) {
    const bool lives = image.status == TagStatus::supported || image.status == TagStatus::later;
    return std::tuple(lives, image.evidence == Evidence::listed, image.cuda, image.os.view());
  };
  const ImageTag* best = nullptr;
  for (const auto& image : matrix->cuda_images) {
    const bool offered =
        image.evidence != Evidence::used_doubtful && (image.evidence != Evidence::inferred || query.allow_inferred);
    if (!offered || image.cuda.at(2) != build.cuda || !holds_compat(image, build.platform)) continue;
    if (best == nullptr || rank(image) > rank(*best)) best = &image;
  }
  return best;
}

}  // namespace envgen::resolver
