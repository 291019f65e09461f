// What is chosen where the request names no value: what an expert would take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/embedded/embedded.hpp"
#include "resolver/maturity.hpp"
#include "support/answers.hpp"
#include "support/reasons_of.hpp"
#include "support/request_text.hpp"

namespace envgen::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

/// `torch 2.6.0+cu124, Python 3.12 on ubuntu24.04`.
std::string chosen(std::string_view request) {
  const auto environment = must(request);
  return fmt::format("{}+{}, Python {} on {}", environment.build().version, environment.build().tag, environment.python,
                     environment.os.value_or("unknown"));
}

TEST(DefaultSystem, HasAPythonThatHadSettledWhenTheReleaseCameOut) {
  EXPECT_EQ(chosen("torch=2.3"), "2.3.1+cu121, Python 3.10 on ubuntu22.04");
  EXPECT_EQ(chosen("torch=2.15"), "2.15.0+cu132, Python 3.12 on ubuntu24.04");
  EXPECT_EQ(chosen("cuda=cpu torch=2.13"), "2.13.0+cpu, Python 3.12 on ubuntu24.04");
}

TEST(DefaultSystem, OfABaseWithoutCudaDoesNotDependOnImagesOfCuda) {
  EXPECT_EQ(chosen("torch=2.6"), "2.6.0+cu124, Python 3.12 on ubuntu24.04");
  EXPECT_EQ(chosen("torch=2.6 base=slim"), "2.6.0+cu124, Python 3.12 on ubuntu24.04");
  // nvidia/cuda has none of 12.4 on ubuntu24.04.
  EXPECT_EQ(chosen("torch=2.6 base=cuda"), "2.6.0+cu124, Python 3.10 on ubuntu22.04");
  EXPECT_EQ(chosen("torch=2.6 variant=devel"), "2.6.0+cu124, Python 3.10 on ubuntu22.04");
}

TEST(DefaultSystem, HasThePythonThatNobodyElseProvides) {
  EXPECT_EQ(chosen("torch=1.9 python=3.6"), "1.9.1+cu102, Python 3.6 on ubuntu18.04");
  EXPECT_EQ(chosen("tensorflow=2.6 python=3.6"), "2.6.2+cu112, Python 3.6 on ubuntu18.04");
  EXPECT_EQ(chosen("tensorflow=2.6 python=3.9"), "2.6.5+cu112, Python 3.9 on ubuntu20.04") << "uv provides it";
}

TEST(DefaultSystem, StaysWithAnOldPythonForAnOldRelease) {
  EXPECT_EQ(chosen("torch=1.13"), "1.13.1+cu117, Python 3.10 on ubuntu22.04");
  EXPECT_EQ(chosen("torch=1.8"), "1.8.1+cu102, Python 3.8 on ubuntu20.04");
}

/// Its own time's systems are past their end of life, and no system has the Python that is asked for: uv provides it.
TEST(DefaultSystem, IsTheOldestSupportedOneForAnOldReleaseWithANewerPython) {
  EXPECT_EQ(chosen("torch=1.13 python=3.11"), "1.13.1+cu117, Python 3.11 on ubuntu22.04");
  EXPECT_EQ(chosen("torch=1.9 python=3.9"), "1.9.1+cu102, Python 3.9 on ubuntu22.04");
  EXPECT_EQ(why(must("torch=1.13 python=3.11"), "os"),
            "the oldest Ubuntu LTS that is still supported and whose glibc suits the build: none is as old as torch 1.13.1");
}

TEST(DefaultSystem, SaysHowItWasChosen) {
  EXPECT_EQ(why(must("torch=2.15"), "os"),
            "the newest Ubuntu LTS whose glibc and Python suit the build, and whose Python was at least 15 months old when torch "
            "2.15.0 came out");
  EXPECT_EQ(why(must("torch=2.15 python=3.14"), "os"), "the newest Ubuntu LTS whose glibc and Python suit the build");
  EXPECT_EQ(why(must("tensorflow=2.15"), "os"),
            "the newest Ubuntu LTS whose glibc and Python suit the build, and whose Python was at least 15 months old when "
            "tensorflow 2.15.1 came out");
  EXPECT_EQ(
      why(must("torch=2.6 python=3.13"), "os"),
      "the newest Ubuntu LTS whose glibc suits the build, and whose Python was at least 15 months old when torch 2.6.0 came "
      "out");
}

TEST(DefaultPython, IsTheNewestThatHadSettled) {
  EXPECT_EQ(must("torch=2.15 os=ubuntu22.04").python.to_string(), "3.13");
  EXPECT_THAT(
      why(must("torch=2.15 os=ubuntu22.04"), "python"),
      EndsWith("; the newest Python with a wheel for every package, of those at least 15 months old when torch 2.15.0 came out"));
  EXPECT_EQ(must("torch=2.5 installer=conda").python.to_string(), "3.11");
  EXPECT_EQ(why(must("torch=2.5 installer=conda"), "python"),
            "the newest Python for which the channel has this build, of those at least 15 months old when torch 2.5.1 came out");
}

TEST(DefaultPython, OfASystemIsItsOwn) { EXPECT_EQ(must("torch=2.15 os=ubuntu26.04").python.to_string(), "3.14"); }

TEST(DefaultPython, ThatIsAskedForNeedNotHaveSettled) {
  EXPECT_EQ(must("torch=2.15 os=ubuntu22.04 python=>=3.14").python.to_string(), "3.14");
}

TEST(DefaultPython, WithoutDatesIsTheOldest) {
  PythonSet among;
  among.add({11, false});
  among.add({12, false});
  EXPECT_EQ(resolver::default_python(among, {}).to_string(), "3.11");
}

TEST(DefaultConda, IsTheNewestReleaseOfAnyChannel) {
  const auto environment = must("installer=conda");
  EXPECT_THAT(environment.torch->conda_channels, testing::Contains("conda-forge"));
  EXPECT_EQ(must("installer=conda torch=2.5").torch->conda_channels.front(), "pytorch");
}

TEST(Preferences, ChooseAmongSupportedReleasesUnlessOneIsNamed) {
  const auto matrix = matrix::embedded();
  for (const std::string prefer : {"smallest", "widest"}) {
    const auto released = [&](const Environment& environment) {
      for (const auto& release : matrix->releases) {
        if (release.text.view() == environment.build().version) return std::string(release.released.view());
      }
      return std::string();
    };
    EXPECT_GE(released(must("prefer=" + prefer)), "2024-10") << prefer;
    EXPECT_THAT(why(must("prefer=" + prefer), "torch"), HasSubstr(", among releases up to 24 months older than the newest"));
    EXPECT_LT(released(must("torch=>=1.11,<2.4 prefer=" + prefer)), "2024-10") << prefer;
  }
  // No supported release runs on it.
  EXPECT_THAT(why(must("gpu=K80 prefer=smallest"), "torch"), EndsWith("that satisfies the request"));
}

}  // namespace
}  // namespace envgen::test
