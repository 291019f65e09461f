#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace envgen::cli {

/// What the subcommands of `matrix` that read sources are told.
struct UpdateOptions {
  std::vector<std::string> sources;
  std::vector<std::string> mirrors;  ///< NAME=URL
  bool dry_run = false;
  bool offline = false;
  std::string against_wheel;  ///< of verify
  std::string against_image;
  std::size_t engine = 0;  ///< of `image_engines`
  std::string framework;   ///< of add
  std::string version;
  std::string wheel;
};

void add_update_options(CLI::App& app, UpdateOptions& options, Context& context);
void add_verify_options(CLI::App& app, UpdateOptions& options, Context& context);
void add_add_options(CLI::App& app, UpdateOptions& options, Context& context);

Expected<Exit> run_update(const UpdateOptions& options, Context& context);
Expected<Exit> run_verify(const UpdateOptions& options, Context& context);
Expected<Exit> run_add(const UpdateOptions& options, Context& context);

}  // namespace envgen::cli
