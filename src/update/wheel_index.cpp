#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "model/python_version.hpp"
#include "update/answers.hpp"
#include "update/readers.hpp"
#include "update/wheel_name.hpp"

namespace envgen::update {
namespace {

constexpr std::string_view index_root = "https://download.pytorch.org/whl/";

/// A build by the key of its row.
struct Build {
  Version version;
  std::string text;
  std::string tag;
  std::string platform;
  auto key() const { return std::tie(version, tag, platform); }
  bool operator<(const Build& other) const { return key() < other.key(); }
};

/// `13.2` of `cu132`: the last digit is the minor's.
std::optional<std::string> cuda_of(std::string_view tag) {
  const bool digits = tag.size() >= 4 && tag.starts_with("cu") &&
                      std::all_of(tag.begin() + 2, tag.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) return std::nullopt;
  return fmt::format("{}.{}", tag.substr(2, tag.size() - 3), tag.back());
}

/// The oldest release of torch that the facts speak of: what came before is passed over on purpose.
Version oldest_known(const matrix::Documents& known) {
  Version oldest;
  for (const auto& row : known.rows(matrix::tables::torch_releases)) {
    const auto version = Version::parse(row.value->value("version", ""));
    if (version && (!oldest || *version < oldest)) oldest = *version;
  }
  return oldest;
}

std::size_t known_on_index(const matrix::Documents& known) {
  const auto& rows = known.rows(matrix::tables::wheel_builds);
  return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [](const matrix::Documents::Row& row) {
    return row.value->contains("wheel_index") && !row.value->at("wheel_index").is_null();
  }));
}

Json pythons_of(const std::set<PythonVersion>& pythons) {
  Json list = Json::array();
  for (const auto& python : pythons) list.push_back(python.to_string());
  return list;
}

/// Its releases: what a build's row refers to. Of one that is new, what a listing can say.
std::vector<Claim> new_releases(const Visit& visit, const std::map<Build, std::set<PythonVersion>>& builds) {
  std::set<std::string> known;
  for (const auto& row : visit.known.rows(matrix::tables::torch_releases)) known.insert(row.value->value("version", ""));
  std::vector<Claim> claims;
  for (const auto& [build, pythons] : builds) {
    if (known.insert(build.text).second)
      claims.push_back({&matrix::tables::torch_releases,
                        Json{{"version", build.text}, {"tags_complete", false}, {"default_cuda", Json::object()}}});
  }
  return claims;
}

}  // namespace

Expected<std::vector<Reading>> read_wheel_index(Visit& visit) {
  const auto url = fmt::format("{}torch/", visit.at(index_root));
  Reading result{"wheel-index", "PyTorch's wheel index: the file names of all wheels of torch", url, {}, {}};
  visit.progress("torch", 0, 1);
  auto page = body_of(get(visit.client, url, "text/html"), url);
  if (!page) return tl::unexpected(page.error());
  const auto oldest = oldest_known(visit.known);
  std::map<Build, std::set<PythonVersion>> builds;
  std::map<Build, std::string> glibcs;
  std::size_t wheels = 0;
  for (const auto& file : linked_names(*page)) {
    const auto wheel = WheelName::parse(file);
    if (!wheel || wheel->project != "torch") continue;
    ++wheels;
    const auto version = Version::parse(wheel->version);
    // Pre-releases have letters in their version; what is for other accelerators and other systems is not ours.
    if (!version || version->count() != 3 || *version < oldest || !wheel->python || wheel->platform.empty()) continue;
    if (wheel->local != "cpu" && !cuda_of(wheel->local)) continue;
    const Build build{*version, wheel->version, wheel->local, wheel->platform};
    builds[build].insert(*wheel->python);
    if (!wheel->glibc.empty()) glibcs[build] = wheel->glibc;
  }
  if (wheels == 0) return other_shape("no wheel of torch is linked", url);
  if (auto whole = not_shrunk(builds.size(), known_on_index(visit.known), "builds of torch", url); !whole)
    return tl::unexpected(whole.error());
  result.claims = new_releases(visit, builds);
  for (const auto& [build, pythons] : builds) {
    const bool cpu = build.tag == "cpu";
    Json row{{"torch", build.text}, {"tag", build.tag}, {"platform", build.platform}};
    row["cuda"] = cpu ? Json(nullptr) : Json(*cuda_of(build.tag));
    if (cpu) {
      row["sass"] = Json::array();
      row["ptx"] = Json::array();
    }
    if (const auto glibc = glibcs.find(build); glibc != glibcs.end()) row["glibc"] = glibc->second;
    row["wheel_index"] = Json{{"url", fmt::format("{}{}", index_root, build.tag)}, {"pythons", pythons_of(pythons)}};
    result.claims.push_back({&matrix::tables::wheel_builds, std::move(row)});
  }
  return std::vector<Reading>{std::move(result)};
}

}  // namespace envgen::update
