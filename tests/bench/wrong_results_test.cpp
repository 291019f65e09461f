// What a copy, a kernel or a library does wrong without an error of its own: a test must see it in the results.
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace envgen::bench {
namespace {

/// What a double is told to spoil, and which row says so.
struct Spoiled {
  const char* fault;
  const char* test;
  int device;             ///< -1: none
  const char* beginning;  ///< of the row's message
};

void PrintTo(const Spoiled& each, std::ostream* out) { *out << each.fault << " in " << each.test; }  // NOLINT: GoogleTest's name

class WrongResult : public ::testing::TestWithParam<Spoiled> {};

TEST_P(WrongResult, IsSeen) {
  const auto& [fault, test, device, beginning] = GetParam();
  const auto ran = run_bench(on_doubles({"--tests", test}), {{"ENVGEN_DOUBLE_FAULTS", fault}, {"ENVGEN_DOUBLE_DEVICES", "2"}});
  EXPECT_EQ(ran.status, 5);
  const auto row = ran.row(test, device);
  ASSERT_TRUE(row.is_object()) << ran.out;
  EXPECT_EQ(row.at("status"), "fail");
  EXPECT_THAT(row.at("message").get<std::string>(), ::testing::StartsWith(beginning));
  EXPECT_TRUE(row.at("failure").at("id").is_null());
}

INSTANTIATE_TEST_SUITE_P(
    Spoiled, WrongResult,
    ::testing::Values(
        Spoiled{"generate_words=corrupt", "kernel", 0, "1 of 32768 words are wrong; the first is word 16384: "},
        Spoiled{"cudaMemcpy=corrupt", "runtime", 0, "a buffer of the CUDA Runtime does not hold what was written (digest "},
        Spoiled{"cuMemcpyHtoDAsync_v2=corrupt", "h2d", 0,
                "the GPU's memory after a copy from the host does not hold what was written (digest "},
        Spoiled{"cuMemcpyDtoHAsync_v2=corrupt", "d2h", 0,
                "the host's memory after a copy from the GPU does not hold what was written (digest "},
        Spoiled{"cuMemcpyHtoDAsync_v2=corrupt", "copy-both", 0,
                "the GPU's memory after copies in both directions does not hold what was written (digest "},
        Spoiled{"cuMemcpyDtoHAsync_v2=corrupt", "copy-both", 1,
                "the host's memory after copies in both directions does not hold what was written (digest "},
        Spoiled{"copy_16=corrupt", "d2d", 0, "the GPU's memory after a copy on it does not hold what was written (digest "},
        Spoiled{"cublasGemmEx=corrupt", "gemm-fp32", 0, "fp32, n = 16: the error against float64 is "},
        Spoiled{"cublasGemmEx=corrupt", "gemm-tf32", 0, "tf32, n = 16: the error against float64 is "},
        Spoiled{"cublasGemmEx=corrupt", "gemm-fp16", 1, "fp16, n = 16: the error against float64 is "},
        Spoiled{"cublasGemmEx=corrupt", "gemm-bf16", 0, "bf16, n = 16: the error against float64 is "},
        Spoiled{"cublasLtMatmul=corrupt", "gemm-fp8", 0, "fp8, n = 16: the error against float64 is "},
        Spoiled{"scale_vector=corrupt", "vector", 0, "element "},
        Spoiled{"cuMemcpyPeerAsync=corrupt", "peer", 0, "the other GPU's memory does not hold what was written (digest "},
        Spoiled{"ncclAllReduce=corrupt", "nccl", -1, "element "}),
    [](const auto& case_info) {
      std::string name = std::string(case_info.param.fault) + "_" + case_info.param.test;
      for (auto& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      }
      return name;
    });

}  // namespace
}  // namespace envgen::bench
