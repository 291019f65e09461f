#include "update/draft.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "update/shipped.hpp"

namespace envgen::update {
namespace {

using testing::ElementsAre;

/// The shipped facts with a folder of one's own over them.
class DraftTest : public ::testing::Test {
 protected:
  Place place() const {
    Place result;
    result.folder = folder_.path() / "own";
    result.user = true;
    result.below = [] { return shipped(); };
    result.facts = [folder = result.folder] {
      auto facts = shipped();
      if (facts && std::filesystem::exists(folder)) {
        if (auto added = facts->add_user_layer(folder); !added) return Expected<matrix::Documents>(tl::unexpected(added.error()));
      }
      return facts;
    };
    return result;
  }
  static Merged merged(const matrix::Documents& facts, Json row) {
    const Reading reading{"test", "a source of a test", {}, {{&matrix::tables::cudnn_releases, std::move(row)}}, {}};
    return merge(facts, std::span(&reading, 1), "2026-12-01").value();
  }
  static Json cudnn(const char* version) {
    return {{"version", version}, {"cuda_majors", {"13"}}, {"exact", false}, {"wheels", Json::array()}};
  }

  test::TemporaryFolder folder_;
};

TEST_F(DraftTest, TheUsersFolderHoldsWhatTheBuiltInFactsLack) {
  auto draft = Draft::of(place(), "2026-12-01");
  ASSERT_TRUE(draft) << draft.error().message;
  ASSERT_TRUE(draft->take(merged(draft->facts(), cudnn("9.99.0.1"))));
  ASSERT_TRUE(draft->changed());
  const auto written = draft->write();
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_THAT(written->files, ElementsAre("cudnn.json", "matrix.json"));
  const auto own = matrix::Documents::read({folder_.path() / "own"}).value();
  EXPECT_EQ(own.rows(matrix::tables::cudnn_releases).size(), 1U);
  EXPECT_EQ(own.sources("cudnn.json").size(), 1U);
  EXPECT_EQ(own.head().at("revision"), "2026.12.01");
  EXPECT_EQ(own.head().at("over"), place().below()->head().at("revision"));
  // A second run keeps the first one's rows.
  auto again = Draft::of(place(), "2026-12-01");
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_TRUE(again->take(merged(again->facts(), cudnn("9.99.0.2"))));
  ASSERT_TRUE(again->write());
  const auto both = matrix::Documents::read({folder_.path() / "own"}).value();
  EXPECT_EQ(both.rows(matrix::tables::cudnn_releases).size(), 2U);
  EXPECT_EQ(both.head().at("revision"), "2026.12.01.1");
}

/// The second of two runs at once would undo what the first has written.
TEST_F(DraftTest, ARunThatAnotherHasOvertakenWritesNothing) {
  auto slow = Draft::of(place(), "2026-12-01");
  auto quick = Draft::of(place(), "2026-12-01");
  ASSERT_TRUE(slow && quick);
  ASSERT_TRUE(quick->take(merged(quick->facts(), cudnn("9.99.0.1"))));
  ASSERT_TRUE(quick->write());
  ASSERT_TRUE(slow->take(merged(slow->facts(), cudnn("9.99.0.2"))));
  const auto written = slow->write();
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::bad_input);
  EXPECT_EQ(written.error().message, "another run has since changed these files, so nothing was written");
  EXPECT_THAT(written.error().hints, ElementsAre("run it again: what was fetched is in the cache"));
  const auto own = matrix::Documents::read({folder_.path() / "own"}).value();
  ASSERT_EQ(own.rows(matrix::tables::cudnn_releases).size(), 1U);
  EXPECT_EQ(own.rows(matrix::tables::cudnn_releases).front().value->at("version"), "9.99.0.1");
}

TEST_F(DraftTest, WhatIsNotSoundIsRefusedWhole) {
  auto draft = Draft::of(place(), "2026-12-01");
  ASSERT_TRUE(draft);
  const auto taken = draft->take(merged(draft->facts(), cudnn("../../etc/passwd")));
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code, ErrorCode::bad_input);
  EXPECT_THAT(taken.error().message, testing::StartsWith("it would make the data invalid, so nothing from it is used: "));
  EXPECT_FALSE(draft->changed());
}

TEST(NextRevision, IsTheDayAndANumber) {
  EXPECT_EQ(next_revision("2026.11.24.2", "2026-11-25"), "2026.11.25");
  EXPECT_EQ(next_revision("2026.11.25", "2026-11-25"), "2026.11.25.1");
  EXPECT_EQ(next_revision("2026.11.25.1", "2026-11-25"), "2026.11.25.2");
}

}  // namespace
}  // namespace envgen::update
