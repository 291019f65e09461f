#include "resolver/predicates.hpp"

#include <algorithm>

#include "resolver/asked_driver.hpp"
#include "resolver/cudnn_choice.hpp"

namespace envgen::resolver {

using matrix::Build;
using matrix::Matrix;
using matrix::Tribool;

bool sass_runs(const Matrix& matrix, Arch target, Capability capability, Version cuda) {
  if (target.capability == capability) return true;
  if (target.suffix == 'a' || target.capability.major != capability.major || target.capability.minor > capability.minor)
    return false;
  if (capability == orin && cuda >= Version(13, 2)) return true;
  return !matrix.tegra(capability) && !matrix.tegra(target.capability);
}

bool ptx_runs(Arch target, Capability capability) {
  if (target.suffix == 'a') return target.capability == capability;
  if (target.suffix == 'f') return target.capability.major == capability.major && target.capability <= capability;
  return target.capability <= capability;
}

bool fails_on(const Build& build, Capability capability) {
  return std::find(build.fails_on.begin(), build.fails_on.end(), capability) != build.fails_on.end();
}

CodePath code_path(const Matrix& matrix, std::span<const Arch> sass, std::span<const Arch> ptx, Capability capability,
                   Version cuda) {
  CodePath best;
  for (const auto& target : sass) {
    if (sass_runs(matrix, target, capability, cuda) && (best.runs != Runs::sass || target > best.via))
      best = {Runs::sass, target};
  }
  if (best.runs == Runs::sass) return best;
  for (const auto& target : ptx) {
    if (ptx_runs(target, capability) && (best.runs != Runs::ptx || target > best.via)) best = {Runs::ptx, target};
  }
  return best;
}

CodePath code_path(const Matrix& matrix, const Build& build, Capability capability) {
  if (fails_on(build, capability) || (build.tegra && !matrix.tegra(capability))) return {};
  auto best =
      code_path(matrix, {build.sass.begin(), build.sass.size()}, {build.ptx.begin(), build.ptx.size()}, capability, build.cuda);
  if (best.runs == Runs::sass) return best;
  // An unknown list holds targets of its toolkit alone.
  const auto toolkits = matrix.toolkits(build);
  const auto may_hold = [&](auto runs) {
    return toolkits.empty() || std::any_of(toolkits.begin(), toolkits.end(), [&](const matrix::Toolkit& toolkit) {
             return toolkit.archs.empty() || std::any_of(toolkit.archs.begin(), toolkit.archs.end(), runs);
           });
  };
  best.maybe_sass = !build.sass_known && may_hold([&](Arch target) { return sass_runs(matrix, target, capability, build.cuda); });
  if (best.runs == Runs::ptx) return best;
  // PyTorch compiles PTX by `8.6+PTX` alone, which is machine code for 8.6 as well (pytorch 00afc038
  // cmake/Modules_CUDA_fix/upstream/FindCUDA/select_compute_arch.cmake): no PTX is for a target that the machine code lacks.
  const bool bounded = build.framework == Framework::torch && build.sass_known;
  const auto ptx = [&](Arch target) { return ptx_runs(target, capability); };
  const bool maybe_ptx = !build.ptx_known && (bounded ? std::any_of(build.sass.begin(), build.sass.end(), ptx) : may_hold(ptx));
  if (best.maybe_sass || maybe_ptx) best.runs = Runs::unknown;
  return best;
}

namespace {

/// What one cuDNN release says of a GPU. Above the newest GPU that was printed for it, nothing is known; where none was printed,
/// a framework with machine code for the GPU was built with that cuDNN for it, but PTX alone says nothing of cuDNN.
Tribool stated_to_serve(const matrix::Cudnn& cudnn, const Build& build, Capability capability, bool by_ptx) {
  for (const auto& row : cudnn.gpus) {
    if (row.cuda && !build.cuda.under(row.cuda)) continue;
    if (capability < row.min) return Tribool::no;
    if (row.max == Capability()) return by_ptx ? Tribool::unknown : Tribool::yes;
    return capability <= row.max ? Tribool::yes : row.ends ? Tribool::no : Tribool::unknown;
  }
  return Tribool::unknown;
}

}  // namespace

const matrix::Cudnn* later_cudnn_without(const Matrix& matrix, Version cudnn, Capability capability) {
  const matrix::Cudnn* newest = nullptr;
  for (const auto& later : matrix->cudnns) {
    const bool ends_below = !later.gpus.empty() && std::all_of(later.gpus.begin(), later.gpus.end(),
                                                               [&](const auto& row) { return row.ends && row.max < capability; });
    if (ends_below && later.version > cudnn && (newest == nullptr || later.version > newest->version)) newest = &later;
  }
  return newest;
}

Tribool release_serves(const Matrix& matrix, const matrix::Cudnn& cudnn, const Build& build, Capability capability,
                       const CodePath& path) {
  const auto answer = stated_to_serve(cudnn, build, capability, path.runs == Runs::ptx);
  const bool inferred = answer == Tribool::unknown && later_cudnn_without(matrix, cudnn.version, capability) != nullptr;
  return inferred ? Tribool::no : answer;
}

Tribool cudnn_serves(const Matrix& matrix, const Build& build, const matrix::Os* os, Capability capability,
                     const CodePath& path) {
  const auto serves = [&](const matrix::Cudnn& cudnn) { return release_serves(matrix, cudnn, build, capability, path); };
  if (const auto* exact = matrix.cudnn(build); exact != nullptr && !exact->gpus.empty()) return serves(*exact);
  // A build may state its cuDNN in part (`8.9`): then what all releases of that name say holds; but one that is left to conda's
  // solver can be pinned to the newest of the channel.
  const auto* offered = matrix.offered_cudnn(build, os);
  bool any = false;
  bool all_yes = true;
  bool all_no = true;
  for (const auto& cudnn : matrix->cudnns) {
    if (!build.cudnn || !cudnn.version.under(build.cudnn) || cudnn.gpus.empty()) continue;
    const auto answer = serves(cudnn);
    if (offered != nullptr && cudnn.version == offered->cudnn && answer == Tribool::yes) return Tribool::yes;
    const auto& majors = cudnn.cuda_majors;  // one that was never made for this CUDA is not it
    if (!majors.empty() && std::find(majors.begin(), majors.end(), build.cuda.at(1)) == majors.end()) continue;
    any = true;
    all_yes = all_yes && answer == Tribool::yes;
    all_no = all_no && answer == Tribool::no;
  }
  if (any) return all_yes ? Tribool::yes : all_no ? Tribool::no : Tribool::unknown;
  // Which cuDNN it is was not read; but a GPU above the floor of each that was ever made for this CUDA is served by any of them.
  Capability highest_floor;
  for (const auto& release : matrix->cudnns) {
    const auto& majors = release.cuda_majors;
    if (build.cuda && !majors.empty() && std::find(majors.begin(), majors.end(), build.cuda.at(1)) == majors.end()) continue;
    for (const auto& row : release.gpus) {
      if (!build.cuda || !row.cuda || build.cuda.under(row.cuda)) highest_floor = std::max(highest_floor, row.min);
    }
  }
  return capability >= highest_floor ? Tribool::yes : Tribool::unknown;
}

Version needed_glibc(const Matrix& matrix, const Query& query, const Build& build) {
  if (query.os == nullptr && build.glibc && chooses_cudnn(query, build))
    return std::max(build.glibc, least_glibc_of_choice(matrix, query, build));
  const auto* offered = query.os == nullptr ? matrix.offered_cudnn(build, nullptr) : nullptr;
  return build.glibc && offered != nullptr ? std::max(build.glibc, offered->glibc) : build.glibc;
}

Version reported_cuda(const Matrix& matrix, DriverVersion driver) {
  Version newest;
  for (const auto& minor : matrix->cuda_minors) {
    if (minor.native_driver && minor.native_driver <= driver) newest = std::max(newest, minor.cuda);
  }
  return newest;
}

DriverVersion native_floor(const Matrix& matrix, const Build& build) {
  const auto* minor = matrix.minor(build);
  return minor == nullptr ? DriverVersion() : minor->native_driver;
}

DriverVersion minor_compat_floor(const Matrix& matrix, const Build& build) {
  const auto* major = matrix.major(build);
  if (major == nullptr) return {};
  for (const auto& exception : major->except) {
    if (exception.cuda == build.cuda) return exception.driver;
  }
  return major->minor_compat_driver;
}

Tribool is_native(const Matrix& matrix, const Build& build, DriverVersion driver) {
  if (const auto floor = native_floor(matrix, build)) return driver >= floor ? Tribool::yes : Tribool::no;
  // Below the first driver of a CUDA major there is none that reports one of its minors.
  const auto* major = matrix.major(build);
  if (major != nullptr && major->minor_compat_driver && driver < major->minor_compat_driver) return Tribool::no;
  // A newer branch reports no older CUDA, so a branch that was read speaks for those before or after it, too.
  for (const auto& row : matrix->branches) {
    if (!row.cuda || !build.cuda) continue;
    if (row.branch <= driver.branch() && row.cuda >= build.cuda) return Tribool::yes;
    if (row.branch >= driver.branch() && row.cuda < build.cuda) return Tribool::no;
  }
  return Tribool::unknown;
}

bool is_minor_compatible(const Matrix& matrix, const Build& build, DriverVersion driver) {
  const auto floor = minor_compat_floor(matrix, build);
  return floor && driver >= floor;
}

bool is_for_cuda_compat(matrix::GpuClass gpu_class) {
  return gpu_class == matrix::GpuClass::datacenter || gpu_class == matrix::GpuClass::jetson;
}

Tribool some_branch_reports(const Matrix& matrix, const Build& build, const AskedMachine& machine) {
  const auto last = machine.known.last_branch();
  const auto knows = [&](std::uint16_t branch) { return last == 0 || branch <= last; };
  const bool any = std::any_of(matrix->branches.begin(), matrix->branches.end(), [&](const matrix::DriverBranch& row) {
    return build.cuda && row.cuda >= build.cuda && knows(row.branch);
  });
  if (any) return Tribool::yes;
  // Below the first driver of a CUDA major there is none that reports one of its minors.
  const auto* major = matrix.major(build);
  if (major != nullptr && !knows(major->minor_compat_driver.branch())) return Tribool::no;
  const bool too_old = std::any_of(matrix->branches.begin(), matrix->branches.end(), [&](const matrix::DriverBranch& row) {
    return row.cuda && row.cuda < build.cuda && last != 0 && row.branch >= last;
  });
  return too_old ? Tribool::no : Tribool::unknown;
}

namespace {

/// Forward compatibility asks for data-centre boards (or Jetson), and knows no GPU that the package's driver has dropped.
Tribool forward(const Matrix& matrix, const Build& build, const AskedMachine& machine, DriverVersion driver) {
  if (machine.datacenter == Tribool::no) return Tribool::no;
  const auto native = native_floor(matrix, build);
  const auto last = machine.known.last_branch();
  const bool dropped = native ? last != 0 && native.branch() > last : some_branch_reports(matrix, build, machine) == Tribool::no;
  if (dropped) return Tribool::no;
  const auto answer = is_forward_compatible(matrix, build, driver);
  return answer == Tribool::yes ? machine.datacenter : answer;
}

}  // namespace

Carried carried_on(const Matrix& matrix, const Build& build, const AskedMachine& machine, bool jit, bool allow_forward) {
  Carried result;
  const auto native_from = native_floor(matrix, build);
  const auto minor_from = minor_compat_floor(matrix, build);
  const auto needed = !jit && minor_from && (!native_from || minor_from < native_from) ? minor_from : native_from;
  const std::uint8_t needed_by = needed == native_from ? Carrier::native : Carrier::minor_compat;
  if (machine.tegra) {
    // Jetson drivers have numbers of their own, of which no table is here.
    result.answer = machine.drivers.empty() ? Tribool::yes : Tribool::unknown;
    return result;
  }
  const std::uint8_t boards_know = machine.boards.empty() ? 0 : Carrier::gpu_driver;
  // Without a floor that was read there is no minimum to name.
  if (needed) result.minimum = machine.known.from(needed);
  if (machine.drivers.empty()) {
    if (!needed) {
      result.answer = some_branch_reports(matrix, build, machine);
      if (result.answer == Tribool::yes) result.by = static_cast<std::uint8_t>(Carrier::native | boards_know);
    } else if (!result.minimum && machine.known.any()) {
      result.answer = Tribool::no;
    } else {
      result.answer = Tribool::yes;
      result.by = static_cast<std::uint8_t>(needed_by | boards_know);
    }
    return result;
  }
  if (!machine.asked.range && machine.drivers.size() > 1) {
    auto some = machine;
    some.drivers.resize(1);
    if (auto first = carried_on(matrix, build, some, jit, allow_forward); first.answer == Tribool::yes) return first;
    some.drivers.assign(machine.drivers.begin() + 1, machine.drivers.end());
    some.asked.range = true;
    return carried_on(matrix, build, some, jit, allow_forward);
  }
  bool maybe = false;
  const auto carry = [&](DriverVersion driver, std::uint8_t by) {
    result.answer = Tribool::yes;
    result.by = static_cast<std::uint8_t>(by | boards_know);
    result.driver = driver;
    return result;
  };
  for (const auto driver : machine.drivers) {
    const auto is_new_enough = is_native(matrix, build, driver);
    if (is_new_enough == Tribool::yes) return carry(driver, Carrier::native);
    if (!jit && is_minor_compatible(matrix, build, driver)) return carry(driver, Carrier::minor_compat);
    maybe = maybe || is_new_enough == Tribool::unknown;
  }
  // cuda-compat only where no driver of the range does without it.
  for (const auto driver : machine.drivers) {
    if (!allow_forward) break;
    const auto lifted = forward(matrix, build, machine, driver);
    if (lifted == Tribool::yes) {
      const auto* branch = matrix.branch(driver.branch());
      result.minimum = machine.known.from(branch != nullptr ? branch->first : driver);
      return carry(driver, Carrier::forward_compat);
    }
    maybe = maybe || lifted == Tribool::unknown;
  }
  if (!maybe && !machine.later.empty())
    maybe = carried_on(matrix, build, under_later(machine), jit, allow_forward).answer != Tribool::no;
  result.answer = maybe ? Tribool::unknown : Tribool::no;
  return result;
}

}  // namespace envgen::resolver
