#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/facts_cells.hpp"
#include "resolver/cudnn_choice.hpp"
#include "resolver/predicates.hpp"

namespace envgen::answers {

using matrix::Build;
using matrix::Matrix;

namespace {

/// `570.158.01 (in R575: 575.57.08)`. Of boards that no list dates it is their capability's: `410.48, the first for compute
/// capability 7.5`.
std::string first_drivers(const std::vector<DriverVersion>& firsts, const std::vector<const matrix::Gpu*>& boards) {
  auto text = firsts.front().to_string();
  for (std::size_t i = 1; i < firsts.size(); ++i)
    text += fmt::format("{}in R{}: {}", i == 1 ? " (" : ", ", firsts[i].branch(), firsts[i]);
  if (firsts.size() > 1) text += ")";
  const auto is_undated = [](const matrix::Gpu* gpu) { return gpu->first_drivers.empty(); };
  if (!boards.empty() && std::all_of(boards.begin(), boards.end(), is_undated))
    text += fmt::format(", the first for compute capability {}", boards.front()->capability);
  return text;
}

/// What a capability needs and can run: the drivers that know it, the kernel module, cuDNN, and the torch builds.
void add_capability_facts(Card& card, const Matrix& matrix, Capability capability, Platform platform,
                          const std::vector<const matrix::Gpu*>& boards) {
  const auto* driver = matrix.gpu_driver(capability);
  if (driver == nullptr) {
    card.add("first driver", "first_driver", SheetCell::unknown());
    card.add("last driver branch", "last_branch", SheetCell::unknown());
    card.add("kernel module", "kernel_module", SheetCell::unknown());
  } else {
    const auto known = resolver::drivers_that_know(driver, boards);
    const auto& firsts = known.firsts();
    card.add("first driver", "first_driver",
             driver->tegra    ? SheetCell::none().shown_as("Jetson drivers have their own version numbers")
             : firsts.empty() ? SheetCell::none().shown_as("older than all listed drivers")
                              : SheetCell::text(firsts.front().to_string()).shown_as(first_drivers(firsts, boards)));
    card.add("last driver branch", "last_branch",
             driver->last_branch == 0 ? SheetCell::none().shown_as("still supported")
                                      : SheetCell::text(fmt::format("{}", driver->last_branch)));
    card.add("kernel module", "kernel_module", SheetCell::text(module_names[static_cast<std::size_t>(driver->kernel_module)]));
    card.read_from(driver->from);
  }
  if (capability == resolver::orin)
    card.add("code for 8.0 and 8.6", "",
             SheetCell::text(
                 fmt::format("runs from CUDA 13.2 on, under JetPack 7.2 or later; with older CUDA, {}", resolver::orin_reports)));
  const auto& toolkits = matrix->toolkits;
  const auto compiles = std::find_if(toolkits.begin(), toolkits.end(), [&](const matrix::Toolkit& toolkit) {
    return std::any_of(toolkit.archs.begin(), toolkit.archs.end(), [&](Arch arch) { return arch.capability == capability; });
  });
  card.add("first CUDA that supports it", "first_toolkit",
           compiles == toolkits.end() ? SheetCell::unknown()
           : std::all_of(toolkits.begin(), compiles, [](const matrix::Toolkit& toolkit) { return toolkit.archs.empty(); })
               ? SheetCell::text(compiles->text).shown_as(fmt::format("{} or older", compiles->text.view()))
               : SheetCell::text(compiles->text));
  Version oldest_cudnn;
  Version newest_cudnn;
  // From the newest back to one that ends below: what is older, and whose end was not printed, is older than the GPU, too.
  for (const auto* cudnn : backwards(matrix->cudnns)) {
    const auto holds = [&](const matrix::CudnnGpus& row) {
      return capability >= row.min && (row.max == Capability() || capability <= row.max);
    };
    const auto is_below = [&](const matrix::CudnnGpus& row) { return row.max != Capability() && capability > row.max; };
    const bool serves = std::any_of(cudnn->gpus.begin(), cudnn->gpus.end(), holds);
    if (!serves && std::any_of(cudnn->gpus.begin(), cudnn->gpus.end(), is_below)) break;
    if (!serves) continue;
    if (!newest_cudnn) newest_cudnn = cudnn->version;
    oldest_cudnn = cudnn->version;
  }
  card.add("compatible cuDNN", "",
           newest_cudnn ? SheetCell::text(fmt::format("{} to {}", oldest_cudnn, newest_cudnn)) : SheetCell::none());
  card.add("", "oldest_cudnn", version_or_none(oldest_cudnn));
  card.add("", "newest_cudnn", version_or_none(newest_cudnn));

  struct Found {
    const Build* build;
    resolver::CodePath path;
  };
  std::vector<Found> found;
  for (const auto* build : torch_builds(
           matrix, [&](const Build& b) { return b.channel == matrix::Channel::wheels && b.platform == platform && !b.cpu; })) {
    const auto path = resolver::code_path(matrix, *build, capability);
    if (path.known_to_run() && resolver::some_cudnn_serves(matrix, *build, capability, path) == matrix::Tribool::yes)
      found.push_back({build, path});
  }
  Sheet sheet{{{"", "which"},
               {"torch", "version"},
               {"tag", "tag"},
               {"platform", "platform"},
               {"official", "official"},
               {"runs", "runs"},
               {"with code for", "via"},
               {"Python", "pythons"},
               {"cuDNN", "cudnn"}},
              {}};
  sheet.columns.front().title = "which";
  const auto add = [&](std::string_view which, const Found& row) {
    sheet.rows.push_back({SheetCell::text(which), SheetCell::text(row.build->version_text), SheetCell::text(row.build->tag),
                          SheetCell::text(name_of(row.build->platform)), SheetCell::tribool(row.build->official),
                          SheetCell::text(row.path.runs == resolver::Runs::sass ? "sass" : "ptx"),
                          SheetCell::text(row.path.via.to_string()), pythons_cell(row.build->pythons, row.build->pythons_known),
                          version_cell(row.build->cudnn)});
  };
  if (!found.empty()) {
    add("newest", found.front());
    const auto official =
        std::find_if(found.begin(), found.end(), [](const Found& row) { return row.build->official == matrix::Tribool::yes; });
    if (official != found.end() && official != found.begin()) add("newest official", *official);
    if (found.size() > 1) add("oldest", found.back());
  }
  card.add("torch wheels", "torch_builds_that_run",
           SheetCell::number(static_cast<double>(found.size()))
               .shown_as(found.empty() ? fmt::format("none known for {}", name_of(platform))
                                       : fmt::format("{} {} on it ({})", found.size(), found.size() == 1 ? "runs" : "run",
                                                     name_of(platform))));
  auto brief = sheet;
  hide(brief, {"platform", "official", "cudnn"});
  card.add_part("torch builds that run on it", "torch", std::move(sheet), std::move(brief));
}

/// Jetson boards and the chips beside Arm CPUs run aarch64 wheels.
Platform platform_of(const matrix::Gpu& gpu) {
  return gpu.arm_only == matrix::Tribool::yes ? Platform::linux_aarch64 : Platform::linux_x86_64;
}

}  // namespace

Card show_gpu(const Matrix& matrix, const matrix::Gpu& gpu) {
  Card card;
  card.title = std::string(gpu.name.view());
  const auto columns = gpu_columns();
  auto cells = gpu_cells(matrix, gpu);
  // The figures with their units, the rest by its own name.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 26> titles{
      {{"class", "class"},
       {"architecture", "architecture"},
       {"capability", "compute capability"},
       {"memory_gb", "memory"},
       {"bandwidth_gbs", "bandwidth, GB/s"},
       {"fp32_tflops", "fp32, TFLOPS"},
       {"fp16_tflops", "fp16, TFLOPS"},
       {"tf32_tflops", "tf32, TFLOPS"},
       {"bf16_tflops", "bf16, TFLOPS"},
       {"fp8_tflops", "fp8, TFLOPS"},
       {"int8_tops", "int8, TOPS"},
       {"memory_type", "memory type"},
       {"pcie_gen", "PCIe generation"},
       {"pcie_lanes", "PCIe lanes"},
       {"nvlink_gbs", "NVLink, GB/s"},
       {"power_w", "power"},
       {"mig", "MIG instances"},
       {"mig_driver", "first driver for MIG"},
       {"sms", "multiprocessors"},
       {"boost_mhz", "boost clock, MHz"},
       {"laptop", "laptop"},
       {"aliases", "also called"},
       {"pci_ids", "PCI IDs"},
       {"platform", "only on"},
       {"verified", "confirmed by a second source"},
       {"unverified", "unverified"}}};
  static constexpr std::array<std::string_view, 8> key_figures{"class",         "architecture", "capability", "memory_gb",
                                                               "bandwidth_gbs", "fp16_tflops",  "power_w",    "platform"};
  const auto unverified = unverified_figures(matrix, gpu, cells);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].key == "source") continue;
    std::string_view title;
    for (const auto& [key, shown] : titles) {
      if (key == columns[i].key) title = shown;
    }
    if (columns[i].key == "platform" && gpu.arm_only != matrix::Tribool::yes) title = {};
    if (columns[i].key == "mig_driver" && !(gpu.mig > 0)) title = {};
    if (std::find(unverified.begin(), unverified.end(), columns[i].key) != unverified.end()) {
      const bool by_rule = matrix.source(gpu.from.of(columns[i].key)).basis == matrix::Basis::inferred;
      auto shown = cells[i].shown() + (by_rule ? " (derived by a rule)" : " (unverified)");
      cells[i] = std::move(cells[i]).shown_as(std::move(shown));
    }
    const bool is_key = std::find(key_figures.begin(), key_figures.end(), columns[i].key) != key_figures.end();
    card.add(title, columns[i].key, std::move(cells[i]), is_key ? In::both : In::full);
  }
  card.read_from(gpu.from);
  add_capability_facts(card, matrix, gpu.capability, platform_of(gpu), {&gpu});
  return card;
}

Card show_gpu_family(const Matrix& matrix, std::string_view name, const std::vector<const matrix::Gpu*>& boards) {
  Card card;
  card.title = fmt::format("{} matches {} GPUs", name, boards.size());
  card.add("", "name", SheetCell::text(name));
  std::set<Capability> capabilities;
  Sheet sheet{gpu_columns(), {}};
  for (const auto* gpu : boards) {
    sheet.rows.push_back(gpu_cells(matrix, *gpu));
    capabilities.insert(gpu->capability);
    card.read_from(gpu->from);
  }
  if (capabilities.size() == 1) {
    card.add("compute capability", "capability", capability_cell(*capabilities.begin()));
    add_capability_facts(card, matrix, *capabilities.begin(), platform_of(*boards.front()), boards);
  } else {
    std::vector<std::string> texts;
    for (const auto capability : capabilities) texts.push_back(capability.to_string());
    card.add("", "capability", SheetCell::none());
    card.add("compute capabilities", "capabilities", SheetCell::list(std::move(texts)));
  }
  auto brief = sheet;
  hide(brief, {"class", "architecture"});
  card.add_part("GPUs", "boards", std::move(sheet), std::move(brief));
  return card;
}

Card show_capability(const Matrix& matrix, Capability capability) {
  Card card;
  card.title = fmt::format("compute capability {}", capability);
  card.add("", "capability", capability_cell(capability));
  auto names = gpu_names_of(matrix, capability);
  card.add("GPUs", "", SheetCell::text_or_none(first_of(names)), In::brief);
  auto shown = fmt::format("{}", fmt::join(names, ", "));
  card.add("GPUs", "gpus", SheetCell::list(std::move(names), std::move(shown)), In::full);
  std::vector<std::string> toolkits;
  for (const auto& toolkit : matrix->toolkits) {
    const bool knows =
        std::any_of(toolkit.archs.begin(), toolkit.archs.end(), [&](Arch arch) { return arch.capability == capability; });
    if (knows) toolkits.emplace_back(toolkit.text.view());
  }
  auto range = toolkits.empty() ? std::string() : fmt::format("{} to {}", toolkits.front(), toolkits.back());
  card.add("toolkits with it as a target", "toolkits", SheetCell::list(std::move(toolkits), std::move(range)));
  const bool arm = matrix.only_beside_arm(capability);
  add_capability_facts(card, matrix, capability, arm ? Platform::linux_aarch64 : Platform::linux_x86_64, {});
  return card;
}

}  // namespace envgen::answers
