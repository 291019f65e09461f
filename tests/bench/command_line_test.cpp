// The command line: what it takes, what it refuses, and what it leaves as it is.
#include <gtest/gtest.h>

#include "options.hpp"
#include "program.hpp"
#include "sizes.hpp"

namespace envgen::bench {
namespace {

Parsed parsed(std::vector<const char*> words) {
  words.insert(words.begin(), "envgen-bench");
  return parse(static_cast<int>(words.size()), words.data());
}

TEST(CommandLine, WithoutWords) {
  const auto [options, exit_status] = parsed({});
  EXPECT_FALSE(exit_status);
  EXPECT_EQ(options.profile, Profile::full);
  EXPECT_EQ(options.format, Format::text);
  EXPECT_EQ(options.timeout_seconds, 120);
  EXPECT_EQ(options.scale, 1);
  EXPECT_FALSE(options.device || options.total_seconds || options.hold_ipc);
  EXPECT_FALSE(options.list || options.strict_performance || options.require_gpu || options.progress);
}

TEST(CommandLine, EachWord) {
  const auto [options, exit_status] = parsed({"--tests=gemm,ipc",
                                              "--profile=Smoke",
                                              "--device=0",
                                              "--timeout=0.1",
                                              "--total-timeout=86400",
                                              "--format=json",
                                              "-o",
                                              "a.txt",
                                              "--strict-perf",
                                              "--require-gpu",
                                              "--work=/",
                                              "--files-of=/tmp",
                                              "--library=libcuda=/a=b",
                                              "--library",
                                              "libnccl=/c",
                                              "--ipc-host-inode=7",
                                              "--ipc-sysv-key=-5",
                                              "--ipc-posix=name",
                                              "--ipc-nonce=n",
                                              "--then=a",
                                              "--then=b",
                                              "--then-argument=-c",
                                              "--then-argument=x, y",
                                              "--then-environment=A=B",
                                              "--report-nonce=r",
                                              "--library-path=/p:/q",
                                              "--touch=/t",
                                              "--progress",
                                              "--hold-ipc=0.5",
                                              "--scale=1048576"});
  EXPECT_FALSE(exit_status);
  EXPECT_EQ(options.tests, (std::vector<std::string>{"gemm", "ipc"}));
  EXPECT_EQ(options.profile, Profile::smoke);
  EXPECT_EQ(options.device, 0);
  EXPECT_EQ(options.timeout_seconds, 0.1);
  EXPECT_EQ(options.total_seconds, 86400);
  EXPECT_EQ(options.format, Format::json);
  EXPECT_EQ(options.output, "a.txt");
  EXPECT_TRUE(options.strict_performance && options.require_gpu && options.progress);
  EXPECT_EQ(options.work_folder + options.files_of, "//tmp");
  EXPECT_EQ(options.libraries, (std::map<std::string, std::string>{{"libcuda", "/a=b"}, {"libnccl", "/c"}}));
  EXPECT_EQ(options.canary.host_inode, 7U);
  EXPECT_EQ(options.canary.sysv_key, -5);
  EXPECT_EQ(options.canary.posix_name + options.canary.nonce, "namen");
  EXPECT_EQ(options.then, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(options.then_arguments, (std::vector<std::string>{"-c", "x, y"}));
  EXPECT_EQ(options.then_environment, (std::vector<std::string>{"A=B"}));
  EXPECT_EQ(options.report_nonce + options.touch, "r/t");
  EXPECT_EQ(options.library_path, (std::vector<std::string>{"/p", "/q"}));
  EXPECT_EQ(options.hold_ipc, 0.5);
  EXPECT_EQ(options.scale, 1048576);
}

TEST(CommandLine, TheFormatIsThatOfTheFilesName) {
  EXPECT_EQ(parsed({"-o", "a.json"}).options.format, Format::json);
  EXPECT_EQ(parsed({"-o", "a.json.txt"}).options.format, Format::text);
  EXPECT_EQ(parsed({"-o", "a.json", "--format=text"}).options.format, Format::text);
}

TEST(CommandLine, WhatIsOutOfBoundsIsRefused) {
  for (const char* word : {"--timeout=0.09", "--timeout=86401", "--total-timeout=0.09", "--total-timeout=86401", "--scale=0",
                           "--scale=1048577", "--hold-ipc=0", "--device=-1", "--work=/nonexistent", "--files-of=/nonexistent",
                           "--library=libcuda=", "--library==/a", "--tests=no", "--tests=gemm,x", "more"}) {
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(parsed({word}).exit_status, 2) << word;
    const auto said = ::testing::internal::GetCapturedStderr();
    EXPECT_TRUE(said.starts_with("envgen-bench: ")) << said;
    EXPECT_EQ(said.find('\n'), said.size() - 1) << said;  // one line
  }
}

TEST(CommandLine, HelpAndVersionSucceed) {
  const auto version = run_bench({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.out.substr(0, 13), "envgen-bench ");
  const auto help = run_bench({"--help"});
  EXPECT_EQ(help.status, 0);
  // The layout of envgen's help.
  EXPECT_NE(help.out.find("\nUsage: envgen-bench [OPTION ...]\n"), std::string::npos) << help.out;
  EXPECT_NE(help.out.find("\nTests:\n  --tests ID,...              run only these tests"), std::string::npos) << help.out;
  EXPECT_NE(help.out.find("\n  --total-timeout SECONDS     start no more tests"), std::string::npos) << help.out;
  EXPECT_NE(help.out.find("\nExamples:\n  envgen-bench --profile smoke\n"), std::string::npos) << help.out;
  EXPECT_EQ(help.out.find("--scale"), std::string::npos);  // for tests of the program itself
}

TEST(Sizes, OfEachTestAtAScale) {
  Options options;
  const auto whole = sizes_for(options);
  EXPECT_EQ(whole.kernel_words, 16U << 20U);
  EXPECT_EQ(whole.vector_floats.back(), 64U << 20U);
  EXPECT_EQ(whole.storage_bytes, 1U << 30U);
  EXPECT_EQ(whole.block_hidden, 1024);
  options.scale = 64;
  auto part = sizes_for(options);
  EXPECT_EQ(part.kernel_words, (16U << 20U) / 64);
  EXPECT_EQ(part.copy_bytes, (256U << 20U) / 64);
  EXPECT_EQ(part.device_copy_bytes, (512U << 20U) / 64);
  EXPECT_EQ(part.gemm, (std::vector<int>{16, 32, 128}));
  EXPECT_EQ(part.vector_floats, (std::vector<std::size_t>{4096, 4096, 16384, 65536, 1U << 20U}));
  EXPECT_EQ(part.shared_batch_bytes, std::size_t{38535168} / 64 / 4096 * 4096);
  EXPECT_EQ(part.storage_bytes, 16U << 20U);
  EXPECT_EQ(part.all_reduce_floats, 1U << 20U);
  EXPECT_EQ(part.block_hidden, 64);
  EXPECT_EQ(part.samples, 20);
  options.scale = 2;
  EXPECT_EQ(sizes_for(options).block_hidden, 512);
  EXPECT_EQ(sizes_for(options).warm_up_seconds, 0);
  options.scale = 1 << 20;  // something is left of everything
  part = sizes_for(options);
  EXPECT_EQ(part.kernel_words, 4096U);
  EXPECT_EQ(part.shared_batch_bytes, 4096U);
  EXPECT_EQ(part.storage_bytes, 1U << 20U);
  EXPECT_EQ(part.gemm, (std::vector<int>{16}));
}

}  // namespace
}  // namespace envgen::bench
