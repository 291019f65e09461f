#include "validate/gpu_archs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/diagnosis.hpp"
#include "model/spelling.hpp"
#include "resolver/predicates.hpp"

namespace envgen::validate {
namespace {

/// Whether the driver compiles the PTX of a CUDA: it has to report that CUDA itself. None: no driver is known.
std::optional<bool> compiles_ptx(const SelfReport& report, const Wanted& wanted) {
  const auto cuda = Version::parse(*report.cuda);
  if (!cuda || !wanted.cuda_of_driver) return std::nullopt;
  return *wanted.cuda_of_driver >= *cuda;
}

/// A build for the CPU runs on no GPU, which is as promised where the lock's is one and no GPU was named.
Result judge_cpu_build(const SelfReport& report, const Wanted& wanted) {
  Result result{"gpu-archs", Status::skip, "a build for the CPU has none"};
  const bool promised = wanted.lock != nullptr && !wanted.lock->build().cuda;
  const bool named = wanted.asked != nullptr && !wanted.asked->boards.empty();
  if (wanted.gpus.empty() || (promised && !named)) return result;
  std::vector<std::string> names;
  for (const auto& gpu : wanted.gpus) names.push_back(gpu.name);
  result.status = Status::fail;
  result.message = fmt::format("{} {} is a build for the CPU, and runs on no GPU: not on {}", report.framework,
                               visible(report.version, 40), fmt::join(names, ", "));
  if (report.framework == "torch") result.diagnosis = diagnosis::find("torch-cpu-build");
  return result;
}

}  // namespace

std::optional<Targets> parse_targets(const std::vector<std::string>& flags) {
  Targets targets;
  for (const auto& flag : flags) {
    const auto arch = Arch::parse(flag);
    if (!arch) return std::nullopt;
    (flag.starts_with("compute_") ? targets.ptx : targets.sass).push_back(*arch);
  }
  return targets;
}

std::string told(const GpuFacts& gpu) {
  const auto capability = gpu.capability->to_string();
  return gpu.name.find(capability) == std::string::npos ? fmt::format("{} ({})", gpu.name, capability) : gpu.name;
}

std::optional<Result> judge_gpu_archs(const SelfReport& report, const Wanted& wanted) {
  if (!report.cuda) return judge_cpu_build(report, wanted);
  if (report.archs.empty() || wanted.matrix == nullptr) return std::nullopt;
  Result result{"gpu-archs", Status::pass, {}};
  if (wanted.gpus.empty()) {
    result.status = Status::skip;
    result.message = "no GPU is known to compare with (--gpu NAME names one)";
    return result;
  }
  const auto compiled = parse_targets(report.archs);
  if (!compiled) {
    result.status = Status::unknown;
    result.message = fmt::format("{} names a target that is not known", report.framework);
    return result;
  }
  std::vector<std::string> run;
  std::vector<std::string> fall;
  std::vector<std::string> by_ptx;
  std::string resolve = "envgen resolve";
  Json evidence = Json::array();
  for (const auto& gpu : wanted.gpus) {
    if (!gpu.capability) continue;
    using resolver::Runs;
    const auto path = resolver::code_path(*wanted.matrix, compiled->sass, compiled->ptx, *gpu.capability);
    const bool no = path.runs == Runs::no;
    const bool ptx = path.runs == Runs::ptx;
    if (no) {
      fall.push_back(told(gpu));
      resolve += " --gpu " + gpu.capability->to_string();
    } else if (ptx) {
      by_ptx.push_back(fmt::format("{} by the PTX for {}", told(gpu), path.via.to_string()));
    } else {
      run.push_back(fmt::format("{} by the code for {}", told(gpu), path.via.to_string()));
    }
    evidence.push_back({{"gpu", gpu.name},
                        {"capability", gpu.capability->to_string()},
                        {"runs", no    ? "no"
                                 : ptx ? "ptx"
                                       : "sass"},
                        {"via", no ? Json() : Json(path.via.to_string())}});
  }
  result.evidence = {{"gpus", std::move(evidence)}};
  if (!fall.empty()) {
    result.status = Status::fail;
    result.message = fmt::format("{} {} has neither code nor PTX for {}; '{}' names what has", report.framework,
                                 visible(report.version, 40), fmt::join(fall, ", "), resolve);
    result.diagnosis = diagnosis::find("cuda-209");
    return result;
  }
  run.insert(run.end(), by_ptx.begin(), by_ptx.end());
  result.message = fmt::format("runs on {}", fmt::join(run, ", "));
  if (run.empty()) {
    result.status = Status::unknown;
    result.message = "what the GPUs can do is not told";
  } else if (!by_ptx.empty()) {
    const auto native = compiles_ptx(report, wanted);
    if (native == false) {
      result.status = Status::fail;
      result.message += fmt::format(", which a driver that reports CUDA {} cannot compile from that of {}",
                                    wanted.cuda_of_driver->to_string(), visible(*report.cuda, 40));
      result.diagnosis = diagnosis::find("cuda-222");
    } else if (!native) {
      result.message += fmt::format(", where the driver reports CUDA {} or newer", visible(*report.cuda, 40));
    }
  }
  return result;
}

}  // namespace envgen::validate
