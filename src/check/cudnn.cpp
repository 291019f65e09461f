#include <algorithm>

#include "check/checked_answer.hpp"
#include "check/specifier.hpp"

namespace envgen::check {
namespace {

/// A row for exactly this CUDA minor, else for its major, else for any CUDA.
const matrix::CudnnGpus* served_gpus(const matrix::Cudnn& row, Version cuda) {
  const matrix::CudnnGpus* best = nullptr;
  for (const auto& gpus : row.gpus) {
    if (cuda.under(gpus.cuda) && (best == nullptr || gpus.cuda.count() > best->cuda.count())) best = &gpus;
  }
  return best;
}

/// False where a cuDNN was made for other CUDA majors only.
bool may_be_for(const matrix::Cudnn& cudnn, Version cuda) {
  const auto is_major = [&](Version major) { return cuda.under(major); };
  return !cuda || cudnn.cuda_majors.empty() || std::any_of(cudnn.cuda_majors.begin(), cudnn.cuda_majors.end(), is_major);
}

/// Whether the facts of a release say that it serves each GPU of the answer; where they name no last one, PTX proves nothing.
bool serves_all(const CheckedAnswer& checked, const matrix::Cudnn& cudnn) {
  return std::all_of(checked.environment.gpus.begin(), checked.environment.gpus.end(), [&](const Environment::Board& gpu) {
    const auto* served = served_gpus(cudnn, checked.build.cuda);
    if (served == nullptr || gpu.capability < served->min) return false;
    return served->max == Capability() ? gpu.runs != CodeKind::ptx : gpu.capability <= served->max;
  });
}

/// The newest cuDNN that pip may take for `[and-cuda]`, loads on the system of the answer, is what was asked for and serves its
/// GPUs. None: there is no such extra, or an official image brings its own.
Version chosen_cudnn(const CheckedAnswer& checked) {
  const auto* extra = checked.cuda_extra();
  const auto* system = checked.environment.os ? checked.matrix.os(*checked.environment.os) : nullptr;
  if (extra == nullptr || checked.environment.base == Base::tensorflow) return {};
  const auto& asked = checked.asked[Field::cudnn];
  Version newest;
  for (const auto& pin : extra->pins) {
    if (!pin.package.view().starts_with("nvidia-cudnn-")) continue;
    for (const auto& row : checked.matrix->cudnns) {
      const auto is_package = [&](const matrix::PackedString& wheel) { return wheel.view() == pin.package.view(); };
      const bool installs =
          std::any_of(row.wheels.begin(), row.wheels.end(), is_package) && satisfies(pin.spec.view(), row.version);
      const bool loads = row.glibc && (system == nullptr || (system->glibc && row.glibc <= system->glibc));
      const bool fits = asked.empty() || satisfied_by_all_under(asked, row.version);
      if (installs && loads && fits && serves_all(checked, row)) newest = std::max(newest, row.version);
    }
  }
  return newest;
}

}  // namespace

Version taken_cudnn(const CheckedAnswer& checked) {
  if (const auto chosen = chosen_cudnn(checked)) return chosen;
  const auto& build = checked.build;
  const auto& os = checked.environment.os;
  const auto* system = os ? checked.matrix.os(*os) : nullptr;
  Version newest;
  for (const auto& row : checked.matrix->offered_cudnns) {
    const bool of_build = row.channel == build.channel && row.cuda == build.cuda && build.cudnn && row.cudnn.under(build.cudnn);
    if (of_build && system != nullptr && system->glibc && row.glibc <= system->glibc) newest = std::max(newest, row.cudnn);
  }
  return newest ? newest : build.cudnn;
}

/// A cuDNN that is stated in part (`9.3`) is held against every release of that name. A GPU at or above the highest floor of any
/// cuDNN for this CUDA is served by whichever it is.
void check_cudnn_serves(const CheckedAnswer& checked, Capability gpu) {
  const auto& build = checked.build;
  const auto cudnn = taken_cudnn(checked);
  bool known = false;
  bool serves = false;
  Capability highest_floor;
  for (const auto& row : checked.matrix->cudnns) {
    for (const auto& gpus : row.gpus) {
      const bool of_this_cuda = !build.cuda || !gpus.cuda || build.cuda.under(gpus.cuda);
      if (of_this_cuda && may_be_for(row, build.cuda)) highest_floor = std::max(highest_floor, gpus.min);
    }
    if (!cudnn || !row.version.under(cudnn)) continue;
    const auto* gpus = served_gpus(row, build.cuda);
    if (gpus == nullptr) continue;
    const bool above = gpus->max != Capability() && gpu > gpus->max;
    if (above && !gpus->ends) continue;  // newer than what was printed for it: nothing is known
    known = true;
    serves = serves || (gpu >= gpus->min && !above);
  }
  if (known ? !serves : gpu < highest_floor) checked.wrong("cudnn: no fact says that {} serves {}", shown(cudnn), gpu);
}

void check_cudnn(const CheckedAnswer& checked) {
  const auto& said = checked.environment.cudnn;
  const auto& build = checked.build;
  if (build.cpu) return;
  if (!said) return checked.wrong("cudnn: there has to be one");
  const auto cudnn = taken_cudnn(checked);
  checked.expect("cudnn.version", said->version, cudnn);
  checked.expect("cudnn.major", said->major, build.cudnn ? std::optional<int>(build.cudnn.major()) : std::nullopt);
  checked.expect("cudnn.from", said->from,
                 checked.on_conda()                       ? CudnnFrom::conda
                 : !checked.brings_no_cuda()              ? CudnnFrom::wheel
                 : checked.environment.base == Base::slim ? CudnnFrom::system
                                                          : CudnnFrom::image);
  const auto asked = checked.asked[Field::cudnn];
  checked.expect_asked(Field::cudnn, said->version, cudnn && satisfied_by_all_under(asked, cudnn));
}

}  // namespace envgen::check
