#include "answers/summary.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/headline.hpp"
#include "model/add_once.hpp"
#include "model/os_name.hpp"
#include "model/working_drivers.hpp"

namespace envgen::answers {
namespace {

constexpr std::size_t most_of_a_kind = 3;  // rows of GPUs, of drivers, of variables

/// `sm_86`, `sm_90a`.
std::string code_name(const char* prefix, const Arch& arch) {
  auto digits = arch.to_string();
  std::erase(digits, '.');
  return prefix + digits;
}

/// Adds rows under one label, which the first of them has.
void add_rows(std::vector<SummaryRow>& rows, const char* label, std::vector<std::string> texts) {
  const auto shown = texts.size() > most_of_a_kind ? most_of_a_kind - 1 : texts.size();
  for (std::size_t i = 0; i < shown; ++i) rows.push_back({i == 0 ? label : "", std::move(texts[i])});
  if (shown < texts.size()) rows.push_back({"", fmt::format("and {} more: see --explain", texts.size() - shown)});
}

std::vector<std::string> gpus(const Environment& environment) {
  std::vector<std::string> texts;
  for (const auto& gpu : environment.gpus) {
    const auto how = gpu.runs == CodeKind::sass
                         ? fmt::format("runs the {} binaries", code_name("sm_", gpu.via))
                         : fmt::format("runs the PTX for {}, which the driver compiles at first use", gpu.via);
    const auto capability = gpu.capability.to_string();
    // A GPU that is known by its capability alone has it in its name.
    auto text = gpu.name.ends_with(" " + capability) ? fmt::format("{} {}", gpu.name, how)
                                                     : fmt::format("{} ({}) {}", gpu.name, capability, how);
    add_once(texts, std::move(text));
  }
  const auto& archs = environment.build().archs;
  if (!texts.empty() || !archs || !environment.build().cuda) return texts;
  auto text = fmt::format("binaries for compute capability {}", fmt::join(*archs, ", "));
  const auto& ptx = environment.build().ptx;
  if (ptx && !ptx->empty()) text += fmt::format(" and newer GPUs through PTX for {}", fmt::join(*ptx, ", "));
  return {text};
}

std::vector<std::string> drivers(const Environment& environment, bool asides) {
  if (!environment.driver) return {};
  const auto& driver = *environment.driver;
  const auto served = driver.by_request();
  std::vector<std::string> texts;
  for (const auto& [range, boards, requested, lifted] : served) {
    auto words = range_in_words(range);
    if (words.empty()) continue;
    if (range.windows_cuda)
      words = asides ? fmt::format("Windows driver {} (nvidia-smi shows CUDA {} or newer)", words, *range.windows_cuda)
                     : "Windows driver " + words;
    if (requested) {
      const auto asked = DriverVersion::parse(*requested);
      // The gate of an image lists some branches below the driver that it asks of all others.
      const bool listed = below_minimum(*requested, range);
      // Which image of nvidia/cuda an official one is made on was not read.
      const auto* inferred = environment.base == Base::cuda ? "" : " (inferred)";
      words = listed && !asides ? fmt::format("{} (the image lists it), otherwise {}", *requested, words)
              : listed ? fmt::format("{} works, because the image lists its branch{}; otherwise {}", *requested, inferred, words)
              : asked && range.minimum && *asked == *range.minimum
                  ? fmt::format("{} requested, which is the minimum", *requested)
                  : fmt::format("{} requested; {} {}", *requested, words, range.last_branch ? "work" : "works");
    }
    if (lifted && requested) words += " with cuda-compat";
    if (served.size() > 1) {
      words = fmt::format("{}: {}", boards_in_words(boards), words);
    } else if (asides && !range.windows_cuda && !lifted && range.minimum && driver.native && *driver.native > *range.minimum &&
               (!range.last_branch || driver.native->branch() <= range.last_branch->branch())) {
      words += fmt::format(" ({} to JIT-compile PTX)", *driver.native);
    }
    texts.push_back(std::move(words));
  }
  if (asides && !texts.empty() && driver.range.windows_cuda) texts.back() += "; do not install a Linux driver inside WSL";
  return texts;
}

std::string libraries(const Environment& environment) {
  std::vector<std::string> parts;
  const auto& build = environment.build();
  if (build.cuda) parts.push_back(spelling_or(environment.toolkit().version, spelling_or(build.cuda, "")));
  if (environment.cudnn && environment.cudnn->version) parts.push_back(fmt::format("cuDNN {}", *environment.cudnn->version));
  if (build.nccl) parts.push_back("NCCL " + *build.nccl);
  if (build.triton) parts.push_back("Triton " + *build.triton);
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// `; 3.10 to 3.14 work`: what else there is a package for.
std::string other_pythons(const Environment& environment) {
  std::vector<std::string> regular;
  for (const auto python : environment.pythons) {
    if (!python.free_threaded) regular.push_back(python.to_string());
  }
  return regular.size() < 2 ? std::string() : fmt::format("; {} to {} work", regular.front(), regular.back());
}

std::string python(const Environment& environment) {
  const auto system = environment.os ? os_name(*environment.os) : "the system";
  switch (environment.python_provider) {
    case PythonProvider::system:
      return fmt::format("{}, provided by {}{}", environment.python, system, other_pythons(environment));
    case PythonProvider::uv:
      return fmt::format("{}, installed by uv{}", environment.python, other_pythons(environment));
    case PythonProvider::conda:
      return fmt::format("{}, installed by conda{}", environment.python, other_pythons(environment));
    case PythonProvider::image:
      return fmt::format("{}, included in the image", environment.python);
    case PythonProvider::other:
      break;
  }
  return fmt::format("{}, which neither {} nor uv provides: install it first", environment.python, system);
}

std::string system(const Environment& environment, const Usage& usage) {
  auto text = fmt::format("{} on {}", environment.os ? os_name(*environment.os) : "unknown", name_of(environment.platform));
  if (!usage.image.empty()) text += fmt::format("; image {}", usage.image);
  return text;
}

}  // namespace

std::vector<SummaryRow> summary_rows(const Environment& environment, const Usage& usage, Shown shown) {
  std::vector<SummaryRow> rows;
  add_rows(rows, environment.gpus.empty() ? "GPUs" : "GPU", gpus(environment));
  add_rows(rows, "Driver", drivers(environment, shown == Shown::everything));
  if (environment.build().cuda) rows.push_back({"CUDA", libraries(environment)});
  if (shown < Shown::no_python) rows.push_back({"Python", python(environment)});
  if (shown < Shown::no_system) rows.push_back({"System", system(environment, usage)});
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment.env) {
    // It stands before the command that it is for.
    if (!name.starts_with("CONDA_OVERRIDE_")) variables.push_back(fmt::format("{}={}", name, value));
  }
  add_rows(rows, "Set", std::move(variables));
  return rows;
}

}  // namespace envgen::answers
