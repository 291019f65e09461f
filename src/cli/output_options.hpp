#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"
#include "output/options.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace envgen::cli {

/// The flags that say something of the files beside the environment, in one group of the command's help.
struct OutputFlags {
  std::vector<std::string> apt;
  std::vector<std::string> pip;
  std::string user;
  std::string base_image;
  std::string apt_mirror, conda_mirror, torch_mirror, mirror;
  std::string pip_index;
  std::string image_name;
  std::string container_gpus;
  std::string shm_size;
  bool needs_nvcc = false;
  bool explicit_toolkit = false;
  bool multi_stage = false;
  bool jupyter = false;
  bool ssh = false;
  bool gpu_required = false;
  bool podman = false;
  std::string ca_cert;
  std::string ci_for, envgen_source, envgen_ref;
  std::vector<std::string> gpu_runner;
  bool classic = false;
};
void add_output_options(CLI::App& app, OutputFlags& flags);

/// The flags over what a project says; packages are added to its own.
/// Errors (usage): a value that does not fit its grammar; flags that exclude each other.
Expected<output::Options> output_options(const OutputFlags& flags, output::Options options);

}  // namespace envgen::cli
