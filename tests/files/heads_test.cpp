// The first line of a file: the environment, for which boards, and under which drivers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files/summary.hpp"
#include "rendered.hpp"
#include "resolved.hpp"

namespace envgen {
namespace {

using test::environment_of;
using testing::EndsWith;

std::string head(std::string_view request) { return files::title(environment_of(request)); }

TEST(Head, StatesAnAskedRangeWithTheBoundsOfTheEnvironment) {
  const auto asked = [](const std::string& range) {
    const auto text = head("torch=2.8 gpu=V100 driver=" + range);
    return text.substr(text.find(" driver ") + 8);
  };
  // The environment itself asks for 525.60.13 or newer, and the last branch of a V100 is 580.
  EXPECT_EQ(asked(">=525.60.13"), ">=525.60.13,<581");
  EXPECT_EQ(asked(">525.60.13"), ">525.60.13,<581");
  EXPECT_EQ(asked(">=450"), ">=525.60.13,<581");
  EXPECT_EQ(asked(">=535,<570"), ">=535,<570");
  EXPECT_EQ(asked("<570"), ">=525.60.13,<570");
  EXPECT_EQ(asked("<581"), ">=525.60.13,<581");
  EXPECT_EQ(asked("<=580"), ">=525.60.13,<=580");
  EXPECT_EQ(asked("<=581"), ">=525.60.13,<581");
  EXPECT_EQ(asked("<590"), ">=525.60.13,<581");
  EXPECT_EQ(asked("535"), "535");
}

/// No machine needs the range that all of them have in common.
TEST(Head, StatesEachMachinesOwnDriversWhereTheyDiffer) {
  EXPECT_THAT(head("gpu=V100 gpu=B200"), EndsWith(", for V100 with driver >=525.60.13,<581, for B200 with driver >=570.86.15"));
  EXPECT_THAT(head("gpu=V100 gpu=B200 driver=>=575"), EndsWith(", for V100 with driver >=575,<581, for B200 with driver >=575"));
  EXPECT_THAT(head("torch=2.8.0 host=gpu=V100,driver=470 host=gpu=T4,driver=535"),
              EndsWith(", for V100 with driver 470, for Tesla T4 with driver 535"));
}

TEST(Head, StatesDriversOnceWhereTheyAreAlike) {
  EXPECT_THAT(head("torch=2.8.0 gpu=4090 gpu=L40"), EndsWith(", for GeForce RTX 4090, L40 with driver >=525.60.13"));
  EXPECT_THAT(head("torch=2.8.0 gpu=4090 gpu=L40 driver=535"), EndsWith(", for GeForce RTX 4090, L40 with driver 535"));
  EXPECT_THAT(head("torch=2.8.0 cuda=12.8"), EndsWith(" on Ubuntu 24.04, driver >=525.60.13"));
}

TEST(Head, IsTheSameInEveryFile) {
  const auto line = head("gpu=V100 gpu=B200");
  for (const auto* kind : {"dockerfile", "run", "compose", "setup", "requirements", "pyproject"}) {
    const auto text = test::rendered({kind, "--gpu", "V100", "--gpu", "B200"});
    EXPECT_THAT(text.substr(0, text.find(files::mark_begin)), testing::HasSubstr("# " + line + "\n")) << kind;
  }
}

}  // namespace
}  // namespace envgen
