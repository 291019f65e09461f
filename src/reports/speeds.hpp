#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validate/report.hpp"

/// What a report measured, as numbers: read out of the evidence of envgen-bench's tests (schema/bench.schema.json). Evidence of
/// another form measures nothing.
namespace envgen::reports {

inline constexpr double giga = 1e9;
inline constexpr double tera = 1e12;

/// One speed that stands for its test: of the largest size.
struct Speed {
  std::string test;                  ///< `gemm-bf16`, `peer.one-way`, `block.attention.forward`
  std::optional<long long> device;   ///< CUDA's number; none: of all GPUs together
  std::optional<long long> peer;     ///< where it was copied to
  std::string size;                  ///< `n=8192`, `512 MiB`; empty: it was not told
  double value = 0;                  ///< finite, above 0
  std::string unit;                  ///< `FLOP/s` or `B/s`
  std::optional<double> expected;    ///< the reference for that GPU, same unit
  std::string basis;                 ///< of the reference: `measured`, `theory`
  std::optional<double> warn_below;  ///< parts of the reference
  std::optional<double> fail_below;
  std::string excuse;  ///< why it is no verdict on the GPU (MIG, other processes, throttled); empty: none
  validate::Status status = validate::Status::pass;
};
std::vector<Speed> speeds(const validate::Report& report);
/// `gemm-bf16 n=8192`, `peer.one-way 0-1 512 MiB`
std::string name_of(const Speed& speed);
/// `97% of 3.3 TB/s (measured before)`, `84% of 450 GB/s (theoretical)`: of a speed with a reference.
std::string against_reference(const Speed& speed);
/// The same with the GPU: `gemm-bf16 n=8192 on GPU 0`.
std::string name_with_gpu(const Speed& speed);

/// One test on one GPU over several sizes.
struct Curve {
  struct Point {
    double size;   ///< n of a product of matrices; bytes of a vector
    double value;  ///< FLOP/s; B/s
  };
  std::string test;
  long long device = 0;
  std::string unit;
  std::vector<Point> points;  ///< two at least, by size
};
std::vector<Curve> curves(const validate::Report& report);

/// Copies from one GPU to another.
struct PeerCopy {
  long long from = 0;
  long long to = 0;
  bool direct = false;              ///< not through the host
  std::optional<double> one_way;    ///< B/s
  std::optional<double> both_ways;  ///< B/s, of both directions together
  validate::Status status = validate::Status::pass;
};
std::vector<PeerCopy> peer_copies(const validate::Report& report);

/// The worst that NVML told of a GPU during its tests. Empty: it told nothing.
struct Load {
  std::optional<double> temperature_c;
  std::optional<double> power_w;
  std::vector<std::string> throttle_reasons;
};
Load load_of(const validate::Report& report, long long device);

/// `765 TFLOP/s`, `53.98 GB/s`: four digits.
std::string rate_text(double value, std::string_view unit);
/// `512 MiB`: whole units only.
std::string bytes_text(double bytes);

}  // namespace envgen::reports
