#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "update/fake_client.hpp"
#include "update/package_index.hpp"

namespace envgen::update {
namespace {

using testing::ElementsAre;

const std::string page = "https://index.example/simple/tensorflow/";

std::string wheel(const std::string& version, const std::string& python, const std::string& platform = "manylinux_2_17_x86_64") {
  const auto name = "tensorflow-" + version + "-" + python + "-" + python + "-" + platform + ".whl";
  return R"({"filename": ")" + name + R"(", "url": "https://files.example/)" + name + R"(", "core-metadata": true})";
}

std::string metadata(const std::string& version, const std::string& more) {
  return "Metadata-Version: 2.1\nName: tensorflow\nVersion: " + version + "\nRequires-Dist: numpy>=1.26.0\n" + more + "\n";
}

class TensorflowPackages : public ::testing::Test {
 protected:
  TensorflowPackages() {
    folder_.write("tensorflow.json", R"({"releases": [{"version": "2.20.0", "pythons": ["3.12"]}]})");
    known_ = matrix::Documents::read({folder_.path()}).value();
    const auto files = wheel("2.19.0", "cp312") + ", " + wheel("2.20.0", "cp312") + ", " + wheel("2.20.0", "cp313") + ", " +
                       wheel("2.22.0", "cp313", "manylinux_2_27_x86_64") + ", " +
                       wheel("2.22.0", "cp313", "manylinux_2_27_aarch64");
    bodies_ = {{page, R"({"files": [)" + files + "]}"},
               {"https://files.example/tensorflow-2.20.0-cp313-cp313-manylinux_2_17_x86_64.whl.metadata",
                metadata("2.20.0", "Requires-Dist: nvidia-cudnn-cu12<10.0,>=9.3.0.75; extra == \"and-cuda\"\n")},
               {"https://files.example/tensorflow-2.22.0-cp313-cp313-manylinux_2_27_x86_64.whl.metadata",
                metadata("2.22.0",
                         "Requires-Dist: nvidia-cuda-runtime-cu13<14.0,>=13.1.80; extra == \"and-cuda\"\n"
                         "Requires-Dist: nvidia-cudnn-cu13==9.17.0.29; extra == \"and-cuda\"\n")}};
  }

  /// The claims, a line each.
  std::string lines(bool again = false) {
    test::FakeClient client(bodies_);
    Visit visit{client, known_, [](std::string_view, std::size_t, std::size_t) {}, "2026-11-25"};
    visit.again = again;
    visit.progress = [this](std::string_view what, std::size_t done, std::size_t all) {
      told_.push_back(fmt::format("{} {}/{}", what, done, all));
    };
    visit.pip = [] { return PipSettings{{"https://index.example/simple"}, {}, {}, {}}; };
    PackageIndex index(visit);
    if (auto listed = index.list({"tensorflow"}); !listed) return listed.error().message;
    const auto readings = read_tensorflow_packages(index);
    asked_ = client.asked.size();
    notes_ = index.notes();
    if (!readings) return readings.error().origin + ": " + readings.error().message;
    std::string text;
    for (const auto& claim : readings->front().claims) text += claim.row.dump() + "\n";
    return text;
  }

  test::TemporaryFolder folder_;
  matrix::Documents known_;
  std::map<std::string, std::string> bodies_;
  std::size_t asked_ = 0;
  std::vector<std::string> notes_;
  std::vector<std::string> told_;  ///< as progress
};

TEST_F(TensorflowPackages, OfANewReleaseAreReadAndOfAKnownOneCounted) {
  EXPECT_EQ(lines(),
            R"({"version":"2.20.0","pythons":["3.12","3.13"]}
{"version":"2.22.0","pythons":["3.13"],"pins":{"nvidia-cuda-runtime-cu13":"<14.0,>=13.1.80","nvidia-cudnn-cu13":"==9.17.0.29"},"cuda":"13.1","cudnn":"9.17","glibc":"2.27","images":[]}
)");
  EXPECT_EQ(asked_, 2U) << "the page, and METADATA of the one that nobody had read";
}

TEST_F(TensorflowPackages, OfWhichAllAreYankedAreANote) {
  lines();
  EXPECT_THAT(notes_, testing::IsEmpty());
  auto& listing = bodies_.at(page);
  const std::string_view any = R"("core-metadata": true)";
  for (auto at = listing.find(any); at != std::string::npos; at = listing.find(any))
    listing.replace(at, any.size(), R"("yanked": "a reason")");
  EXPECT_EQ(lines(), "");
  EXPECT_THAT(notes_, ElementsAre("tensorflow: all of its wheels on the index are withdrawn (yanked), so none is used"));
}

/// Hundreds of files are fetched where all is read again, and for a minute nothing would be told.
TEST_F(TensorflowPackages, TellHowFarTheyAreWhileTheyAreFetched) {
  std::string files;
  for (int patch = 0; patch < 70; ++patch) {
    const auto version = fmt::format("2.22.{}", patch);
    const auto file = fmt::format("tensorflow-{}-cp313-cp313-manylinux_2_27_x86_64.whl", version);
    files += fmt::format(R"({}{{"filename": "{}", "url": "https://files.example/{}", "core-metadata": true}})",
                         files.empty() ? "" : ", ", file, file);
    bodies_["https://files.example/" + file + ".metadata"] = metadata(version, "");
  }
  bodies_[page] = R"({"files": [)" + files + "]}";
  lines();
  told_.erase(std::unique(told_.begin(), told_.end()), told_.end());
  EXPECT_THAT(told_, ElementsAre("the pages of the package index 0/1", "METADATA of wheels 0/70", "METADATA of wheels 32/70",
                                 "METADATA of wheels 64/70", "METADATA of wheels 70/70"));
}

TEST_F(TensorflowPackages, AreReadAgainToVerify) {
  EXPECT_TRUE(lines(true).starts_with(
      R"({"version":"2.20.0","pythons":["3.12","3.13"],"pins":{"nvidia-cudnn-cu12":"<10.0,>=9.3.0.75"}})"));
}

TEST_F(TensorflowPackages, WithoutTheExtraPinNothing) {
  bodies_["https://files.example/tensorflow-2.22.0-cp313-cp313-manylinux_2_27_x86_64.whl.metadata"] = metadata("2.22.0", "");
  EXPECT_TRUE(lines().ends_with(
      R"({"version":"2.22.0","pythons":["3.13"],"pins":null,"cuda":null,"cudnn":null,"glibc":"2.27","images":[]})"
      "\n"));
}

TEST_F(TensorflowPackages, WhoseMetadataIsAnotherProjectsAreAnError) {
  auto& body = bodies_.at("https://files.example/tensorflow-2.22.0-cp313-cp313-manylinux_2_27_x86_64.whl.metadata");
  body.replace(body.find("Name: tensorflow"), 16, "Name: evil");
  EXPECT_EQ(lines(),
            "https://files.example/tensorflow-2.22.0-cp313-cp313-manylinux_2_27_x86_64.whl.metadata: the response is not in the "
            "format of this source: the METADATA of tensorflow-2.22.0-cp313-cp313-manylinux_2_27_x86_64.whl belongs to 'evil'");
}

TEST_F(TensorflowPackages, WhoseMetadataHasAnotherHashAreAnError) {
  auto& listing = bodies_.at(page);
  const std::string_view any = R"("core-metadata": true)";
  for (auto at = listing.find(any); at != std::string::npos; at = listing.find(any))
    listing.replace(at, any.size(), R"("core-metadata": {"sha256": "00"})");
  EXPECT_EQ(lines(),
            "https://files.example/tensorflow-2.22.0-cp313-cp313-manylinux_2_27_x86_64.whl.metadata: the sha256 of this METADATA "
            "is not the one that the index states");
}

TEST_F(TensorflowPackages, WhoseMetadataIsMissingAreAnError) {
  bodies_.erase("https://files.example/tensorflow-2.22.0-cp313-cp313-manylinux_2_27_x86_64.whl.metadata");
  EXPECT_EQ(lines(),
            "https://files.example/tensorflow-2.22.0-cp313-cp313-manylinux_2_27_x86_64.whl.metadata: it is not there (HTTP 404)");
}

}  // namespace
}  // namespace envgen::update
