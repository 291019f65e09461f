#pragma once

#include <optional>
#include <string>

#include "device_facts.hpp"

namespace envgen::bench {

/// What a figure is of. Units: FLOP/s for products of matrices, bytes/s for the rest.
enum class Metric { gemm_fp32, gemm_tf32, gemm_fp16, gemm_bf16, device_copy, vector, peer_one_way, peer_both_ways };

/// What a healthy GPU of this kind reaches, and how far below that is how bad.
struct Expectation {
  double value = 0;
  std::string basis;      ///< `measured` or `theory`
  std::string source;     ///< who measured it, or the formula
  double warn_below = 0;  ///< parts of the value
  double fail_below = 0;  ///< 0: theory is no reason to fail
};

/// The measured figure for this GPU where there is one, else theory where its attributes give one (facts/bench.md).
std::optional<Expectation> expectation(const DeviceFacts& device, Metric metric, bool strict);

/// The same for a product of n by n matrices. The references are of n = 8192: a smaller product does not fill a large GPU.
std::optional<Expectation> expectation_of_product(const DeviceFacts& device, Metric metric, int n, bool strict);

}  // namespace envgen::bench
