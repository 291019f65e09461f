// One GPU in use, and how its time is taken, on the double of libcuda and its clock.
#include "session.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "failure.hpp"
#include "generator.hpp"
#include "timing.hpp"
#include "variable.hpp"

namespace envgen::bench {
namespace {

class OnDouble : public ::testing::Test {
 protected:
  OnDouble() : driver_(start_driver(places())), session_(driver_, 0) {
    clock_ = static_cast<double*>(::dlsym(driver_.library.handle, "envgen_double_seconds"));
  }
  ~OnDouble() override { *clock_ = -1; }

  static Places places() {
    Places places;
    places.overrides["libcuda"] = BENCH_DOUBLES "/libcuda.so.1";
    return places;
  }

  Driver driver_;
  Session session_;
  double* clock_ = nullptr;
};

using SessionTest = OnDouble;
using TimingTest = OnDouble;

TEST_F(SessionTest, EveryThreadIsLaunched) {
  for (const std::size_t threads : {1UL, 255UL, 256UL, 257UL, 300UL, 1000UL}) {
    const auto words = threads * 4;
    const auto from = session_.allocate(words * sizeof(unsigned));
    const auto to = session_.allocate(words * sizeof(unsigned));
    session_.generate(from, words, 1);
    session_.launch("copy_16", threads, to, from, static_cast<unsigned long long>(threads));
    EXPECT_EQ(session_.digest(to, words), expected_digest(1, words)) << threads;
    session_.free(from);
    session_.free(to);
  }
}

TEST_F(SessionTest, ADigestIsOfEachWordAtItsPlace) {
  std::vector<unsigned> words(1000);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = generated_word(9, i);
  const auto right = host_digest(words.data(), words.size());
  EXPECT_EQ(right, expected_digest(9, words.size()));
  EXPECT_NE(right, expected_digest(8, words.size()));
  std::swap(words[0], words[999]);
  EXPECT_NE(right, host_digest(words.data(), words.size()));
  EXPECT_NE(right, host_digest(words.data(), words.size() - 1));
  EXPECT_NO_THROW(require_digest(1, 1, "it"));
  try {
    require_digest(1, 0xab, "it");
    FAIL() << "no error";
  } catch (const TestFailed& failed) {
    EXPECT_STREQ(failed.what(), "it does not contain what was written (digest 00000000000000ab, expected 0000000000000001)");
  }
}

TEST_F(TimingTest, QuantilesOfTheSamples) {
  *clock_ = 0;
  int calls = 0;
  // The first loads, the second tells how long one takes; then 21 samples of 1 to 21 ms.
  Sizes sizes;
  sizes.warm_up_seconds = 0;
  sizes.samples = 21;
  const auto timing = time_on(session_, sizes, [&] {
    ++calls;
    session_.synchronize();  // what is queued before it, the event among that, has its time
    *clock_ += (calls <= 2 ? 1 : calls - 2) / 1000.0;
  });
  EXPECT_EQ(calls, 23);
  EXPECT_EQ(timing.samples, 21);
  EXPECT_EQ(timing.repeats, 1);
  EXPECT_NEAR(timing.median, 0.011, 1e-6);
  EXPECT_NEAR(timing.p5, 0.002, 1e-6);
  EXPECT_NEAR(timing.p95, 0.020, 1e-6);
}

TEST_F(TimingTest, AShortOperationIsRepeated) {
  *clock_ = 0;
  int calls = 0;
  Sizes sizes;
  sizes.warm_up_seconds = 0;
  sizes.samples = 3;
  const auto timing = time_on(session_, sizes, [&] {
    ++calls;
    session_.synchronize();
    *clock_ += 4e-6;
  });
  EXPECT_EQ(timing.repeats, 13);  // 50 microseconds at least
  EXPECT_EQ(calls, 2 + 3 * 13);
  EXPECT_NEAR(timing.median, 4e-6, 1e-8);  // of one
}

TEST_F(TimingTest, WhatTakesNoTimeIsNotInfinitelyFast) {
  *clock_ = 0;
  Sizes sizes;
  sizes.warm_up_seconds = 0;
  sizes.samples = 3;
  const auto timing = time_on(session_, sizes, [] {});
  EXPECT_EQ(timing.repeats, 1000);
  EXPECT_DOUBLE_EQ(timing.median, 1e-9 / 1000);
}

TEST_F(TimingTest, WarmsUpForItsTime) {
  *clock_ = 0;
  int calls = 0;
  Sizes sizes;
  sizes.warm_up_seconds = 0.03;
  sizes.samples = 1;
  const auto start = std::chrono::steady_clock::now();
  time_on(session_, sizes, [&] {
    ++calls;
    ::usleep(5000);
    session_.synchronize();
    *clock_ += 1;
  });
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(30));
  EXPECT_GT(calls, 3);  // loading, measuring how long one takes, the sample: and some more
  EXPECT_LT(calls, 20);
}

std::vector<std::string>& heard() {
  static std::vector<std::string> all;
  return all;
}

/// What of L2 is left of the last sample, and the gaps in which the host queues the next operation, are no part of the time.
TEST_F(TimingTest, EachSampleBeginsWithAnEmptyCacheAndABusyGpu) {
  auto* const listener =
      static_cast<void (**)(const char*, unsigned long long)>(::dlsym(driver_.library.handle, "envgen_double_heard"));
  *clock_ = 0;
  Sizes sizes;
  sizes.warm_up_seconds = 0;
  sizes.samples = 1;
  for (const auto& [l2, flushed] : {std::pair{"1", "memset 1048576"}, std::pair{"8", "memset 4194304"}}) {  // words
    const Variable cache("ENVGEN_DOUBLE_L2", l2);
    const Session session(driver_, 0);
    heard().clear();
    *listener = [](const char* what, unsigned long long size) { heard().push_back(what + (" " + std::to_string(size))); };
    time_on(session, sizes, [&] {
      heard().emplace_back("operation");
      session.synchronize();
      *clock_ += 1;
    });
    *listener = nullptr;
    std::vector<std::string> expected;
    for (int sample = 0; sample < 3; ++sample) expected.insert(expected.end(), {flushed, "spin 1", "operation"});
    EXPECT_EQ(heard(), expected);
  }
}

TEST_F(SessionTest, AKernelThatLoopsFillsTheGpuAndNoMore) {
  auto* const listener =
      static_cast<void (**)(const char*, unsigned long long)>(::dlsym(driver_.library.handle, "envgen_double_heard"));
  heard().clear();
  *listener = [](const char* what, unsigned long long size) { heard().push_back(what + (" " + std::to_string(size))); };
  const auto memory = session_.allocate(1U << 20);
  session_.generate(memory, 256, 1);
  session_.generate(memory, 257, 1);
  session_.generate(memory, 1U << 18, 1);  // of two multiprocessors
  session_.launch("copy_16", 1U << 15, memory + (1U << 19), memory, 1ULL << 15);
  session_.synchronize();
  *listener = nullptr;
  EXPECT_EQ(heard(), (std::vector<std::string>{"generate_words 1", "generate_words 2", "generate_words 64", "copy_16 128"}));
}

TEST_F(SessionTest, WhatTheDriverSaysIsToldInItsWords) {
  const auto said = [&](api::cuda::Result result) {
    try {
      driver_.check(result, "cuCall");
    } catch (const TestFailed& failed) {
      const auto& failure = failed.failure();
      return failure.message + "|" + failure.name + "|" + failure.call + "|" + std::to_string(*failure.code) + "|" + failure.id;
    }
    return std::string("nothing");
  };
  EXPECT_EQ(said(0), "nothing");
  EXPECT_EQ(said(209),
            "cuCall: no kernel image is available for execution on the device (error "
            "209)|CUDA_ERROR_NO_BINARY_FOR_GPU|cuCall|209|cuda-209");
  EXPECT_EQ(said(12345), "cuCall: unknown error (error 12345)||cuCall|12345|");  // younger than the driver
}

}  // namespace
}  // namespace envgen::bench
