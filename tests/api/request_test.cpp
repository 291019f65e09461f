#include "api/request.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/embedded/embedded.hpp"
#include "support/request_text.hpp"

/// What the outputs add to a request.
namespace envgen::api {
namespace {

using Names = std::vector<std::string>;

std::string engine_of(std::string_view request, const Names& made, const files::Options& options = {}) {
  const auto whole = with_outputs(test::request_of(request), options, made, matrix::embedded(), [](const std::string&) {});
  const auto* engine = whole.value().find(Field::engine);
  return engine == nullptr ? "" : engine->text;
}

TEST(Outputs, WithoutAContainerHaveNoEngine) {
  EXPECT_EQ(engine_of("torch=2.8 variant=devel", {"setup"}), "none");
  EXPECT_EQ(engine_of("torch=2.8 variant=devel", {"requirements", "conda"}), "none");
  EXPECT_EQ(engine_of("tensorflow=2.10", {"pyproject"}), "none");
}

TEST(Outputs, LeaveTheEngineAloneWhereAnImageMayRun) {
  EXPECT_EQ(engine_of("torch=2.8 variant=devel", {"setup", "dockerfile"}), "");
  EXPECT_EQ(engine_of("torch=2.8 variant=devel", {}), "") << "a project that makes nothing may mean anything";
  EXPECT_EQ(engine_of("torch=2.8 variant=devel base=cuda", {"setup"}), "") << "an image was asked for";
  EXPECT_EQ(engine_of("torch=2.8 variant=devel engine=podman", {"setup"}), "podman");
  EXPECT_EQ(engine_of("torch=2.8", {"setup"}), "") << "no image with CUDA is in question";
}

TEST(Outputs, ForPodmanHaveItsEngine) {
  files::Options podman;
  podman.podman = true;
  EXPECT_EQ(engine_of("torch=2.8 variant=devel", {"dockerfile"}, podman), "podman") << "no gate is checked";
  EXPECT_EQ(engine_of("torch=2.8 variant=devel", {"setup"}, podman), "podman");
  EXPECT_EQ(engine_of("torch=2.8 engine=docker", {"dockerfile"}, podman), "docker") << "files/ refuses the two together";
}

TEST(Outputs, InStagesRunAnotherImage) {
  files::Options options;
  const auto runs = [&] {
    return with_outputs(test::request_of("torch=2.8"), options, Names{"dockerfile"}, matrix::embedded(),
                        [](const std::string&) {})
        ->start_image_runs;
  };
  EXPECT_TRUE(runs());
  options.multi_stage = true;
  EXPECT_FALSE(runs());
}

}  // namespace
}  // namespace envgen::api
