// Compilers within the ceiling of nvcc, for a system whose own is newer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files/outputs.hpp"
#include "files/resolved.hpp"

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
  EXPECT_THAT(made("setup", 13, 12), AllOf(HasSubstr("for compiler in \"${CXX:-g++}\" g++-12 \"\"; do\n"),
                                           HasSubstr("nvcc needs g++ 12 or older, and none was found")));
}

}  // namespace
}  // namespace envgen::files
