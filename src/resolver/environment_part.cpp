#include "resolver/environment_part.hpp"

#include <algorithm>

#include "model/os_name.hpp"
#include "resolver/place.hpp"

namespace envgen::resolver {

std::string_view Part::asked_words(const RequestValue& value) {
  switch (value.origin) {
    case Origin::flag:
    case Origin::request:
      return "requested";
    case Origin::file:
      return "requested in the project file";
    case Origin::preset:
      return "requested by the preset";
    case Origin::host:
      return "found on this machine";
    case Origin::compiler:
      return "a package to install compiles with nvcc";
    case Origin::output:
      return "nothing that is generated has a container";
  }
  return {};
}

void Part::reason(std::string_view field, std::string value, std::string why, std::span<const std::uint16_t> sources) {
  Environment::Reason entry{text(field), std::move(value), std::move(why), {}};
  for (const auto index : sources) {
    const auto& row = matrix_.source(index);
    auto source = row.address().empty() ? text(row.what) : fmt::format("{} <{}>", row.what.view(), row.address());
    if (std::find(entry.sources.begin(), entry.sources.end(), source) == entry.sources.end())
      entry.sources.push_back(std::move(source));
  }
  environment_.reasons.push_back(std::move(entry));
}

std::uint16_t Part::images_source() const {
  const auto& set = *solution_.placement.images;
  for (const auto index : {set.devel, set.runtime, set.devel_cudnn, set.runtime_cudnn}) {
    if (const auto* image = offered(matrix_, query_, index)) return image->from.source;
  }
  return build_.from.source;
}

std::string Part::environment_os() const {
  return solution_.placement.os == nullptr ? std::string("the system") : os_name(solution_.placement.os->id.view());
}

std::string Part::release_words() const { return fmt::format("{} {}", name_of(build_.framework), build_.version_text.view()); }

}  // namespace envgen::resolver
