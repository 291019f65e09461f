#include "update/package_index.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "inspect/metadata.hpp"
#include "inspect/wheel.hpp"
#include "model/python_version.hpp"
#include "model/spelling.hpp"
#include "net/ranged_source.hpp"
#include "update/answers.hpp"
#include "update/readers.hpp"
#include "util/sha256.hpp"

namespace envgen::update {
namespace {

constexpr std::uint64_t largest_metadata = std::uint64_t{4} << 20;
/// Several pages are read at once: the page of torch is 2 MB.
constexpr std::uint64_t largest_page = std::uint64_t{16} << 20;

/// Whether METADATA names the project that its wheel's file name does.
bool is_of(const inspect::Metadata& metadata, const IndexedWheel& wheel) {
  return inspect::normalised_name(metadata.name) == inspect::normalised_name(wheel.file.substr(0, wheel.file.find('-')));
}
tl::unexpected<Error> other_project(const inspect::Metadata& metadata, const IndexedWheel& wheel, const std::string& url) {
  return other_shape(fmt::format("the METADATA of {} belongs to {}", wheel.file, in_quotes(metadata.name)), url);
}

}  // namespace

Expected<void> PackageIndex::list(const std::vector<std::string_view>& projects) {
  const auto settings = visit_.pip();
  if (!settings) return tl::unexpected(settings.error());
  notes_.insert(notes_.end(), settings->notes.begin(), settings->notes.end());
  std::vector<net::Request> requests;
  for (const auto project : projects) {
    for (const auto& index : settings->indexes)
      requests.push_back({fmt::format("{}/{}/", index, project), std::string(index_media_types), {}, largest_page});
  }
  visit_.progress("the pages of the package index", 0, requests.size());
  const auto replies = visit_.client.get(requests);
  auto reply = replies.begin();
  for (const auto project : projects) {
    auto& wheels = wheels_[std::string(project)];
    for (std::size_t i = 0; i < settings->indexes.size(); ++i, ++reply) {
      if (!*reply) return tl::unexpected(reply->error());
      if ((*reply)->status != 200) continue;
      auto more = wheels_of_index(project, **reply);
      if (!more) return tl::unexpected(more.error());
      wheels.insert(wheels.end(), more->begin(), more->end());
    }
    if (wheels.empty()) {
      notes_.push_back(fmt::format("{}: not on the index", project));
    } else if (std::all_of(wheels.begin(), wheels.end(), [](const IndexedWheel& wheel) { return wheel.yanked; })) {
      notes_.push_back(fmt::format("{}: all of its wheels on the index are withdrawn (yanked), so none is used", project));
    }
  }
  if (std::all_of(wheels_.begin(), wheels_.end(), [](const auto& each) { return each.second.empty(); }))
    return fail(ErrorCode::network, fmt::format("it has no wheel of {} for Linux", fmt::join(projects, ", ")),
                settings->indexes.empty() ? "package-index" : settings->indexes.front(),
                {"'pip config list' shows which index this is"});
  return {};
}

const std::vector<IndexedWheel>& PackageIndex::wheels(std::string_view project) const {
  static const std::vector<IndexedWheel> no_wheels;
  const auto it = wheels_.find(project);
  return it == wheels_.end() ? no_wheels : it->second;
}

Expected<std::vector<inspect::Metadata>> PackageIndex::metadata(const std::vector<const IndexedWheel*>& wheels) {
  std::vector<net::Request> requests;
  for (const auto* wheel : wheels) {
    if (wheel->has_metadata) requests.push_back({wheel->url + ".metadata", "*/*", {}, largest_metadata, true});
  }
  // Of hundreds some at a time, so that it can be told how far this is.
  constexpr std::size_t at_once = 32;
  std::vector<Expected<net::Reply>> replies;
  while (replies.size() < requests.size()) {
    visit_.progress("METADATA of wheels", replies.size(), wheels.size());
    const auto left = std::span(requests).subspan(replies.size());
    auto more = visit_.client.get(left.first(std::min(at_once, left.size())));
    std::move(more.begin(), more.end(), std::back_inserter(replies));
  }
  auto reply = replies.begin();
  std::vector<inspect::Metadata> all;
  for (const auto* wheel : wheels) {
    visit_.progress("METADATA of wheels", std::max(all.size(), replies.size()), wheels.size());
    if (wheel->has_metadata) {
      const auto url = wheel->url + ".metadata";
      const auto body = body_of(std::move(*reply++), url);
      if (!body) return tl::unexpected(body.error());
      if (!wheel->metadata_sha256.empty() && util::sha256_of(*body) != wheel->metadata_sha256)
        return fail(ErrorCode::network, "the sha256 of this METADATA is not the one that the index states", url);
      auto metadata = inspect::parse_metadata(*body, url);
      if (!metadata) return other_shape(metadata.error().message, url);
      if (!is_of(*metadata, *wheel)) return other_project(*metadata, *wheel, url);
      all.push_back(std::move(*metadata));
      continue;
    }
    const auto remote = net::RangedSource::open(visit_.client, wheel->url);
    if (!remote) return tl::unexpected(remote.error());
    auto opened = inspect::read_wheel_index(**remote, wheel->url);
    if (!opened && opened.error().code == ErrorCode::bad_input) return other_shape(opened.error().message, wheel->url);
    if (!opened) return tl::unexpected(opened.error());
    if (!is_of(opened->metadata, *wheel)) return other_project(opened->metadata, *wheel, wheel->url);
    all.push_back(std::move(opened->metadata));
  }
  return all;
}

Json python_list(const std::vector<const IndexedWheel*>& wheels) {
  std::set<PythonVersion> pythons;
  for (const auto* wheel : wheels) {
    if (wheel->python == "any") return Json::array({"any"});
    if (const auto python = PythonVersion::parse(wheel->python)) pythons.insert(*python);
  }
  Json list = Json::array();
  for (const auto python : pythons) list.push_back(python.to_string());
  return list;
}

Expected<std::vector<Reading>> read_package_index(Visit& visit) {
  PackageIndex index(visit);
  if (auto listed = index.list({"torch", "torchvision", "torchaudio", "triton", "tensorflow", "nvidia-cudnn-cu11",
                                "nvidia-cudnn-cu12", "nvidia-cudnn-cu13", "cuda-toolkit", "nvidia-cuda-nvcc", "nvidia-cuda-crt"});
      !listed)
    return tl::unexpected(listed.error());
  std::vector<Reading> all;
  for (const auto read : {read_torch_packages, read_tensorflow_packages, read_cudnn_packages, read_toolkit_packages}) {
    auto readings = read(index);
    if (!readings) return tl::unexpected(readings.error());
    std::move(readings->begin(), readings->end(), std::back_inserter(all));
  }
  all.front().notes.insert(all.front().notes.begin(), index.notes().begin(), index.notes().end());
  return all;
}

}  // namespace envgen::update
