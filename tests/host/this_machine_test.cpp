#include "host/this_machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace envgen::host {
namespace {

using testing::ElementsAre;

Report machine(std::vector<std::string> gpus, const char* driver) {
  Report report;
  for (auto& name : gpus) report.gpus.push_back({std::move(name), std::nullopt, "", "NVML"});
  if (driver != nullptr) report.driver = DriverVersion(Version::parse(driver).value());
  report.driver_origin = "NVML";
  report.os_id = "debian12";
  report.platform = Platform::linux_x86_64;
  report.tried = {"NVML: asked"};
  return report;
}

Known known() {
  return {[](std::string_view name) { return name != "NVIDIA Prototype 9"; }};
}

RequestValue flag(Field field, const char* text) { return {field, text, Origin::flag, "--" + std::string(name_of(field))}; }

/// Each value as `field=text (where)`.
std::vector<std::string> asked(Request request, const Report& report) {
  const auto answered = ask_this_machine(std::move(request), known(),
                                         {[&] { return report; },
                                          [] {
                                            return FoundEngine{Engine::docker_cdi, "docker 29.4.0"};
                                          }});
  std::vector<std::string> texts;
  if (!answered) return {answered.error().origin + ": " + answered.error().message};
  for (const auto& value : answered->values)
    texts.push_back(std::string(name_of(value.field)) + "=" + value.text + " (" + value.where + ")");
  return texts;
}

TEST(ThisMachine, AnswersEveryAutoThatIsItsToSay) {
  const auto one = machine({"NVIDIA GeForce RTX 4090"}, "550.54.14");
  EXPECT_THAT(asked({{flag(Field::gpu, "auto"), flag(Field::driver, "auto"), flag(Field::os, "auto"),
                      flag(Field::platform, "auto"), flag(Field::python, "auto")}},
                    one),
              ElementsAre("gpu=NVIDIA GeForce RTX 4090 (--gpu auto (NVML))", "driver=550.54.14 (--driver auto (NVML))",
                          "os=debian12 (--os auto (/etc/os-release))", "platform=linux-x86_64 (--platform auto (uname -m))",
                          "python=auto (--python)"));
}

TEST(ThisMachine, IsAskedOnlyWhenTheRequestSaysSo) {
  Request request{{flag(Field::torch, "2.3"), flag(Field::python, "auto")}};
  const auto answered = ask_this_machine(request, known(),
                                         {[]() -> Report {
                                            ADD_FAILURE() << "asked";
                                            return {};
                                          },
                                          []() -> Expected<FoundEngine> {
                                            ADD_FAILURE() << "asked for its engine";
                                            return FoundEngine{};
                                          }});
  EXPECT_TRUE(answered.has_value());
}

TEST(ThisMachine, AnswersForItsEngineWithoutLookingForGpus) {
  const auto answered = ask_this_machine({{flag(Field::engine, "auto")}}, known(),
                                         {[]() -> Report {
                                            ADD_FAILURE() << "asked for GPUs";
                                            return {};
                                          },
                                          [] {
                                            return FoundEngine{Engine::docker_cdi, "docker 29.4.0"};
                                          }});
  ASSERT_TRUE(answered);
  EXPECT_EQ(answered->values.front().text, "docker-cdi");
  EXPECT_EQ(answered->values.front().where, "--engine auto (docker 29.4.0)");
  EXPECT_EQ(answered->values.front().origin, Origin::host);
}

TEST(ThisMachine, WithoutAnEngineSaysWhy) {
  const auto answered =
      ask_this_machine({{flag(Field::engine, "auto")}}, known(),
                       {[] { return Report{}; },
                        []() -> Expected<FoundEngine> { return fail(ErrorCode::missing, "neither docker nor podman answers"); }});
  ASSERT_FALSE(answered);
  EXPECT_EQ(answered.error().message, "neither docker nor podman answers");
}

TEST(ThisMachine, SeveralGpusAreOneHostUnderItsDriver) {
  const auto two = machine({"Tesla V100-SXM2-16GB", "Tesla T4"}, "535.183.01");
  const auto* both = "host=gpu=Tesla V100-SXM2-16GB,gpu=Tesla T4,driver=535.183.01 (--gpu auto (NVML))";
  EXPECT_THAT(asked({{flag(Field::gpu, "auto"), flag(Field::driver, "auto")}}, two), ElementsAre(both));
  EXPECT_THAT(asked({{flag(Field::driver, "auto"), flag(Field::gpu, "auto")}}, two), ElementsAre(both));
  EXPECT_THAT(asked({{flag(Field::gpu, "auto")}}, two),
              ElementsAre("host=gpu=Tesla V100-SXM2-16GB,gpu=Tesla T4 (--gpu auto (NVML))"));
}

TEST(ThisMachine, AsAHostIsItsGpusAndItsDriver) {
  const auto one = machine({"Tesla T4"}, "535.183.01");
  EXPECT_THAT(asked({{flag(Field::host, "auto")}}, one), ElementsAre("host=gpu=Tesla T4,driver=535.183.01 (--host auto (NVML))"));
  EXPECT_THAT(asked({{flag(Field::host, "auto"), flag(Field::driver, "550")}}, one),
              ElementsAre("host=gpu=Tesla T4,driver=550 (--host auto (NVML))"))
      << "a flag overrides what was found";
}

TEST(ThisMachine, WhatItDoesNotHaveIsAnErrorThatNamesTheAuto) {
  const auto nothing = machine({}, nullptr);
  const std::string tried = "; tried:\n  NVML: asked";
  EXPECT_THAT(asked({{flag(Field::gpu, "auto")}}, nothing),
              ElementsAre("--gpu auto: no NVIDIA GPU found on this machine" + tried));
  EXPECT_THAT(asked({{flag(Field::driver, "auto")}}, nothing),
              ElementsAre("--driver auto: no NVIDIA driver found on this machine" + tried));
  EXPECT_THAT(asked({{flag(Field::host, "auto")}}, nothing),
              ElementsAre("--host auto: no NVIDIA GPU found on this machine" + tried));
  EXPECT_THAT(asked({{flag(Field::host, "auto")}}, machine({"Tesla T4"}, nullptr)),
              ElementsAre("--host auto: no NVIDIA driver found on this machine, although it has a GPU: Tesla T4 (NVML)" + tried));
  const RequestValue in_file{Field::driver, "auto", Origin::file, "envgen.json#/request/driver"};
  EXPECT_THAT(asked({{in_file}}, nothing),
              ElementsAre("envgen.json#/request/driver: no NVIDIA driver found on this machine" + tried));
  auto strange = nothing;
  strange.os_id.clear();
  strange.platform.reset();
  EXPECT_THAT(asked({{flag(Field::os, "auto")}}, strange),
              ElementsAre("--os auto: cannot read the operating system of this machine (/etc/os-release)"));
  EXPECT_THAT(asked({{flag(Field::platform, "auto")}}, strange),
              ElementsAre("--platform auto: this machine is neither x86_64 nor aarch64"));
}

TEST(ThisMachine, IsNoPartOfAHost) {
  const auto* refusal = "--host: auto cannot be part of a host: it means this machine with its GPUs and its driver";
  EXPECT_THAT(asked({{flag(Field::host, "gpu=auto,driver=535")}}, machine({"Tesla T4"}, "535.183.01")), ElementsAre(refusal));
  EXPECT_THAT(asked({{flag(Field::host, "gpu=T4,driver=auto")}}, machine({"Tesla T4"}, "535.183.01")), ElementsAre(refusal));
}

TEST(ThisMachine, ABoardThatNobodyKnowsIsItsCapability) {
  auto report = machine({"NVIDIA Prototype 9"}, "580.65.06");
  report.gpus.front().capability = Capability{9, 0};
  EXPECT_THAT(asked({{flag(Field::gpu, "auto")}}, report), ElementsAre("gpu=9.0 (--gpu auto (NVML))"));
  report.gpus.front().capability.reset();
  report.gpus.front().pci_id = "10de:2684";
  EXPECT_THAT(asked({{flag(Field::gpu, "auto")}}, report), ElementsAre("gpu=10de:2684 (--gpu auto (NVML))"));
}

TEST(ThisMachine, UnderWslTheDriverIsSaidToBeOfWindows) {
  auto report = machine({"NVIDIA GeForce RTX 4090"}, "566.36");
  report.wsl = true;
  EXPECT_THAT(asked({{flag(Field::driver, "auto")}}, report),
              ElementsAre("driver=566.36 (--driver auto (NVML))", "wsl=true (--wsl (this machine))"));
}

}  // namespace
}  // namespace envgen::host
