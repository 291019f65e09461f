// `envgen inspect IMAGE`: what the engine hands out, and how often it is asked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_tool.hpp"
#include "support/engine_double.hpp"
#include "support/tar_maker.hpp"

namespace envgen {
namespace {

using test::member;
using test::run_tool;
using testing::HasSubstr;

const std::string metadata = "Name: torch\nVersion: 2.9.1\n";
const std::string folder = "usr/lib/python3.12/site-packages";

class InspectImage : public testing::Test {
 protected:
  InspectImage() { docker_.all_well(); }
  test::EngineDouble docker_;
};

TEST(InspectHelp, SaysThatLinksAreFollowed) {
  EXPECT_THAT(run_tool({"inspect", "--help"}).out, HasSubstr("hard and symbolic links are followed"));
}

TEST_F(InspectImage, TakesItsFilesOnce) {
  docker_.answer("export", member(folder + "/torch-2.9.1.dist-info/METADATA", metadata) + test::tar_end);
  const auto outcome = run_tool({"inspect", "mine:1"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("torch                  2.9.1\n"));
  EXPECT_EQ(docker_.calls("export").size(), 1U);
}

TEST_F(InspectImage, TakesThemTwiceFromOneContainerWhereLinksLeadElsewhere) {
  docker_.answer(
      "export", member("opt/real/torch-2.9.1.dist-info/METADATA", metadata) + test::symlink(folder, "/opt/real") + test::tar_end);
  const auto outcome = run_tool({"inspect", "mine:1"});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("torch                  2.9.1\n"));
  const auto calls = docker_.calls("export");
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0], calls[1]);
  EXPECT_EQ(docker_.calls("create").size(), 1U);
  EXPECT_EQ(docker_.calls("start").size(), 0U);
}

TEST_F(InspectImage, WhoseLinksLeadToNothingIsNotSaidToHoldNone) {
  docker_.answer("export", test::symlink(folder, "/opt/real") + test::tar_end);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"inspect", "mine:1"}, {"matrix", "verify", "--against-image", "mine:1"}}) {
    const auto outcome = run_tool(words);
    EXPECT_EQ(outcome.exit, 4);
    EXPECT_EQ(outcome.err,
              "envgen: mine:1: cannot tell whether the image contains torch: cannot read 'usr/lib/python3.12/site-packages': "
              "its link "
              "points to 'opt/real', which is not in the image\n");
  }
}

TEST_F(InspectImage, OfADamagedArchiveIsNotReadAgain) {
  docker_.answer("export", test::symlink(folder, "/opt/real"));
  const auto outcome = run_tool({"inspect", "mine:1"});
  EXPECT_EQ(outcome.exit, 4);
  EXPECT_THAT(outcome.err, HasSubstr("its file archive is truncated at byte 512"));
  EXPECT_EQ(docker_.calls("export").size(), 1U);
}

}  // namespace
}  // namespace envgen
