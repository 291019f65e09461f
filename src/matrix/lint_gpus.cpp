#include <map>
#include <set>

#include <fmt/format.h>

#include "matrix/gpu_names.hpp"
#include "matrix/linting.hpp"
#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

/// A board, and where it is given a name or an id.
struct Holder {
  const Gpu* gpu;
  std::string where;
};
using Holders = std::map<std::string, std::vector<Holder>>;

void add_name(Holders& names, std::string_view name, const Holder& holder) {
  for (const auto& key : std::set<std::string>{light_key(name), full_key(name)}) names[key].push_back(holder);
}

void check_board(Lint& lint, const Gpu& gpu, const Cell& cell, Holders& names, Holders& ids) {
  add_name(names, gpu.name, {&gpu, cell.maybe("name").where()});
  if (!any(lint.root.gpu_drivers, [&](const GpuDriver& row) { return row.capability == gpu.capability; }))
    lint.find(cell.maybe("capability"), fmt::format("drivers.json has no gpu_drivers row for capability {}", gpu.capability));
  for (const auto& row : lint.root.gpu_drivers) {
    if (row.capability != gpu.capability || gpu.first_drivers.empty()) continue;
    const auto first = gpu.first_drivers[0];
    if (row.tegra) lint.find(cell.maybe("first_drivers"), "Jetson drivers have their own version numbers");
    if (first < row.first_driver || (row.last_branch != 0 && first.branch() > row.last_branch))
      lint.find(cell.maybe("first_drivers"),
                fmt::format("the first driver {} does not support capability {}", first, gpu.capability));
  }
  for (const auto& item : cell.maybe("first_drivers").items()) lint.check_driver(item, false);
  if (gpu.mig_driver) {
    lint.check_driver(cell.maybe("mig_driver"), false);
    if (!(gpu.mig > 0)) lint.find(cell.maybe("mig_driver"), "the board has no MIG instances");
  }
  if (!gpu.mig_profiles.empty() && !(gpu.mig > 0)) lint.find(cell.maybe("mig_profiles"), "the board has no MIG instances");
  for (const auto& item : cell.maybe("aliases").items()) {
    if (!item.is_text()) continue;
    if (full_key(item.text()).empty()) {
      lint.find(item, fmt::format("{} is not a name", in_quotes(item.text())));
    } else {
      add_name(names, item.text(), {&gpu, item.where()});
    }
  }
  for (const auto& item : cell.maybe("pci_ids").items()) {
    if (!item.is_text()) continue;
    const auto id = item.text();
    const bool good =
        id.size() == 9 && id.starts_with("10de:") && id.find_first_not_of("0123456789abcdef", 5) == std::string::npos;
    if (!good) lint.find(item, fmt::format("{} is not a PCI ID (10de:2684, lower case)", in_quotes(id)));
    ids[std::string(id)].push_back({&gpu, item.where()});
  }
  for (const auto& item : cell.maybe("verified").items()) {
    if (item.is_text() && cell.maybe(item.text()).is_missing())
      lint.find(item, fmt::format("the row has no field {}", in_quotes(item.text())));
  }
}

void report_clashes(Lint& lint, const Holders& all, std::string_view what, std::string_view remedy) {
  for (const auto& [key, holders] : all) {
    const auto& first = *holders.front().gpu;
    const auto other = std::find_if(holders.begin(), holders.end(),
                                    [&](const Holder& holder) { return holder.gpu->capability != first.capability; });
    if (other == holders.end()) continue;
    lint.find(other->where, fmt::format("the {} {} matches both {} ({}) and {} ({}){}", what, in_quotes(key), first.name.view(),
                                        first.capability, other->gpu->name.view(), other->gpu->capability, remedy));
  }
}

}  // namespace

void lint_gpus(Lint& lint) {
  Holders names;
  Holders ids;
  lint.each<Gpu>(tables::gpus, [&](Lint&, const Gpu& row, const Cell& cell) { check_board(lint, row, cell, names, ids); });
  for (const auto& row : lint.rows(tables::families)) {
    const auto cell = lint.cell(row);
    const auto members = cell.maybe("members").items();
    if (members.empty()) lint.find(cell.maybe("members"), "a family must have members");
    for (const auto& member : members) {
      for (const auto& gpu : lint.root.gpus) {
        if (gpu.name.view() == member.text()) add_name(names, cell.maybe("name").text(), {&gpu, cell.maybe("name").where()});
      }
    }
  }
  for (const auto& row : lint.rows(tables::ambiguous)) {
    const auto name = lint.cell(row).maybe("name").text();
    names.erase(light_key(name));
    names.erase(full_key(name));
  }
  report_clashes(lint, names, "name", " (list it in 'ambiguous' if users must choose one)");
  report_clashes(lint, ids, "PCI ID", "");
}

}  // namespace envgen::matrix
