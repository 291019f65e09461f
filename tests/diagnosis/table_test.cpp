// The table of failures: that none of those that were gathered by hand is missing, and that each wording is known by its own
// words. What every row must have is held by the build (pack_test.cpp).
#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnosis/pattern.hpp"
#include "ids.hpp"

namespace envgen::diagnosis {
namespace {

TEST(Table, HoldsEveryFailureThatWasGathered) {
  for (const auto* id : {"engine-no-gpu-driver",
                         "compose-no-gpu-driver",
                         "engine-no-cdi",
                         "engine-no-gpu-vendor",
                         "engine-amd-claims-gpu",
                         "engine-cdi-injection",
                         "cdi-unresolvable",
                         "cdi-spec-too-new",
                         "cdi-stale",
                         "cdi-hook-older",
                         "cdi-empty",
                         "cdi-auto-failed",
                         "podman-no-gpu-vendor",
                         "build-device",
                         "env-devices-refused",
                         "cuinit-unknown",
                         "runtime-unknown",
                         "hook-mode",
                         "host-no-driver",
                         "driver-library-mismatch",
                         "image-needs-newer-driver",
                         "rootless-cgroup",
                         "ldconfig-path",
                         "ldconfig-failed",
                         "cgroup-ebpf",
                         "cdi-hook-path",
                         "driver-in-image",
                         "nvml-unknown",
                         "nvml-selinux",
                         "cuda-35-no-driver",
                         "cuda-35-old-driver",
                         "cuda-100",
                         "cuda-802",
                         "cuda-803",
                         "cuda-804",
                         "cuda-999",
                         "cuda-34",
                         "cuda-222",
                         "cuda-209",
                         "cuda-221",
                         "cublaslt-mixed",
                         "libcudart-mixed",
                         "nvjitlink-mixed",
                         "shm-bus-error",
                         "nccl-shm",
                         "nccl-cumem",
                         "cuda-ipc",
                         "ipc-not-shareable",
                         "p2p-hang",
                         "podman-shm-with-host-ipc"})
    EXPECT_NE(find(id), nullptr) << id;
}

/// Short words stand everywhere.
TEST(Table, FindsByWordsThatSaySomething) {
  for (const auto& pattern : all_patterns()) {
    const auto& anchor = pattern.fragments[pattern.anchor];
    EXPECT_GE(anchor.size(), 7U) << pattern.diagnosis->id << ": " << anchor;
    for (const auto& fragment : pattern.fragments) EXPECT_NE(fragment, "") << pattern.diagnosis->id;
  }
}

/// The words of a wording, and nothing between them.
std::string words_of(const Pattern& pattern) {
  std::string text;
  for (const auto& fragment : pattern.fragments) text += (text.empty() ? "" : " ") + fragment;
  return text + (pattern.number_follows ? "1" : "");
}

/// Wordings that mean one of several failures, and which of them is told first: the likelier one.
const std::map<std::string_view, std::string_view> comes_after{
    {"cuda-35-no-driver", "torch-cpu-build"},        // torch says only that CUDA is not available
    {"cuda-35-old-driver", "cuda-35-no-driver"},     // error 35 without the driver's version
    {"cuinit-unknown", "cuda-999"},                  // cuInit fails so most often where nvidia-uvm is not loaded
    {"libcuda-not-linkable", "triton-no-compiler"},  // only that gcc failed
};

TEST(Table, KnowsEachWordingByItsOwnWords) {
  for (const auto& row : all()) {
    const auto patterns = patterns_of(row);
    const auto general = std::find_if(patterns.begin(), patterns.end(), [](auto& each) { return each.force == Force::general; });
    const auto hint = std::find_if(patterns.begin(), patterns.end(), [](auto& each) { return each.force == Force::hint; });
    for (const auto& pattern : patterns) {
      auto text = words_of(pattern);
      EXPECT_TRUE(pattern.match(text)) << row.id << ": " << text;
      if (pattern.force == Force::contrary) {
        ASSERT_NE(general, patterns.end()) << row.id << " has nothing that this speaks against: " << text;
        EXPECT_THAT(test::ids_of(text + "\n" + words_of(*general)), testing::Not(testing::Contains(row.id))) << text;
        continue;
      }
      if (pattern.force == Force::hint) {
        ASSERT_NE(general, patterns.end()) << row.id << " has a hint, and nothing that it is a hint of: " << text;
        text += "\n" + words_of(*general);
      }
      if (pattern.needs_hint) {
        ASSERT_NE(hint, patterns.end()) << row.id << " needs a hint, and has none: " << text;
        EXPECT_THAT(test::ids_of(text), testing::Not(testing::Contains(row.id))) << text;
        text += "\n" + words_of(*hint);
      }
      const auto ids = test::ids_of(text);
      EXPECT_THAT(ids, testing::Contains(row.id)) << text;
      const auto other = comes_after.find(row.id);
      const bool may_follow = pattern.force == Force::general && other != comes_after.end();
      const auto first = ids.empty() ? std::string() : ids.front();
      EXPECT_TRUE(first == row.id || (may_follow && first == other->second)) << text << ": " << testing::PrintToString(ids);
    }
  }
}

Diagnosis row_of(std::string_view patterns) {
  Diagnosis row;
  row.id = "made-up";
  row.patterns = patterns;
  return row;
}

bool fits(std::string_view pattern, std::string_view line) {
  const auto row = row_of(pattern);
  return patterns_of(row).front().match(line).has_value();
}

TEST(Pattern, IsItsFragmentsInTheirOrder) {
  EXPECT_TRUE(fits("one * two * three", "one and two and three"));
  EXPECT_FALSE(fits("one * two * three", "two one three"));
  EXPECT_TRUE(fits("Could NOT \"load\"", "could not 'load'"));
}

TEST(Pattern, TakesNumbersAsAWhole) {
  EXPECT_TRUE(fits("error 20", "error 20: no"));
  EXPECT_FALSE(fits("error 20", "error 209"));
  EXPECT_FALSE(fits("20 errors", "120 errors"));
  EXPECT_TRUE(fits("some error * 20", "some error 209 20"));
  EXPECT_TRUE(fits("20 * some error", "20 120 some error"));
  EXPECT_FALSE(fits("some error * 20", "some error 209 120"));
  EXPECT_FALSE(fits("20 * some error", "120 209 some error"));
  EXPECT_FALSE(fits("20 * some error", "209 some error"));
  EXPECT_TRUE(fits("an error 20", "an error 209, an error 20"));
}

TEST(Pattern, AsksForANumberAboveZero) {
  EXPECT_TRUE(fits("driver version #", "driver version 12020"));
  EXPECT_FALSE(fits("driver version #", "driver version 0"));
  EXPECT_FALSE(fits("driver version #", "driver version"));
  EXPECT_FALSE(fits("driver version #", "driver version x"));
}

TEST(Pattern, EndsAName) {
  for (const auto* line : {"found for torch", "found for torch==2.3.1", "found for torch (from", "found for torch'"})
    EXPECT_TRUE(fits("found for torch|", line)) << line;
  for (const auto* line : {"found for torchmetrics", "found for torch-scatter", "found for torch_scatter", "found for torch2"})
    EXPECT_FALSE(fits("found for torch|", line)) << line;
}

TEST(Pattern, HoldsAtMostAGap) {
  const auto gap = [](std::size_t size) { return "the beginning" + std::string(size, '.') + "end"; };
  EXPECT_TRUE(fits("the beginning * end", gap(widest_gap)));
  EXPECT_FALSE(fits("the beginning * end", gap(widest_gap + 1)));
  EXPECT_TRUE(fits("the * beginning", "the" + std::string(widest_gap, '.').substr(3) + "beginning"));
  EXPECT_FALSE(fits("the * beginning", "the" + std::string(widest_gap, '.').substr(2) + "beginning"));
}

TEST(Pattern, SaysWhereItBegins) {
  const auto begin = [](std::string_view pattern, std::string_view line) {
    const auto row = row_of(pattern);
    return patterns_of(row).front().match(line);
  };
  EXPECT_EQ(begin("one * a long fragment * two", "xx one y a long fragment z two"), 3U);
  EXPECT_EQ(begin("a long fragment * two", "xx a long fragment z two"), 3U);
  EXPECT_EQ(begin("one * a long fragment", "one one a long fragment"), 4U);
  EXPECT_EQ(begin("one * a long fragment", "a long fragment one"), std::nullopt);
}

TEST(Pattern, ItsForceIsItsFirstMark) {
  const auto row = row_of("plain\n? general\n+ a hint\n& needs one\n- against it");
  const auto patterns = patterns_of(row);
  ASSERT_EQ(patterns.size(), 5U);
  EXPECT_EQ(patterns[0].force, Force::sure);
  EXPECT_EQ(patterns[1].force, Force::general);
  EXPECT_EQ(patterns[1].fragments.front(), "general");
  EXPECT_FALSE(patterns[1].needs_hint);
  EXPECT_EQ(patterns[2].force, Force::hint);
  EXPECT_EQ(patterns[2].fragments.front(), "a hint");
  EXPECT_EQ(patterns[3].force, Force::general);
  EXPECT_EQ(patterns[3].fragments.front(), "needs one");
  EXPECT_TRUE(patterns[3].needs_hint);
  EXPECT_EQ(patterns[4].force, Force::contrary);
  EXPECT_EQ(patterns[4].fragments.front(), "against it");
}

TEST(Pattern, ExcludesWhatItNames) {
  EXPECT_TRUE(fits("one two !! three !! four", "one two"));
  EXPECT_FALSE(fits("one two !! three !! four", "four, one two"));
  EXPECT_FALSE(fits("one two !! three !! four", "one two three"));
}

}  // namespace
}  // namespace envgen::diagnosis
