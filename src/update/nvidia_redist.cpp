#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "update/answers.hpp"
#include "update/readers.hpp"

namespace envgen::update {
namespace {

constexpr std::string_view redist_root = "https://developer.download.nvidia.com/compute/";

/// `13.5.0` of `redistrib_13.5.0.json`.
std::optional<std::string> release_of(std::string_view name) {
  constexpr std::string_view begin = "redistrib_";
  constexpr std::string_view end = ".json";
  if (!name.starts_with(begin) || !name.ends_with(end)) return std::nullopt;
  const auto release = name.substr(begin.size(), name.size() - begin.size() - end.size());
  return Version::parse(release) ? std::optional(std::string(release)) : std::nullopt;
}

/// The releases that an index lists, oldest first.
Expected<std::vector<std::string>> releases_at(net::Client& client, const std::string& url) {
  auto page = body_of(get(client, url), url);
  if (!page) return tl::unexpected(page.error());
  std::set<std::string> names;
  for (const auto& name : linked_names(*page)) {
    if (auto release = release_of(name)) names.insert(std::move(*release));
  }
  if (names.empty()) return other_shape("no manifest (redistrib_*.json) is linked", url);
  std::vector<std::string> releases(names.begin(), names.end());
  std::stable_sort(releases.begin(), releases.end(),
                   [](const auto& a, const auto& b) { return *Version::parse(a) < *Version::parse(b); });
  return releases;
}

/// The manifests of these releases, each of which must be of the release that its name says.
Expected<std::vector<Json>> manifests(Visit& visit, const std::string& folder, const std::vector<std::string>& releases) {
  std::vector<net::Request> requests;
  for (const auto& release : releases)
    requests.push_back({fmt::format("{}redistrib_{}.json", folder, release), "application/json"});
  auto replies = visit.client.get(requests);
  std::vector<Json> result;
  for (std::size_t i = 0; i < replies.size(); ++i) {
    auto manifest = object_of(std::move(replies[i]), requests[i].url);
    if (!manifest) return tl::unexpected(manifest.error());
    if (const auto label = text_in(*manifest, "release_label"); label != releases[i])
      return other_shape(fmt::format("its release_label is '{}'", label), requests[i].url);
    result.push_back(std::move(*manifest));
  }
  return result;
}

std::string version_in(const Json& manifest, const char* part) {
  const auto found = manifest.find(part);
  if (found == manifest.end() || !found->is_object()) return {};
  auto version = text_in(*found, "version");
  return Version::parse(version) ? version : std::string();
}

/// Whether a table has a row of this key, and its field is more than null.
bool is_known(const matrix::Documents& known, const matrix::Table& table, const char* key, const std::string& value,
              const char* field) {
  const auto& rows = known.rows(table);
  return std::any_of(rows.begin(), rows.end(), [&](const matrix::Documents::Row& row) {
    return row.value->value(key, "") == value && row.value->contains(field) && !row.value->at(field).is_null();
  });
}

std::string minor_of(const std::string& release) { return Version::parse(release)->at(2).to_string(); }

Reading reading_of(std::string_view id, std::string_view what, const std::string& url) {
  return {std::string(id), std::string(what), url, {}, {}};
}

/// A row that is known and still listed. Its key alone is stated: what was read of it before need not be read again.
void still_there(Reading& reading, const matrix::Table& table, const char* key, const std::string& value) {
  reading.claims.push_back({&table, Json{{key, value}}});
}

Expected<Reading> read_cuda(Visit& visit) {
  const auto folder = fmt::format("{}cuda/redist/", visit.at(redist_root));
  auto result = reading_of("nvidia-redist-cuda", "NVIDIA's redistributable archives of CUDA: manifests of the toolkits", folder);
  const auto listed = releases_at(visit.client, folder);
  if (!listed) return tl::unexpected(listed.error());
  namespace tables = matrix::tables;
  std::vector<std::string> wanted;
  for (const auto& release : *listed) {
    if (Version::parse(release)->count() != 3) continue;
    const bool first = release.ends_with(".0");
    if (first && has_row(visit.known, tables::cuda_minors, "cuda", minor_of(release)))
      still_there(result, tables::cuda_minors, "cuda", minor_of(release));
    if (has_row(visit.known, tables::toolkits, "version", release)) still_there(result, tables::toolkits, "version", release);
    if (!is_known(visit.known, tables::toolkits, "version", release, "driver") ||
        (first && !is_known(visit.known, tables::cuda_minors, "cuda", minor_of(release), "native_driver")))
      wanted.push_back(release);
  }
  const auto read = manifests(visit, folder, wanted);
  if (!read) return tl::unexpected(read.error());
  std::vector<Claim> toolkits;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto& release = wanted[i];
    const auto driver = version_in((*read)[i], "nvidia_driver");
    if (driver.empty()) {
      result.notes.push_back(fmt::format("CUDA {}: its manifest names no driver", release));
      continue;
    }
    const auto minor = minor_of(release);
    if (release.ends_with(".0") && !is_known(visit.known, tables::cuda_minors, "cuda", minor, "native_driver"))
      result.claims.push_back({&tables::cuda_minors, Json{{"cuda", minor}, {"native_driver", driver}}});
    if (!has_row(visit.known, tables::toolkits, "version", release)) {
      result.notes.push_back(
          fmt::format("CUDA {}: what it compiles for is stated only in its wheels (source package-index)", release));
    } else if (!is_known(visit.known, tables::toolkits, "version", release, "driver")) {
      toolkits.push_back({&tables::toolkits, Json{{"version", release}, {"driver", driver}}});
    }
  }
  result.claims.insert(result.claims.end(), toolkits.begin(), toolkits.end());
  return result;
}

Expected<Reading> read_cudnn(Visit& visit) {
  const auto folder = fmt::format("{}cudnn/redist/", visit.at(redist_root));
  auto result =
      reading_of("nvidia-redist-cudnn", "NVIDIA's redistributable archives of cuDNN: manifests of the releases", folder);
  const auto listed = releases_at(visit.client, folder);
  if (!listed) return tl::unexpected(listed.error());
  // A manifest is called by three digits of the four; one whose release is known need not be read.
  std::vector<std::string> wanted;
  for (const auto& release : *listed) {
    bool known = false;
    for (const auto& row : visit.known.rows(matrix::tables::cudnn_releases)) {
      const auto version = text_in(*row.value, "version");
      if (version != release && !version.starts_with(release + ".")) continue;
      known = true;
      still_there(result, matrix::tables::cudnn_releases, "version", version);
    }
    if (!known && Version::parse(release)->major() >= 9) wanted.push_back(release);
  }
  const auto read = manifests(visit, folder, wanted);
  if (!read) return tl::unexpected(read.error());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto version = version_in((*read)[i], "cudnn");
    if (version.empty() || !version.starts_with(wanted[i]))
      return other_shape("no version of cudnn", fmt::format("{}redistrib_{}.json", folder, wanted[i]));
    const auto& cudnn = (*read)[i].at("cudnn");
    std::set<std::string> majors;
    for (const auto* platform : {"linux-x86_64", "linux-sbsa"}) {
      if (!cudnn.contains(platform) || !cudnn.at(platform).is_object()) continue;
      for (const auto& [name, archive] : cudnn.at(platform).items()) {
        if (name.starts_with("cuda") && Version::parse(name.substr(4))) majors.insert(name.substr(4));
      }
    }
    if (majors.empty()) {
      result.notes.push_back(fmt::format("cuDNN {}: its manifest names no CUDA for Linux", version));
      continue;
    }
    Json row{{"version", version}, {"cuda_majors", Json::array()}, {"exact", false}, {"wheels", Json::array()}};
    for (const auto& major : majors) row["cuda_majors"].push_back(major);
    result.claims.push_back({&matrix::tables::cudnn_releases, std::move(row)});
  }
  return result;
}

/// The CUDA minor whose first toolkit came with a driver of this branch.
std::optional<std::string> cuda_of_branch(const std::string& branch, const Reading& cuda, const matrix::Documents& known) {
  const auto is_it = [&](const Json& row) { return text_in(row, "native_driver").starts_with(branch + "."); };
  for (const auto& claim : cuda.claims) {
    if (claim.table == &matrix::tables::cuda_minors && is_it(claim.row)) return text_in(claim.row, "cuda");
  }
  for (const auto& row : known.rows(matrix::tables::cuda_minors)) {
    if (is_it(*row.value)) return text_in(*row.value, "cuda");
  }
  return std::nullopt;
}

Expected<Reading> read_drivers(Visit& visit, const Reading& cuda) {
  const auto folder = fmt::format("{}nvidia-driver/redist/", visit.at(redist_root));
  auto result =
      reading_of("nvidia-redist-driver", "NVIDIA's redistributable archives of the driver: manifests of the releases", folder);
  const auto listed = releases_at(visit.client, folder);
  if (!listed) return tl::unexpected(listed.error());
  std::map<std::string, std::vector<std::string>> branches;
  for (const auto& release : *listed) branches[release.substr(0, release.find('.'))].push_back(release);
  for (const auto& [branch, releases] : branches) {
    if (Version::parse(releases.back())->count() < 2) continue;
    const matrix::Json* known = nullptr;
    for (const auto& row : visit.known.rows(matrix::tables::driver_branches)) {
      if (row.value->value("branch", "") == branch) known = row.value;
    }
    Json row{{"branch", branch}};
    if (known == nullptr) {
      // The list begins when NVIDIA began to publish it: that an older branch is not known here is on purpose.
      const auto& rows = visit.known.rows(matrix::tables::driver_branches);
      const bool newer = std::all_of(rows.begin(), rows.end(), [&, &b = branch](const matrix::Documents::Row& other) {
        return other.value->value("branch", "") < b;
      });
      if (!newer) {
        result.notes.push_back(fmt::format("driver branch {}: older than others that are known", branch));
        continue;
      }
      if (const auto minor = cuda_of_branch(branch, cuda, visit.known)) row["cuda"] = *minor;
      row["latest"] = releases.back();
    } else {
      still_there(result, matrix::tables::driver_branches, "branch", branch);
      const auto latest = text_in(*known, "latest");
      if (!latest.empty() && !(*Version::parse(latest) < *Version::parse(releases.back()))) continue;
      row["latest"] = releases.back();
    }
    result.claims.push_back({&matrix::tables::driver_branches, std::move(row)});
  }
  return result;
}

}  // namespace

Expected<std::vector<Reading>> read_nvidia_redist(Visit& visit) {
  visit.progress("CUDA", 0, 3);
  auto cuda = read_cuda(visit);
  if (!cuda) return tl::unexpected(cuda.error());
  visit.progress("cuDNN", 1, 3);
  auto cudnn = read_cudnn(visit);
  if (!cudnn) return tl::unexpected(cudnn.error());
  visit.progress("driver", 2, 3);
  auto drivers = read_drivers(visit, *cuda);
  if (!drivers) return tl::unexpected(drivers.error());
  return std::vector<Reading>{std::move(*cuda), std::move(*cudnn), std::move(*drivers)};
}

}  // namespace envgen::update
