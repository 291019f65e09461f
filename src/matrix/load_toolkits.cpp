#include <algorithm>

#include <fmt/format.h>

#include "matrix/loading.hpp"

namespace envgen::matrix {
namespace {

std::uint16_t branch_number(const Cell& cell) { return cell.version_or_null().major(); }

/// The `version` of a row that has not been read yet; problems are reported when it is.
Version version_of(const Documents::Row& row) {
  Problems ignored;
  return Cell(row.value, row.where, ignored).at("version").version();
}

void load_cuda(Loading& l) {
  auto toolkits = l.documents.rows("cuda.json", "toolkits");
  std::stable_sort(toolkits.begin(), toolkits.end(), [&](const auto& a, const auto& b) { return version_of(a) < version_of(b); });
  auto* rows = l.packer.fill(l.root.toolkits, toolkits.size());
  for (std::size_t i = 0; i < toolkits.size(); ++i) {
    const auto cell = l.cell(toolkits[i]);
    cell.allow_in_row({"version", "minor", "released", "driver", "ptx_isa", "archs", "arch_specific", "gcc_max", "os"});
    auto& row = rows[i];
    row.version = cell.at("version").version();
    l.packer.put(row.text, cell.at("version").text());
    row.minor = cell.at("minor").version();
    if (row.version && row.minor && row.version.at(2) != row.minor)
      cell.at("minor").problem(fmt::format("the minor of {} is {}", row.text.view(), row.version.at(2).to_string()));
    l.packer.put(row.released, cell.at("released").text_or_null());
    row.driver = cell.at("driver").driver_or_null();
    l.packer.put(row.ptx_isa, cell.at("ptx_isa").text_or_null());
    l.archs(row.archs, cell.at("archs"));
    l.archs(row.arch_specific, cell.at("arch_specific"));
    if (const auto gcc = cell.at("gcc_max").count_or_zero(); gcc != 0) row.gcc_max = Version(static_cast<std::uint16_t>(gcc));
    l.texts(row.os, cell.at("os"));
    l.provenance(row.from, toolkits[i]);
  }

  const auto& minors = l.documents.rows("cuda.json", "minors");
  auto* minor_rows = l.packer.fill(l.root.cuda_minors, minors.size());
  for (std::size_t i = 0; i < minors.size(); ++i) {
    const auto cell = l.cell(minors[i]);
    cell.allow_in_row({"cuda", "native_driver"});
    minor_rows[i].cuda = cell.at("cuda").version();
    minor_rows[i].native_driver = cell.at("native_driver").driver_or_null();
    l.provenance(minor_rows[i].from, minors[i]);
  }

  const auto& majors = l.documents.rows("cuda.json", "majors");
  auto* major_rows = l.packer.fill(l.root.cuda_majors, majors.size());
  for (std::size_t i = 0; i < majors.size(); ++i) {
    const auto cell = l.cell(majors[i]);
    cell.allow_in_row({"cuda", "minor_compat_driver", "except"});
    major_rows[i].cuda = branch_number(cell.at("cuda"));
    major_rows[i].minor_compat_driver = cell.at("minor_compat_driver").driver_or_null();
    const auto exceptions = cell.maybe("except").items();
    auto* except = l.packer.fill(major_rows[i].except, exceptions.size());
    for (std::size_t k = 0; k < exceptions.size(); ++k) {
      except[k].cuda = exceptions[k].at("cuda").version();
      except[k].driver = exceptions[k].at("driver").driver_or_null();
    }
    l.provenance(major_rows[i].from, majors[i]);
  }
}

void load_cudnn(Loading& l) {
  auto releases = l.documents.rows("cudnn.json", "releases");
  std::stable_sort(releases.begin(), releases.end(), [&](const auto& a, const auto& b) { return version_of(a) < version_of(b); });
  auto* rows = l.packer.fill(l.root.cudnns, releases.size());
  for (std::size_t i = 0; i < releases.size(); ++i) {
    const auto cell = l.cell(releases[i]);
    cell.allow_in_row({"version", "cuda_majors", "gpus", "exact", "wheels"});
    auto& row = rows[i];
    row.version = cell.at("version").version();
    l.packer.put(row.text, cell.at("version").text());
    const auto majors = cell.at("cuda_majors").items();
    auto* major_rows = l.packer.fill(row.cuda_majors, majors.size());
    for (std::size_t k = 0; k < majors.size(); ++k) major_rows[k] = majors[k].version();
    const auto gpus = cell.at("gpus").items();
    auto* gpu_rows = l.packer.fill(row.gpus, gpus.size());
    for (std::size_t k = 0; k < gpus.size(); ++k) {
      gpus[k].allow_only({"cuda", "min", "max"});
      gpu_rows[k].cuda = gpus[k].at("cuda").version_or_null();
      gpu_rows[k].min = gpus[k].at("min").capability();
      const auto max = gpus[k].at("max");
      if (!max.is_null()) gpu_rows[k].max = max.capability();
    }
    row.exact = cell.at("exact").flag();
    l.texts(row.wheels, cell.at("wheels"));
    l.provenance(row.from, releases[i]);
  }
}

void load_drivers(Loading& l) {
  const auto& branches = l.documents.rows("drivers.json", "branches");
  auto* branch_rows = l.packer.fill(l.root.branches, branches.size());
  for (std::size_t i = 0; i < branches.size(); ++i) {
    const auto cell = l.cell(branches[i]);
    cell.allow_in_row({"branch", "kind", "cuda", "first", "latest", "released", "eol"});
    auto& row = branch_rows[i];
    row.branch = branch_number(cell.at("branch"));
    l.packer.put(row.kind, cell.at("kind").text_or_null());
    row.cuda = cell.at("cuda").version_or_null();
    row.first = cell.at("first").driver_or_null();
    row.latest = cell.at("latest").driver_or_null();
    l.packer.put(row.released, cell.at("released").text_or_null());
    l.packer.put(row.eol, cell.at("eol").text_or_null());
    l.provenance(row.from, branches[i]);
  }

  const auto& gpu_drivers = l.documents.rows("drivers.json", "gpu_drivers");
  auto* driver_rows = l.packer.fill(l.root.gpu_drivers, gpu_drivers.size());
  for (std::size_t i = 0; i < gpu_drivers.size(); ++i) {
    const auto cell = l.cell(gpu_drivers[i]);
    cell.allow_in_row({"capability", "first_driver", "last_branch", "kernel_module", "tegra"});
    auto& row = driver_rows[i];
    row.capability = cell.at("capability").capability();
    row.first_driver = cell.at("first_driver").driver_or_null();
    row.last_branch = branch_number(cell.at("last_branch"));
    // A proof would be made of this.
    if (row.last_branch != 0 && row.first_driver && row.first_driver.branch() > row.last_branch)
      cell.at("last_branch")
          .problem(
              fmt::format("the last branch {} is older than the first driver {}", row.last_branch, row.first_driver.to_string()));
    row.kernel_module = static_cast<KernelModule>(cell.at("kernel_module").choice({"either", "proprietary", "open", "tegra"}));
    row.tegra = cell.at("tegra").flag();
    l.provenance(row.from, gpu_drivers[i]);
  }

  const auto& compat = l.documents.rows("drivers.json", "forward_compat");
  auto* compat_rows = l.packer.fill(l.root.forward_compat, compat.size());
  for (std::size_t i = 0; i < compat.size(); ++i) {
    const auto cell = l.cell(compat[i]);
    cell.allow_in_row({"cuda", "branch", "works"});
    compat_rows[i].cuda = cell.at("cuda").version();
    compat_rows[i].branch = branch_number(cell.at("branch"));
    compat_rows[i].works = cell.at("works").flag();
    l.provenance(compat_rows[i].from, compat[i]);
  }
}

}  // namespace

void load_toolkits(Loading& loading) {
  load_cuda(loading);
  load_cudnn(loading);
  load_drivers(loading);
}

}  // namespace envgen::matrix
