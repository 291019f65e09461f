// What engines say of themselves and of images, and what is made of engines that say nothing.
#include "container/engine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/engine_double.hpp"

namespace envgen::container {
namespace {

using test::EngineDouble;
using testing::ElementsAre;

util::RunTime a_minute() { return util::RunTime(std::chrono::seconds(60)); }

TEST(Engine, NeitherIsThere) {
  const EngineDouble none(std::vector<std::string>{});
  const auto engine = Engine::find("auto", a_minute());
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code, ErrorCode::missing);
  EXPECT_EQ(engine.error().message, "neither docker nor podman is on PATH");
  EXPECT_THAT(engine.error().hints, ElementsAre("install Docker: https://docs.docker.com/engine/install/",
                                                "or podman: sudo apt-get install -y podman"));
}

TEST(Engine, TheNamedOneIsNotThere) {
  const EngineDouble docker({"docker"});
  const auto engine = Engine::find("podman", a_minute());
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().message, "podman is not on PATH");
  EXPECT_EQ(engine.error().origin, "--engine");
}

TEST(Engine, ItsDaemonDoesNotRun) {
  const EngineDouble docker;
  docker.answer("info", "", 1,
                "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n");
  const auto engine = Engine::find("auto", a_minute());
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().message, "docker info: exit status 1");
  EXPECT_THAT(engine.error().hints,
              ElementsAre("Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
                          "podman is not on PATH"));
}

TEST(Engine, AnAnswerWithoutAnEndIsNotWaitedFor) {
  const EngineDouble docker;
  std::filesystem::create_symlink("/dev/zero", docker.folder() / "info.out");
  const auto engine = Engine::find("docker", util::RunTime(std::chrono::seconds(20)));
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().message, "docker info: too much output");
}

TEST(Engine, AnOldClientSucceedsWithoutItsDaemon) {
  const EngineDouble docker;
  docker.answer("info", R"({"ServerErrors": ["Cannot connect to the Docker daemon"]})");
  const auto engine = Engine::find("docker", a_minute());
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().message, "no Docker daemon responds");
  EXPECT_THAT(engine.error().hints, ElementsAre("Cannot connect to the Docker daemon"));
}

TEST(Engine, PodmanWhereDockerDoesNotAnswer) {
  const EngineDouble both({"docker", "podman"});
  both.answer("info.1", "", 1, "no daemon");
  both.answer("info.2", R"({"host": {"arch": "amd64", "hostname": "h", "serviceIsRemote": false, "ociRuntime": {"name": "crun"}},
                           "version": {"Version": "4.3.1"}})");
  const auto engine = Engine::find("auto", a_minute());
  ASSERT_TRUE(engine) << engine.error().message;
  EXPECT_EQ(engine->kind(), EngineKind::podman);
  EXPECT_EQ(engine->facts().version, "4.3.1");
  EXPECT_THAT(engine->facts().runtimes, ElementsAre("crun"));
  ASSERT_TRUE(engine->passed_over());
  EXPECT_EQ(engine->passed_over()->message, "docker info: exit status 1");
  EXPECT_THAT(engine->passed_over()->hints, ElementsAre("no daemon"));
}

TEST(Engine, PassesNothingOverWhereDockerAnswers) {
  const EngineDouble docker;
  docker.answer("info", EngineDouble::info(""));
  const auto engine = Engine::find("auto", a_minute());
  ASSERT_TRUE(engine) << engine.error().message;
  EXPECT_FALSE(engine->passed_over());
}

TEST(Engine, RuntimesAndDevices) {
  const auto facts = parse_docker_info(EngineDouble::info(R"(, "Runtimes": {"runc": {}, "nvidia": {}}, "DiscoveredDevices":
        [{"Source": "cdi", "ID": "nvidia.com/gpu=0"}, {"Source": "other", "ID": "x"}])"),
                                       "unix:///run/docker.sock", "another");
  ASSERT_TRUE(facts);
  EXPECT_THAT(facts->runtimes, ElementsAre("runc", "nvidia"));
  EXPECT_THAT(facts->cdi_devices, ElementsAre("nvidia.com/gpu=0"));
}

/// --gpus goes by CDI from 29.2 on, where docker has found devices; before, and without them, by the hook.
TEST(Engine, StandsForAChoiceByItsReleaseAndItsDevices) {
  const auto docker = [](const char* version, std::vector<std::string> devices) {
    EngineFacts facts;
    facts.version = version;
    facts.cdi_devices = std::move(devices);
    return engine_choice(EngineKind::docker, facts);
  };
  EXPECT_EQ(docker("29.2.0-rc.1", {"nvidia.com/gpu=all"}), envgen::Engine::docker_cdi);
  EXPECT_EQ(docker("29.1.5", {"nvidia.com/gpu=all"}), envgen::Engine::docker);
  EXPECT_EQ(docker("29.4.0", {"amd.com/gpu=all"}), envgen::Engine::docker);
  EXPECT_EQ(docker("dev", {"nvidia.com/gpu=all"}), envgen::Engine::docker);
  EXPECT_EQ(engine_choice(EngineKind::podman, {}), envgen::Engine::podman);
}

TEST(Engine, ItsLabelNamesTestDoubles) {
  const auto doubles = [](const std::string& labels) {
    const auto facts = parse_docker_info(EngineDouble::info(", \"Labels\": " + labels), "unix:///run/docker.sock", "another");
    return facts ? facts->doubles : std::vector<std::string>{"no facts"};
  };
  EXPECT_THAT(doubles(R"(["region=here", "envgen.doubles=a\u001b[1m", "envgen.doubles.more=c"])"), ElementsAre("a\\x1b[1m"));
  EXPECT_THAT(doubles("null"), ElementsAre());
}

TEST(Engine, IsLocalOnlyWhereItsMachineIsThis) {
  const auto local = [](const std::string& address, const std::string& name, const std::string& system = "Debian") {
    const auto facts = parse_docker_info(
        R"({"ServerVersion": "29.1.0", "Name": ")" + name + R"(", "OperatingSystem": ")" + system + "\"}", address, "here");
    return facts && facts->local;
  };
  EXPECT_TRUE(local("unix:///var/run/docker.sock", "here"));
  EXPECT_FALSE(local("tcp://10.0.0.1:2376", "here"));
  EXPECT_FALSE(local("ssh://there", "there"));
  EXPECT_FALSE(local("unix:///var/run/docker.sock", "there"));  // a socket that was mounted
  EXPECT_FALSE(local("unix:///var/run/docker.sock", "here", "Docker Desktop"));
}

TEST(Engine, PodmanIsLocalOnlyWhereItsMachineIsThis) {
  const auto local = [](const std::string& host) {
    const auto facts =
        parse_podman_info(R"({"host": {"arch": "amd64")" + host + R"(}, "version": {"Version": "5.4.2"}})", "here");
    EXPECT_TRUE(facts) << host;
    return facts && facts->local;
  };
  EXPECT_TRUE(local(R"(, "hostname": "here", "serviceIsRemote": false)"));
  EXPECT_FALSE(local(R"(, "hostname": "here", "serviceIsRemote": true)"));
  EXPECT_FALSE(local(R"(, "hostname": "here")"));
  EXPECT_FALSE(local(R"(, "hostname": "there", "serviceIsRemote": false)"));
  EXPECT_FALSE(local(R"(, "serviceIsRemote": false)"));
}

TEST(Engine, WhatIsOfAnotherTypeIsNotThere) {
  const auto facts = parse_docker_info(
      EngineDouble::info(R"(, "Runtimes": ["runc"], "DiscoveredDevices": {"a": {"Source": "cdi", "ID": "x"}})"), "", "another");
  ASSERT_TRUE(facts);
  EXPECT_THAT(facts->runtimes, ElementsAre());
  EXPECT_THAT(facts->cdi_devices, ElementsAre());
}

TEST(Engine, AnAnswerThatDescribesNoneIsAnError) {
  const auto docker = [](const std::string& text) { return parse_docker_info(text, "", "here").error().message; };
  EXPECT_EQ(docker("{}"), "no Docker daemon responds");
  EXPECT_EQ(docker(R"({"ServerVersion": ""})"), "no Docker daemon responds");
  EXPECT_EQ(docker("{"), "cannot read the output of docker info: the answer is truncated (line 1, column 2)");
  const auto podman = [](const std::string& text) { return parse_podman_info(text, "here").error().message; };
  for (const auto* text : {"{}", R"({"host": {}})", R"({"version": {}})"})
    EXPECT_EQ(podman(text), "podman info lacks the host or the version") << text;
  EXPECT_EQ(podman("{"), "cannot read the output of podman info: the answer is truncated (line 1, column 2)");
}

TEST(Engine, DockerIsReachedWhereItsContextSays) {
  const EngineDouble docker;
  docker.all_well();
  ::setenv("DOCKER_HOST", "", 1);
  docker.answer("context", "unix:///run/user/1000/docker.sock\nmore\n");
  EXPECT_EQ(Engine::find("docker", a_minute())->address(), "unix:///run/user/1000/docker.sock");
  docker.answer("context", "", 1, "context \"x\" does not exist");
  EXPECT_EQ(Engine::find("docker", a_minute()).error().message, "docker context: exit status 1");
}

TEST(Engine, OfTwoThatDoNotAnswerTheInstalledOneIsTold) {
  const EngineDouble podman({"podman"});
  podman.answer("info", "", 125, "cannot open the storage");
  EXPECT_EQ(Engine::find("auto", a_minute()).error().message, "podman info: exit status 125");
  const EngineDouble both({"docker", "podman"});
  both.answer("info", "", 1, "no daemon");
  EXPECT_EQ(Engine::find("auto", a_minute()).error().message, "docker info: exit status 1");
}

TEST(Engine, PodmanCallsAMissingImageOtherwise) {
  const EngineDouble docker;
  docker.all_well();
  docker.answer("image-inspect", "", 125, "Error: mine:1: image not known\n");
  EXPECT_EQ(Engine::find("docker", a_minute())->image("mine:1").error().message, "docker has no image 'mine:1'");
  docker.answer("image-inspect", "", 125, "Error: the storage is broken\n");
  const auto image = Engine::find("docker", a_minute())->image("mine:1");
  EXPECT_EQ(image.error().message, "docker image inspect: exit status 125");
  EXPECT_EQ(image.error().origin, "mine:1");
  EXPECT_THAT(image.error().hints, ElementsAre("Error: the storage is broken"));
}

TEST(Engine, HasNoSuchImage) {
  const EngineDouble docker;
  docker.all_well();
  docker.answer("image-inspect", "", 1, "Error: No such image: mine:1\n");
  const auto image = Engine::find("docker", a_minute())->image("mine:1");
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().message, "docker has no image 'mine:1'");
  EXPECT_THAT(image.error().hints, ElementsAre("docker build --tag mine:1 . or docker pull mine:1"));
}

TEST(Engine, DescribesAnImage) {
  const EngineDouble docker;
  docker.all_well();
  docker.answer("image-inspect", EngineDouble::image(R"("Labels": {"envgen.lock": "sha256:1"}, "Env": ["A=b=c", "D="])"));
  const auto image = Engine::find("docker", a_minute())->image("mine:1");
  ASSERT_TRUE(image);
  EXPECT_EQ(image->labels.at("envgen.lock"), "sha256:1");
  EXPECT_EQ(image->environment.at("A"), "b=c");
  EXPECT_EQ(image->user, "");
  EXPECT_EQ(image->layers, 1U);
}

TEST(Engine, DescribesEachMemberOfAnImage) {
  const auto image = parse_image(R"({"Id": "sha256:1", "Architecture": "arm64", "Size": 7, "RootFS": {"Layers": ["a", "b"]},
    "Config": {"User": "dev", "Labels": {"a": "b", "c": 1}, "Env": ["A=1", "none", "=x"]}})",
                                 "x");
  ASSERT_TRUE(image);
  EXPECT_EQ(image->id, "sha256:1");
  EXPECT_EQ(image->architecture, "arm64");
  EXPECT_EQ(image->bytes, 7);
  EXPECT_EQ(image->layers, 2U);
  EXPECT_EQ(image->user, "dev");
  EXPECT_THAT(image->labels, ElementsAre(std::pair("a", "b")));
  EXPECT_THAT(image->environment, ElementsAre(std::pair("", "x"), std::pair("A", "1")));
  const auto bare = parse_image(R"([{"Id": "sha256:1", "Config": {"Labels": null}}])", "x");
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->architecture + bare->user, "");
  EXPECT_EQ(bare->bytes, 0);
  EXPECT_EQ(bare->layers, 0U);
  for (const auto* text :
       {R"({"Id": "sha256:1"})", R"({"Config": {}})", R"([{"Id": "a", "Config": {}}, {"Id": "b", "Config": {}}])"})
    EXPECT_EQ(parse_image(text, "x").error().message, "the engine's output describes no image") << text;
}

TEST(Engine, AProcessorHasTheNameOfTheKernel) {
  EXPECT_EQ(machine_of("amd64"), "x86_64");
  EXPECT_EQ(machine_of("arm64"), "aarch64");
  EXPECT_EQ(machine_of("riscv64"), "riscv64");
}

TEST(Engine, DescribesNoImage) {
  EXPECT_EQ(parse_image("[]", "x").error().message, "the engine's output describes no image");
  EXPECT_EQ(parse_image("{\"Config\": ", "x").error().message,
            "cannot read the output of image inspect: the answer is truncated (line 1, column 12)");
}

TEST(Words, AreAsManyAndAsLongAsAReportHolds) {
  std::string many;
  for (int i = 0; i < 30; ++i) many += std::to_string(i) + "\n";
  EXPECT_EQ(words_of(many).size(), 20U);
  EXPECT_EQ(words_of(many).back(), "19");
  std::string logged;
  for (int i = 0; i < 30; ++i) logged += "time=\"" + std::to_string(i) + "\"\n";
  EXPECT_EQ(words_of(logged + "the error\n").front(), "time=\"20\"");  // the rest are no troubles of the client's alone
  EXPECT_EQ(words_of(std::string(5000, 'x')).front().size(), 2000U);
}

TEST(Words, WithoutBlankLinesAndWhatTheClientLogs) {
  EXPECT_THAT(words_of("time=\"2026\" level=error msg=\"error waiting\"\n\n Error\x1b[1m\n"), ElementsAre(" Error\\x1b[1m"));
  EXPECT_THAT(words_of("time=\"2026\" level=error msg=\"all\"\n"), ElementsAre("time=\"2026\" level=error msg=\"all\""));
}

}  // namespace
}  // namespace envgen::container
