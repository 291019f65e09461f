#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "check/check.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/answers.hpp"
#include "support/request_text.hpp"

/// A board may ask for a later driver than its architecture does, and in each branch for another one.
namespace envgen::test {
namespace {

using resolver::KnownDrivers;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

DriverVersion driver(std::string_view text) { return DriverVersion::parse(text).value(); }

/// What is known of boards by the name that people give them.
KnownDrivers known(std::string_view name) { return resolver::parse_board(matrix::embedded(), name).value().known; }

/// Boards, each with drivers that know it and drivers that do not.
struct BoardDrivers {
  std::string_view gpu;
  std::vector<std::string_view> serve;
  std::vector<std::string_view> do_not;
};
// From the lists that gpus.json names, board by board; 4090 and 4080 are those of the proprietary driver, which the open one's
// lag behind.
const BoardDrivers boards[] = {
    {"H200", {"550.90.07", "550", "555.58.02", "560.28.03"}, {"535.183.01", "525", "550.54.15", "555.42.02"}},
    {"H20", {"535.161.07", "550.54.14"}, {"535.154.05", "545.29.06"}},
    {"H100", {"520.56.06", "525.60.13"}, {"515.65.01"}},
    {"B300", {"580.82.07", "590.44.01"}, {"575.57.08", "580.65.06"}},
    {"GB300", {"580.82.07"}, {"575.57.08"}},
    {"GB200", {"570.124.04"}, {"570.86.15"}},
    {"5050", {"575.64.03", "580.65.06"}, {"570.211.01", "575.57.08"}},
    {"5060", {"570.158.01", "575.57.08", "570", "575", "580.65.06"}, {"570.86.10", "575.51.03"}},
    {"RTX_PRO_6000", {"570.133.07"}, {"570.86.15"}},
    {"RTX_PRO_6000_Blackwell_Server_Edition", {"575.57.08"}, {"570.133.07", "575.51.03"}},
    {"4060", {"525.147.05", "535.86.05", "545.23.06"}, {"525.60.13", "530.41.03", "535.54.03"}},
    {"4070", {"525.116.03", "535.54.03"}, {"525.60.13", "530.41.03"}},
    {"4080", {"525.60.11"}, {"520.56.06"}},
    {"4090", {"520.56.06", "525.60.13"}, {"515.65.01"}},
    {"L4", {"525.105.17"}, {"520.61.05", "525.60.13"}},
    {"L40S", {"535.104.05"}, {"525.147.05", "535.54.03"}},
    // Later variants under the same names, which only the PCI id tells apart.
    {"10de:24c9", {"510.108.03", "515.86.01", "520.56.06"}, {"470.256.02", "510.85.02", "515.76"}},
    {"10de:24c7", {"525.116.03", "535.54.03", "550.54.14"}, {"470.256.02", "525.89.02", "530.30.02"}},
    {"10de:2582", {"515.105.01", "525.78.01"}, {"470.256.02", "515.86.01", "520.56.06", "525.60.11"}},
    {"10de:25ed", {"525.85.05"}, {"525.78.01"}},
    {"10de:2808", {"550.67", "555.42.02"}, {"535.216.03", "550.54.15"}},
    {"10de:2882", {"535.216.03"}, {"535.54.03"}},
    {"10de:2788", {"550.67"}, {"535.216.03", "550.54.15"}},
    {"10de:2709", {"550.67"}, {"535.216.03", "550.54.15"}},
    {"10de:2689", {"555.42.02"}, {"550.163.01"}},
    {"T4", {"450.36.06", "555.42.02", "570.86.15"}, {}},
};

TEST(BoardDrivers, AreThoseThatListTheBoard) {
  for (const auto& board : boards) {
    for (const auto text : board.serve) {
      const auto request = fmt::format("gpu={} driver={}", board.gpu, text);
      const auto environment = environment_of(request);
      ASSERT_TRUE(environment) << request << ": " << summary(request);
      EXPECT_THAT(check::violations(matrix::embedded(), request_of(request), *environment), IsEmpty()) << request;
    }
    for (const auto text : board.do_not) {
      const auto request = fmt::format("gpu={} driver={}", board.gpu, text);
      EXPECT_THAT(summary(request), StartsWith("conflict: ")) << request;
    }
  }
}

TEST(BoardDrivers, TheRangeBeginsWhereTheLastBoardIsKnown) {
  EXPECT_EQ(must("gpu=5060 torch=2.8 cuda=12.8").driver->range.to_string(), ">=570.158.01");
  EXPECT_EQ(must("gpu=5060 gpu=5050 torch=2.8 cuda=12.8").driver->range.to_string(), ">=575.64.03");
  EXPECT_EQ(must("host=gpu=4060,gpu=L40S torch=2.8 cuda=12.6").driver->range.to_string(), ">=535.104.05");
}

TEST(BoardDrivers, WhatTheRangeLeavesOutIsTold) {
  const auto why = [](std::string_view request) {
    for (const auto& reason : must(request).reasons) {
      if (reason.field == "driver") return reason.why;
    }
    return std::string();
  };
  EXPECT_EQ(why("gpu=5060 torch=2.8 cuda=12.8"), "the first driver that supports the GeForce RTX 5060; in R575 from 575.57.08");
  EXPECT_EQ(why("gpu=RTX_PRO_6000 torch=2.8 cuda=12.8"),
            "the first driver that supports the RTX PRO 6000; the RTX PRO 6000 Blackwell Server Edition is supported from "
            "575.57.08 on");
}

TEST(BoardDrivers, TheNearestDriverIsNoOlderThanTheAskedOne) {
  const auto asked = ask("gpu=5060 driver=575.51.03");
  const auto* conflict = std::get_if<resolver::Conflict>(&asked.answer);
  ASSERT_NE(conflict, nullptr);
  ASSERT_FALSE(conflict->nearest.empty());
  EXPECT_EQ(conflict->nearest.front().changes.front().to, "575.57.08");
}

TEST(KnownDrivers, ALaterBranchIsKnownFromItsOwnReleaseOn) {
  const auto board = known("5060");
  EXPECT_FALSE(board.knows(driver("570.86.10")));
  EXPECT_TRUE(board.knows(driver("570.158.01")));
  EXPECT_FALSE(board.knows(driver("575.51.03")));
  EXPECT_TRUE(board.knows(driver("575.57.08")));
  EXPECT_TRUE(board.knows(driver("580.65.06")));
  EXPECT_EQ(board.from(driver("575.51.03")), driver("575.57.08"));
  EXPECT_EQ(board.from(driver("570.211.01")), driver("570.211.01"));
  EXPECT_TRUE(board.knows_branch(575));
  EXPECT_FALSE(board.knows_branch(550));
}

TEST(KnownDrivers, ABranchBetweenThatListsItNowhereDoesNotKnowIt) {
  EXPECT_FALSE(known("4060").knows_branch(530));
  EXPECT_EQ(known("4060").from(driver("530.41.03")), driver("535.86.05"));
}

TEST(KnownDrivers, OfSeveralBoardsAreThoseThatKnowEach) {
  auto both = known("4060");
  both.keep(known("L40S"));
  EXPECT_EQ(both.to_string(), "from 535.104.05 on");
  both.keep(known("V100"));
  EXPECT_EQ(both.to_string(), "from 535.104.05 to 580.xx");
  auto none = known("5050");
  none.keep(known("K80"));
  EXPECT_FALSE(none.any());
  EXPECT_EQ(none.from(driver("470.42.01")), DriverVersion());
}

TEST(KnownDrivers, OfANameThatStandsForSeveralAreThoseOfAnyOne) {
  EXPECT_EQ(known("H100 NVL").to_string(), "from 535.104.05 on");
  EXPECT_EQ(known("H100").to_string(), "from 520.56.06 on");
}

TEST(KnownDrivers, AreWrittenAsARange) {
  EXPECT_EQ(KnownDrivers().to_string(), "");
  EXPECT_EQ(known("K80").to_string(), "up to 470.xx");
  EXPECT_EQ(known("5060").to_string(), "from 570.158.01 in R570 and from 575.57.08 on");
  EXPECT_THAT(known("4090").to_string(), HasSubstr("520.56.06"));
}

}  // namespace
}  // namespace envgen::test
