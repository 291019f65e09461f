#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "net/ranged_source.hpp"
#include "update/answers.hpp"
#include "update/binaries.hpp"
#include "update/package_index.hpp"
#include "update/torch_wheel.hpp"

namespace envgen::update {
namespace {

namespace tables = matrix::tables;

/// The release `13.5.37` of `==13.5.37.*`, for Linux on x86_64. nullptr: there is none.
const IndexedWheel* wheel_of(const PackageIndex& index, std::string_view project, const std::string& version) {
  const auto& wheels = index.wheels(project);
  const auto it = std::find_if(wheels.begin(), wheels.end(), [&](const IndexedWheel& wheel) {
    return wheel.version == version && !wheel.yanked && wheel.platforms.front() == "linux-x86_64";
  });
  return it == wheels.end() ? nullptr : &*it;
}

/// The version that a toolkit's metapackage asks of one of its parts, for whichever of its extras. Empty: it asks for none.
std::string part_of(const inspect::Metadata& toolkit, std::string_view name) {
  const auto* requirement = toolkit.requirement(name);
  return requirement == nullptr ? std::string() : pinned(requirement->version).value_or("");
}

/// What stands inside the wheels of nvcc. `claim` takes it; what cannot be read is a note.
Expected<void> read_compiler(PackageIndex& index, const inspect::Metadata& toolkit, const std::string& version,
                             Reading& reading) {
  auto& visit = index.visit();
  const auto* nvcc = wheel_of(index, "nvidia-cuda-nvcc", part_of(toolkit, "nvidia-cuda-nvcc"));
  const auto* headers = wheel_of(index, "nvidia-cuda-crt", part_of(toolkit, "nvidia-cuda-crt"));
  Json row{{"version", version}};
  if (nvcc != nullptr) {
    visit.progress(fmt::format("what nvcc of {} compiles for", version), 0, 1);
    const auto remote = net::RangedSource::open(visit.client, nvcc->url);
    if (!remote) return tl::unexpected(remote.error());
    const auto targets = read_nvcc_targets(**remote, nvcc->url);
    if (!targets) return tl::unexpected(targets.error());
    row["archs"] = targets->archs;
    row["arch_specific"] = targets->arch_specific;
  }
  if (headers != nullptr) {
    const auto remote = net::RangedSource::open(visit.client, headers->url);
    if (!remote) return tl::unexpected(remote.error());
    const auto newest = read_newest_gcc(**remote, headers->url);
    if (!newest) return tl::unexpected(newest.error());
    if (*newest) row["gcc_max"] = static_cast<unsigned>(**newest);
  }
  if (row.size() > 1) reading.claims.push_back({&tables::toolkits, std::move(row)});
  return {};
}

}  // namespace

Expected<std::vector<Reading>> read_cudnn_packages(PackageIndex& index) {
  Reading reading{"package-index",
                  "releases of nvidia-cudnn-cu11, -cu12 and -cu13 on the package index",
                  {},
                  {},
                  {},
                  "pip index versions nvidia-cudnn-cu13"};
  struct Release {
    std::string text;
    std::set<std::string> majors;
    std::set<std::string> wheels;
    std::string glibc;
  };
  std::map<Version, Release> releases;
  for (const auto* major : {"11", "12", "13"}) {
    const auto project = fmt::format("nvidia-cudnn-cu{}", major);
    for (const auto& wheel : index.wheels(project)) {
      const auto version = *Version::parse(wheel.version);
      constexpr int parts = 4;
      if (version.count() != parts || wheel.yanked) continue;
      auto& release = releases[version];
      release.text = wheel.version;
      release.majors.insert(major);
      release.wheels.insert(project);
      const auto& platforms = wheel.platforms;
      if (std::find(platforms.begin(), platforms.end(), "linux-x86_64") != platforms.end()) release.glibc = wheel.glibc;
    }
  }
  for (const auto& [version, release] : releases) {
    Json row{{"version", release.text}};
    if (!has_row(index.visit().known, tables::cudnn_releases, "version", release.text)) {
      row["cuda_majors"] = release.majors;
      row["exact"] = false;
    }
    row["wheels"] = release.wheels;
    if (!release.glibc.empty()) row["glibc"] = release.glibc;
    reading.claims.push_back({&tables::cudnn_releases, std::move(row)});
  }
  return std::vector<Reading>{std::move(reading)};
}

Expected<std::vector<Reading>> read_toolkit_packages(PackageIndex& index) {
  const auto& known = index.visit().known;
  Reading reading{"wheel-metadata",
                  "releases of the cuda-toolkit metapackage on the package index",
                  {},
                  {},
                  {},
                  "pip index versions cuda-toolkit"};
  Reading compilers{"nvcc-wheels",
                    "nvidia-cuda-nvcc and -crt wheels: targets in nvcc, GCC in crt/host_config.h",
                    {},
                    {},
                    {},
                    "pip download --no-deps nvidia-cuda-nvcc nvidia-cuda-crt"};
  Reading uploads{"upload-times",
                  "upload times of the wheels on the package index",
                  {},
                  {},
                  {},
                  "uv add --no-sync cuda-toolkit, whose uv.lock has them"};
  std::map<Version, const IndexedWheel*> toolkits;
  for (const auto& wheel : index.wheels("cuda-toolkit")) {
    constexpr int parts = 3;
    const auto version = Version::parse(wheel.version)->at(parts);
    if (!wheel.yanked && version.major() > 0) toolkits[version] = &wheel;
  }
  std::vector<const IndexedWheel*> fresh;
  for (const auto& [version, wheel] : toolkits) {
    const auto text = version.to_string();
    const auto minor = version.at(2).to_string();
    reading.claims.push_back({&tables::toolkits, {{"version", text}, {"minor", minor}}});
    if (has_row(known, tables::toolkits, "version", text)) continue;
    fresh.push_back(wheel);
    if (!wheel->uploaded.empty())
      uploads.claims.push_back({&tables::toolkits, {{"version", text}, {"released", wheel->uploaded}}});
    if (!has_row(known, tables::cuda_minors, "cuda", minor)) reading.claims.push_back({&tables::cuda_minors, {{"cuda", minor}}});
  }
  const auto metadata = index.metadata(fresh);
  if (!metadata) return tl::unexpected(metadata.error());
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    constexpr int parts = 3;
    const auto version = Version::parse(fresh[i]->version)->at(parts).to_string();
    if (auto read = read_compiler(index, (*metadata)[i], version, compilers); !read) return tl::unexpected(read.error());
  }
  return std::vector<Reading>{std::move(reading), std::move(compilers), std::move(uploads)};
}

}  // namespace envgen::update
