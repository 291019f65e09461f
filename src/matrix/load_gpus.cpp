#include <map>
#include <set>

#include <fmt/format.h>

#include "matrix/gpu_names.hpp"
#include "matrix/loading.hpp"
#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

/// Spelling -> boards. Ordered, so that the packed index can be searched by halves.
using Spellings = std::map<std::string, std::set<std::uint16_t>>;

void add_spelling(Spellings& spellings, std::string_view name, std::uint16_t board) {
  spellings[light_key(name)].insert(board);
  spellings[full_key(name)].insert(board);
}

void take_platform(Loading&, Gpu& row, const Cell& value) {
  row.arm_only = value.text_or_null() == name_of(Platform::linux_aarch64) ? Tribool::yes : Tribool::no;
}

void take_first_drivers(Loading& l, Gpu& row, const Cell& value) {
  take(l, row.first_drivers, value);
  const auto items = value.items();
  for (std::size_t i = 1; i < row.first_drivers.size(); ++i) {
    if (row.first_drivers[i].branch() <= row.first_drivers[i - 1].branch())
      items[i].problem(
          fmt::format("{} is not of a later branch than {} before it", row.first_drivers[i], row.first_drivers[i - 1]));
  }
}

constexpr Field gpu_fields[] = {
    {"name", Is::key, "text", into<&Gpu::name>, "as the driver prints it, without \"NVIDIA\""},
    {"aliases", Is::needed, "texts", into<&Gpu::aliases>},
    {"class", Is::needed, Names<GpuClass>::names, into<&Gpu::gpu_class>},
    {"laptop", Is::needed, "flag", into<&Gpu::laptop>},
    {"architecture", Is::or_null, "architecture", into<&Gpu::architecture>},
    {"capability", Is::needed, "capability", into<&Gpu::capability>},
    {"platform", Is::needed, "arm_or_null", by<Gpu, take_platform>,
     "`linux-aarch64` if the GPU comes only with an Arm CPU; null: any"},
    {"memory_gb", Is::or_null, "figure", into<&Gpu::memory_gb>},
    {"memory_type", Is::or_null, "memory_type", into<&Gpu::memory_type>},
    {"bandwidth_gbs", Is::or_null, "figure", into<&Gpu::bandwidth_gbs>},
    {"fp32_tflops", Is::or_null, "figure", into<&Gpu::fp32_tflops>},
    {"tf32_tflops", Is::or_null, "figure", into<&Gpu::tf32_tflops>},
    {"fp16_tflops", Is::or_null, "figure", into<&Gpu::fp16_tflops>, "of the tensor cores, FP32 accumulate, dense"},
    {"bf16_tflops", Is::or_null, "figure", into<&Gpu::bf16_tflops>},
    {"fp8_tflops", Is::or_null, "figure", into<&Gpu::fp8_tflops>},
    {"int8_tops", Is::or_null, "figure", into<&Gpu::int8_tops>},
    {"pcie_gen", Is::or_null, "pcie_gen", into<&Gpu::pcie_gen>},
    {"pcie_lanes", Is::or_null, "pcie_lanes", into<&Gpu::pcie_lanes>},
    {"nvlink_gbs", Is::or_null, "amount", into<&Gpu::nvlink_gbs>, "0: none"},
    {"power_w", Is::or_null, "figure", into<&Gpu::power_w>},
    {"mig", Is::or_null, "mig", into<&Gpu::mig>, "instances; 0: none"},
    {"mig_driver", Is::optional, "driver", into<&Gpu::mig_driver>,
     "the first driver that divides the board by MIG; if omitted, unknown or no MIG"},
    {"mig_profiles", Is::optional, "mig_profiles", into<&Gpu::mig_profiles>,
     "what MIG divides the board into, whatever media engines a slice has (+me, -me, +gfx); if omitted, unknown or no MIG"},
    {"sms", Is::or_null, "count", into<&Gpu::sms>},
    {"boost_mhz", Is::or_null, "count", into<&Gpu::boost_mhz>},
    {"pci_ids", Is::needed, "pci_ids", into<&Gpu::pci_ids>},
    {"first_drivers", Is::optional, "gpu_drivers", by<Gpu, take_first_drivers>,
     "the first release of each branch that supports the board; every later branch does; if omitted, the drivers of its "
     "capability"},
    {"verified", Is::needed, "fields", into<&Gpu::verified>, "the fields that a second source confirmed"},
};
constexpr Field group_fields[] = {
    {"name", Is::key, "text", nullptr},
    {"members", Is::needed, "members", nullptr, "names of `gpus`"},
};

void load_boards(Loading& l, Spellings& spellings) {
  std::uint16_t board = 0;
  l.pack(tables::gpus, l.root.gpus, [&](Gpu& row, const Cell&) {
    add_spelling(spellings, row.name, board);
    for (const auto& alias : row.aliases) add_spelling(spellings, alias, board);
    for (const auto& id : row.pci_ids) spellings[std::string(id.view())].insert(board);
    // People call a GeForce by its number: `4090`, `1660ti`.
    const auto short_key = full_key(row.name);
    for (const std::string_view series : {"rtx", "gtx"}) {
      if (row.gpu_class == GpuClass::consumer && short_key.starts_with(series))
        spellings[short_key.substr(series.size())].insert(board);
    }
    ++board;
  });
}

void load_groups(Loading& l, const Table& table, Spellings& spellings) {
  const bool one_capability = &table == &tables::families;
  for (const auto& source : l.documents.rows(table)) {
    const auto cell = l.cell(source);
    l.read(table, nullptr, cell);
    const Gpu* first = nullptr;
    for (const auto& member : cell.at("members").items()) {
      const auto wanted = member.text();
      bool found = false;
      for (std::size_t i = 0; i < l.root.gpus.size(); ++i) {
        const auto& gpu = l.root.gpus[i];
        if (gpu.name.view() != wanted) continue;
        found = true;
        if (first == nullptr) first = &gpu;
        if (one_capability && gpu.capability != first->capability)
          member.problem(fmt::format("a family has one compute capability: {} has {}, {} has {}", first->name.view(),
                                     first->capability, gpu.name.view(), gpu.capability));
        add_spelling(spellings, cell.at("name").text(), static_cast<std::uint16_t>(i));
      }
      if (!found) member.problem(fmt::format("no GPU {} is in gpus.json", in_quotes(wanted)));
    }
  }
}

}  // namespace

const Table tables::gpus{"gpus.json", "gpus", gpu_fields, "Boards. Peaks are dense; null is unknown."};
const Table tables::families{"gpus.json", "families", group_fields,
                             "A name for boards of one capability: the answer is the same for each of them."};
const Table tables::ambiguous{"gpus.json", "ambiguous", group_fields,
                              "A name for boards of several capabilities: envgen asks which one is meant."};

void load_gpus(Loading& loading) {
  Spellings spellings;
  load_boards(loading, spellings);
  load_groups(loading, tables::families, spellings);
  load_groups(loading, tables::ambiguous, spellings);
  auto* names = loading.packer.fill(loading.root.gpu_names, spellings.size());
  std::size_t i = 0;
  for (const auto& [key, boards] : spellings) {
    loading.packer.put(names[i].key, key);
    auto* rows = loading.packer.fill(names[i].gpus, boards.size());
    std::copy(boards.begin(), boards.end(), rows);
    ++i;
  }
  // What "did you mean" offers: the names as people read them.
  std::set<std::string> readable;
  for (const auto& gpu : loading.root.gpus) {
    readable.emplace(gpu.name.view());
    for (const auto& alias : gpu.aliases) readable.emplace(alias.view());
    std::string bare(gpu.name.view());
    for (const std::string_view prefix : {"GeForce ", "RTX ", "GTX ", "Tesla "}) {
      if (bare.starts_with(prefix)) readable.insert(bare = bare.substr(prefix.size()));
    }
  }
  for (const auto& family : loading.documents.rows(tables::families)) readable.emplace(loading.cell(family).at("name").text());
  auto* texts = loading.packer.fill(loading.root.gpu_spellings, readable.size());
  i = 0;
  for (const auto& name : readable) loading.packer.put(texts[i++], name);
}

}  // namespace envgen::matrix
