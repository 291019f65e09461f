#pragma once

#include <optional>
#include <string>
#include <vector>

#include "matrix/matrix.hpp"
#include "model/environment.hpp"
#include "resolver/query.hpp"
#include "validate/bench_report.hpp"

namespace envgen::validate {

/// What an image is compared with: a lock, or what was asked for (`--torch`, `--cuda`, `--python`, `--tensorflow`) and what the
/// facts know of the very build that it has, or nothing. null: there is none of it.
struct Wanted {
  const Environment* lock = nullptr;
  const resolver::Query* asked = nullptr;
  const matrix::Matrix* matrix = nullptr;
  std::vector<GpuFacts> gpus{};             ///< that the build has to run on: those that are there, else those of lock or `--gpu`
  bool in_image = true;                     ///< false: the machine's own nvcc may be on PATH
  std::optional<Version> cuda_of_driver{};  ///< the newest that the driver reports; none: no driver is known
};

}  // namespace envgen::validate
