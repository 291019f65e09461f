#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "diagnosis/recognise.hpp"
#include "model/choices.hpp"
#include "model/spelling.hpp"
#include "model/version.hpp"
#include "output/proof_of_build.hpp"
#include "validate/self_report.hpp"

namespace envgen::validate {
namespace {

constexpr std::size_t longest_value = 300;
const std::string no_lock = "no lock to compare with (--lock FILE names one)";

/// As a message shows it.
std::string shown(const std::string& text) { return visible(text, longest_value); }

Result made(std::string_view check, Status status, std::string message) {
  return {std::string(check), status, std::move(message)};
}

/// `found` beside what is locked; without a lock it is only told.
Result compared(std::string_view check, std::string_view what, const std::string& found, const std::optional<std::string>& locked,
                bool same) {
  Result result{std::string(check), Status::pass, {}};
  result.evidence = {{"found", shown(found)}, {"locked", locked ? Json(*locked) : Json()}};
  if (!locked) {
    result.message = fmt::format("{} {}; {}", what, shown(found), no_lock);
  } else if (same) {
    result.message = fmt::format("{} {}, as locked", what, shown(found));
  } else {
    result.status = Status::fail;
    result.message = fmt::format("{} {}, and {} is locked", what, shown(found), *locked);
  }
  return result;
}

bool same_version(const std::string& found, const std::string& locked) {
  const auto left = Version::parse(found);
  const auto right = Version::parse(locked);
  return left && right && left->under(*right);
}

class Judge {
 public:
  Judge(const SelfReport& report, const Environment* lock) : report_(report), lock_(lock) {}

  std::vector<Result> all(bool gpu_asked) {
    python();
    if (framework()) {
      framework_cuda();
      if (report_.cuda) {
        cudnn();
        nccl();
        archs();
      } else {
        for (const auto* part : {"cudnn", "nccl-version", "archs"}) add(made(part, Status::skip, "a build for the CPU has none"));
      }
      framework_gpu(gpu_asked);
    }
    nvcc();
    return std::move(results_);
  }

 private:
  const Environment::FrameworkBuild* locked() const { return lock_ == nullptr ? nullptr : &lock_->build(); }
  void add(Result result) { results_.push_back(std::move(result)); }

  void python() {
    const auto wanted = lock_ == nullptr ? std::nullopt : std::optional(lock_->python);
    add(compared("python", "Python", report_.python, wanted, wanted && same_version(report_.python, *wanted)));
  }

  /// False: nothing more can be asked of it.
  bool framework() {
    const auto wanted = lock_ == nullptr ? std::string() : std::string(lock_->torch ? "torch" : "tensorflow");
    if (report_.framework.empty()) {
      add(lock_ == nullptr
              ? made("framework", Status::skip, "the image's Python has neither torch nor TensorFlow")
              : made("framework", Status::fail, fmt::format("{} {} is locked, and not installed", wanted, locked()->version)));
      return false;
    }
    if (!report_.error.empty()) {
      auto result =
          made("framework", Status::fail, fmt::format("{} cannot be imported: {}", report_.framework, shown(report_.error)));
      if (const auto known = diagnosis::recognise(report_.error); !known.empty()) result.diagnosis = known.front().diagnosis;
      add(std::move(result));
      return false;
    }
    const auto found = fmt::format("{} {}", report_.framework, report_.version);
    if (lock_ == nullptr) {
      add(compared("framework", "installed is", found, std::nullopt, true));
    } else {
      const auto whole = fmt::format("{} {}", wanted, locked()->version);
      add(compared("framework", "installed is", found, whole, found == whole));
    }
    return true;
  }

  void framework_cuda() {
    const auto found = report_.cuda.value_or("cpu");
    std::optional<std::string> wanted;
    if (lock_ != nullptr) wanted = locked()->cuda.value_or("cpu");
    add(compared("framework-cuda", fmt::format("{} is built for", report_.framework), found, wanted, found == wanted));
  }

  void cudnn() {
    if (!report_.cudnn) return;
    const int number =
        lock_ != nullptr && lock_->cudnn && lock_->cudnn->version ? output::cudnn_number(*lock_->cudnn->version) : 0;
    const auto wanted = number == 0 ? std::nullopt : std::optional(fmt::format("{} ({})", number, *lock_->cudnn->version));
    add(compared("cudnn", "cuDNN", std::to_string(*report_.cudnn), wanted, *report_.cudnn == number));
  }

  void nccl() {
    if (!report_.nccl) return;
    const auto wanted = lock_ == nullptr ? std::nullopt : locked()->nccl;
    add(compared("nccl-version", "NCCL", *report_.nccl, wanted, wanted && same_version(*report_.nccl, *wanted)));
  }

  void archs() {
    if (report_.archs.empty()) return;
    const auto found = fmt::format("{}", fmt::join(report_.archs, " "));
    std::optional<std::string> wanted;
    if (lock_ != nullptr && locked()->archs && locked()->ptx)
      wanted = fmt::format("{}", fmt::join(output::arch_flags(*locked()), " "));
    auto result = compared("archs", "compiled for", found, wanted, found == wanted);
    if (result.status == Status::fail) result.diagnosis = diagnosis::find("cuda-209");
    add(std::move(result));
  }

  void framework_gpu(bool asked) {
    if (!asked || !report_.sees_gpu) return;
    if (*report_.sees_gpu) {
      add(made("framework-gpu", Status::pass, fmt::format("{} sees {} GPU(s)", report_.framework, report_.gpus)));
    } else {
      const auto* why = report_.cuda ? "although it is built for CUDA" : "for it is a CPU build";
      add(made("framework-gpu", Status::fail,
               fmt::format("a GPU was asked for, and {} falls back to the CPU, {}", report_.framework, why)));
    }
  }

  void nvcc() {
    const auto found = report_.nvcc.value_or("");
    const bool devel = lock_ != nullptr && lock_->variant == name_of(Variant::devel);
    if (lock_ != nullptr && !devel && !found.empty() && lock_->variant == name_of(Variant::runtime) &&
        lock_->installer != name_of(Installer::conda)) {
      add(made("nvcc", Status::fail, fmt::format("nvcc {} is in a runtime image", shown(found))));
    } else if (devel && found.empty()) {
      add(made("nvcc", Status::fail, "a devel image is locked, and there is no nvcc"));
    } else if (found.empty()) {
      add(made("nvcc", lock_ == nullptr ? Status::skip : Status::pass, "the image has no nvcc"));
    } else if (!report_.cuda) {
      add(made("nvcc", Status::pass, fmt::format("nvcc {}", shown(found))));
    } else {
      const bool same = found == *report_.cuda;
      add(made("nvcc", same ? Status::pass : Status::fail,
               fmt::format("nvcc {}, and {} is built for CUDA {}", shown(found), report_.framework, shown(*report_.cuda))));
    }
  }

  const SelfReport& report_;
  const Environment* lock_;
  std::vector<Result> results_;
};

}  // namespace

std::vector<Result> judge_self_report(const SelfReport& report, const Environment* lock, bool gpu_asked) {
  return Judge(report, lock).all(gpu_asked);
}

}  // namespace envgen::validate
