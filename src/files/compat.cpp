#include "files/compat.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/choices.hpp"

namespace envgen::files {
namespace {

bool needs_it(const Environment::Machine& machine) { return is_carried_by(machine.carried_by, CarriedBy::forward_compat); }

/// A lock of an older envgen does not say it; of a driver that reports this CUDA itself it is known.
bool is_unproven(const Environment::Machine& machine) {
  if (needs_it(machine)) return false;
  return machine.compat ? *machine.compat == Compat::unproven : !is_carried_by(machine.carried_by, CarriedBy::native);
}

/// `driver 470 of the V100 and driver 450 of the A100`; empty: no machine is such a one.
template <class Is>
std::string machines_that(const Environment& environment, Is is) {
  std::vector<std::string> parts;
  for (const auto& machine : environment.driver->machines) {
    if (!is(machine)) continue;
    const auto boards = machine.gpus.empty() ? std::string("a host with unnamed GPUs")
                                             : fmt::format("the {}", fmt::join(machine.gpus, " and the "));
    parts.push_back(machine.asked ? fmt::format("driver {} on {}", *machine.asked, boards) : "the drivers on " + boards);
  }
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  return fmt::format("{}", fmt::join(parts, " and "));
}

/// `cuda-compat-12-8`
std::string package_of(Version cuda) { return fmt::format("cuda-compat-{}-{}", cuda.major(), cuda.minor()); }

std::string folder_of_package(Version cuda) { return fmt::format("/usr/local/cuda-{}/compat", cuda); }

/// An earlier driver than the first with this CUDA may do, too, by minor-version compatibility.
std::string without_it(const Environment& environment, Version cuda) {
  const auto& native = environment.driver->native;
  return native ? fmt::format("a newer driver ({} and newer support CUDA {} in full)", *native, cuda) : "a newer driver";
}

std::string of_machine(const Environment& environment, Version cuda) {
  return fmt::format(
      "CUDA {} needs {} with {}: install that package on the machine and set LD_LIBRARY_PATH={} there, or, better, "
      "install {}.",
      cuda, package_of(cuda), machines_that(environment, needs_it), folder_of_package(cuda), without_it(environment, cuda));
}

/// Under CDI by a hook that 1.17.5 added, and that only a specification of it or of a later one names
/// (NVIDIA/nvidia-container-toolkit#906 and #968).
std::string_view used_by_the_toolkit(bool cdi) {
  return cdi ? "under CDI, the NVIDIA Container Toolkit uses it from 1.17.5 on if the driver is too old (after an upgrade, "
               "generate its CDI specification again)"
             : "the NVIDIA Container Toolkit uses it if the driver is too old";
}

std::string of_image(const Environment& environment, Version cuda, const ImageCompat& compat, bool cdi) {
  if (!compat.is_there())
    return fmt::format(
        "CUDA {} needs {} with {}, and no known image contains it: install that package in the image, or, on the machine, "
        "{}.",
        cuda, package_of(cuda), machines_that(environment, needs_it), without_it(environment, cuda));
  if (compat.place == ImageCompat::used_by_itself)
    return fmt::format("The image contains {}, which CUDA {} needs with {}; {}.", package_of(cuda), cuda,
                       machines_that(environment, needs_it), used_by_the_toolkit(cdi));
  return fmt::format(
      "The image contains {0} in {1}, which CUDA {2} needs with {3}: set LD_LIBRARY_PATH={1} in the container there. "
      "It is not used automatically because it is not known to work with {4}.",
      package_of(cuda), compat.place, cuda, machines_that(environment, needs_it), machines_that(environment, is_unproven));
}

}  // namespace

std::optional<ImageCompat> image_compat(const Environment& environment) {
  const auto& cuda = environment.build().cuda;
  if (!cuda || !environment.driver) return std::nullopt;
  const auto& machines = environment.driver->machines;
  if (std::none_of(machines.begin(), machines.end(), needs_it)) return std::nullopt;
  ImageCompat compat;
  // Where an image with it is known for the platform, those of nvidia/cuda hold it, too; for x86_64 they always did.
  const auto& known = environment.driver->compat_image;
  compat.in_base = environment.base == Base::cuda && (known || environment.platform == Platform::linux_x86_64);
  if (!compat.in_base) compat.copy_from = known;
  compat.source = folder_of_package(*cuda);
  const bool everywhere = std::none_of(machines.begin(), machines.end(), is_unproven);
  compat.place = everywhere ? ImageCompat::used_by_itself : ImageCompat::used_on_demand;
  compat.why = "for " + machines_that(environment, needs_it);
  return compat;
}

std::vector<std::string> compat_notes(const Inputs& inputs, RunsIn runs_in) {
  const auto& environment = inputs.environment;
  const auto compat = image_compat(environment);
  if (!compat) return {};
  const auto cuda = *environment.build().cuda;
  return {runs_in == RunsIn::image ? of_image(environment, cuda, *compat, inputs.cdi()) : of_machine(environment, cuda)};
}

}  // namespace envgen::files
