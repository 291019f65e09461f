#include "util/interrupt.hpp"

#include <csignal>
#include <thread>

#include <gtest/gtest.h>

#include "support/heard_signals.hpp"
#include "util/process.hpp"
#include "util/run_time.hpp"

namespace envgen::util {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds grace{10000};

TEST(Interrupt, EachSignalLeavesLess) {
  const test::HeardSignals heard;
  const InterruptScope scope;
  EXPECT_FALSE(interrupted());
  EXPECT_EQ(left_of(grace), grace);
  std::raise(SIGINT);
  EXPECT_TRUE(interrupted());
  std::this_thread::sleep_for(milliseconds(30));
  EXPECT_LE(left_of(grace), grace - milliseconds(30));
  EXPECT_GT(left_of(grace), milliseconds(2000));
  EXPECT_EQ(left_of(milliseconds(20)), milliseconds(0));
  std::raise(SIGTERM);
  EXPECT_LE(left_of(grace), milliseconds(2000));
  EXPECT_GT(left_of(grace), milliseconds(0));
  EXPECT_LE(left_of(milliseconds(1000)), milliseconds(970));  // since the first
  std::raise(SIGHUP);
  EXPECT_EQ(left_of(grace), milliseconds(0));
  EXPECT_EQ(interrupting_signal(), SIGINT) << "what is said of the end is said of the first";
  static_cast<void>(fail_interrupted("told"));
}

TEST(Interrupt, IsForgottenWithItsScope) {
  const test::HeardSignals heard;
  {
    const InterruptScope scope;
    std::raise(SIGINT);
    EXPECT_TRUE(interrupted());
    EXPECT_EQ(fail_interrupted("it was ended", "here").value().message, "it was ended");
  }
  EXPECT_FALSE(interrupted());
  EXPECT_EQ(left_of(grace), grace);
  EXPECT_EQ(interrupting_signal(), SIGINT) << "which the exit status tells of when the scope is gone";
  const InterruptScope next;
  EXPECT_FALSE(interrupted());
  std::raise(SIGTERM);
  EXPECT_EQ(interrupting_signal(), SIGTERM);
  static_cast<void>(fail_interrupted("told"));
}

TEST(Interrupt, ThatNobodyToldOfIsRaisedAgainAfterItsScope) {
  const test::HeardSignals heard;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const auto late = [signal] {
      {
        const InterruptScope scope;
        std::raise(signal);
      }
      std::_Exit(0);
    };
    EXPECT_EXIT(late(), testing::KilledBySignal(signal), "");
  }
}

TEST(Interrupt, OneThatWasIgnoredStaysIgnored) {
  const test::HeardSignals heard;
  std::signal(SIGINT, SIG_IGN);
  const InterruptScope scope;
  std::raise(SIGINT);
  EXPECT_FALSE(interrupted());
  std::raise(SIGTERM);
  EXPECT_TRUE(interrupted());
  static_cast<void>(fail_interrupted("told"));
}

TEST(Interrupt, EndsAProgramWhenItsGraceIsOver) {
  const test::HeardSignals heard;
  const InterruptScope scope;
  std::raise(SIGINT);
  const auto began = std::chrono::steady_clock::now();
  const auto finished = run_process({"sh", "-c", "sleep 0.2; echo done"}, {.grace = grace});
  ASSERT_TRUE(finished) << finished.error().message;
  EXPECT_EQ(finished->out, "done\n");
  const auto ended = run_process({"sh", "-c", "trap '' TERM INT; sleep 20"}, {.grace = milliseconds(600)});
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::interrupted);
  EXPECT_EQ(ended.error().message, "interrupted; 'sh' was stopped");
  EXPECT_LT(std::chrono::steady_clock::now() - began, seconds(10));
  const auto refused = run_process({"sh", "-c", "sleep 20"}, {.grace = milliseconds(600)});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::interrupted);
  EXPECT_EQ(refused.error().message, "interrupted; 'sh' was not started");
}

TEST(RunTime, IsToldInWholeSecondsTheLastOneBegun) {
  const RunTime time(seconds(2));
  EXPECT_EQ(time.left(), seconds(2));
  EXPECT_EQ(time.left(seconds(3)), seconds(5));
  const RunTime over(seconds(0));
  EXPECT_EQ(over.left(), seconds(0));
  EXPECT_EQ(over.left(seconds(3)), seconds(3));
  std::this_thread::sleep_for(milliseconds(10));
  EXPECT_EQ(over.left(), seconds(0));
}

}  // namespace
}  // namespace envgen::util
