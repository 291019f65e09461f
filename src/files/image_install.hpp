#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/options.hpp"

namespace envgen::files {

/// Where a build finds the certificates of its secret.
inline constexpr std::string_view ca_file = "/run/secrets/ca-cert.pem";

/// Where an image keeps the frozen tree.
inline constexpr std::string_view frozen_path = "/opt/envgen/requirements.frozen.txt";

/// How the Python and the framework come into an image: one RUN.
struct Install {
  std::vector<std::string> packages;  ///< of apt, which it needs
  std::string why;
  std::vector<std::string> args;                               ///< of ARG: `PIP_INDEX_URL`, `NAME="default"`
  std::vector<std::string> mounts;                             ///< of RUN --mount
  std::vector<std::string> commands;                           ///< of bash, each must succeed
  bool shared = false;                                         ///< the group envgen-packages may change what was installed
  std::vector<std::pair<std::string, std::string>> build_env;  ///< of the installation too, quoted where needed
  std::vector<std::pair<std::string, std::string>> env;        ///< of the finished image, quoted where needed
};

/// Errors (usage): a base whose Python is not known; an installer that is not offered.
Expected<Install> image_install(const Inputs& inputs);

}  // namespace envgen::files
