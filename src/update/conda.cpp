#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/python_version.hpp"
#include "update/answers.hpp"
#include "update/readers.hpp"

namespace envgen::update {
namespace {

constexpr std::string_view anaconda_root = "https://api.anaconda.org/package/";

/// Whether a part of the answer is kept while it is read. Of 1.5 kB a file five members are looked at, and all of them would take
/// eight times the memory of the text.
bool is_looked_at(int, Json::parse_event_t event, Json& part) {
  constexpr std::array<std::string_view, 5> members{"version", "labels", "attrs", "subdir", "build"};
  return event != Json::parse_event_t::key ||
         std::find(members.begin(), members.end(), part.get_ref<const std::string&>()) != members.end();
}

/// The files of a package of a channel: a list of objects with `version`, `labels`, and `attrs` with `subdir` and `build`.
Expected<Json> files_of(Visit& visit, std::string_view package) {
  const auto url = fmt::format("{}{}/files", visit.at(anaconda_root), package);
  auto body = body_of(get(visit.client, url, "application/json"), url);
  if (!body) return tl::unexpected(body.error());
  auto json = Json::parse(*body, is_looked_at, false);
  if (!json.is_array() || json.empty()) return other_shape("no list of files", url);
  for (const auto& file : json) {
    const bool whole =
        file.is_object() && !text_in(file, "version").empty() && file.contains("attrs") && file.at("attrs").is_object();
    if (!whole) return other_shape("a file without version and attrs", url);
  }
  return json;
}

/// `12.9` of a build string that begins with `cuda129`; null of `cpu`; none of another.
std::optional<Json> cuda_of_build(std::string_view build) {
  const auto first = build.substr(0, build.find('_'));
  if (first == "cpu") return Json(nullptr);
  constexpr std::string_view cuda = "cuda";
  if (!first.starts_with(cuda)) return std::nullopt;
  const auto digits = first.substr(cuda.size());
  const bool number =
      digits.size() >= 2 && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!number) return std::nullopt;
  return Json(fmt::format("{}.{}", digits.substr(0, digits.size() - 1), digits.back()));
}

/// `3.12` of `cuda129_mkl_py312_h1e9b5b5_300`.
std::optional<PythonVersion> python_of_build(std::string_view build) {
  const auto begin = build.find("_py");
  if (begin == std::string_view::npos) return std::nullopt;
  const auto digits = build.substr(begin + 3, build.find('_', begin + 3) - begin - 3);
  const auto python = PythonVersion::parse(fmt::format("cp{}", digits));
  return python ? std::optional(*python) : std::nullopt;
}

std::string platform_of(std::string_view subdir) {
  return subdir == "linux-64" ? "linux-x86_64" : subdir == "linux-aarch64" ? "linux-aarch64" : "";
}

Expected<Reading> read_labels(Visit& visit) {
  Reading result{"conda-nvidia-labels",
                 "Anaconda: labels of cuda-toolkit in the channel nvidia",
                 "https://anaconda.org/nvidia/cuda-toolkit/labels",
                 {},
                 {}};
  const auto files = files_of(visit, "nvidia/cuda-toolkit");
  if (!files) return tl::unexpected(files.error());
  std::map<Version, std::string> labels;
  for (const auto& file : *files) {
    if (!file.contains("labels") || !file.at("labels").is_array()) continue;
    for (const auto& label : file.at("labels")) {
      constexpr std::string_view cuda = "cuda-";
      if (!label.is_string() || !label.get<std::string>().starts_with(cuda)) continue;
      auto text = label.get<std::string>().substr(cuda.size());
      const auto version = Version::parse(text);
      if (version && version->count() == 3) labels.emplace(*version, std::move(text));
    }
  }
  if (labels.empty())
    return other_shape("no file has a label of a toolkit (cuda-13.0.0)",
                       fmt::format("{}nvidia/cuda-toolkit/files", visit.at(anaconda_root)));
  for (const auto& [version, text] : labels)
    result.claims.push_back({&matrix::tables::conda_labels,
                             Json{{"label", fmt::format("nvidia/label/cuda-{}", text)}, {"cuda", text}, {"evidence", "listed"}}});
  return result;
}

Expected<Reading> read_conda_forge(Visit& visit) {
  Reading result{"conda-forge-pytorch",
                 "Anaconda: files of pytorch in the channel conda-forge",
                 "https://anaconda.org/conda-forge/pytorch/files",
                 {},
                 {}};
  const auto files = files_of(visit, "conda-forge/pytorch");
  if (!files) return tl::unexpected(files.error());
  std::set<std::string> releases;
  for (const auto& row : visit.known.rows(matrix::tables::torch_releases)) releases.insert(row.value->value("version", ""));
  std::map<std::tuple<Version, std::string, std::string>, std::set<PythonVersion>> builds;  // torch, CUDA as JSON, platform
  std::map<Version, std::string> texts;
  for (const auto& file : *files) {
    const auto text = text_in(file, "version");
    const auto version = Version::parse(text);
    const auto build = text_in(file.at("attrs"), "build");
    const auto cuda = cuda_of_build(build);
    const auto python = python_of_build(build);
    const auto platform = platform_of(text_in(file.at("attrs"), "subdir"));
    if (!version || !cuda || !python || platform.empty() || !releases.contains(text)) continue;
    builds[{*version, cuda->dump(), platform}].insert(*python);
    texts[*version] = text;
  }
  if (builds.empty())
    return other_shape("no build of a known torch for Linux",
                       fmt::format("{}conda-forge/pytorch/files", visit.at(anaconda_root)));
  for (const auto& [key, pythons] : builds) {
    const auto& [version, cuda_text, platform] = key;
    const auto cuda = Json::parse(cuda_text);
    auto digits = cuda.is_null() ? std::string("cpu") : "cuda" + cuda.get<std::string>();
    digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
    Json row{{"torch", texts[version]},
             {"channel", "conda-forge"},
             {"cuda", cuda},
             {"platform", platform},
             {"arm_variant", nullptr},
             {"spec", fmt::format("pytorch=={}={}*", texts[version], digits)},
             {"channels", Json::array({"conda-forge"})}};
    row["pythons"] = Json::array();
    for (const auto& python : pythons) row["pythons"].push_back(python.to_string());
    if (cuda.is_null()) {
      row["sass"] = Json::array();
      row["ptx"] = Json::array();
    }
    result.claims.push_back({&matrix::tables::conda_builds, std::move(row)});
  }
  return result;
}

}  // namespace

Expected<std::vector<Reading>> read_conda(Visit& visit) {
  visit.progress("nvidia", 0, 2);
  auto labels = read_labels(visit);
  if (!labels) return tl::unexpected(labels.error());
  visit.progress("conda-forge", 1, 2);
  auto builds = read_conda_forge(visit);
  if (!builds) return tl::unexpected(builds.error());
  return std::vector<Reading>{std::move(*labels), std::move(*builds)};
}

}  // namespace envgen::update
