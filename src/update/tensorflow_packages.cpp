#include <algorithm>
#include <map>

#include "model/version_spec.hpp"
#include "update/answers.hpp"
#include "update/package_index.hpp"
#include "update/release_groups.hpp"

namespace envgen::update {
namespace {

namespace tables = matrix::tables;

/// What `tensorflow[and-cuda]` asks for besides, by package; null: there is no such extra.
Json and_cuda_pins(const inspect::Metadata& metadata) {
  std::map<std::string, std::string> pins;
  for (const auto& requirement : metadata.requires_dist) {
    if (requirement.marker.find("and-cuda") != std::string::npos) pins[requirement.name] = requirement.version;
  }
  return pins.empty() ? Json() : Json(pins);
}

/// The first two parts of the least version that is asked of a package whose name begins so: `12.5` of
/// `nvidia-cuda-runtime-cu12<13.0,>=12.5.82`. Null: it asks for none.
Json least_minor(const Json& pins, std::string_view package) {
  if (!pins.is_object()) return nullptr;
  for (const auto& [name, spec] : pins.items()) {
    const auto asked = wheel_spec(spec.get_ref<const std::string&>());
    if (!name.starts_with(package) || !asked) continue;
    for (const auto& clause : asked->clauses()) {
      const bool is_least = clause.op == VersionSpec::Op::greater_equal || clause.op == VersionSpec::Op::equal;
      if (is_least && clause.version.count() >= 2) return clause.version.at(2).to_string();
    }
  }
  return nullptr;
}

}  // namespace

Expected<std::vector<Reading>> read_tensorflow_packages(PackageIndex& index) {
  auto& visit = index.visit();
  Reading reading{"wheel-metadata",
                  "METADATA of TensorFlow's wheels on the package index",
                  {},
                  {},
                  {},
                  "envgen matrix verify --source package-index"};
  auto groups = groups_of(index.wheels("tensorflow"), oldest_of(visit.known, tables::tensorflow_releases));
  std::erase_if(groups, [](const Group& group) { return group.platform != "linux-x86_64"; });
  const auto is_known = [&](const Group& group) {
    return has_row(visit.known, tables::tensorflow_releases, "version", group.text);
  };
  std::vector<const IndexedWheel*> to_read;
  for (const auto& group : groups) {
    if (!is_known(group) || visit.again) to_read.push_back(group.wheels.back());
  }
  const auto metadata = index.metadata(to_read);
  if (!metadata) return tl::unexpected(metadata.error());
  auto next = metadata->begin();
  for (const auto& group : groups) {
    const bool known = is_known(group);
    Json row{{"version", group.text}, {"pythons", python_list(group.wheels)}};
    if (!known || visit.again) row["pins"] = and_cuda_pins(*next++);
    if (!known) {
      // What it is built with stands in its tested configurations; what it asks for is the least that it runs with.
      row["cuda"] = least_minor(row["pins"], "nvidia-cuda-runtime-");
      row["cudnn"] = least_minor(row["pins"], "nvidia-cudnn-");
      if (!group.wheels.back()->glibc.empty()) row["glibc"] = group.wheels.back()->glibc;
      row["images"] = Json::array();
    }
    reading.claims.push_back({&tables::tensorflow_releases, std::move(row)});
  }
  return std::vector<Reading>{std::move(reading)};
}

}  // namespace envgen::update
