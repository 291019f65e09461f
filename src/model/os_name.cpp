#include "model/os_name.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace envgen {

std::string os_name(std::string_view id) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> families{{{"amzn", "Amazon Linux"},
                                                                                   {"centos", "CentOS"},
                                                                                   {"debian", "Debian"},
                                                                                   {"fedora", "Fedora"},
                                                                                   {"rockylinux", "Rocky Linux"},
                                                                                   {"ubi", "UBI"},
                                                                                   {"ubuntu", "Ubuntu"}}};
  const auto version = std::find_if(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; }) - id.begin();
  const auto family = id.substr(0, static_cast<std::size_t>(version));
  for (const auto& [word, name] : families) {
    if (word == family) return std::string(name) + " " + std::string(id.substr(word.size()));
  }
  return std::string(id);
}

}  // namespace envgen
