#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_matrix.hpp"

/// The builds that stand in for what an open release may have besides: every CUDA that is not older than all of the newest
/// complete release before it.
namespace envgen::matrix {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class OpenReleases : public testing::Test, protected test::SmallMatrix {
 protected:
  OpenReleases() {
    files["cuda.json"]["minors"] = Json::array();
    for (const auto* cuda : {"11.7", "11.8", "12.1", "12.4"})
      files["cuda.json"]["minors"].push_back({{"cuda", cuda}, {"native_driver", nullptr}, {"source", "s"}});
    files["torch.json"]["releases"] = Json::array();
    files["torch.json"]["builds"] = Json::array();
    files["torch.json"]["torchvision"] = Json::array();
  }

  void release(const std::string& version, bool complete, const std::vector<std::string>& cudas) {
    files["torch.json"]["releases"].push_back({{"version", version},
                                               {"released", nullptr},
                                               {"tags_complete", complete},
                                               {"default_cuda", Json::object()},
                                               {"torchvision", nullptr},
                                               {"torchaudio", nullptr},
                                               {"source", "s"}});
    for (const auto& cuda : cudas) {
      auto build = test::SmallMatrix().row("torch.json", "builds");
      build["torch"] = version;
      build["cuda"] = cuda == "cpu" ? Json() : Json(cuda);
      build["tag"] = "cu" + cuda;
      files["torch.json"]["builds"].push_back(std::move(build));
    }
  }

  /// `2.3.1 11.8 linux-x86_64`; the CPU build has no CUDA.
  std::vector<std::string> stand_ins() const {
    const auto loaded = load();
    EXPECT_THAT(loaded.problems, IsEmpty());
    std::vector<std::string> texts;
    const auto matrix = loaded.block->matrix();
    for (std::size_t i = 0; i < matrix->builds.size(); ++i) {
      const auto& build = matrix->builds[i];
      EXPECT_EQ(build.listed, i < matrix->listed_builds);
      if (build.listed || build.platform != Platform::linux_x86_64) continue;
      EXPECT_EQ(build.cpu, !build.cuda);
      texts.push_back(std::string(build.version_text.view()) + " " + std::string(build.tag.view()));
    }
    return texts;
  }
};

TEST_F(OpenReleases, MayHaveEveryCudaThatIsNotListed) {
  release("2.3.1", false, {"12.1"});
  EXPECT_THAT(stand_ins(), ElementsAre("2.3.1 cu124", "2.3.1 cu118", "2.3.1 cu117", "2.3.1 cpu"));
}

TEST_F(OpenReleases, DoNotGoBackBehindTheNewestCompleteOneBeforeThem) {
  release("2.1.0", true, {"11.7"});
  release("2.2.0", true, {"12.1", "11.8", "cpu"});
  release("2.2.1", false, {"11.7"});
  release("2.3.1", false, {"12.1", "cpu"});
  release("2.4.0", true, {"12.4"});
  EXPECT_THAT(stand_ins(), ElementsAre("2.3.1 cu124", "2.3.1 cu118", "2.2.1 cu124", "2.2.1 cu121", "2.2.1 cu118", "2.2.1 cpu"));
}

TEST_F(OpenReleases, OfACompleteListAreNone) {
  release("2.3.1", true, {"12.1"});
  EXPECT_THAT(stand_ins(), IsEmpty());
}

TEST_F(OpenReleases, HaveStandInsForBothPlatforms) {
  release("2.3.1", false, {"12.1"});
  const auto loaded = load();
  const auto matrix = loaded.block->matrix();
  std::vector<std::string> arm;
  for (const auto& build : matrix->builds) {
    if (build.platform == Platform::linux_aarch64) arm.emplace_back(build.tag.view());
  }
  EXPECT_THAT(arm, ElementsAre("cu124", "cu121", "cu118", "cu117", "cpu"));
}

}  // namespace
}  // namespace envgen::matrix
