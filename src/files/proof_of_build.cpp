#include "files/proof_of_build.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/quoting.hpp"
#include "model/version.hpp"

namespace envgen::files {
namespace {

/// `8.6` -> `sm_86`, `9.0a` -> `sm_90a`.
std::string flag_of(std::string_view prefix, std::string_view arch) {
  std::string flag(prefix);
  std::copy_if(arch.begin(), arch.end(), std::back_inserter(flag), [](char c) { return c != '.'; });
  return flag;
}

/// A dictionary of Python: what to look at, and what is locked.
struct Entry {
  std::string name, found, locked;
};

std::vector<std::string> statements(std::string import, const std::vector<Entry>& entries) {
  std::vector<std::string> found;
  std::vector<std::string> locked;
  for (const auto& entry : entries) {
    found.push_back(fmt::format(R"("{}": {})", entry.name, entry.found));
    locked.push_back(fmt::format(R"("{}": {})", entry.name, entry.locked));
  }
  return {std::move(import), fmt::format("found = {{{}}}", fmt::join(found, ", ")),
          fmt::format("locked = {{{}}}", fmt::join(locked, ", ")),
          R"(assert found == locked, f"installed {found}, locked {locked}")"};
}

std::vector<std::string> torch_assertion(const Environment& environment) {
  const auto& build = *environment.torch;
  std::vector<Entry> entries{{"torch", R"(torch.__version__.partition("+")[0])", python_text(build.version)},
                             {"cuda", "torch.version.cuda", build.cuda ? python_text(build.cuda->to_string()) : "None"}};
  if (!build.cuda) return statements("import torch", entries);
  const int cudnn = environment.cudnn && environment.cudnn->version ? cudnn_number(*environment.cudnn->version) : 0;
  if (cudnn != 0) entries.push_back({"cudnn", "torch.backends.cudnn.version()", std::to_string(cudnn)});
  if (build.archs && build.ptx) {
    std::vector<std::string> flags;
    for (const auto& flag : arch_flags(build)) flags.push_back(python_text(flag));
    entries.push_back({"archs", "sorted(torch._C._cuda_getArchFlags().split())", fmt::format("[{}]", fmt::join(flags, ", "))});
  }
  return statements("import torch", entries);
}

std::vector<std::string> tensorflow_assertion(const Environment& environment) {
  const auto& build = *environment.tensorflow;
  std::vector<Entry> entries{{"tensorflow", "tf.__version__", python_text(build.version)}};
  // Newer releases name the update, older ones the minor.
  if (build.cuda)
    entries.push_back({"cuda", R"(".".join(tf.sysconfig.get_build_info().get("cuda_version", "").split(".")[:2]))",
                       python_text(build.cuda->to_string())});
  return statements("import tensorflow as tf", entries);
}

}  // namespace

std::vector<std::string> arch_flags(const Environment::FrameworkBuild& build) {
  std::vector<std::string> flags;
  for (const auto& arch : *build.archs) flags.push_back(flag_of("sm_", arch.to_string()));
  for (const auto& arch : *build.ptx) flags.push_back(flag_of("compute_", arch.to_string()));
  std::sort(flags.begin(), flags.end());
  return flags;
}

int cudnn_number(Version version) {
  if (version.count() < 3) return 0;
  constexpr int new_scheme = 9;
  return version.major() * (version.major() >= new_scheme ? 10000 : 1000) + version.minor() * 100 + version.part(2);
}

std::vector<std::string> build_assertion(const Environment& environment) {
  return environment.torch ? torch_assertion(environment) : tensorflow_assertion(environment);
}

}  // namespace envgen::files
