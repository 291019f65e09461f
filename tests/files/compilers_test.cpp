// Compilers within the ceiling of nvcc, for a system whose own is newer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files/outputs.hpp"
#include "files/resolved.hpp"
#include "support/error_text.hpp"

namespace envgen::files {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string made(const char* kind, int gcc, int gcc_max) {
  auto environment = test::environment_of("torch=2.9 variant=devel gpu=A100");
  environment.system->gcc = gcc;
  environment.cuda->gcc_max = gcc_max;
  const Options options;
  const auto files = make(*find_output(kind), {environment, options, "sha256:0"});
  EXPECT_TRUE(files) << files.error().message;
  return files->front().text;
}

TEST(Compilers, OfAnImageAreOlderWhereNvccAsksForIt) {
  EXPECT_THAT(made("dockerfile", 13, 12), AllOf(HasSubstr("      g++-12 \\\n      gcc-12 \\\n"),
                                                HasSubstr(" CC=gcc-12 \\\n    CXX=g++-12 \\\n    NVCC_CCBIN=g++-12")));
  for (const int gcc : {11, 12}) EXPECT_THAT(made("dockerfile", gcc, 12), Not(HasSubstr("gcc-12")));
}

TEST(Compilers, OfAMachineAreLookedFor) {
  EXPECT_THAT(made("setup", 13, 12), AllOf(HasSubstr("for compiler in \"${CXX:-g++}\" g++-12 g++-11 g++-10 g++-9 \"\"; do\n"),
                                           HasSubstr("((major <= 12 && major >= 9)); then"),
                                           HasSubstr("compiling extensions needs g++ 9 to 12, and none was found")));
}

TEST(Compilers, OlderThanTorchAllowsAreRefusedWhereSomethingCompiles) {
  auto environment = test::environment_of("torch=2.9 variant=devel gpu=A100");
  environment.system->gcc = 8;
  Options options;
  const auto refused = [&] {
    const auto files = make(*find_output("dockerfile"), {environment, options, "sha256:0"});
    return files ? std::string() : test::text_of(files.error());
  };
  EXPECT_EQ(refused(), "");
  options.needs_nvcc = {"my_kernels", "--needs-nvcc"};
  EXPECT_EQ(refused(),
            "other | --needs-nvcc | 'my_kernels' does not compile on Ubuntu 24.04: torch 2.9.1 needs GCC 9 or newer, and the "
            "system has GCC 8 | a newer system: envgen list images --cuda 12.8");
  environment.system->gcc = 9;
  EXPECT_EQ(refused(), "");
}

TEST(Compilers, OfTorchAreThoseOfItsHeaders) {
  const auto oldest = [](const char* request) { return test::environment_of(request).torch->gcc_min; };
  EXPECT_EQ(oldest("torch=2.2.1 variant=devel"), 5);
  EXPECT_EQ(oldest("torch=2.2.2 variant=devel"), 9);
  EXPECT_EQ(oldest("torch=2.11 variant=devel"), 9);
  EXPECT_EQ(oldest("torch=2.12 variant=devel"), 10);
  EXPECT_EQ(oldest("torch=2.12"), std::nullopt) << "nothing compiles in a runtime environment";
  EXPECT_THAT(test::environment_of("torch=2.3 variant=devel os=ubuntu18.04").warnings,
              testing::Contains("extensions for torch 2.3.1 need GCC 9 or newer; Ubuntu 18.04 has GCC 7"));
}

}  // namespace
}  // namespace envgen::files
