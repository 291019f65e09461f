#include "diagnosis/placeholders.hpp"

#include <algorithm>
#include <array>

#include "model/spelling.hpp"

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
  constexpr std::array<std::string_view, 8> before{
      "Failed building wheel for ", "Failed to build ", "CUDA kernels for ", "No module named '",
      "No module named \"",         "/site-packages/",  "/dist-packages/",   "site-packages\\"};
  const auto name = name_behind(line, before, "_-");
  // apex has modules of its own in the first folder; torch itself is no package that is built for torch.
  constexpr std::array<std::string_view, 6> none{"", "fused_layer_norm_cuda", "amp_C", "apex_C", "torch", "_C"};
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

}  // namespace

std::optional<std::string> named_in_evidence(std::string_view placeholder, std::string_view evidence) {
  if (placeholder == "PACKAGE") return package_in(evidence);
  if (placeholder == "PORT") return port_in(evidence);
  return interface_in(evidence);
}

}  // namespace envgen::diagnosis
