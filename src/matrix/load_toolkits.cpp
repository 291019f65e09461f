#include <algorithm>

#include <fmt/format.h>

#include "matrix/loading.hpp"

namespace envgen::matrix {
namespace {

constexpr Field toolkit_fields[] = {
    {"version", Is::key, "toolkit", into<&Toolkit::version, &Toolkit::text>},
    {"minor", Is::needed, "cuda", into<&Toolkit::minor>},
    {"released", Is::or_null, "when", into<&Toolkit::released>},
    {"driver", Is::or_null, "driver", into<&Toolkit::driver>, "the Linux minimum of the release notes"},
    {"ptx_isa", Is::or_null, "ptx_isa", into<&Toolkit::ptx_isa>, "the newest PTX that it writes"},
    {"archs", Is::needed, "capabilities_or_none", into<&Toolkit::archs>, "what nvcc compiles for; none: unknown"},
    {"arch_specific", Is::needed, "specific_archs", into<&Toolkit::arch_specific>},
    {"gcc_max", Is::or_null, "major_number", major_into<&Toolkit::gcc_max>, "the newest GCC that nvcc accepts"},
    {"os", Is::or_null, "systems", into<&Toolkit::os>, "the systems that NVIDIA supports it on"},
};
constexpr Field minor_fields[] = {
    {"cuda", Is::key, "minor", into<&CudaMinor::cuda>},
    {"native_driver", Is::or_null, "driver", into<&CudaMinor::native_driver>,
     "the driver of the minor's general-availability release; its basis is in the source"},
};
constexpr Field exception_fields[] = {
    {"cuda", Is::needed, "minor", into<&MinorException::cuda>},
    {"driver", Is::or_null, "driver", into<&MinorException::driver>},
};
constexpr Field major_fields[] = {
    {"cuda", Is::key, "major", into<&CudaMajor::cuda>},
    {"minor_compat_driver", Is::or_null, "driver", into<&CudaMajor::minor_compat_driver>,
     "the first driver that runs every minor; null: there is no such compatibility"},
    {"except", Is::optional, "list", rows_into<&CudaMajor::except, exception_fields>, "minors that need another driver",
     &inside<exception_fields>},
};
constexpr Field cudnn_gpus_fields[] = {
    {"cuda", Is::or_null, "major_or_minor", into<&CudnnGpus::cuda>, "null: any"},
    {"min", Is::needed, "capability", into<&CudnnGpus::min>, "the first one that this build supports"},
    {"max", Is::or_null, "capability", into<&CudnnGpus::max>,
     "the last one; null: the source names none, or leaves out minors of one family (12.1 beside 12.0)"},
    {"ends", Is::optional, "flag", into<&CudnnGpus::ends>, "newer GPUs are not supported; if omitted: unknown"},
};
constexpr Field cudnn_fields[] = {
    {"version", Is::key, "cudnn", into<&Cudnn::version, &Cudnn::text>},
    {"cuda_majors", Is::needed, "majors", into<&Cudnn::cuda_majors>},
    {"gpus", Is::or_null, "list", rows_into<&Cudnn::gpus, cudnn_gpus_fields>,
     "a CUDA major that is missing from the list is unknown", &inside<cudnn_gpus_fields>},
    {"exact", Is::needed, "flag", into<&Cudnn::exact>,
     "read in the release itself, its support matrix or its libraries; false: inferred from its neighbours"},
    {"wheels", Is::needed, "cudnn_wheels", into<&Cudnn::wheels>, "the packages that carry it"},
    {"glibc", Is::or_null, "glibc", into<&Cudnn::glibc>, "that these packages need; null if there is none"},
};
constexpr Field branch_fields[] = {
    {"branch", Is::key, "branch", into<&DriverBranch::branch>},
    {"kind", Is::or_null, "branch_kind", into<&DriverBranch::kind>},
    {"cuda", Is::or_null, "minor", into<&DriverBranch::cuda>, "the newest CUDA minor that it reports"},
    {"first", Is::or_null, "driver", into<&DriverBranch::first>},
    {"latest", Is::or_null, "driver", into<&DriverBranch::latest>},
    {"released", Is::or_null, "when", into<&DriverBranch::released>, "its first data-centre release"},
    {"eol", Is::or_null, "when", into<&DriverBranch::eol>},
};
constexpr Field gpu_driver_fields[] = {
    {"capability", Is::key, "capability", into<&GpuDriver::capability>},
    {"first_driver", Is::or_null, "gpu_driver", into<&GpuDriver::first_driver>, "null: older than every driver listed here"},
    {"last_branch", Is::or_null, "branch", into<&GpuDriver::last_branch>, "null: still supported"},
    {"kernel_module", Is::needed, Names<KernelModule>::names, into<&GpuDriver::kernel_module>},
    {"tegra", Is::needed, "flag", into<&GpuDriver::tegra>},
};
constexpr Field compat_fields[] = {
    {"cuda", Is::key, "minor", into<&ForwardCompat::cuda>, "of the cuda-compat package"},
    {"branch", Is::key, "branch", into<&ForwardCompat::branch>},
    {"works", Is::needed, "flag", into<&ForwardCompat::works>, "a pair that is absent is unknown"},
};

/// The rows of a table by their `version`, ascending; problems are reported when they are loaded.
std::vector<Documents::Row> by_version(const Loading& l, const Table& table) {
  Problems ignored;
  const auto version_of = [&](const Documents::Row& row) { return Cell(row.value, row.where, ignored).at("version").version(); };
  auto rows = l.documents.rows(table);
  std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return version_of(a) < version_of(b); });
  return rows;
}

}  // namespace

const Table tables::toolkits{"cuda.json", "toolkits", toolkit_fields, "What a CUDA update compiles for, and what it needs."};
const Table tables::cuda_minors{"cuda.json", "minors", minor_fields, "The driver that came with each minor."};
const Table tables::cuda_majors{"cuda.json", "majors", major_fields, "Minor-version compatibility."};
const Table tables::cudnn_releases{"cudnn.json", "releases", cudnn_fields, "The GPUs that each cuDNN supports."};
const Table tables::driver_branches{"drivers.json", "branches", branch_fields, "The branches of the Linux driver."};
const Table tables::gpu_drivers{"drivers.json", "gpu_drivers", gpu_driver_fields, "The drivers that support a GPU."};
const Table tables::forward_compat{"drivers.json", "forward_compat", compat_fields,
                                   "The driver branches on which a cuda-compat works."};

void load_toolkits(Loading& l) {
  auto& root = l.root;
  l.pack(tables::toolkits, root.toolkits, by_version(l, tables::toolkits), [](Toolkit& row, const Cell& cell) {
    if (row.version && row.minor && row.version.at(2) != row.minor)
      cell.at("minor").problem(fmt::format("the minor of {} is {}", row.text.view(), row.version.at(2)));
  });
  l.pack(tables::cuda_minors, root.cuda_minors);
  l.pack(tables::cuda_majors, root.cuda_majors);
  l.pack(tables::cudnn_releases, root.cudnns, by_version(l, tables::cudnn_releases), nothing_more<Cudnn>);
  l.pack(tables::driver_branches, root.branches);
  l.pack(tables::gpu_drivers, root.gpu_drivers, [](GpuDriver& row, const Cell& cell) {
    // A proof would be made of this.
    if (row.last_branch != 0 && row.first_driver && row.first_driver.branch() > row.last_branch)
      cell.at("last_branch")
          .problem(fmt::format("the last branch {} is older than the first driver {}", row.last_branch, row.first_driver));
  });
  l.pack(tables::forward_compat, root.forward_compat);
}

}  // namespace envgen::matrix
