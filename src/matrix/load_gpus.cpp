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

void load_boards(Loading& l, Spellings& spellings) {
  const auto& gpus = l.documents.rows("gpus.json", "gpus");
  auto* rows = l.packer.fill(l.root.gpus, gpus.size());
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const auto cell = l.cell(gpus[i]);
    cell.allow_in_row({"name",        "aliases",       "class",       "architecture", "capability",  "platform",    "memory_gb",
                       "memory_type", "bandwidth_gbs", "fp32_tflops", "tf32_tflops",  "fp16_tflops", "bf16_tflops", "fp8_tflops",
                       "int8_tops",   "pcie_gen",      "pcie_lanes",  "nvlink_gbs",   "power_w",     "mig",         "sms",
                       "boost_mhz",   "pci_ids",       "verified",    "laptop"});
    auto& row = rows[i];
    l.packer.put(row.name, cell.at("name").text());
    l.texts(row.aliases, cell.at("aliases"));
    row.gpu_class = static_cast<GpuClass>(cell.at("class").choice({"consumer", "workstation", "datacenter", "jetson"}));
    row.laptop = cell.at("laptop").flag();
    l.packer.put(row.architecture, cell.at("architecture").text_or_null());
    row.capability = cell.at("capability").capability();
    row.arm_only = cell.at("platform").text_or_null() == "linux-aarch64" ? Answer::yes : Answer::no;
    row.memory_gb = cell.at("memory_gb").number_or_nan();
    l.packer.put(row.memory_type, cell.at("memory_type").text_or_null());
    row.bandwidth_gbs = cell.at("bandwidth_gbs").number_or_nan();
    row.fp32_tflops = cell.at("fp32_tflops").number_or_nan();
    row.tf32_tflops = cell.at("tf32_tflops").number_or_nan();
    row.fp16_tflops = cell.at("fp16_tflops").number_or_nan();
    row.bf16_tflops = cell.at("bf16_tflops").number_or_nan();
    row.fp8_tflops = cell.at("fp8_tflops").number_or_nan();
    row.int8_tops = cell.at("int8_tops").number_or_nan();
    row.pcie_gen = cell.at("pcie_gen").number_or_nan();
    row.pcie_lanes = cell.at("pcie_lanes").number_or_nan();
    row.nvlink_gbs = cell.at("nvlink_gbs").number_or_nan();
    row.power_w = cell.at("power_w").number_or_nan();
    row.mig = cell.at("mig").number_or_nan();
    row.sms = cell.at("sms").number_or_nan();
    row.boost_mhz = cell.at("boost_mhz").number_or_nan();
    l.texts(row.pci_ids, cell.at("pci_ids"));
    l.texts(row.verified, cell.at("verified"));
    l.provenance(row.from, gpus[i]);

    const auto board = static_cast<std::uint16_t>(i);
    add_spelling(spellings, row.name, board);
    for (const auto& alias : row.aliases) add_spelling(spellings, alias, board);
    for (const auto& id : row.pci_ids) spellings[std::string(id.view())].insert(board);
    // People call a GeForce by its number: `4090`, `1660ti`.
    const auto short_key = full_key(row.name);
    for (const std::string_view series : {"rtx", "gtx"}) {
      if (row.gpu_class == GpuClass::consumer && short_key.starts_with(series))
        spellings[short_key.substr(series.size())].insert(board);
    }
  }
}

void load_groups(Loading& l, std::string_view list, Spellings& spellings) {
  const bool one_capability = list == "families";
  for (const auto& source : l.documents.rows("gpus.json", list)) {
    const auto cell = l.cell(source);
    cell.allow_in_row({"name", "members"});
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
                                     first->capability.to_string(), gpu.name.view(), gpu.capability.to_string()));
        add_spelling(spellings, cell.at("name").text(), static_cast<std::uint16_t>(i));
      }
      if (!found) member.problem(fmt::format("no GPU {} is in gpus.json", in_quotes(wanted)));
    }
  }
}

}  // namespace

void load_gpus(Loading& loading) {
  Spellings spellings;
  load_boards(loading, spellings);
  load_groups(loading, "families", spellings);
  load_groups(loading, "ambiguous", spellings);
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
  for (const auto& family : loading.documents.rows("gpus.json", "families"))
    readable.emplace(loading.cell(family).at("name").text());
  auto* texts = loading.packer.fill(loading.root.gpu_spellings, readable.size());
  i = 0;
  for (const auto& name : readable) loading.packer.put(texts[i++], name);
}

}  // namespace envgen::matrix
