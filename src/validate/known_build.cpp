#include "validate/known_build.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::validate {

KnownBuild::KnownBuild(const SelfReport& report, const matrix::Matrix* matrix) : asked_(matrix != nullptr) {
  name_ = fmt::format("{} {} for CUDA {}", report.framework, visible(report.version, 40), visible(report.cuda.value_or(""), 40));
  const auto version = Version::parse(report.version);
  const auto cuda = Version::parse(report.cuda.value_or(""));
  if (matrix == nullptr || !version || !cuda) return;
  for (const auto& build : (*matrix)->builds) {
    if (build.listed && !build.cpu && build.version == *version && build.cuda == *cuda &&
        name_of(build.framework) == report.framework)
      builds_.push_back(&build);
  }
}

Result KnownBuild::compared(std::string_view check, std::string_view what, const std::string& found,
                            const std::function<std::string(const matrix::Build&)>& value_of) const {
  const auto shown = visible(found, longest_value);
  Result result{std::string(check), Status::pass, fmt::format("{} {}", what, shown)};
  result.evidence = {{"found", shown}, {"wanted", nullptr}};
  const auto is = [&](Status status, const std::string& more) { return as(result, status, result.message + more); };
  if (!asked_) return is(Status::skip, "; nothing to compare with");
  std::vector<std::string> known;
  for (const auto* build : builds_) {
    auto value = value_of(*build);
    if (!value.empty() && std::find(known.begin(), known.end(), value) == known.end()) known.push_back(std::move(value));
  }
  if (known.empty())
    return is(Status::unknown,
              builds_.empty() ? fmt::format("; the matrix has no {}", name_) : fmt::format("; what {} has is not known", name_));
  result.evidence["wanted"] = known.front();
  if (std::find(known.begin(), known.end(), found) != known.end()) return is(Status::pass, fmt::format(", as {} has", name_));
  return is(Status::warn, fmt::format(", and {} has {}", name_, known.front()));
}

}  // namespace envgen::validate
