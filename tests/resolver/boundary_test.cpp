#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "matrix/embedded/embedded.hpp"
#include "resolver/materialize.hpp"
#include "support/answers.hpp"
#include "support/literals.hpp"
#include "support/matrix_folder.hpp"
#include "support/request_text.hpp"

/// Values that lie exactly on a bound, and choices that no request of the other tests turns on.
namespace envgen::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> about(const Environment& environment, std::string_view text) {
  std::vector<std::string> found;
  for (const auto& warning : environment.warnings) {
    if (warning.find(text) != std::string::npos) found.push_back(warning);
  }
  return found;
}

TEST(Boundary, AGlibcThatIsExactlyTheFloorWillDo) {
  const auto environment = must("torch=2.12 os=rockylinux8");
  EXPECT_EQ(environment.torch->glibc, "2.28");
  EXPECT_EQ(environment.os, "rockylinux8");
  ASSERT_TRUE(environment.system);
  EXPECT_EQ(summary("torch=2.12 os=ubuntu18.04"), "conflict: torch, os");  // glibc 2.27
}

/// Rocky Linux 8 brings Python 3.6 alone, so any would do; the newest one has no Triton, without which torch.compile fails.
TEST(Boundary, ThePythonIsOneThatTritonIsMadeFor) {
  const auto environment = must("torch=2.5.0 cuda=12.4 os=rockylinux8");
  EXPECT_THAT(environment.torch->pythons, ElementsAre("3.9", "3.10", "3.11", "3.12", "3.13"));
  EXPECT_EQ(environment.python, "3.11");
  EXPECT_EQ(environment.torch->triton, "3.1.0");
}

TEST(Boundary, ADevelImageOfTensorflowHasItsCudnn) {
  const auto environment = must("tensorflow=2.10 variant=devel");
  const auto reason =
      std::find_if(environment.reasons.begin(), environment.reasons.end(), [](const auto& one) { return one.field == "image"; });
  ASSERT_NE(reason, environment.reasons.end());
  EXPECT_EQ(reason->value, "nvidia/cuda:11.2.2-cudnn8-devel-ubuntu20.04");
}

TEST(Boundary, AnInferredImageIsOfferedWhereAllowedAndIsSaidToBeOne) {
  const auto environment = must("torch=2.7 cuda=12.8 base=cuda variant=devel allow-inferred");
  EXPECT_EQ(environment.images.devel_cudnn, "nvidia/cuda:12.8.2-cudnn-devel-ubuntu24.04");
  EXPECT_THAT(about(environment, "inferred"),
              ElementsAre("nvidia/cuda:12.8.2-cudnn-devel-ubuntu24.04 is inferred: no listing or use of it was found",
                          "nvidia/cuda:12.8.2-cudnn-runtime-ubuntu24.04 is inferred: no listing or use of it was found"));
  const auto without = must("torch=2.7 cuda=12.8 base=cuda variant=devel");
  EXPECT_NE(without.images.devel_cudnn, "nvidia/cuda:12.8.2-cudnn-devel-ubuntu24.04");
  EXPECT_THAT(about(without, "inferred"), ElementsAre());
}

TEST(Boundary, AnImagePastItsEndOfLifeIsTheLastChoiceAndIsSaidToBeOne) {
  const auto dead = must("torch=1.12 cuda=11.3 base=cuda");
  EXPECT_THAT(
      about(dead, "past their end of life"),
      ElementsAre("the nvidia/cuda images for CUDA 11.3.1 on ubuntu20.04 are past their end of life and may be deleted; no "
                  "supported tag is suitable"));
  EXPECT_THAT(about(must("torch=1.12 cuda=11.6 base=cuda"), "past their end of life"), ElementsAre());
  // The same images, where nothing starts from them.
  EXPECT_THAT(about(must("torch=1.12 cuda=11.3 base=slim"), "past their end of life"), ElementsAre());
}

/// The facts of the repository, as if they had been read on another day.
std::vector<std::string> warnings_read_on(std::string_view day, std::string_view request) {
  const MatrixFolder folder;
  for (const auto& file : std::filesystem::directory_iterator(ENVGEN_TEST_DATA "/../../matrix")) {
    if (file.path().extension() != ".json") continue;
    std::stringstream text;
    text << std::ifstream(file.path()).rdbuf();
    auto json = nlohmann::json::parse(text.str());
    if (file.path().filename() == "matrix.json") json["read"] = day;
    folder.write(file.path().filename().string(), json.dump());
  }
  const auto loaded = folder.load();
  if (!loaded.block) throw std::runtime_error(loaded.problems.front().message);
  const auto matrix = loaded.block->matrix();
  const auto query = resolver::interpret(matrix, request_of(request));
  if (!query) throw std::runtime_error(query.error().message);
  const auto answer = resolver::resolve(matrix, *query);
  return resolver::materialize(matrix, *query, std::get<resolver::Solution>(answer)).warnings;
}

TEST(Boundary, ASystemIsSupportedOnTheLastDayOfItsSupport) {
  constexpr std::string_view request = "torch=2.4 os=ubuntu20.04";  // until 2025-05-31
  EXPECT_THAT(warnings_read_on("2025-05-31", request), Not(Contains(HasSubstr("regular support"))));
  EXPECT_THAT(warnings_read_on("2025-06-01", request), Contains("regular support for Ubuntu 20.04 ended on 2025-05-31"));
}

}  // namespace
}  // namespace envgen::test
