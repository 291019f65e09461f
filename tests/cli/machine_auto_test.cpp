#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "util/process.hpp"

/// `auto` on the machine that runs the tests, with the real probe: most have neither board nor driver, some have both.
namespace envgen::cli {
namespace {

namespace fs = std::filesystem;

using testing::StartsWith;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

bool exists(const char* path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// /dev/dxg is the GPU of Windows in WSL 2.
bool has_driver() { return exists("/proc/driver/nvidia/version") || exists("/dev/nvidia0") || exists("/dev/dxg"); }

bool has_board() {
  if (has_driver()) return true;
  std::error_code ignored;
  for (const auto& device : fs::directory_iterator("/sys/bus/pci/devices", ignored)) {
    std::string vendor;
    if (std::ifstream(device.path() / "vendor") >> vendor && vendor == "0x10de") return true;
  }
  return false;
}

/// Without PATH, so that no nvidia-smi of an image without a GPU is found.
util::ProcessResult resolve(const Words& flags) {
  Words words{ENVGEN_TOOL, "resolve", "--torch", "2.3"};
  words.insert(words.end(), flags.begin(), flags.end());
  auto result = util::run_process(words, {.environment = {"PATH=/nonexistent"}});
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : util::ProcessResult{};
}

const std::string tried =
    std::string(
        "; tried:\n"
        "  NVML (libnvidia-ml.so.1): cannot open shared object file: No such file or directory\n"
        "  /proc/driver/nvidia/version: No such file or directory\n"
        "  nvidia-smi: cannot start 'nvidia-smi': No such file or directory\n"
        "  /sys/bus/pci/devices: ") +
    (exists("/sys/bus/pci/devices") ? "no GPU from NVIDIA" : "No such file or directory");  // a container may have no /sys
const std::string name_the_gpu =
    "name the GPU of the machine that will run this, as in --gpu 'RTX 4090' ('envgen list gpus' shows the names)";
const std::string name_the_driver = "name the driver of the machine that will run this, as in --driver 550.54.14";
const std::string install_the_driver = "install the driver: https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/";

/// What torch 2.3 does not serve is proven to have no environment. Which of both it is, the same words without `auto` decide: the
/// answer's request names what was found.
void expect_answered(const Words& flags) {
  auto words = flags;
  words.insert(words.end(), {"--format", "json"});
  const auto result = resolve(words);
  const auto answer = Json::parse(result.out);
  ASSERT_TRUE(answer.contains("request")) << result.out << result.err;
  EXPECT_EQ(answer["request"].dump().find("auto"), std::string::npos) << answer["request"];
  const auto named =
      util::run_process({"sh", "-c", "printf '%s\\n' \"$1\" | \"$0\" resolve --batch -", ENVGEN_TOOL, answer["request"].dump()});
  ASSERT_TRUE(named);
  const auto same = Json::parse(named->out);
  const bool exists = same.contains("environment");
  EXPECT_NE(exists, same.contains("conflict")) << named->out;
  EXPECT_EQ(result.exit_status, exists ? 0 : 3) << result.err;
  EXPECT_EQ(answer.contains("environment"), exists) << result.out;
  if (exists) {
    EXPECT_EQ(answer["environment"]["torch"]["version"], same["environment"]["torch"]["version"]);
  }
}

TEST(MachineAuto, GpuIsTheBoardOfThisMachineOrAnError) {
  if (has_board()) return expect_answered({"--gpu", "auto"});
  const auto result = resolve({"--gpu", "auto"});
  EXPECT_EQ(result.exit_status, 6);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "envgen: --gpu auto: no NVIDIA GPU found on this machine" + tried + "\n  " + name_the_gpu + "\n");
}

TEST(MachineAuto, DriverIsTheDriverOfThisMachineOrAnError) {
  if (has_driver()) return expect_answered({"--driver", "auto"});
  const auto result = resolve({"--driver", "auto"});
  EXPECT_EQ(result.exit_status, 6);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("envgen: --driver auto: no NVIDIA driver found on this machine"));
  if (has_board()) return;
  EXPECT_EQ(result.err, "envgen: --driver auto: no NVIDIA driver found on this machine" + tried + "\n  " + name_the_driver +
                            "\n  " + install_the_driver + "\n");
}

TEST(MachineAuto, HostIsThisMachineOrAnError) {
  if (has_driver()) return expect_answered({"--host", "auto"});
  const auto result = resolve({"--host", "auto"});
  EXPECT_EQ(result.exit_status, 6);
  EXPECT_EQ(result.out, "");
  if (has_board()) return;
  EXPECT_EQ(result.err, "envgen: --host auto: no NVIDIA GPU found on this machine" + tried + "\n  " + name_the_gpu + "\n");
}

TEST(MachineAuto, WhatIsMissingIsAnObjectInJson) {
  if (has_driver()) return expect_answered({"--driver", "auto"});
  const auto result = resolve({"--driver", "auto", "--format", "json"});
  EXPECT_EQ(result.exit_status, 6);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(Json::parse(result.out)["error"]["code"], "missing");
  if (has_board()) return;
  EXPECT_EQ(Json::parse(result.out)["error"], (Json{{"code", "missing"},
                                                    {"message", "no NVIDIA driver found on this machine" + tried},
                                                    {"origin", "--driver auto"},
                                                    {"hints", {name_the_driver, install_the_driver}}}));
}

TEST(MachineAuto, ADriverThatIsGivenDoesNotMakeABoard) {
  if (has_board()) return expect_answered({"--gpu", "auto", "--driver", "535"});
  const auto result = resolve({"--gpu", "auto", "--driver", "535"});
  EXPECT_EQ(result.exit_status, 6);
  EXPECT_EQ(result.err, "envgen: --gpu auto: no NVIDIA GPU found on this machine" + tried + "\n  " + name_the_gpu + "\n");
}

TEST(MachineAuto, PlatformIsThatOfThisMachine) {
  const auto result = resolve({"--platform", "auto", "--format", "json"});
#if defined(__x86_64__)
  EXPECT_EQ(result.exit_status, 0) << result.err;
  EXPECT_EQ(Json::parse(result.out)["request"]["platform"], "linux-x86_64");
#elif defined(__aarch64__)
  EXPECT_EQ(result.exit_status, 3) << result.err;  // 2.3 has no build with CUDA there
  EXPECT_EQ(Json::parse(result.out)["request"]["platform"], "linux-aarch64");
#endif
}

}  // namespace
}  // namespace envgen::cli
