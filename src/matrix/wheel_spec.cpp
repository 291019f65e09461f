#include "matrix/wheel_spec.hpp"

#include <string>

namespace envgen::matrix {

Expected<VersionSpec> wheel_spec(std::string_view text) {
  std::string releases;
  bool skipping = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',') skipping = false;
    if (text[i] == '+' || text.substr(i).starts_with(".post")) skipping = true;
    if (!skipping) releases += text[i];
  }
  return VersionSpec::parse(releases);
}

}  // namespace envgen::matrix
