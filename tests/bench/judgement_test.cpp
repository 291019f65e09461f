#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>
#include <string>
#include <utility>

#include "failure.hpp"
#include "reference.hpp"
#include "speed.hpp"

namespace envgen::bench {
namespace {

DeviceFacts device(const char* name, int major = 0, int minor = 0) {
  DeviceFacts facts;
  facts.name = name;
  facts.capability_major = major;
  facts.capability_minor = minor;
  return facts;
}

double measured(const char* name, Metric metric) {
  const auto found = expectation(device(name), metric, false);
  return found ? found->value : 0;
}

TEST(Reference, FitsTheBoardAndNoOther) {
  EXPECT_EQ(measured("NVIDIA H200", Metric::gemm_bf16), 769e12);
  EXPECT_EQ(measured("NVIDIA GH200 480GB", Metric::gemm_bf16), 828.6e12);
  EXPECT_EQ(measured("NVIDIA H100 80GB HBM3", Metric::gemm_bf16), 794.5e12);
  EXPECT_EQ(measured("NVIDIA H100 80GB HBM3", Metric::gemm_fp16), 674.4e12);
  EXPECT_EQ(measured("NVIDIA H200", Metric::vector), 2624e9);
  EXPECT_EQ(measured("NVIDIA A100-SXM4-40GB", Metric::gemm_bf16), 271.2e12);
  EXPECT_EQ(measured("NVIDIA A100-PCIE-40GB", Metric::gemm_bf16), 252.9e12);
  EXPECT_EQ(measured("Tesla V100-SXM2-16GB", Metric::gemm_fp16), 95e12);
  EXPECT_EQ(measured("NVIDIA L40", Metric::device_copy), 736e9);
  for (const char* other : {"NVIDIA H200 NVL", "NVIDIA H100 PCIe", "NVIDIA L40S", "NVIDIA GeForce RTX 4090 D",
                            "NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 2070 SUPER"}) {
    for (const auto metric : {Metric::gemm_bf16, Metric::gemm_fp16, Metric::gemm_fp32, Metric::device_copy}) {
      EXPECT_EQ(measured(other, metric), 0) << other;
    }
  }
}

TEST(Reference, TheoryFromTheAttributes) {
  auto gpu = device("NVIDIA GeForce RTX 4080", 8, 9);
  gpu.multiprocessors = 76;
  gpu.clock_khz = 2'505'000;
  gpu.memory_clock_khz = 11'201'000;
  gpu.memory_bus_bits = 256;
  const auto copy = expectation(gpu, Metric::device_copy, true);
  ASSERT_TRUE(copy);
  EXPECT_DOUBLE_EQ(copy->value, 716.864e9);
  EXPECT_EQ(copy->warn_below, 0.65);
  EXPECT_EQ(copy->fail_below, 0);
  EXPECT_EQ(copy->basis, "theory");
  EXPECT_DOUBLE_EQ(expectation(gpu, Metric::gemm_bf16, false)->value, 512.0 * 76 * 2.505e9);
  EXPECT_FALSE(expectation(gpu, Metric::gemm_fp32, false));
  EXPECT_FALSE(expectation(gpu, Metric::peer_one_way, false));
  const auto product = expectation(gpu, Metric::gemm_fp16, true);
  ASSERT_TRUE(product);
  EXPECT_EQ(product->warn_below, 0.5);
  EXPECT_EQ(product->fail_below, 0);
  gpu.clock_khz = 0;  // as some virtual GPUs say
  gpu.memory_clock_khz = 0;
  EXPECT_FALSE(expectation(gpu, Metric::gemm_fp16, false));
  EXPECT_FALSE(expectation(gpu, Metric::device_copy, false));
}

TEST(Reference, TensorCoresOfEachKind) {
  const auto flop = [](const char* name, int major, int minor, Metric metric) {
    auto gpu = device(name, major, minor);
    gpu.multiprocessors = 1;
    gpu.clock_khz = 1;
    const auto found = expectation(gpu, metric, false);
    return found ? found->value / 1000 : 0;
  };
  EXPECT_EQ(flop("NVIDIA TITAN V", 7, 0, Metric::gemm_fp16), 1024);
  EXPECT_EQ(flop("NVIDIA TITAN V", 7, 0, Metric::gemm_bf16), 0);
  EXPECT_EQ(flop("NVIDIA A30", 8, 0, Metric::gemm_bf16), 2048);
  EXPECT_EQ(flop("NVIDIA RTX A5000", 8, 6, Metric::gemm_fp16), 1024);
  EXPECT_EQ(flop("NVIDIA GeForce RTX 3060", 8, 6, Metric::gemm_fp16), 512);
  EXPECT_EQ(flop("NVIDIA L4", 8, 9, Metric::gemm_fp16), 0);
  EXPECT_EQ(flop("NVIDIA H100 PCIe", 9, 0, Metric::gemm_fp16), 4096);
  EXPECT_EQ(flop("NVIDIA B100", 10, 0, Metric::gemm_fp16), 0);
}

TEST(Reference, OfAProductIsOfItsSize) {
  const auto gpu = device("NVIDIA H200");
  EXPECT_EQ(expectation_of_product(gpu, Metric::gemm_bf16, 8192, true)->value, 769e12);
  EXPECT_EQ(expectation_of_product(gpu, Metric::gemm_bf16, 8192, true)->fail_below, 0.75);
  for (const int n : {128, 2048, 4096, 8191, 16384}) EXPECT_FALSE(expectation_of_product(gpu, Metric::gemm_bf16, n, true)) << n;
}

TEST(Speed, Thresholds) {
  const auto expected = expectation(device("NVIDIA H200"), Metric::device_copy, false);
  const auto status = [&](double part) { return speed_row("x", part * expected->value, "B/s", expected, {}).status; };
  EXPECT_EQ(status(0.76), Status::pass);
  EXPECT_EQ(status(0.75), Status::pass);
  EXPECT_EQ(status(0.74), Status::warn);
  EXPECT_EQ(status(0.5), Status::warn);
  EXPECT_EQ(status(0.49), Status::fail);
  EXPECT_EQ(status(0), Status::fail);
  EXPECT_EQ(status(std::nan("")), Status::fail);
  const auto strict = expectation(device("NVIDIA H200"), Metric::device_copy, true);
  EXPECT_EQ(speed_row("x", 0.74 * strict->value, "B/s", strict, {}).status, Status::fail);
  for (const double nothing : {std::nan(""), HUGE_VAL, 0.0, -1.0})
    EXPECT_EQ(speed_row("x", nothing, "B/s", std::nullopt, {}).status, Status::fail) << nothing;
  EXPECT_EQ(speed_row("x", 1, "B/s", std::nullopt, {}).status, Status::pass);
}

TEST(Speed, TheoryNeverFails) {
  auto gpu = device("NVIDIA GeForce RTX 4080", 8, 9);
  gpu.memory_clock_khz = 1000;
  gpu.memory_bus_bits = 8;
  const auto row = speed_row("x", 1, "B/s", expectation(gpu, Metric::device_copy, true), {});
  EXPECT_EQ(row.status, Status::warn);
  EXPECT_TRUE(row.evidence.at("fail_below").is_null());
}

TEST(Speed, Texts) {
  EXPECT_EQ(rate_text(794.5e12, "FLOP/s"), "794.5 TFLOP/s");
  EXPECT_EQ(rate_text(25e9, "B/s"), "25 GB/s");
  EXPECT_EQ(rate_text(1e12, "B/s"), "1 TB/s");
  EXPECT_EQ(rate_text(0.5e9, "B/s"), "0.5 GB/s");
  EXPECT_EQ(speed_row("x", 4e12, "B/s", expectation(device("NVIDIA H200"), Metric::device_copy, false), {}).message,
            "4 TB/s, 93% of 4.3 TB/s (measured before)");
}

TEST(Speed, PowerCapIsNoExcuse) {
  Conditions conditions;
  conditions.after.throttle_reasons = 0x4;
  EXPECT_EQ(excuse(conditions), "");
  conditions.after.throttle_reasons = 0x20;
  EXPECT_EQ(excuse(conditions), "the GPU is throttled");
  conditions.before.mig = true;
  EXPECT_EQ(excuse(conditions), "the GPU is in MIG mode");
  conditions = {};
  conditions.before.compute_processes = 1;
  EXPECT_EQ(excuse(conditions), "other processes use the GPU");
  for (const unsigned long long held_down : {0x8ULL, 0x20ULL, 0x40ULL, 0x80ULL}) {
    conditions = {};
    conditions.before.throttle_reasons = held_down;
    EXPECT_EQ(excuse(conditions), "the GPU is throttled") << held_down;
  }
  conditions.before.throttle_reasons = 0x1 | 0x2 | 0x10 | 0x100;
  EXPECT_EQ(excuse(conditions), "");
  EXPECT_EQ(throttle_names(0x24), (std::vector<std::string>{"SwPowerCap", "SwThermalSlowdown"}));
}

TEST(FailureId, OfCudaErrors) {
  EXPECT_EQ(cuda_failure_id(35, 0), "cuda-35-no-driver");
  EXPECT_EQ(cuda_failure_id(35, 12020), "cuda-35-old-driver");
  EXPECT_EQ(cuda_failure_id(35, 10020), "cuda-35-old-driver");
  EXPECT_EQ(cuda_failure_id(48, 10010), "cuda-209");
  EXPECT_EQ(cuda_failure_id(804, 12020), "cuda-804");
  EXPECT_EQ(cuda_failure_id(2, 12020), "");
}

TEST(FailureId, OfEachErrorThatIsKnown) {
  for (const int code : {34, 100, 209, 221, 222, 802, 803, 804, 999})
    EXPECT_EQ(cuda_failure_id(code, 12020), "cuda-" + std::to_string(code));
  EXPECT_EQ(cuda_failure_id(30, 10000), "cuda-999");
  EXPECT_EQ(cuda_failure_id(38, 10000), "cuda-100");
  for (const int code : {0, 1, 99, 101, 700, 805}) EXPECT_EQ(cuda_failure_id(code, 12020), "") << code;
}

TEST(SystemFailure, HasTheNameOfItsNumber) {
  const auto failure = system_failure("shm-bus-error", "mmap", "a batch", ENOSPC);
  EXPECT_EQ(failure.id, "shm-bus-error");
  EXPECT_EQ(failure.message, "a batch: No space left on device");
  EXPECT_EQ(failure.code, ENOSPC);
  EXPECT_EQ(failure.call, "mmap");
  for (const auto& [number, name] :
       {std::pair{ENOSPC, "ENOSPC"}, std::pair{EACCES, "EACCES"}, std::pair{EPERM, "EPERM"}, std::pair{ENOENT, "ENOENT"},
        std::pair{ENOMEM, "ENOMEM"}, std::pair{EIO, "EIO"}, std::pair{EROFS, "EROFS"}, std::pair{EDOM, ""}})
    EXPECT_EQ(system_failure("", "", "", number).name, name);
}

TEST(FailureId, OfTheLinkersWords) {
  EXPECT_EQ(linker_failure_id("libcublas.so.11: undefined symbol: cublasLtGetStatusString, version libcublasLt.so.11"),
            "cublaslt-mixed");
  EXPECT_EQ(linker_failure_id("undefined symbol: __nvJitLinkComplete_12_4, version libnvJitLink.so.12"), "nvjitlink-mixed");
  EXPECT_EQ(linker_failure_id("undefined symbol: cudaGraphInstantiateWithFlags, version libcudart.so.11.0"), "libcudart-mixed");
  EXPECT_EQ(
      linker_failure_id("symbol cublasLtGetStatusString, version libcublasLt.so.11 not defined in file libcublasLt.so.11 with "
                        "link time reference"),
      "cublaslt-mixed");
  EXPECT_EQ(linker_failure_id("libcublasLt.so.12: cannot open shared object file: No such file or directory"), "");
}

TEST(FailureId, OfWhatALibraryPrinted) {
  EXPECT_EQ(output_failure_id(
                "node:1:2 [0] misc/shmutils.cc:72 NCCL WARN Error: failed to extend /dev/shm/nccl-a1b2c3 to 9637892 bytes"),
            "nccl-shm");
  EXPECT_EQ(output_failure_id("NCCL WARN Call to posix_fallocate failed : No space left on device"), "nccl-shm");
  EXPECT_EQ(output_failure_id("NCCL WARN cuMem host allocations do not appear to be working"), "nccl-cumem");
  EXPECT_EQ(output_failure_id("./envgen-bench: symbol lookup error: libcublas.so.11: undefined symbol: cublasLtGetStatusString"),
            "cublaslt-mixed");
  EXPECT_EQ(output_failure_id("Segmentation fault"), "");
}

}  // namespace
}  // namespace envgen::bench
