#pragma once

#include <optional>
#include <span>
#include <string>

#include "check/driver_facts.hpp"
#include "check/subject.hpp"

namespace envgen::check {

/// NVIDIA_REQUIRE_CUDA of the image that an environment starts from.
class Gate {
 public:
  Gate(const matrix::Matrix& matrix, std::string image, Version cuda, const matrix::Gate* row);

  std::string prose() const;
  /// The oldest driver that reports the asked CUDA itself.
  DriverVersion native_floor() const { return facts_.native_floor(); }
  /// The driver reports that CUDA, or one of the image's exceptions names its branch and the brand of every board.
  bool opens(DriverVersion driver, std::span<const AskedBoard* const> boards) const;

 private:
  std::string image_;
  Version cuda_;
  const matrix::Gate* row_;  ///< null: only CUDA_VERSION is known, which asks for the minor without exceptions
  DriverFacts facts_;
};

/// None where the environment does not start from an image of nvidia/cuda.
std::optional<Gate> gate_of(const Subject& subject);

}  // namespace envgen::check
