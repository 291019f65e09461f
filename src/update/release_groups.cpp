#include "update/release_groups.hpp"

#include <map>
#include <utility>

#include "update/answers.hpp"

namespace envgen::update {

std::vector<Group> groups_of(const std::vector<IndexedWheel>& wheels, Version oldest) {
  std::map<std::pair<Version, std::string>, Group> groups;
  for (const auto& wheel : wheels) {
    const auto version = Version::parse(wheel.version);
    if (!version || *version < oldest || wheel.yanked) continue;
    for (const auto& platform : wheel.platforms) {
      auto& group = groups[{*version, platform}];
      group.version = *version;
      group.text = wheel.version;
      group.platform = platform;
      group.wheels.push_back(&wheel);
    }
  }
  std::vector<Group> all;
  for (auto& [key, group] : groups) all.push_back(std::move(group));
  return all;
}

Version oldest_of(const matrix::Documents& known, const matrix::Table& table) {
  Version oldest;
  for (const auto& row : known.rows(table)) {
    const auto version = Version::parse(text_in(*row.value, "version"));
    if (version && (!oldest || *version < oldest)) oldest = *version;
  }
  return oldest;
}

std::string first_upload(const std::vector<IndexedWheel>& wheels, const std::string& version) {
  std::string first;
  for (const auto& wheel : wheels) {
    if (wheel.version == version && !wheel.uploaded.empty() && (first.empty() || wheel.uploaded < first)) first = wheel.uploaded;
  }
  return first;
}

}  // namespace envgen::update
