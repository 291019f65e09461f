#include "diagnosis/placeholders.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "model/version.hpp"

namespace envgen::diagnosis {
namespace {

/// What stands behind the first of `words` that a line holds, as far as it consists of letters, digits and `also`.
template <std::size_t n>
std::string_view name_behind(std::string_view line, const std::array<std::string_view, n>& words, std::string_view also) {
  for (const auto word : words) {
    const auto at = line.find(word);
    if (at == std::string_view::npos) continue;
    const auto rest = line.substr(at + word.size());
    const auto end = std::find_if_not(
        rest.begin(), rest.end(), [&](char c) { return is_letter(c) || is_digit(c) || also.find(c) != std::string_view::npos; });
    if (const auto name = rest.substr(0, static_cast<std::size_t>(end - rest.begin())); !name.empty()) return name;
  }
  return {};
}

/// The package of a module, where it is not called like it.
std::string package_of(std::string_view module) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> others{{{"flash_attn_2_cuda", "flash-attn"},
                                                                                  {"flash_attn_cuda", "flash-attn"},
                                                                                  {"flash_attn_3", "flash-attn"},
                                                                                  {"causal_conv1d_cuda", "causal-conv1d"},
                                                                                  {"selective_scan_cuda", "mamba-ssm"},
                                                                                  {"awq_ext", "autoawq-kernels"},
                                                                                  {"awq_inference_engine", "autoawq"},
                                                                                  {"exllama_kernels", "auto-gptq"},
                                                                                  {"exllamav2_kernels", "auto-gptq"},
                                                                                  {"autogptq_cuda", "auto-gptq"}}};
  const auto* const other = std::find_if(others.begin(), others.end(), [&](const auto& pair) { return pair.first == module; });
  std::string package(other == others.end() ? module : other->second);
  std::replace(package.begin(), package.end(), '_', '-');
  return package;
}

std::optional<std::string> package_in(std::string_view line) {
  constexpr std::array<std::string_view, 9> before{
      "Failed building wheel for ", "Failed to build ", "indicates that `", "CUDA kernels for ", "No module named '",
      "No module named \"",         "/site-packages/",  "/dist-packages/",  "site-packages\\"};
  const auto name = name_behind(line, before, "_-");
  // apex has modules of its own in the first folder; torch itself is no package that is built for torch, nor is what a build
  // imports the package that is built; an address (git+https) names none.
  constexpr std::array<std::string_view, 12> none{"",    "fused_layer_norm_cuda", "amp_C",     "apex_C",    "torch", "_C",
                                                  "git", "pkg_resources",         "distutils", "packaging", "wheel", "imp"};
  if (std::find(none.begin(), none.end(), name) != none.end()) return std::nullopt;
  return package_of(name);
}

std::optional<std::string> port_in(std::string_view line) {
  constexpr std::array<std::string_view, 5> before{"]:", "port: ", "port ", "localhost:", "0.0.0.0:"};
  const auto port = name_behind(line, before, "");
  constexpr std::size_t longest = 5;
  if (port.empty() || port.size() > longest || !std::all_of(port.begin(), port.end(), is_digit)) return std::nullopt;
  return std::string(port);
}

std::optional<std::string> interface_in(std::string_view line) {
  constexpr std::array<std::string_view, 1> before{"find address for: "};
  const auto name = name_behind(line, before, "_-.@");
  return name.empty() ? std::nullopt : std::optional(std::string(name));
}

/// The release that stands behind the first of `words` that a number follows.
template <std::size_t n>
std::optional<Version> version_behind(std::string_view line, const std::array<std::string_view, n>& words) {
  for (const auto word : words) {
    const auto at = line.find(word);
    if (at == std::string_view::npos) continue;
    auto number = line.substr(at + word.size());
    number = number.substr(0, std::min(number.find_first_not_of("0123456789."), number.size()));
    while (number.ends_with('.')) number.remove_suffix(1);  // of the sentence
    if (const auto version = Version::parse(number)) return *version;
  }
  return std::nullopt;
}

/// The protobuf by which the code of a package was generated.
std::optional<std::string> gencode_in(std::string_view line) {
  constexpr std::array<std::string_view, 1> before{": gencode "};
  const auto version = version_behind(line, before);
  return version ? std::optional(version->to_string()) : std::nullopt;
}

std::optional<std::string> minor_of(std::optional<Version> version) {
  constexpr int minor = 2;
  return version && version->count() >= minor ? std::optional(version->at(minor).to_string()) : std::nullopt;
}

/// The CUDA of the nvcc that was found, where torch and DeepSpeed compare it with torch's.
std::optional<std::string> nvcc_in(std::string_view line) {
  constexpr std::array<std::string_view, 2> before{"detected CUDA version (", "Installed CUDA version "};
  return minor_of(version_behind(line, before));
}

/// The CUDA that torch was built with, or else the one whose nvcc or headers the line names.
std::optional<std::string> cuda_in(std::string_view line) {
  constexpr std::array<std::string_view, 7> before{"compile PyTorch (",
                                                   "compiled with Cuda ",
                                                   "torch was compiled with ",
                                                   "required version by CUDA ",
                                                   "/cuda-",
                                                   "CUDA\\v",
                                                   "CUDA/v"};
  return minor_of(version_behind(line, before));
}

/// The newest GCC that nvcc accepts, as apt calls it: `11`; before 5, `4.9`.
std::optional<std::string> gcc_in(std::string_view line) {
  constexpr std::array<std::string_view, 2> last{"gcc versions later than ", "<="};
  constexpr std::array<std::string_view, 1> first_refused{"<"};
  const auto accepted = version_behind(line, last);
  const auto version = accepted ? accepted : version_behind(line, first_refused);
  if (!version) return std::nullopt;
  constexpr int first_by_major = 5;
  if (version->major() < first_by_major) return version->to_string();
  return fmt::format("{}", version->major() - (!accepted && version->minor() == 0 ? 1 : 0));
}

}  // namespace

std::optional<std::string> named_in_evidence(std::string_view placeholder, std::string_view evidence) {
  if (placeholder == "PACKAGE") return package_in(evidence);
  if (placeholder == "PORT") return port_in(evidence);
  if (placeholder == "CUDA") return cuda_in(evidence);
  if (placeholder == "NVCC") return nvcc_in(evidence);
  if (placeholder == "GCC") return gcc_in(evidence);
  if (placeholder == "GENCODE") return gencode_in(evidence);
  return interface_in(evidence);
}

}  // namespace envgen::diagnosis
