#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/recognise.hpp"

namespace envgen::test {

/// The ids that a text shows, most likely first.
inline std::vector<std::string> ids_of(std::string_view log) {
  std::vector<std::string> ids;
  for (const auto& finding : diagnosis::recognise(log)) ids.emplace_back(finding.diagnosis->id);
  return ids;
}

}  // namespace envgen::test
