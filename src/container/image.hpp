#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/error.hpp"

namespace envgen::container {

/// What an engine says of an image.
struct Image {
  std::string id;
  std::string architecture;
  std::string user;  ///< as its configuration has it; empty: root
  long long bytes = 0;
  std::size_t layers = 0;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> environment;
};

/// From `image inspect`. Errors (missing): it cannot be read.
Expected<Image> parse_image(const std::string& text, const std::string& name);

/// What the kernel calls a processor that images name otherwise: `x86_64` of `amd64`.
std::string machine_of(const std::string& architecture);

}  // namespace envgen::container
