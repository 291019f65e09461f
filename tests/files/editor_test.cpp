// Dev containers and VS Code, read back by a JSON parser that accepts comments, as VS Code does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/run_tool.hpp"
#include "files/file.hpp"
#include "files/kinds.hpp"
#include "files/resolved.hpp"

namespace envgen {
namespace {

using test::run_tool;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using Json = nlohmann::json;

Json rendered_json(std::vector<std::string> words) {
  words.insert(words.begin(), "render");
  const auto outcome = run_tool(words);
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(files::state_of(outcome.out), files::State::untouched);
  return Json::parse(outcome.out, nullptr, true, true);
}

std::vector<std::string> run_arguments(const Json& config) { return config["runArgs"].get<std::vector<std::string>>(); }

TEST(DevContainer, UsesAGpuWhereThereIsOne) {
  const auto config = rendered_json({"devcontainer", "--torch", "2.3"});
  EXPECT_EQ(config["build"], Json({{"dockerfile", "Dockerfile"}}));
  EXPECT_EQ(config["hostRequirements"], Json({{"gpu", "optional"}}));
  // The Dev Containers CLI adds the flag itself; twice would be a mistake.
  EXPECT_THAT(run_arguments(config), ElementsAre("--ipc=host", "--ulimit", "memlock=-1", "--ulimit", "stack=67108864"));
  EXPECT_EQ(config["remoteUser"], "dev");
  EXPECT_EQ(config["forwardPorts"], Json({8888}));
  EXPECT_EQ(config["mounts"], Json({"source=envgen-cache-${devcontainerId},target=/home/dev/.cache,type=volume"}));
  EXPECT_EQ(config["customizations"]["vscode"]["settings"]["python.defaultInterpreterPath"], "/opt/venv/bin/python");
  EXPECT_THAT(config["customizations"]["vscode"]["extensions"].get<std::vector<std::string>>(),
              IsSupersetOf({"ms-python.python", "ms-python.pylint", "ms-python.debugpy", "ms-python.black-formatter",
                            "ms-toolsai.jupyter", "mhutchie.git-graph", "eamodio.gitlens"}));
}

TEST(DevContainer, BuildsTheDockerfileOfTheProjectWhereThereIsOne) {
  const auto environment = test::environment_of("torch=2.3 gpu=4090");
  const files::Options options;
  const auto made = [&](std::vector<std::string> names) {
    return files::devcontainer({environment, options, "sha256:0", std::move(names)});
  };
  const auto beside = made({"dockerfile", "devcontainer"});
  ASSERT_TRUE(beside) << beside.error().message;
  ASSERT_EQ(beside->size(), 1U);
  EXPECT_EQ(Json::parse(beside->front().text, nullptr, true, true)["build"],
            Json({{"dockerfile", "../Dockerfile"}, {"context", ".."}}));
  const auto composed = made({"compose", "devcontainer"});  // which brings one, too
  ASSERT_TRUE(composed) << composed.error().message;
  ASSERT_EQ(composed->size(), 1U);
  EXPECT_EQ(composed->front().text, beside->front().text);
  const auto alone = made({"devcontainer", "vscode"});
  ASSERT_TRUE(alone) << alone.error().message;
  ASSERT_EQ(alone->size(), 2U);
  EXPECT_EQ(alone->at(1).path, ".devcontainer/Dockerfile");
  EXPECT_EQ(Json::parse(alone->front().text, nullptr, true, true)["build"], Json({{"dockerfile", "Dockerfile"}}));
}

TEST(DevContainer, RefusesBesideADockerfileWhatItRefusesAlone) {
  auto environment = test::environment_of("torch=2.3 gpu=4090");
  environment.system->family = "el";
  const files::Options options;
  for (const auto& names : {std::vector<std::string>{"devcontainer"}, {"dockerfile", "devcontainer"}}) {
    const auto made = files::make(*files::find_output("devcontainer"), {environment, options, "sha256:0", names});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message, "envgen's Dockerfiles use apt, which ubuntu22.04 does not have");
  }
}

TEST(DevContainer, AsksForAGpuWhereOneIsRequired) {
  EXPECT_EQ(rendered_json({"devcontainer", "--torch", "2.3", "--require-gpu"})["hostRequirements"], Json({{"gpu", true}}));
  EXPECT_EQ(run_tool({"render", "devcontainer", "--torch", "2.3", "--require-gpu", "--container-gpus", "none"}).err,
            "envgen: --require-gpu: the container gets no GPU, so none can be required\n"
            "  leave out --container-gpus none\n");
}

TEST(DevContainer, RequiresNoGpuForTheCpu) {
  EXPECT_EQ(run_tool({"render", "devcontainer", "--torch", "2.13", "--cuda", "cpu", "--require-gpu"}).err,
            "envgen: --require-gpu: this is a CPU build, so a GPU cannot be required\n  leave out --cuda cpu\n");
}

TEST(DevContainer, NamesTheGpusThatWereChosen) {
  const auto one = rendered_json({"devcontainer", "--torch", "2.3", "--container-gpus", "device=0,1"});
  EXPECT_FALSE(one.contains("hostRequirements"));
  EXPECT_THAT(run_arguments(one), IsSupersetOf({"--gpus", "\"device=0,1\""}));
  const auto podman = rendered_json({"devcontainer", "--torch", "2.3", "--podman"});
  EXPECT_FALSE(podman.contains("hostRequirements"));
  EXPECT_THAT(run_arguments(podman), IsSupersetOf({"--device", "nvidia.com/gpu=all", "--userns=keep-id"}));
  const auto cpu = rendered_json({"devcontainer", "--torch", "2.13", "--cuda", "cpu"});
  EXPECT_FALSE(cpu.contains("hostRequirements"));
  EXPECT_THAT(run_arguments(cpu), Not(Contains("--gpus")));
}

TEST(DevContainer, IsBuiltBehindATlsProxy) {
  EXPECT_THAT(rendered_json({"devcontainer", "--torch", "2.3", "--ca-cert", "certificates.pem"})["build"]["options"].dump(),
              HasSubstr("id=ca-cert,src=${localWorkspaceFolder}/certificates.pem"));
}

TEST(DevContainer, HasAnInterpreterForEachKindOfImage) {
  const auto interpreter = [](std::vector<std::string> words) {
    words.insert(words.begin(), "devcontainer");
    return rendered_json(words)["customizations"]["vscode"]["settings"]["python.defaultInterpreterPath"].get<std::string>();
  };
  EXPECT_EQ(interpreter({"--torch", "2.3"}), "/opt/venv/bin/python");
  EXPECT_EQ(interpreter({"--torch", "2.5", "--installer", "conda"}), "/opt/env/bin/python");
  EXPECT_EQ(interpreter({"--torch", "2.3", "--base", "pytorch"}), "/opt/conda/bin/python");
  EXPECT_EQ(interpreter({"--tensorflow", "2.15.0", "--base", "tensorflow"}), "python");
}

TEST(VsCode, OutsideHasTheInterpreterThatSetupMakes) {
  const auto interpreter = [](std::vector<std::string> words) {
    words.insert(words.begin(), "vscode");
    return rendered_json(words)["python.defaultInterpreterPath"].get<std::string>();
  };
  EXPECT_EQ(interpreter({"--torch", "2.3"}), "${workspaceFolder}/.venv/bin/python");
  EXPECT_EQ(interpreter({"--torch", "2.5", "--installer", "conda"}), "${workspaceFolder}/.conda/bin/python");
}

TEST(VsCode, BesideADevContainerLeavesTheInterpreterToIt) {
  Environment environment;
  environment.torch = Environment::FrameworkBuild();
  const files::Options options;
  const auto files = files::vscode({environment, options, {}, {"devcontainer", "vscode"}});
  ASSERT_TRUE(files);
  EXPECT_THAT(files->front().text, AllOf(Not(HasSubstr("defaultInterpreterPath")), HasSubstr("black-formatter")));
}

TEST(VsCode, StartsAProcessForEachGpu) {
  const auto launch = [](std::optional<Version> cuda) {
    Environment environment;
    environment.torch = Environment::FrameworkBuild();
    environment.torch->cuda = cuda;
    const files::Options options;
    return files::vscode({environment, options, {}})->at(1).text;
  };
  EXPECT_THAT(launch(Version(12, 1)), HasSubstr("--nproc_per_node=gpu"));
  EXPECT_THAT(launch(std::nullopt), HasSubstr("--nproc_per_node=2"));
}

TEST(VsCode, BringsCppAndNsightWithACompiler) {
  const auto extensions = [](const std::string& variant) {
    return rendered_json({"devcontainer", "--torch", "2.9", "--variant", variant})["customizations"]["vscode"]["extensions"]
        .get<std::vector<std::string>>();
  };
  EXPECT_THAT(extensions("devel"), IsSupersetOf({"ms-vscode.cpptools", "nvidia.nsight-vscode-edition"}));
  EXPECT_THAT(extensions("runtime"), Not(Contains("ms-vscode.cpptools")));
}

}  // namespace
}  // namespace envgen
