#include "update/torch_wheel.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/spelling.hpp"
#include "model/version.hpp"
#include "update/answers.hpp"

namespace envgen::update {
namespace {

/// The parts of a marker between `and`.
std::vector<std::string> clauses_of(std::string_view marker) {
  constexpr std::string_view joint = " and ";
  std::vector<std::string> clauses;
  for (;;) {
    const auto end = marker.find(joint);
    std::string clause;
    for (const char c : marker.substr(0, end)) {
      if (c != ' ' && c != '(' && c != ')') clause += c == '\'' ? '"' : c;
    }
    clauses.push_back(std::move(clause));
    if (end == std::string_view::npos) return clauses;
    marker.remove_prefix(end + joint.size());
  }
}

/// False: `variable=="x"` where it is something else, or `!=` where it is that.
bool may_hold(std::string_view clause, std::string_view variable, std::string_view value) {
  if (!clause.starts_with(variable)) return true;
  clause.remove_prefix(variable.size());
  const auto quoted = fmt::format("\"{}\"", value);
  if (clause.starts_with("==")) return clause.substr(2) == quoted;
  if (clause.starts_with("!=")) return clause.substr(2) != quoted;
  return true;
}

}  // namespace

std::optional<std::string> pinned(std::string_view specifier) {
  if (!specifier.starts_with("==")) return std::nullopt;
  auto text = specifier.substr(2, specifier.find_first_not_of("0123456789.", 2) - 2);
  if (text.ends_with('.')) text.remove_suffix(1);  // of ==13.5.37.*
  const auto version = Version::parse(text);
  return version ? std::optional(version->to_string()) : std::nullopt;
}

namespace {

/// The pin of a library whose packages are `name`, `name-cu12` and so on.
Expected<std::optional<std::string>> pin_of(const inspect::Metadata& metadata, std::string_view name, std::string_view platform,
                                            const std::string& origin) {
  for (const auto& requirement : metadata.requires_dist) {
    std::string_view suffix = requirement.name;
    if (!suffix.starts_with(name) || !holds_on(requirement, platform)) continue;
    suffix.remove_prefix(name.size());
    if (!suffix.empty() && !suffix.starts_with("-cu")) continue;
    auto version = pinned(requirement.version);
    if (!version) return other_shape(fmt::format("{} is not a pin", in_quotes(requirement.name + requirement.version)), origin);
    return std::optional(std::move(*version));
  }
  return std::nullopt;
}

}  // namespace

bool holds_on(const inspect::Requirement& requirement, std::string_view platform) {
  const auto& marker = requirement.marker;
  if (marker.find("extra") != std::string::npos) return false;
  if (marker.find(" or ") != std::string::npos) return true;
  const auto machine = platform.substr(platform.find('-') + 1);
  const auto clauses = clauses_of(marker);
  return std::all_of(clauses.begin(), clauses.end(), [&](const std::string& clause) {
    return may_hold(clause, "platform_machine", machine) && may_hold(clause, "platform_system", "Linux") &&
           may_hold(clause, "sys_platform", "linux");
  });
}

Expected<TorchBuild> torch_build(const inspect::Metadata& metadata, const std::string& version, const std::string& platform,
                                 const std::string& origin) {
  if (metadata.version != version)
    return other_shape(fmt::format("its METADATA is for version {}", in_quotes(metadata.version)), origin);
  TorchBuild build;
  const auto toolkit = pin_of(metadata, "cuda-toolkit", platform, origin);
  const auto runtime = pin_of(metadata, "nvidia-cuda-runtime", platform, origin);
  const auto cudnn = pin_of(metadata, "nvidia-cudnn", platform, origin);
  const auto nccl = pin_of(metadata, "nvidia-nccl", platform, origin);
  for (const auto* pin : {&toolkit, &runtime, &cudnn, &nccl}) {
    if (!*pin) return tl::unexpected(pin->error());
  }
  const auto& cuda = *toolkit ? *toolkit : *runtime;
  if (cuda) {
    const auto number = *Version::parse(*cuda);
    build.cuda = number.at(2).to_string();
    build.tag = fmt::format("cu{}{}", number.major(), number.minor());
  } else {
    build.tag = "cpu";
  }
  auto& row = build.row;
  row = {{"torch", version}, {"tag", build.tag}, {"platform", platform}, {"cuda", build.cuda ? Json(*build.cuda) : Json()}};
  if (!cuda) {
    row["sass"] = Json::array();
    row["ptx"] = Json::array();
    return build;
  }
  constexpr int toolkit_parts = 3;
  if (*toolkit) row["toolkit"] = Version::parse(**toolkit)->at(toolkit_parts).to_string();
  if (*cudnn) row["cudnn"] = **cudnn;
  if (*nccl) row["nccl"] = **nccl;
  const auto* triton = metadata.requirement("triton");
  if (triton != nullptr && holds_on(*triton, platform) && !triton->version.empty()) {
    build.triton = triton->version;
    constexpr std::string_view below = "python_version<\"";
    for (const auto& clause : clauses_of(triton->marker)) {
      if (!clause.starts_with(below)) continue;
      const std::string_view text = std::string_view(clause).substr(below.size());
      build.triton_below = Version::parse(text.substr(0, text.find('"'))).value_or(Version());
    }
    row["triton"] = pinned(triton->version).value_or(triton->version);
  }
  return build;
}

}  // namespace envgen::update
