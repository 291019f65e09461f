#include "validate/self_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/diagnosis.hpp"
#include "model/spelling.hpp"
#include "model/version.hpp"
#include "resolver/predicates.hpp"

namespace envgen::validate {
namespace {

constexpr std::size_t longest_name = 80;

std::string named(const CompiledPackage& package) {
  return fmt::format("{} {}", visible(package.name, longest_name), visible(package.version, longest_name));
}

/// `2.7` of `2.7.1+cu126`: an update of torch keeps its C++ interface.
std::optional<Version> release_of(const std::string& version) {
  const auto parsed = Version::parse(version.substr(0, version.find('+')));
  return parsed ? std::optional(parsed->at(2)) : std::nullopt;
}

class ExtensionJudge {
 public:
  ExtensionJudge(const SelfReport& report, const Wanted& wanted) : report_(report), wanted_(wanted) {}

  Result judged() {
    Json evidence = Json::array();
    std::vector<std::string> fine;
    for (const auto& package : *report_.extensions) {
      const auto before = wrong_.size() + odd_.size();
      look_at(package);
      if (wrong_.size() + odd_.size() == before) fine.push_back(named(package));
      evidence.push_back(evidence_of(package));
    }
    result_.evidence = {{"packages", std::move(evidence)}};
    // Its diagnosis is that of the first which is wrong.
    if (!wrong_.empty()) return as(std::move(result_), Status::fail, fmt::format("{}", fmt::join(wrong_, "; ")));
    if (!odd_.empty()) return as(std::move(result_), Status::warn, fmt::format("{}", fmt::join(odd_, "; ")));
    return as(std::move(result_), Status::pass,
              fmt::format("{} {} with torch {}", fmt::join(fine, ", "), fine.size() == 1 ? "loads" : "load",
                          visible(report_.version, longest_name)));
  }

 private:
  static Json evidence_of(const CompiledPackage& package) {
    return {{"name", visible(package.name, longest_name)},
            {"version", visible(package.version, longest_name)},
            {"torch", package.torch ? Json(visible(*package.torch, longest_name)) : Json()},
            {"cuda", package.cuda ? Json(visible(*package.cuda, longest_name)) : Json()},
            {"targets", shown(fmt::format("{}", fmt::join(package.targets, " ")))},
            {"error", shown(package.error)}};
  }

  void fails(std::string why, const diagnosis::Diagnosis* diagnosis) {
    wrong_.push_back(std::move(why));
    if (result_.diagnosis == nullptr) result_.diagnosis = diagnosis;
  }

  void look_at(const CompiledPackage& package) {
    if (package.torch && (release_of(*package.torch) != release_of(report_.version) || package.cuda != report_.cuda))
      fails(fmt::format("{} was compiled for torch {}, {}, but torch {}, {} is installed", named(package),
                        visible(*package.torch, longest_name), cuda_of(package.cuda), visible(report_.version, longest_name),
                        cuda_of(report_.cuda)),
            diagnosis::find("extension-abi"));
    if (!package.error.empty()) does_not_load(package);
    code_for_gpus(package);
  }

  static std::string cuda_of(const std::optional<std::string>& cuda) {
    return cuda ? "CUDA " + visible(*cuda, longest_name) : std::string("CPU");
  }

  /// A symbol that is not torch's may be that of a library which the package loads first.
  void does_not_load(const CompiledPackage& package) {
    auto why = fmt::format("{} does not load: {}", named(package), shown(package.error));
    const auto* known = recognised({package.error});
    if (known == nullptr && package.error.find("undefined symbol") != std::string::npos) {
      odd_.push_back(std::move(why));
    } else {
      fails(std::move(why), known);
    }
  }

  void code_for_gpus(const CompiledPackage& package) {
    const auto targets = parse_targets(package.targets);
    if (package.targets.empty() || !targets || !report_.cuda || wanted_.matrix == nullptr) return;
    std::vector<std::string> lacking;
    for (const auto& gpu : wanted_.gpus) {
      if (!gpu.capability) continue;
      const auto path = resolver::code_path(*wanted_.matrix, targets->sass, targets->ptx, *gpu.capability,
                                            Version::parse(*report_.cuda).value_or(Version()));
      if (path.runs == resolver::Runs::no) lacking.push_back(told(gpu));
    }
    if (!lacking.empty())
      fails(fmt::format("{} has neither binaries nor PTX for {}: it was compiled for {}", named(package),
                        fmt::join(lacking, ", "), shown(fmt::format("{}", fmt::join(package.targets, " ")))),
            diagnosis::find("cuda-209"));
  }

  const SelfReport& report_;
  const Wanted& wanted_;
  Result result_{"extensions"};
  std::vector<std::string> wrong_;
  std::vector<std::string> odd_;
};

}  // namespace

std::optional<Result> judge_extensions(const SelfReport& report, const Wanted& wanted) {
  if (report.framework != "torch") return made("extensions", Status::skip, "only extensions of torch are checked");
  if (!report.extensions) return std::nullopt;
  if (report.extensions->empty()) return made("extensions", Status::skip, "no installed package was compiled against torch");
  return ExtensionJudge(report, wanted).judged();
}

}  // namespace envgen::validate
