#include "update/merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "update/growth.hpp"
#include "update/words.hpp"

namespace envgen::update {
namespace {

namespace tables = matrix::tables;
using testing::ElementsAre;
using testing::IsEmpty;

class MergeTest : public ::testing::Test {
 protected:
  MergeTest() {
    folder_.write("torch.json", R"({"sources": {"wheels": {"what": "METADATA", "url": null, "read": "2026-11-01"},
        "notes": {"what": "release notes", "url": null, "read": "2026-11-01"}},
      "releases": [{"version": "2.15.0", "released": null, "tags_complete": false,
        "default_cuda": {"linux-x86_64": "13.2"}, "torchvision": null, "torchaudio": null, "source": "wheels"}],
      "builds": [{"torch": "2.15.0", "tag": "cu132", "platform": "linux-x86_64", "cuda": "13.2", "toolkit": null,
        "cudnn": "9.26.0.51", "nccl": null, "package_index": {"pythons": ["3.14"]}, "source": "wheels",
        "field_sources": {"cudnn": "notes", "nccl": "notes"}}]})");
    folder_.write("cudnn.json",
                  R"({"sources": {"package-index": {"what": "cuDNN", "url": null, "read": "2026-11-01"}}, "releases": [
      {"version": "9.1.0.1", "source": "package-index"}, {"version": "9.2.0.1", "source": "package-index"},
      {"version": "9.3.0.1", "source": "package-index"}, {"version": "9.4.0.1", "source": "package-index"}]})");
    known_ = matrix::Documents::read({folder_.path()}).value();
  }

  static Reading reading(std::vector<Claim> claims) { return {"wheels", "wheels of a test", {}, std::move(claims), {}}; }
  static Claim build(const Json& more = Json::object()) {
    Json row{{"torch", "2.15.0"}, {"tag", "cu132"}, {"platform", "linux-x86_64"}};
    row.update(more);
    return {&tables::wheel_builds, row};
  }
  Merged merged(std::vector<Claim> claims) {
    const std::vector<Reading> readings{reading(std::move(claims))};
    return merge(known_, readings, "2026-11-25").value();
  }
  std::string refusal(const std::vector<Reading>& readings) {
    const auto result = merge(known_, readings, "2026-11-25");
    EXPECT_FALSE(result);
    return result ? std::string() : result.error().origin + ": " + result.error().message;
  }

  test::TemporaryFolder folder_;
  matrix::Documents known_;
};

TEST_F(MergeTest, WhatAgreesIsCountedAndChangesNothing) {
  const auto result = merged({build({{"cuda", "13.2"}, {"cudnn", "9.26.0.51"}})});
  EXPECT_EQ(result.agreeing, 2U);
  EXPECT_THAT(result.changes, IsEmpty());
  EXPECT_THAT(result.sources, IsEmpty());
}

TEST(Growth, ImagesOfAReleaseAreAddedAndKeepWhatIsKnownOfThem) {
  const auto images = [](const char* text) { return Json::parse(text); };
  const auto known = images(R"([{"tag": "2.20.0-gpu", "evidence": "used", "os": "ubuntu22.04"}])");
  const auto becomes = [&](const Json& stated) { return may_become(tables::tensorflow_releases, "images", known, stated); };
  EXPECT_TRUE(becomes(images(R"([{"tag": "2.20.0-gpu", "digest": "sha256:0", "os": "ubuntu22.04", "evidence": "listed"},
                                 {"tag": "2.20.0-gpu-jupyter", "evidence": "listed", "os": null}])")));
  EXPECT_FALSE(becomes(images(R"([{"tag": "2.20.0-gpu", "evidence": "listed", "os": "ubuntu24.04"}])")));
  EXPECT_FALSE(becomes(images(R"([{"tag": "2.20.0-gpu-jupyter", "evidence": "listed", "os": null}])")));
  EXPECT_FALSE(becomes(Json("2.20.0-gpu")));
}

TEST_F(MergeTest, NullIsFilledInAndVouchedFor) {
  const auto result = merged({build({{"nccl", "2.30.7"}})});
  ASSERT_EQ(result.changes.size(), 1U);
  const auto& change = result.changes.front();
  EXPECT_THAT(change.fields, ElementsAre("nccl"));
  EXPECT_EQ(change.after.at("nccl"), "2.30.7");
  EXPECT_EQ(change.after.at("field_sources"), Json({{"cudnn", "notes"}})) << "the row's own source vouches for it now";
  EXPECT_EQ(result.sources.at("torch.json").at("wheels"), Json({{"what", "METADATA"}, {"url", nullptr}, {"read", "2026-11-25"}}));
  EXPECT_THAT(lines_of(result.changes), ElementsAre("torch 2.15.0 cu132 linux-x86_64: NCCL unknown -> 2.30.7"));
}

TEST_F(MergeTest, PythonsGrowAndNeverShrink) {
  const auto grown = merged({build({{"package_index", {{"pythons", {"3.14", "3.15"}}}}})});
  EXPECT_THAT(lines_of(grown.changes), ElementsAre("torch 2.15.0 cu132 linux-x86_64: Python on the package index +3.15"));
  const auto shrunk = merged({build({{"package_index", {{"pythons", {"3.15"}}}}})});
  EXPECT_THAT(shrunk.changes, IsEmpty());
  EXPECT_THAT(shrunk.refused,
              ElementsAre("torch 2.15.0 cu132 linux-x86_64: Python on the package index is 3.14 (METADATA), but wheels of a "
                          "test says 3.15"));
}

TEST_F(MergeTest, AContradictionIsRefusedWithTheRestOfItsRow) {
  const auto result = merged({build({{"cudnn", "9.27.0.42"}, {"nccl", "2.30.7"}})});
  EXPECT_THAT(result.changes, IsEmpty());
  EXPECT_EQ(result.differing, 1U);
  EXPECT_THAT(
      result.refused,
      ElementsAre("torch 2.15.0 cu132 linux-x86_64: cuDNN is 9.26.0.51 (release notes), but wheels of a test says 9.27.0.42"));
}

TEST_F(MergeTest, ANewRowHasTheFieldsOfItsTable) {
  const auto result =
      merged({{&tables::cudnn_releases,
               {{"version", "9.28.1.4"}, {"cuda_majors", {"13"}}, {"exact", false}, {"wheels", {"nvidia-cudnn-cu13"}}}}});
  ASSERT_EQ(result.changes.size(), 1U);
  EXPECT_EQ(
      result.changes.front().after.dump(),
      R"({"version":"9.28.1.4","cuda_majors":["13"],"gpus":null,"exact":false,"wheels":["nvidia-cudnn-cu13"],"glibc":null,"source":"wheels"})");
  EXPECT_THAT(lines_of(result.changes), ElementsAre("cuDNN 9.28.1.4: new, for CUDA 13; unknown: GPUs"));
}

TEST_F(MergeTest, ANewRowThatLacksWhatItNeedsIsANote) {
  const auto result = merged({{&tables::toolkits, {{"version", "13.5.0"}, {"minor", "13.5"}}}});
  EXPECT_THAT(result.changes, IsEmpty());
  EXPECT_THAT(result.notes,
              ElementsAre("CUDA toolkit 13.5.0: new, but not added, because no source states: GPUs that nvcc compiles "
                          "for, targets for one GPU alone (sm_90a)"));
}

TEST_F(MergeTest, ASourceThatShrinksIsRefused) {
  const Reading cudnn{"package-index", "cuDNN on the index", {}, {{&tables::cudnn_releases, {{"version", "9.4.0.1"}}}}, {}};
  EXPECT_EQ(refusal({cudnn}),
            "cuDNN on the index: it states 1 of the 4 rows of releases known from it, so nothing from it is used: cuDNN "
            "9.1.0.1 is missing");
}

TEST_F(MergeTest, ARowThatIsWithdrawnStays) {
  Reading cudnn{"package-index", "cuDNN on the index", {}, {}, {}};
  for (const auto* version : {"9.2.0.1", "9.3.0.1", "9.4.0.1"})
    cudnn.claims.push_back({&tables::cudnn_releases, {{"version", version}}});
  const auto result = merge(known_, std::vector{cudnn}, "2026-11-25");
  ASSERT_TRUE(result);
  EXPECT_THAT(result->gone, ElementsAre("cuDNN 9.1.0.1"));
  EXPECT_THAT(result->changes, IsEmpty());
}

TEST_F(MergeTest, WhatIsNoRowIsRefused) {
  EXPECT_EQ(refusal({reading({{&tables::wheel_builds, {{"torch", "2.15.0"}}}})}),
            "wheels of a test: a row of builds lacks its tag");
  EXPECT_EQ(refusal({reading({build({{"colour", "red"}})})}), "wheels of a test: a row of builds has no field 'colour'");
}

TEST_F(MergeTest, MoreRowsThanThereCanBeAreRefused) {
  std::vector<Claim> claims;
  for (int i = 0; i < 20'001; ++i) claims.push_back({&tables::cudnn_releases, {{"version", std::to_string(i)}}});
  EXPECT_EQ(refusal({reading(std::move(claims))}),
            "wheels of a test: it states more than 20000 rows, so nothing from it is used");
}

TEST_F(MergeTest, ManyContradictionsMeanThatTheSourceIsWrong) {
  std::vector<Claim> claims;
  std::string rows;
  for (int i = 0; i < 6; ++i) {
    const auto version = "8." + std::to_string(i) + ".0.1";
    rows += (i == 0 ? "" : ", ") + Json{{"version", version}, {"exact", true}}.dump();
    claims.push_back({&tables::cudnn_releases, {{"version", version}, {"exact", "maybe"}}});
  }
  folder_.write("cudnn.json", R"({"sources": {}, "releases": [)" + rows + "]}");
  known_ = matrix::Documents::read({folder_.path()}).value();
  const std::vector<Reading> readings{reading(std::move(claims))};
  EXPECT_EQ(
      refusal(readings),
      "wheels of a test: it contradicts 6 of 6 facts, so nothing from it is used: cuDNN 8.0.0.1: exact is yes (), but wheels "
      "of a test says maybe");
  const auto looked_at = compare(known_, readings, "2026-11-25");
  ASSERT_TRUE(looked_at);
  EXPECT_EQ(looked_at->differing, 6U);
}

TEST_F(MergeTest, ANewTorchIsOneLine) {
  const auto both = [](const char* platform) {
    return Claim{&tables::wheel_builds,
                 {{"torch", "2.16.0"},
                  {"tag", "cu130"},
                  {"platform", platform},
                  {"cuda", "13.0"},
                  {"package_index", {{"pythons", {"3.11", "3.14", "3.14t", "3.15"}}}}}};
  };
  const auto result = merged(
      {{&tables::torch_releases, {{"version", "2.16.0"}, {"tags_complete", false}, {"default_cuda", {{"linux-x86_64", "13.0"}}}}},
       {&tables::torch_releases, {{"version", "2.15.0"}}},
       build(),
       both("linux-x86_64"),
       both("linux-aarch64")});
  EXPECT_THAT(
      lines_of(result.changes),
      ElementsAre("torch 2.16.0: new, CUDA 13.0 (default); Python 3.11 to 3.15; unknown: cuDNN, NCCL, Triton, CUDA toolkit, "
                  "GPU code (SASS), PTX, glibc"));
}

}  // namespace
}  // namespace envgen::update
