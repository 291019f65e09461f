#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/proof_of_build.hpp"
#include "model/choices.hpp"
#include "model/spelling.hpp"
#include "model/version.hpp"
#include "validate/self_report.hpp"

namespace envgen::validate {
namespace {

constexpr double largest_off = 1e-2;  // as for fp16: an older torch multiplies by TF32 unasked
constexpr const char* no_comparison = "nothing to compare with (--lock FILE, --torch VERSION ...)";

/// What a value should be, and who says so: `locked`, `asked for`.
struct Should {
  std::string value;
  std::string_view by = "locked";
};

bool same_version(const std::string& found, const std::string& locked) {
  const auto left = Version::parse(found);
  const auto right = Version::parse(locked);
  return left && right && left->under(*right);
}

/// What the facts say of the very build that an image reports: the framework's release for that CUDA, of any channel.
class KnownBuild {
 public:
  /// `matrix`: null where nothing is to be compared with it.
  KnownBuild(const SelfReport& report, const matrix::Matrix* matrix) : asked_(matrix != nullptr) {
    name_ =
        fmt::format("{} {} for CUDA {}", report.framework, visible(report.version, 40), visible(report.cuda.value_or(""), 40));
    const auto version = Version::parse(report.version);
    const auto cuda = Version::parse(report.cuda.value_or(""));
    if (matrix == nullptr || !version || !cuda) return;
    for (const auto& build : (*matrix)->builds) {
      if (build.listed && !build.cpu && build.version == *version && build.cuda == *cuda &&
          name_of(build.framework) == report.framework)
        builds_.push_back(&build);
    }
  }

  /// `value_of`: what a build has; empty: not known. Another value is a warning and no failure, for the build need be none of
  /// those that are known.
  Result compared(std::string_view check, std::string_view what, const std::string& found,
                  const std::function<std::string(const matrix::Build&)>& value_of) const {
    const auto shown = visible(found, longest_value);
    Result result{std::string(check), Status::pass, fmt::format("{} {}", what, shown)};
    result.evidence = {{"found", shown}, {"wanted", nullptr}};
    const auto is = [&](Status status, const std::string& more) { return as(result, status, result.message + more); };
    if (!asked_) return is(Status::skip, "; nothing to compare with");
    std::vector<std::string> known;
    for (const auto* build : builds_) {
      auto value = value_of(*build);
      if (!value.empty() && std::find(known.begin(), known.end(), value) == known.end()) known.push_back(std::move(value));
    }
    if (known.empty())
      return is(Status::unknown, builds_.empty() ? fmt::format("; envgen has no data for {}", name_)
                                                 : fmt::format("; the value for {} is unknown", name_));
    result.evidence["wanted"] = known.front();
    if (std::find(known.begin(), known.end(), found) != known.end()) return is(Status::pass, fmt::format(", as in {}", name_));
    return is(Status::warn, fmt::format(", but {} has {}", name_, known.front()));
  }

 private:
  std::string name_;
  bool asked_ = false;
  std::vector<const matrix::Build*> builds_;
};

class Judge {
 public:
  Judge(const SelfReport& report, const Wanted& wanted)
      : report_(report),
        wanted_(wanted),
        lock_(wanted.lock),
        asked_(wanted.lock == nullptr ? wanted.asked : nullptr),
        known_(report, wanted.lock == nullptr ? wanted.matrix : nullptr) {}

  std::vector<Result> all(bool gpu_asked) {
    python();
    if (report_.doing.empty() && framework()) {
      framework_cuda();
      if (report_.cuda) {
        cudnn();
        nccl();
        archs();
      } else {
        for (const auto* part : {"cudnn", "nccl-version", "archs"}) add(made(part, Status::skip, "not in a CPU build"));
      }
      if (auto covered = judge_gpu_archs(report_, wanted_)) add(std::move(*covered));
      if (auto extensions = judge_extensions(report_, wanted_)) add(std::move(*extensions));
      framework_gpu(gpu_asked);
    }
    nvcc();
    return std::move(results_);
  }

 private:
  const Environment::FrameworkBuild* locked() const { return lock_ == nullptr ? nullptr : &lock_->build(); }
  void add(Result result) { results_.push_back(std::move(result)); }

  Result compared(std::string_view check, std::string_view what, const std::string& found, const std::optional<Should>& should,
                  bool same) const {
    Result result{std::string(check)};
    result.evidence = {{"found", shown(found)}, {"wanted", should ? Json(should->value) : Json()}};
    const auto text = fmt::format("{} {}", what, shown(found));
    if (!should && lock_ != nullptr) return as(std::move(result), Status::unknown, text + ", but the lock has no value for it");
    if (!should) return as(std::move(result), Status::skip, fmt::format("{}; {}", text, no_comparison));
    if (same) return as(std::move(result), Status::pass, fmt::format("{}, as {}", text, should->by));
    return as(std::move(result), Status::fail,
              fmt::format("{}, but {} {} {}", text, should->value, should->by == "locked" ? "is" : "was", should->by));
  }

  /// As it was written; none: it was not asked for.
  std::optional<Should> asked_for(int value) const {
    if (asked_ == nullptr || value == resolver::no_value) return std::nullopt;
    return Should{asked_->values[static_cast<std::size_t>(value)].text, "requested"};
  }

  void python() {
    std::optional<Should> should;
    PythonSet right;
    if (lock_ != nullptr) {
      should = Should{lock_->python.to_string()};
      right.add(lock_->python);
    } else if ((should = asked_for(asked_ == nullptr ? resolver::no_value : asked_->python_value))) {
      right = asked_->pythons;
    }
    const auto version = Version::parse(report_.python);
    const bool same =
        version && version->major() == 3 && right.contains({static_cast<std::uint8_t>(version->minor()), report_.free_threaded});
    add(compared("python", report_.free_threaded ? "free-threaded Python" : "Python", report_.python, should, same));
  }

  /// False: nothing more can be asked of it.
  bool framework() {
    std::optional<Should> should;
    bool same = false;
    const auto found = fmt::format("{} {}", report_.framework, report_.version);
    if (lock_ != nullptr) {
      should = Should{fmt::format("{} {}", lock_->torch ? "torch" : "tensorflow", locked()->version)};
      same = found == should->value;
    } else if (asked_ != nullptr && (should = asked_for(asked_->framework_value))) {
      const auto name = name_of(asked_->framework);
      should->value = fmt::format("{} {}", name, should->value);
      const auto version = Version::parse(report_.version);
      same = report_.framework == name && version && asked_->version.spec.matches(*version);
    }
    if (report_.framework.empty()) {
      add(should ? made("framework", Status::fail,
                        fmt::format("{} {} {} but not installed{}", should->value, lock_ != nullptr ? "is" : "was", should->by,
                                    report_.prefix.empty() ? "" : " in the Python of " + shown(report_.prefix)))
                 : made("framework", Status::skip, "Python has neither torch nor TensorFlow"));
      return false;
    }
    if (!report_.error.empty()) {
      auto result = made(
          "framework", Status::fail,
          fmt::format("{} cannot be {}: {}", report_.framework, report_.imported ? "queried" : "imported", shown(report_.error)));
      result.diagnosis = recognised({report_.error});
      add(std::move(result));
      return false;
    }
    add(compared("framework", "installed:", found, should, same));
    return true;
  }

  void framework_cuda() {
    const auto found = report_.cuda.value_or("cpu");
    std::optional<Should> should;
    bool same = false;
    if (lock_ != nullptr) {
      should = Should{spelling_or(locked()->cuda, "cpu")};
      same = found == should->value;
    } else if (asked_ != nullptr) {
      const auto version = Version::parse(found);
      for (const auto& cuda : asked_->cuda) {
        should = asked_for(cuda.value);
        // The framework tells its minor alone, so that an update which was asked for is not compared.
        constexpr int minor_parts = 2;
        same = cuda.cpu ? !report_.cuda : version && matches_minor(cuda.spec, *version, minor_parts);
        if (!same) break;
      }
    }
    auto result = compared("framework-cuda", fmt::format("{} is built for", report_.framework), found, should, same);
    if (result.status == Status::fail) result.diagnosis = cpu_build();
    add(std::move(result));
  }

  /// null: it is none, or not torch's.
  const diagnosis::Diagnosis* cpu_build() const {
    return report_.cuda || report_.framework != "torch" ? nullptr : diagnosis::find("torch-cpu-build");
  }

  static bool matches_minor(const VersionSpec& spec, Version minor, int parts) {
    const auto single = spec.single();
    if (single && single.count() > parts) return minor == single.at(parts);
    return spec.matches_at_own_precision(minor, parts);
  }

  void cudnn() {
    if (!report_.cudnn) return;
    const auto found = std::to_string(*report_.cudnn);
    if (lock_ == nullptr) {
      add(known_.compared("cudnn", "cuDNN", found, [](const matrix::Build& build) -> std::string {
        const auto number = files::cudnn_number(build.cudnn);
        return number == 0 ? std::string() : std::to_string(number);
      }));
      return;
    }
    const int number = lock_->cudnn && lock_->cudnn->version ? files::cudnn_number(*lock_->cudnn->version) : 0;
    const auto should =
        number == 0 ? std::nullopt : std::optional(Should{fmt::format("{} ({})", number, *lock_->cudnn->version)});
    add(compared("cudnn", "cuDNN", found, should, *report_.cudnn == number));
  }

  void nccl() {
    if (!report_.nccl) return;
    if (lock_ == nullptr) {
      add(known_.compared("nccl-version", "NCCL", *report_.nccl,
                          [](const matrix::Build& build) { return std::string(build.nccl.view()); }));
      return;
    }
    const auto& wanted = locked()->nccl;
    add(compared("nccl-version", "NCCL", *report_.nccl, wanted ? std::optional(Should{*wanted}) : std::nullopt,
                 wanted && same_version(*report_.nccl, *wanted)));
  }

  void archs() {
    if (report_.archs.empty()) return;
    const auto found = fmt::format("{}", fmt::join(report_.archs, " "));
    if (lock_ == nullptr) {
      add(known_.compared("archs", "compiled for", found, [](const matrix::Build& build) -> std::string {
        if (!build.sass_known || !build.ptx_known) return {};
        Environment::FrameworkBuild lists;
        lists.archs.emplace(build.sass.begin(), build.sass.end());
        lists.ptx.emplace(build.ptx.begin(), build.ptx.end());
        return fmt::format("{}", fmt::join(files::arch_flags(lists), " "));
      }));
      return;
    }
    std::optional<Should> should;
    if (lock_->torch && locked()->cuda && locked()->archs && locked()->ptx)
      should = Should{fmt::format("{}", fmt::join(files::arch_flags(*locked()), " "))};
    auto result = compared("archs", "compiled for", found, should, should && found == should->value);
    if (result.status == Status::fail) result.diagnosis = diagnosis::find("cuda-209");
    add(std::move(result));
  }

  void framework_gpu(bool asked) {
    if (!asked || !report_.sees_gpu) return;
    if (!*report_.sees_gpu) {
      const auto* why = report_.cuda ? "although it is built for CUDA" : "because it is a CPU build";
      auto result = made("framework-gpu", Status::fail,
                         fmt::format("a GPU was requested, but {} falls back to the CPU {}", report_.framework, why));
      if (!report_.gpu_error.empty()) result.message += ": " + shown(report_.gpu_error);
      result.diagnosis = report_.gpu_error.empty() ? cpu_build() : recognised({report_.gpu_error});
      add(std::move(result));
      return;
    }
    if (report_.products.empty()) {
      add(made("framework-gpu", Status::unknown,
               fmt::format("{} sees {} GPU(s) but reported no matrix product on them", report_.framework, report_.gpus)));
      return;
    }
    for (const auto& product : report_.products) {
      Result result{"framework-gpu"};
      result.device = product.device;
      result.evidence = {{"off", product.off ? Json(*product.off) : Json()}, {"gpus", report_.gpus}};
      const auto is = [&](Status status, std::string message) { add(as(result, status, std::move(message))); };
      if (!product.error.empty()) {
        result.diagnosis = recognised({product.error});
        is(Status::fail, fmt::format("{} cannot multiply: {}", report_.framework, shown(product.error)));
      } else if (product.off && *product.off <= largest_off) {  // NaN never is
        is(Status::pass, fmt::format("{}'s matrix product matches the CPU's", report_.framework));
      } else {
        is(Status::fail, fmt::format("{}'s matrix product differs from the CPU's: {}", report_.framework,
                                     product.off ? fmt::format("off by {:.2g} of its largest value", *product.off)
                                                 : std::string("it is not a number")));
      }
    }
  }

  void nvcc() {
    const auto found = report_.nvcc.value_or("");
    const bool devel = lock_ != nullptr && lock_->variant == Variant::devel;
    const auto is = [&](Status status, std::string message) { add(made("nvcc", status, std::move(message))); };
    if (wanted_.in_image && lock_ != nullptr && !devel && !found.empty() && lock_->installer != Installer::conda)
      return is(Status::fail, fmt::format("a runtime image contains nvcc {}", shown(found)));
    if (devel && found.empty()) return is(Status::fail, "the variant devel is locked, but there is no nvcc");
    if (found.empty())
      return is(lock_ == nullptr ? Status::skip : Status::pass, wanted_.in_image ? "the image has no nvcc" : "there is no nvcc");
    if (!report_.cuda)
      return is(Status::skip, fmt::format("nvcc {}; there is no framework with CUDA to compare it with", shown(found)));
    if (found == *report_.cuda)
      return is(Status::pass, fmt::format("nvcc {}, the CUDA that {} is built for", shown(found), report_.framework));
    // Where no devel image was promised, an nvcc of the machine or of another purpose harms nothing that does not compile.
    is(devel ? Status::fail : Status::warn,
       fmt::format("nvcc {}, but {} is built for CUDA {}", shown(found), report_.framework, shown(*report_.cuda)));
  }

  const SelfReport& report_;
  const Wanted& wanted_;
  const Environment* lock_;
  const resolver::Query* asked_;
  KnownBuild known_;
  std::vector<Result> results_;
};

}  // namespace

std::vector<Result> judge_self_report(const SelfReport& report, const Wanted& wanted, bool gpu_asked) {
  return Judge(report, wanted).all(gpu_asked);
}

}  // namespace envgen::validate
