#include "model/host_text.hpp"

#include <algorithm>

#include "model/spelling.hpp"

namespace envgen {

std::vector<HostPart> parts_of_host(std::string_view host) {
  std::vector<HostPart> parts;
  for (bool more = true; more;) {
    const auto comma = host.find(',');
    const auto written = without_spaces_around(host.substr(0, comma));
    const auto equals = written.find('=');
    if (equals == std::string_view::npos) {
      parts.push_back({written, "gpu", written});
    } else {
      parts.push_back(
          {written, without_spaces_around(written.substr(0, equals)), without_spaces_around(written.substr(equals + 1))});
    }
    more = comma != std::string_view::npos;
    if (more) host.remove_prefix(comma + 1);
  }
  return parts;
}

bool names_driver(std::string_view host) {
  const auto parts = parts_of_host(host);
  return std::any_of(parts.begin(), parts.end(), [](const HostPart& part) { return part.name == "driver"; });
}

}  // namespace envgen
