#pragma once

#include <string_view>
#include <vector>

namespace envgen {

/// A part of a host as a request writes it (`gpu=V100,gpu=T4,driver=535.183.01`). One without a name is a GPU: `4xA100`.
struct HostPart {
  std::string_view written;  ///< `gpu=V100`, with no spaces around it
  std::string_view name;     ///< `gpu`
  std::string_view text;     ///< `V100`
};

/// At least one: an empty text is a GPU without a name.
std::vector<HostPart> parts_of_host(std::string_view host);

/// True of a host that names its driver.
bool names_driver(std::string_view host);

}  // namespace envgen
