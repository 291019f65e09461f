#include "update/binaries.hpp"

#include <gtest/gtest.h>

#include "support/zip_maker.hpp"

namespace envgen::update {
namespace {

using test::MemorySource;

const std::string zero(1, '\0');
constexpr const char* python_library = "torch/lib/libtorch_python.so";
const std::string name = "some.whl";

TEST(ArchList, IsTheTextInTheLibrary) {
  MemorySource wheel(test::zip_of({{python_library,
                                    "\x7f"
                                    "ELF" +
                                        zero + "sm_ is no target" + zero + "sm_90" + zero +
                                        "sm_75 sm_80 sm_100 sm_90a compute_120" + zero + "sm_75 sm_x" + zero}}));
  const auto list = read_arch_list(wheel, name);
  ASSERT_TRUE(list) << list.error().message;
  ASSERT_TRUE(*list);
  EXPECT_EQ((*list)->sass.dump(), R"(["7.5","8.0","9.0a","10.0"])");
  EXPECT_EQ((*list)->ptx.dump(), R"(["12.0"])");
}

TEST(ArchList, OfABuildForCpusIsNone) {
  MemorySource wheel(test::zip_of({{python_library, "sm_" + zero + "sm_9 sm_8" + zero + "sm_75 sm_80b" + zero}}));
  const auto list = read_arch_list(wheel, name);
  ASSERT_TRUE(list);
  EXPECT_FALSE(*list);
}

TEST(ArchList, NeedsTheLibrary) {
  MemorySource wheel(test::zip_of({{"numpy/core.so", "x"}}));
  const auto list = read_arch_list(wheel, name);
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().message, "the wheel has no torch/lib/libtorch_python.so");
  EXPECT_EQ(list.error().origin, name);
  MemorySource none("no archive");
  EXPECT_FALSE(read_arch_list(none, name));
}

TEST(NvccTargets, AreTheNamesInTheBinary) {
  MemorySource wheel(
      test::zip_of({{"nvidia/cu13/bin/nvcc", "sm_100f" + zero + "sm_75" + zero + "sm_100" + zero + "sm_90a" + zero + "sm_75" +
                                                 zero + "asm_75" + zero + "sm_75,sm_80" + zero}}));
  const auto targets = read_nvcc_targets(wheel, name);
  ASSERT_TRUE(targets) << targets.error().message;
  EXPECT_EQ(targets->archs.dump(), R"(["7.5","10.0"])");
  EXPECT_EQ(targets->arch_specific.dump(), R"(["9.0a","10.0f"])");
  MemorySource other(test::zip_of({{"nvidia/cu13/bin/nvcc", "nothing of this kind"}}));
  const auto none = read_nvcc_targets(other, name);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "its nvcc names no target (sm_90)");
  MemorySource without(test::zip_of({{"nvidia/cu13/bin/ptxas", "sm_75"}}));
  EXPECT_EQ(read_nvcc_targets(without, name).error().message, "the wheel has no /bin/nvcc");
}

TEST(LinkedCuda, IsTheMajorOfTheRuntime) {
  constexpr const char* library = "torchaudio/lib/libtorchaudio.so";
  MemorySource wheel(test::zip_of({{library, "libc10.so" + zero + "libcudart.so.13" + zero + "libcudart.so" + zero}}));
  EXPECT_EQ(read_linked_cuda(wheel, name).value(), 13);
  MemorySource cpu(test::zip_of({{library, "libc10.so" + zero + "libtorch_cpu.so" + zero}}));
  EXPECT_EQ(read_linked_cuda(cpu, name).value(), std::nullopt);
  MemorySource without(test::zip_of({{"torchaudio/version.py", "x"}}));
  EXPECT_EQ(read_linked_cuda(without, name).error().message, "the wheel has no torchaudio/lib/libtorchaudio.so");
}

TEST(NewestGcc, StandsInAConditionOfTheHeader) {
  MemorySource wheel(test::zip_of(
      {{"nvidia/cu13/include/crt/host_config.h", "#if defined(__GNUC__)\n#if __GNUC__ > 16\n#error\n#if __GNUC__ > 17\n"}}));
  EXPECT_EQ(read_newest_gcc(wheel, name).value(), 16);
  MemorySource other(test::zip_of({{"include/crt/host_config.h", "#if __GNUC__ > 1600\n#if __GNUC__ >= 3\n"}}));
  EXPECT_EQ(read_newest_gcc(other, name).value(), std::nullopt);
  MemorySource without(test::zip_of({{"a", "b"}}));
  EXPECT_EQ(read_newest_gcc(without, name).error().message, "the wheel has no /crt/host_config.h");
}

}  // namespace
}  // namespace envgen::update
