// What a copy, a kernel or a library does wrong without an error of its own, as real hardware does: a test must see it in the
// results.
#include <sys/statvfs.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace envgen::bench {
namespace {

using ::testing::StartsWith;

/// What a double is told to do wrong, and which row says so.
struct Spoiled {
  const char* fault;
  const char* test;
  int device;             ///< -1: none
  const char* beginning;  ///< of the row's message
};

void PrintTo(const Spoiled& each, std::ostream* out) { *out << each.fault << " in " << each.test; }  // NOLINT: GoogleTest's name

std::string name_of_case(const ::testing::TestParamInfo<Spoiled>& info) {
  std::string name = std::string(info.param.fault) + "_" + info.param.test;
  for (auto& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name + "_" + std::to_string(info.param.device + 1);
}

void expect_seen(const Ran& ran, const Spoiled& spoiled) {
  EXPECT_EQ(ran.status, 5);
  const auto row = ran.row(spoiled.test, spoiled.device);
  ASSERT_TRUE(row.is_object()) << ran.out;
  EXPECT_EQ(row.at("status"), "fail");
  EXPECT_THAT(row.at("message").get<std::string>(), StartsWith(spoiled.beginning));
  ASSERT_TRUE(row.at("failure").is_object());
  EXPECT_TRUE(row.at("failure").at("id").is_null());
}

class WrongResult : public ::testing::TestWithParam<Spoiled> {};

TEST_P(WrongResult, IsSeen) {
  const auto& spoiled = GetParam();
  expect_seen(
      run_bench(on_doubles({"--tests", spoiled.test}), {{"ENVGEN_DOUBLE_FAULTS", spoiled.fault}, {"ENVGEN_DOUBLE_DEVICES", "2"}}),
      spoiled);
}

#define WORDS "does not contain what was written (digest "

INSTANTIATE_TEST_SUITE_P(
    Kernels, WrongResult,
    ::testing::Values(
        Spoiled{"generate_words=first", "kernel", 0, "1 of 32768 words are wrong; the first is word 0: "},
        Spoiled{"generate_words=corrupt", "kernel", 0, "1 of 32768 words are wrong; the first is word 16384: "},
        Spoiled{"generate_words=last", "kernel", 1, "1 of 32768 words are wrong; the first is word 32767: "},
        Spoiled{"generate_words=short", "kernel", 0, "8192 of 32768 words are wrong; the first is word 24576: deadbeef, "},
        Spoiled{"generate_words=skip", "kernel", 0, "32768 of 32768 words are wrong; the first is word 0: deadbeef, "},
        Spoiled{"cuMemcpyDtoHAsync_v2:pageable=skip", "kernel", 0,
                "32768 of 32768 words are wrong; the first is word 0: 21524110, "},
        Spoiled{"scale_vector=first", "vector", 0, "element 0 of 4096 is "},
        Spoiled{"scale_vector=corrupt", "vector", 0, "element 2048 of 4096 is "},
        Spoiled{"scale_vector=last", "vector", 1, "element 4095 of 4096 is "},
        Spoiled{"scale_vector=skip", "vector", 0, "element 0 of 4096 is "}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Copies, WrongResult,
    ::testing::Values(
        Spoiled{"cudaMemcpy:in=first", "runtime", 0, "a buffer of the CUDA Runtime " WORDS},
        Spoiled{"cudaMemcpy:out=last", "runtime", 0, "a buffer of the CUDA Runtime " WORDS},
        Spoiled{"cudaMemcpy:out=skip", "runtime", 1, "a buffer of the CUDA Runtime " WORDS},
        Spoiled{"cuMemcpyHtoDAsync_v2=first", "h2d", 0, "the GPU's memory after a copy from the host " WORDS},
        Spoiled{"cuMemcpyHtoDAsync_v2=corrupt", "h2d", 1, "the GPU's memory after a copy from the host " WORDS},
        Spoiled{"cuMemcpyHtoDAsync_v2=last", "h2d", 0, "the GPU's memory after a copy from the host " WORDS},
        Spoiled{"cuMemcpyHtoDAsync_v2:pageable=last", "h2d", 0, "the GPU's memory after a pageable copy " WORDS},
        Spoiled{"cuMemcpyHtoDAsync_v2:pageable=skip", "h2d", 0, "the GPU's memory after a pageable copy " WORDS},
        Spoiled{"cuMemcpyDtoHAsync_v2=first", "d2h", 0, "the host's memory after a copy from the GPU " WORDS},
        Spoiled{"cuMemcpyDtoHAsync_v2=corrupt", "d2h", 1, "the host's memory after a copy from the GPU " WORDS},
        Spoiled{"cuMemcpyDtoHAsync_v2=last", "d2h", 0, "the host's memory after a copy from the GPU " WORDS},
        Spoiled{"cuMemcpyDtoHAsync_v2:pageable=last", "d2h", 0, "the host's memory after a pageable copy " WORDS},
        Spoiled{"cuMemcpyDtoHAsync_v2:pageable=skip", "d2h", 0, "the host's memory after a pageable copy " WORDS},
        Spoiled{"cuMemcpyHtoDAsync_v2=last", "copy-both", 0, "the GPU's memory after copies in both directions " WORDS},
        Spoiled{"cuMemcpyDtoHAsync_v2=last", "copy-both", 1, "the host's memory after copies in both directions " WORDS},
        Spoiled{"copy_16=first", "d2d", 0, "the GPU's memory after a copy on it " WORDS},
        Spoiled{"copy_16=last", "d2d", 1, "the GPU's memory after a copy on it " WORDS}),
    name_of_case);

// Each error lies above the bound and below ten times the bound, so that a bound that is loosened lets it pass.
INSTANTIATE_TEST_SUITE_P(
    Products, WrongResult,
    ::testing::Values(
        Spoiled{"cublasGemmEx=bits-10", "gemm-fp32", 0, "fp32, n = 16: 253 of 256 elements are wrong; the first, in row 0 "},
        Spoiled{"cublasGemmEx=bits-18", "gemm-fp32", 0, "fp32, n = 16: the error against float64 is 1.2e-06, more than 5.4e-07"},
        Spoiled{"cublasGemmEx=bits-7", "gemm-tf32", 0, "tf32, n = 16: the error against float64 is 0.002, more than 0.00098"},
        Spoiled{"cublasGemmEx=sums-20", "gemm-fp32", 1, "fp32, n = 16: the error against float64 is 6.5e-07, more than 5.4e-07"},
        Spoiled{"cublasGemmEx=sums-10", "gemm-fp16", 0, "fp16, n = 16: 140 of 256 elements are wrong; the first, in row 0 "},
        Spoiled{"cublasGemmEx=ulps-250", "gemm-fp32", 0,
                "fp32, n = 16: 1 of 256 elements are wrong; the first, in row 15 and column 15, is "},
        Spoiled{"cublasGemmEx=ulps-400000", "gemm-tf32", 1,
                "tf32, n = 16: 1 of 256 elements are wrong; the first, in row 15 and column 15, is "},
        Spoiled{"cublasGemmEx=ulps-4", "gemm-fp16", 0,
                "fp16, n = 16: 1 of 256 elements are wrong; the first, in row 15 and column 15, is "},
        Spoiled{"cublasGemmEx=ulps-4", "gemm-bf16", 1,
                "bf16, n = 16: 1 of 256 elements are wrong; the first, in row 15 and column 15, is "},
        Spoiled{"cublasLtMatmul=ulps-4", "gemm-fp8", 0,
                "fp8, n = 16: 1 of 256 elements are wrong; the first, in row 15 and column 15, is "},
        Spoiled{"cublasGemmEx=nan", "gemm-fp32", 0,
                "fp32, n = 16: 64 of 256 elements are wrong; the first, in row 8 and column 8, is nan, expected "},
        Spoiled{"cublasGemmEx=nan", "gemm-tf32", 0, "tf32, n = 16: 64 of 256 elements are wrong; "},
        Spoiled{"cublasGemmEx=nan", "gemm-fp16", 0, "fp16, n = 16: 64 of 256 elements are wrong; "},
        Spoiled{"cublasGemmEx=nan", "gemm-bf16", 0, "bf16, n = 16: 64 of 256 elements are wrong; "},
        Spoiled{"cublasLtMatmul=nan", "gemm-fp8", 1, "fp8, n = 16: 64 of 256 elements are wrong; "},
        Spoiled{
            "cublasGemmEx=corrupt", "gemm-fp32", 0,
            "fp32, n = 16: 1 of 256 elements are wrong; the first, in row 0 and column 0, is -5.54291487, expected 1.38572875"},
        Spoiled{"cublasGemmEx=short", "gemm-bf16", 0,
                "bf16, n = 16: 64 of 256 elements are wrong; the first, in row 0 and column 12, is "},
        Spoiled{"cublasLtMatmul=skip", "gemm-fp8", 0, "fp8, n = 16: 256 of 256 elements are wrong; "},
        Spoiled{"choose_16=last", "gemm-fp16", 0, "fp16, n = 16: "},
        Spoiled{"compare_product=skip", "gemm-fp32", 0, "fp32, n = 16: 0 elements were compared and 0 read, not 256"},
        Spoiled{"compare_product=blind", "gemm-fp32", 0, "fp32, n = 16: 0 elements were compared and 256 read, not 256"},
        Spoiled{"compare_product=short", "block", 0,
                "feed-forward of h = 64, 1 x (256 x 64) (64 x 32): 6144 elements were compared and 6144 read, not 8192"},
        Spoiled{"cublasGemmEx:a=ulps-4", "block", 0,
                "feed-forward of h = 64, 1 x (64 x 256) (256 x 32): 1 of 2048 elements are wrong; "},
        Spoiled{"cublasGemmEx:b=ulps-4", "block", 0,
                "feed-forward of h = 64, 1 x (256 x 32) (32 x 64): 1 of 16384 elements are wrong; "},
        Spoiled{"compare_product=single", "gemm-fp32", 0, "fp32, n = 16: the GPU's own float64 is wrong: its signed sum is "},
        Spoiled{"cublasGemmEx=nan", "block", 0,
                "feed-forward of h = 64, 1 x (256 x 64) (64 x 32): 64 of 8192 elements are wrong; "},
        Spoiled{"cublasGemmEx=ulps-4", "block", 1,
                "feed-forward of h = 64, 1 x (256 x 64) (64 x 32): 1 of 8192 elements are wrong; "},
        Spoiled{"cublasGemmStridedBatchedEx=nan", "block", 0,
                "attention of h = 64, 2 x (16 x 64) (64 x 16): 64 of 512 elements are wrong; "},
        Spoiled{"cublasGemmStridedBatchedEx=ulps-4", "block", 0,
                "attention of h = 64, 2 x (16 x 64) (64 x 16): 1 of 512 elements are wrong; the first, in row 15 and column 15, "
                "is "}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    BetweenGpus, WrongResult,
    ::testing::Values(Spoiled{"cuMemcpyPeerAsync=first", "peer", 0, "the other GPU's memory " WORDS},
                      Spoiled{"cuMemcpyPeerAsync=corrupt", "peer", 1, "the other GPU's memory " WORDS},
                      Spoiled{"cuMemcpyPeerAsync=last", "peer", 0, "the other GPU's memory " WORDS},
                      Spoiled{"cuMemcpyPeerAsync=own", "peer", 0, "the other GPU's memory " WORDS},
                      Spoiled{"cuMemcpyPeerAsync=old", "peer", 0, "the other GPU's memory after copies both ways " WORDS},
                      Spoiled{"cuMemcpyPeerAsync:1>0=short", "peer", 0, "this GPU's memory after copies both ways " WORDS},
                      Spoiled{"cuMemcpyPeerAsync:1>0=own", "peer", 0, "this GPU's memory after copies both ways " WORDS},
                      Spoiled{"cuMemcpyPeerAsync:1>0=last", "peer", 0, "this GPU's memory after copies both ways " WORDS},
                      Spoiled{"cuIpcOpenMemHandle_v2=first", "cuda-ipc", 0, "the buffer as the other process sees it " WORDS},
                      Spoiled{"cuIpcOpenMemHandle_v2=last", "cuda-ipc", 1, "the buffer as the other process sees it " WORDS},
                      Spoiled{"cuIpcOpenMemHandle_v2=other", "cuda-ipc", 0, "the buffer as the other process sees it " WORDS},
                      Spoiled{"cuIpcOpenMemHandle_v2=own", "cuda-ipc", 0, "the buffer written by the other process " WORDS},
                      Spoiled{"ncclAllReduce=twice", "nccl", -1, "element 0 on GPU 0 is 14.000000, expected 7.000000"},
                      Spoiled{"ncclAllReduce=short", "nccl", -1, "element 98304 on GPU 0 is "},
                      Spoiled{"ncclAllReduce:0=first", "nccl", -1, "element 0 on GPU 0 is "},
                      Spoiled{"ncclAllReduce:0=last", "nccl", -1, "element 131071 on GPU 0 is "},
                      Spoiled{"ncclAllReduce=corrupt", "nccl", -1, "element 65536 on GPU 1 is "}),
    name_of_case);

/// Shared memory and files are the kernel's: what stands for one that fails comes before the C library.
class WrongSharedMemory : public ::testing::TestWithParam<Spoiled> {};

Ran run_on_system(const std::string& fault) {
  const auto work = std::filesystem::temp_directory_path().string();
  // AddressSanitizer's own library asks to be the first, and its handler would take the SIGBUS for itself.
  return run_bench({"--format", "json", "--scale", "512", "--tests", "shm,storage", "--work", work, "--library",
                    "libcuda=/nonexistent/libcuda.so.1"},
                   {{"LD_PRELOAD", BENCH_DOUBLES "/libsystem.so"},
                    {"ASAN_OPTIONS", "verify_asan_link_order=0:handle_sigbus=0"},
                    {"ENVGEN_DOUBLE_FAULTS", fault}});
}

TEST_P(WrongSharedMemory, IsSeen) { expect_seen(run_on_system(GetParam().fault), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Shm, WrongSharedMemory,
                         ::testing::Values(Spoiled{"munmap=first", "shm", -1, "a batch in /dev/shm " WORDS},
                                           Spoiled{"munmap:second=last", "shm", -1, "a batch in /dev/shm " WORDS},
                                           Spoiled{"munmap=last", "shm", -1, "a batch in /dev/shm " WORDS}),
                         name_of_case);

TEST(WrongSharedMemory, WithNoRoomKillsTheWorker) {
  EXPECT_EQ(run_on_system("").row("shm").at("status"), "pass");
  const auto row = run_on_system("posix_fallocate=grant").row("shm");
  EXPECT_EQ(row.at("message"), "a worker was killed by SIGBUS while writing to /dev/shm");
  EXPECT_EQ(row.at("failure").at("id"), "shm-bus-error");
}

TEST(WrongSharedMemory, WhatTheSystemRefusesIsToldInItsWords) {
  const auto row = [](const char* fault) { return run_on_system(fault).row("shm"); };
  struct statvfs space {};
  ASSERT_EQ(::statvfs("/dev/shm", &space), 0);
  const auto size = std::to_string(space.f_blocks * space.f_frsize >> 20);
  const auto full = row("posix_fallocate=28");
  EXPECT_EQ(full.at("message"), "/dev/shm has " + size + " MiB, and 0 MiB of batches do not fit: No space left on device");
  EXPECT_EQ(full.at("failure").at("id"), "shm-bus-error");
  EXPECT_EQ(full.at("failure").at("name"), "ENOSPC");
  EXPECT_EQ(full.at("failure").at("call"), "posix_fallocate");
  const auto broken = row("posix_fallocate=5");
  EXPECT_EQ(broken.at("message"), "/dev/shm has " + size + " MiB, and 0 MiB of batches do not fit: Input/output error");
  EXPECT_TRUE(broken.at("failure").at("id").is_null());
  EXPECT_EQ(row("mmap=12").at("failure").at("code"), 12);
  const auto ended = row("posix_fallocate=exit");
  EXPECT_EQ(ended.at("message"), "a worker exited with status 3");
  EXPECT_TRUE(ended.at("failure").at("id").is_null());
}

TEST(WrongSharedMemory, IsToldInFullWhereItIsRight) {
  const auto row = run_on_system("").row("shm");
  EXPECT_THAT(row.at("message").get<std::string>(),
              testing::MatchesRegex("0 MiB from 4 workers, hashed; /dev/shm has [0-9]+ MiB"));
  auto evidence = row.at("evidence");
  EXPECT_GT(evidence.at("seconds").get<double>(), 0);
  EXPECT_GT(evidence.at("shm_bytes").get<double>(), 1 << 20);
  for (const char* each : {"seconds", "shm_bytes"}) evidence.erase(each);
  EXPECT_EQ(evidence.dump(), R"({"workers":4,"batches":8,"batch_bytes":73728})");
}

TEST(WrongStorage, ItsSpeedIsThatOfItsReadsAlone) {
  const auto row =
      run_bench({"--format=json", "--scale=512", "--tests=storage", "--work=/dev/shm", "--library=libcuda=/nonexistent/a"})
          .row("storage");
  EXPECT_GT(row.at("evidence").at("read_bytes_per_second").get<double>(), 20e6);  // of memory: no disk is waited for
}

TEST(WrongStorage, IsSeen) {
  const auto message = [](const char* fault) { return run_on_system(fault).row("storage").at("message").get<std::string>(); };
  const auto work = std::filesystem::temp_directory_path().string();
  EXPECT_THAT(message(""), StartsWith("write "));
  EXPECT_THAT(message("pread=first"), StartsWith(work + " " WORDS));
  EXPECT_THAT(message("pread=last"), StartsWith(work + " " WORDS));
  EXPECT_EQ(message("pwrite=short"), work + ": Input/output error");
  EXPECT_EQ(message("pread=short"), work + ": Input/output error");
  EXPECT_EQ(message("pwrite=28"), work + ": No space left on device");
  EXPECT_EQ(message("fdatasync=5"), work + ": Input/output error");
  EXPECT_EQ(message("access=13"), "the folder " + work + " is not writable");
  EXPECT_EQ(message("statvfs=full"), "the folder " + work + " has 0 MiB free, 4 required");
}

/// A GPU's memory keeps what the last run left there: the right results of the very same test. What is not done this time must be
/// seen all the same.
class StaleMemory : public ::testing::TestWithParam<Spoiled> {};

TEST_P(StaleMemory, IsNoResult) {
  const auto& spoiled = GetParam();
  const auto folder = std::filesystem::temp_directory_path() / ("envgen-stale-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  // A layer takes the doubles seconds on each GPU.
  const auto* const devices = std::string_view(spoiled.test) == "block" ? "1" : "2";
  const auto run = [&](const char* fault) {
    return run_bench(
        on_doubles({"--tests", spoiled.test}),
        {{"ENVGEN_DOUBLE_FAULTS", fault}, {"ENVGEN_DOUBLE_DEVICES", devices}, {"ENVGEN_DOUBLE_MEMORY", folder.string()}});
  };
  EXPECT_EQ(run("").status, 0);
  EXPECT_EQ(run("").status, 0);
  const auto ran = run(spoiled.fault);
  std::filesystem::remove_all(folder);
  expect_seen(ran, spoiled);
}

INSTANTIATE_TEST_SUITE_P(
    Kept, StaleMemory,
    ::testing::Values(
        Spoiled{"generate_words=skip", "kernel", 0, "32768 of 32768 words are wrong; the first is word 0: deadbeef, "},
        Spoiled{"cudaMemcpy:in=skip", "runtime", 0, "a buffer of the CUDA Runtime " WORDS},
        Spoiled{"cudaMemcpy:in=short", "runtime", 1, "a buffer of the CUDA Runtime " WORDS},
        Spoiled{"cuMemcpyHtoDAsync_v2=skip", "h2d", 0, "the GPU's memory after a copy from the host " WORDS},
        Spoiled{"cuMemcpyHtoDAsync_v2=short", "h2d", 1, "the GPU's memory after a copy from the host " WORDS},
        Spoiled{"cuMemcpyDtoHAsync_v2=skip", "d2h", 0, "the host's memory after a copy from the GPU " WORDS},
        Spoiled{"cuMemcpyDtoHAsync_v2=short", "d2h", 1, "the host's memory after a copy from the GPU " WORDS},
        Spoiled{"cuMemcpyHtoDAsync_v2=skip", "copy-both", 0, "the GPU's memory after copies in both directions " WORDS},
        Spoiled{"cuMemcpyDtoHAsync_v2=short", "copy-both", 0, "the host's memory after copies in both directions " WORDS},
        Spoiled{"copy_16=skip", "d2d", 0, "the GPU's memory after a copy on it " WORDS},
        Spoiled{"copy_16=short", "d2d", 1, "the GPU's memory after a copy on it " WORDS},
        Spoiled{"scale_vector=skip", "vector", 0, "element 0 of 4096 is "},
        Spoiled{"scale_vector=short", "vector", 0, "element 3072 of 4096 is "},
        Spoiled{"cublasGemmEx=skip", "gemm-fp32", 0, "fp32, n = 16: 256 of 256 elements are wrong; "},
        Spoiled{"cublasGemmEx=short", "gemm-fp16", 0, "fp16, n = 16: 64 of 256 elements are wrong; "},
        Spoiled{"cublasLtMatmul=skip", "gemm-fp8", 0, "fp8, n = 16: 256 of 256 elements are wrong; "},
        Spoiled{"compare_product=skip", "gemm-bf16", 0, "bf16, n = 16: 0 elements were compared and 0 read, not 256"},
        Spoiled{"cublasGemmEx=skip", "block", 0,
                "feed-forward of h = 64, 1 x (256 x 64) (64 x 32): 8192 of 8192 elements are wrong; "},
        Spoiled{"cublasGemmStridedBatchedEx=skip", "block", 0,
                "attention of h = 64, 2 x (16 x 64) (64 x 16): 256 of 512 elements are "},
        Spoiled{"cuMemcpyPeerAsync=skip", "peer", 0, "the other GPU's memory " WORDS},
        Spoiled{"cuMemcpyPeerAsync:1>0=skip", "peer", 0, "this GPU's memory after copies both ways " WORDS},
        Spoiled{"ncclAllReduce=skip", "nccl", -1, "element 0 on GPU 0 is "},
        Spoiled{"ncclAllReduce=short", "nccl", -1, "element 98304 on GPU 0 is "}),
    name_of_case);

}  // namespace
}  // namespace envgen::bench
