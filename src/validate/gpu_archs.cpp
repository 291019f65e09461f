#include "validate/self_report.hpp"

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
  const bool promised = wanted.lock != nullptr && !wanted.lock->build().cuda;
  const bool named = wanted.asked != nullptr && !wanted.asked->boards.empty();
  if (wanted.gpus.empty() || (promised && !named)) return made("gpu-archs", Status::skip, "not in a CPU build");
  std::vector<std::string> names;
  for (const auto& gpu : wanted.gpus) names.push_back(gpu.name);
  return made("gpu-archs", Status::fail,
              fmt::format("{} {} is a CPU build and runs on no GPU, so not on {}", report.framework, visible(report.version, 40),
                          fmt::join(names, ", ")),
              report.framework == "torch" ? "torch-cpu-build" : "");
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
  if (wanted.gpus.empty()) return made("gpu-archs", Status::skip, "no known GPU to compare with (--gpu NAME names one)");
  const auto compiled = parse_targets(report.archs);
  if (!compiled) return made("gpu-archs", Status::unknown, fmt::format("{} names an unknown target", report.framework));
  const auto cuda = Version::parse(*report.cuda).value_or(Version());
  std::vector<std::string> run;
  std::vector<std::string> fall;
  std::vector<std::string> by_ptx;
  std::string resolve = "envgen resolve";
  Json evidence = Json::array();
  for (const auto& gpu : wanted.gpus) {
    if (!gpu.capability) continue;
    using resolver::Runs;
    const auto path = resolver::code_path(*wanted.matrix, compiled->sass, compiled->ptx, *gpu.capability, cuda);
    const bool no = path.runs == Runs::no;
    const bool ptx = path.runs == Runs::ptx;
    if (no) {
      fall.push_back(told(gpu));
      resolve += " --gpu " + gpu.capability->to_string();
    } else if (ptx) {
      by_ptx.push_back(fmt::format("{} through the PTX for {}", told(gpu), path.via));
    } else {
      run.push_back(fmt::format("{} with the binaries for {}", told(gpu), path.via));
    }
    evidence.push_back({{"gpu", gpu.name},
                        {"capability", gpu.capability->to_string()},
                        {"runs", no    ? "no"
                                 : ptx ? "ptx"
                                       : "sass"},
                        {"via", no ? Json() : Json(path.via.to_string())}});
  }
  Result result{"gpu-archs"};
  result.evidence = {{"gpus", std::move(evidence)}};
  const auto is = [&](Status status, std::string message, std::string_view diagnosis = {}) {
    return as(std::move(result), status, std::move(message), diagnosis);
  };
  if (!fall.empty())
    return is(Status::fail,
              fmt::format("{} {} has neither binaries nor PTX for {}; '{}' finds a build that has them", report.framework,
                          visible(report.version, 40), fmt::join(fall, ", "), resolve),
              "cuda-209");
  run.insert(run.end(), by_ptx.begin(), by_ptx.end());
  if (run.empty()) return is(Status::unknown, "the GPUs' compute capabilities are unknown");
  auto message = fmt::format("runs on {}", fmt::join(run, ", "));
  const auto native = by_ptx.empty() ? true : compiles_ptx(report, wanted);
  if (native == false)
    return is(Status::fail,
              fmt::format("{}, but a driver that reports CUDA {} cannot compile PTX from CUDA {}", message,
                          *wanted.cuda_of_driver, visible(*report.cuda, 40)),
              "cuda-222");
  if (!native) message += fmt::format(", provided that the driver reports CUDA {} or newer", visible(*report.cuda, 40));
  return is(Status::pass, std::move(message));
}

}  // namespace envgen::validate
