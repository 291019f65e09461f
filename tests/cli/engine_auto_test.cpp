// `--engine auto`: which engine it stands for, and why docker was passed over.
#include <gtest/gtest.h>

#include "cli/run_tool.hpp"
#include "support/engine_double.hpp"

namespace envgen::test {
namespace {

constexpr auto podman_info =
    R"({"host": {"arch": "amd64", "hostname": "h", "serviceIsRemote": false}, "version": {"Version": "4.3.1"}})";

TEST(EngineAuto, SaysWhyDockerWasPassedOver) {
  const EngineDouble both({"docker", "podman"});
  both.answer("info.1", "", 1, "Cannot connect to the Docker daemon");
  both.answer("info.2", podman_info);
  const auto outcome = run_tool({"resolve", "--engine", "auto", "--format", "json"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.json()["request"]["engine"], "podman");
  EXPECT_EQ(outcome.err,
            "envgen: --engine auto uses podman 4.3.1: docker, which it tries first, cannot be used (docker info: exit status 1: "
            "Cannot connect to the Docker daemon)\n");
}

TEST(EngineAuto, SaysThatDockerIsNotInstalled) {
  const EngineDouble podman({"podman"});
  podman.answer("info", podman_info);
  const auto outcome = run_tool({"resolve", "--engine", "auto"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.err,
            "envgen: --engine auto uses podman 4.3.1: docker, which it tries first, cannot be used (docker is not on PATH)\n");
}

TEST(EngineAuto, SaysNothingOfDocker) {
  const EngineDouble docker;
  docker.answer("info", EngineDouble::info(""));
  const auto outcome = run_tool({"resolve", "--engine", "auto", "--format", "json"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.json()["request"]["engine"], "docker");
  EXPECT_EQ(outcome.err, "");
}

TEST(EngineAuto, NeitherAnswers) {
  const EngineDouble docker;
  docker.answer("info", "", 1, "Cannot connect to the Docker daemon");
  const auto outcome = run_tool({"resolve", "--engine", "auto"});
  EXPECT_EQ(outcome.exit, 6);
  EXPECT_EQ(
      outcome.err,
      "envgen: docker info: exit status 1\n  Cannot connect to the Docker daemon\n  podman is not on PATH\n  name it: --engine "
      "docker|docker-cdi|podman|none\n");
}

}  // namespace
}  // namespace envgen::test
