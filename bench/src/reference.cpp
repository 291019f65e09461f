#include "reference.hpp"

#include <array>
#include <string_view>

namespace envgen::bench {
namespace {

constexpr double tera = 1e12;
constexpr double giga = 1e9;

/// One figure of facts/bench.md, "Reference figures", or of our own reports in bench/results, the lowest of them. `name` is a
/// part of the name that the driver gives the GPU. The first row that fits counts: more special names come first.
struct Figure {
  std::string_view name;
  Metric metric;
  double value;
  std::string_view source;
};

constexpr std::string_view mamf_finder = "mamf-finder table";
constexpr std::string_view li_mu = "Li Mu, transformers-benchmarks";
constexpr std::string_view our_h100 = "envgen-bench, bench/results/2026-11-27-h100-*.txt";
constexpr std::string_view our_h200 = "envgen-bench, bench/results/2026-11-27-h200-*.txt";
constexpr std::string_view dcgm = "DCGM target, before its 0.75";

// The names are those that the driver reports: "NVIDIA H100 80GB HBM3" is the SXM board, "NVIDIA H100 PCIe" and "NVIDIA H100 NVL"
// are others, for which nothing was measured; A100-SXM4-80GB, A100-PCIE-40GB, "NVIDIA A100 80GB PCIe". Where a source gives a
// range, its lower end stands here.
constexpr std::array figures{
    Figure{"H200", Metric::gemm_bf16, 769 * tera, "measured on an H200: 769 to 798"},
    Figure{"H200", Metric::device_copy, 4300 * giga, "measured on an H200"},
    Figure{"H200", Metric::gemm_fp32, 51.07 * tera, our_h200},
    Figure{"H200", Metric::gemm_tf32, 366.8 * tera, our_h200},
    Figure{"H200", Metric::gemm_fp16, 675.9 * tera, our_h200},
    Figure{"H200", Metric::vector, 2624 * giga, our_h200},
    Figure{"H100 80GB HBM3", Metric::gemm_fp32, 51.57 * tera, our_h100},
    Figure{"H100 80GB HBM3", Metric::gemm_tf32, 370.9 * tera, our_h100},
    Figure{"H100 80GB HBM3", Metric::gemm_fp16, 674.4 * tera, our_h100},
    Figure{"H100 80GB HBM3", Metric::vector, 2371 * giga, our_h100},
    Figure{"H100 80GB HBM3", Metric::gemm_bf16, 794.5 * tera, mamf_finder},
    Figure{"H100 80GB HBM3", Metric::device_copy, 2573 * giga, "nccl#1264"},
    Figure{"H100 80GB HBM3", Metric::peer_one_way, 380 * giga, "nccl#1264"},
    Figure{"H100 80GB HBM3", Metric::peer_both_ways, 742 * giga, "nccl#1264"},
    Figure{"GH200", Metric::gemm_bf16, 828.6 * tera, mamf_finder},
    Figure{"B200", Metric::gemm_bf16, 1745 * tera, mamf_finder},
    Figure{"B300", Metric::gemm_bf16, 1769 * tera, mamf_finder},
    Figure{"A100-SXM4", Metric::gemm_bf16, 271.2 * tera, mamf_finder},
    Figure{"A100-PCIE", Metric::gemm_bf16, 252.9 * tera, mamf_finder},
    Figure{"A100 80GB PCIe", Metric::gemm_bf16, 252.9 * tera, mamf_finder},
    Figure{"A100", Metric::gemm_tf32, 116 * tera, li_mu},
    Figure{"A100", Metric::gemm_fp16, 230 * tera, li_mu},
    Figure{"A100-SXM4-80GB", Metric::device_copy, 1564 * giga, dcgm},
    Figure{"A100 80GB PCIe", Metric::device_copy, 1564 * giga, dcgm},
    Figure{"RTX A6000", Metric::gemm_tf32, 60 * tera, li_mu},
    Figure{"RTX A6000", Metric::gemm_fp16, 95 * tera, li_mu},
    Figure{"RTX A6000", Metric::peer_one_way, 21.8 * giga, "nvbandwidth#50, over PCIe 4: 21.8 to 26.35"},
    Figure{"V100", Metric::gemm_fp32, 14 * tera, li_mu},
    Figure{"V100", Metric::gemm_fp16, 95 * tera, li_mu},
    Figure{"RTX 3090 Ti", Metric::gemm_tf32, 42 * tera, li_mu},
    Figure{"RTX 3090 Ti", Metric::gemm_fp16, 81 * tera, li_mu},
    Figure{"RTX 3090 Ti", Metric::vector, 860 * giga, li_mu},
    Figure{"RTX 4090", Metric::gemm_tf32, 86 * tera, li_mu},
    Figure{"RTX 4090", Metric::gemm_fp16, 172 * tera, li_mu},
    Figure{"A40", Metric::device_copy, 565 * giga, dcgm},
    Figure{"A10G", Metric::device_copy, 484 * giga, dcgm},
    Figure{"L40", Metric::device_copy, 736 * giga, dcgm},
    Figure{"RTX 2070", Metric::device_copy, 422 * giga, "mixbench"},
    Figure{"RTX 2070", Metric::gemm_fp32, 8.4 * tera, "mixbench"},
};

/// Whether the driver's name for a GPU holds `part` as words of its own: "L40" is no part of "L40S", nor "RTX 4090" of "RTX 4090
/// D" or "RTX 4090 Laptop GPU".
bool names(const std::string& name, std::string_view part) {
  const auto at = name.find(part);
  if (at == name.npos || (at > 0 && name[at - 1] != ' ')) return false;
  const auto rest = std::string_view(name).substr(at + part.size());
  if (rest.empty()) return true;
  if (rest.front() != ' ' && rest.front() != '-') return false;
  for (const char* other_board : {" D", " Laptop", " Ti", " SUPER", " Max-Q", " with Max-Q", " NVL", " MIG"}) {
    if (rest.starts_with(other_board)) return false;
  }
  return true;
}

/// FLOP per clock and multiprocessor of the tensor cores, fp16 in and fp32 accumulated (facts/bench.md); 0: not known.
double tensor_rate(const DeviceFacts& device) {
  const bool geforce = device.name.find("GeForce") != std::string::npos;
  switch (device.capability()) {
    case 70:
      return 1024;
    case 80:
      return 2048;
    case 90:
      return 4096;
    case 86:
      return geforce ? 512 : 1024;
    case 89:
      return geforce ? 512 : 0;
    default:
      return 0;
  }
}

std::optional<Expectation> theory(const DeviceFacts& device, Metric metric) {
  if (metric == Metric::device_copy) {
    const double bytes = 2.0 * device.memory_clock_khz * 1000 * device.memory_bus_bits / 8;
    if (bytes <= 0) return std::nullopt;
    return Expectation{bytes, "theory", "2 x memory clock x bus width / 8", 0.65, 0};
  }
  const bool tensor = metric == Metric::gemm_fp16 || (metric == Metric::gemm_bf16 && device.capability_major >= 8);
  const double flop = tensor_rate(device) * device.multiprocessors * device.clock_khz * 1000;
  if (!tensor || flop <= 0) return std::nullopt;
  return Expectation{flop, "theory", "multiprocessors x tensor FLOP per clock x clock", 0.50, 0};
}

}  // namespace

std::optional<Expectation> expectation(const DeviceFacts& device, Metric metric, bool strict) {
  for (const auto& figure : figures) {
    if (figure.metric == metric && names(device.name, figure.name)) {
      return Expectation{figure.value, "measured", std::string(figure.source), 0.75, strict ? 0.75 : 0.5};
    }
  }
  return theory(device, metric);
}

std::optional<Expectation> expectation_of_product(const DeviceFacts& device, Metric metric, int n, bool strict) {
  constexpr int reference_n = 8192;
  return n == reference_n ? expectation(device, metric, strict) : std::nullopt;
}

}  // namespace envgen::bench
