#include "model/environment.hpp"

#include <fmt/format.h>

#include "model/version.hpp"

namespace envgen {

std::string Environment::DriverRange::to_string() const {
  if (!minimum) return "unknown";
  const auto last = last_branch ? Version::parse(*last_branch) : Expected<Version>(Version());
  return last && *last ? fmt::format(">={},<{}", *minimum, last->major() + 1) : ">=" + *minimum;
}

}  // namespace envgen
