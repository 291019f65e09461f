// What a log that names its environment is told besides its failures: the build that serves it, by the shipped facts.
#include "api/suggestion.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "matrix/embedded/embedded.hpp"
#include "model/shell_word.hpp"

namespace envgen::api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

const matrix::Matrix shipped = matrix::embedded();

struct Told {
  std::vector<diagnosis::Finding> findings;
  diagnosis::Seen seen;
  std::optional<Suggestion> suggestion;
  std::string summary() const { return suggestion ? suggestion->summary : "none"; }
};

Told told_by(std::string_view log) {
  diagnosis::Recogniser recogniser;
  recogniser.feed(log);
  auto findings = recogniser.finish();
  const auto seen = recogniser.seen([](std::string_view name) { return is_board(shipped, name); });
  auto suggested = suggestion(shipped, findings, seen);
  return {std::move(findings), seen, std::move(suggested)};
}

std::string platform_of(const Told& told) { return platform_text(told.findings, told.seen, told.suggestion, {}); }

std::vector<std::string> lines_of(const Suggestion& suggestion) {
  std::vector<std::string> lines;
  for (const auto& command : suggestion.install) lines.push_back(shell_words(command));
  return lines;
}

const std::string no_image = "RuntimeError: CUDA error: no kernel image is available for execution on the device\n";
const std::string too_old = "The NVIDIA driver on your system is too old (found version 11040).\n";

TEST(Suggestion, IsForTheGpuThatTheLogNames) {
  const auto told = told_by("GPU 0: NVIDIA GeForce RTX 5090 (UUID: GPU-1)\n" + no_image);
  EXPECT_EQ(
      told.summary(),
      "The NVIDIA GeForce RTX 5090 needs torch 2.7.0 or newer, built for CUDA 12.8 or newer. torch 2.15.0 for CUDA 13.2 needs "
      "driver 580.65.06 or newer.");
  EXPECT_THAT(shell_words(told.suggestion->install.back()), StartsWith("pip install torch=="));
}

TEST(Suggestion, InstallsNoTorchBesideAProgramThatRequiresExactlyOne) {
  for (const std::string name : {"vLLM", "SGLang"}) {
    const auto told = told_by(name + " 0.10\nGPU 0: NVIDIA GeForce RTX 5090 (UUID: GPU-1)\n" + no_image);
    EXPECT_THAT(told.summary(), testing::EndsWith(" " + name + " requires exactly one torch: install a " + name +
                                                  " with such a torch, or its image, not torch alone."));
    EXPECT_THAT(told.suggestion->install, IsEmpty());
    EXPECT_THAT(told.suggestion->lines, IsEmpty());
  }
}

TEST(Suggestion, NamesNoTorchInCommandsThatTheDataDoesNotHave) {
  const auto named = [](const std::string& torch) {
    return for_commands(shipped, told_by("PyTorch version: " + torch + "\n").seen)[diagnosis::Named::torch].has_value();
  };
  EXPECT_TRUE(named("2.4.0"));
  EXPECT_TRUE(named("2.4.0+cu121"));
  EXPECT_FALSE(named("1.3.1"));
  EXPECT_FALSE(named("9.9.9"));
}

TEST(Suggestion, UninstallsTheSameReleaseFirst) {
  // To pip, torch==2.9.0 is installed where 2.9.0+cu130 is.
  const auto told = told_by("torch 2.9.0+cu130\nGPU 0: NVIDIA A100 80GB PCIe\nDriver Version: 535.183.01\n" + too_old);
  ASSERT_TRUE(told.suggestion);
  ASSERT_GT(told.suggestion->install.size(), 1U);
  EXPECT_EQ(shell_words(told.suggestion->install.front()), "pip uninstall --yes torch torchvision torchaudio");
  EXPECT_THAT(shell_words(told.suggestion->install.at(1)), StartsWith("pip install torch==2.9.0 "));
}

TEST(Suggestion, JudgesADriverOfWslByItsBranch) {
  const auto told = told_by(
      "Linux 5.15.146.1-microsoft-standard-WSL2\nGPU 0: NVIDIA GeForce RTX 5090 (UUID: GPU-1)\n"
      "Driver Version: 572.16\ntorch 2.6.0+cu124\n" +
      no_image);
  ASSERT_TRUE(told.suggestion);
  EXPECT_NE(told.suggestion->request.find(Field::wsl), nullptr);
  EXPECT_EQ(suggestion_text(*told.suggestion, told.seen, {}).find("driver 580"), std::string::npos);
}

TEST(Suggestion, GivesUpTheTorchThatDoesNotServe) {
  const auto told = told_by("GPU 0: NVIDIA GeForce RTX 5090 (UUID: GPU-1)\ntorch 2.4.0+cu121\n" + no_image);
  EXPECT_EQ(
      told.summary(),
      "The NVIDIA GeForce RTX 5090 needs torch 2.7.0 or newer, built for CUDA 12.8 or newer. torch 2.15.0 for CUDA 13.2 needs "
      "driver 580.65.06 or newer.");
}

TEST(Suggestion, NamesTheLastDriverBranchForAnOldGpu) {
  EXPECT_EQ(told_by("GPU 0: Tesla K80 (UUID: GPU-1)\n" + no_image).summary(),
            "The Tesla K80 needs torch 1.7.0 to 2.3.1. torch 2.3.1 for CUDA 11.8 needs driver 450.80.02 to 470.xx.");
}

TEST(Suggestion, KeepsATorchThatHasABuildForIt) {
  const auto told = told_by("GPU 0: NVIDIA GeForce RTX 5090 (UUID: GPU-1)\ntorch 2.7.0+cu126\n" + no_image);
  EXPECT_EQ(told.summary(),
            "torch 2.7.0 has a CUDA 12.8 build that runs on the NVIDIA GeForce RTX 5090. It needs driver 570.86.16 or newer.");
  EXPECT_THAT(lines_of(*told.suggestion),
              ElementsAre("pip uninstall --yes torch torchvision torchaudio", "pip install 'setuptools<82'",
                          "pip install torch==2.7.0 torchvision==0.22.0 torchaudio==2.7.0 --index-url "
                          "https://download.pytorch.org/whl/cu128"));
}

TEST(Suggestion, IsNoneWhereTheLogHasThatBuild) {
  EXPECT_EQ(told_by("GPU 0: NVIDIA GeForce RTX 5090 (UUID: GPU-1)\ntorch 2.7.0+cu128\n" + no_image).summary(), "none");
}

TEST(Suggestion, IsNoneWhereTheLogNamesTooLittle) {
  EXPECT_EQ(told_by(no_image).summary(), "none");
  EXPECT_EQ(told_by("GPU 0: NVIDIA GeForce RTX 5090 (UUID: GPU-1)\nall is well\n").summary(), "none");
  EXPECT_EQ(told_by("GPU 0: NVIDIA GeForce RTX 5090 (UUID: GPU-1)\nERROR: externally-managed-environment\n").summary(), "none");
  EXPECT_EQ(told_by("GPU 0: NVIDIA GeForce RTX 5090 (UUID\nGPU 1: Tesla P100-PCIE-16GB (UUID\n" + no_image).summary(), "none");
}

TEST(Suggestion, TakesTheDriverByWhatItReports) {
  EXPECT_THAT(told_by(too_old).summary(), testing::HasSubstr(" run with driver 470."));
  EXPECT_THAT(told_by("Driver Version: 470.223.02\n" + too_old).summary(), testing::HasSubstr(" run with driver 470.223.02."));
  EXPECT_EQ(told_by("The NVIDIA driver on your system is too old (found version 1040).\n").summary(), "none");
}

TEST(Suggestion, GivesUpThePythonThatATorchHasNoWheelFor) {
  const auto told = told_by("Python 3.13.1\nERROR: No matching distribution found for torch==2.1.0\n");
  EXPECT_THAT(shell_words(told.suggestion->install.front()), StartsWith("python3.10 -m pip install torch==2.1.0 "));
  EXPECT_EQ(told.suggestion->lines.front(), "python3.10 -m venv .venv && . .venv/bin/activate");
  EXPECT_THAT(told.suggestion->lines.back(), StartsWith("pip install torch==2.1.0 "));
  // Whichever Python it was, it is the wrong one.
  EXPECT_EQ(told_by("ERROR: No matching distribution found for torch==2.1.0\n").suggestion->lines.front(),
            "python3.10 -m venv .venv && . .venv/bin/activate");
  EXPECT_EQ(told.summary(),
            "torch 2.1.0 has wheels for Python 3.8 to 3.11, not for 3.13; this installs its build for CUDA 12.1.");
}

TEST(Suggestion, NamesTheCompanionsOfATorch) {
  const auto told = told_by("torch==2.4.0\nRuntimeError: operator torchvision::nms does not exist\n");
  EXPECT_EQ(told.summary(), "torch 2.4.0 has wheels for Python 3.8 to 3.12; this installs its build for CUDA 12.1.");
  EXPECT_EQ(shell_words(told.suggestion->install.back()),
            "pip install torch==2.4.0 torchvision==0.19.0 torchaudio==2.4.0 'setuptools<82'");
}

TEST(Suggestion, KeepsTheBuildThatWasAskedFor) {
  const auto told = told_by("ERROR: No matching distribution found for torch==2.2.0+cu118\n");
  EXPECT_EQ(told.summary(), "torch 2.2.0 has wheels for Python 3.8 to 3.12; this installs its build for CUDA 11.8.");
  EXPECT_THAT(shell_words(told.suggestion->install.back()),
              testing::EndsWith(" --index-url https://download.pytorch.org/whl/cu118"));
  EXPECT_EQ(told_by("ERROR: No matching distribution found for torch==2.2.0+cu999\n").summary(),
            "torch 2.2.0 has wheels for Python 3.8 to 3.12; this installs its build for CUDA 12.1.");
}

TEST(Suggestion, NamesTheDriverWhereNothingSupportsTheOneOfTheLog) {
  const auto told = told_by("GPU 0: NVIDIA GeForce RTX 5090 (UUID: GPU-1)\nDriver Version: 470.223.02\n" + no_image);
  EXPECT_EQ(
      told.summary(),
      "No known torch supports the NVIDIA GeForce RTX 5090 with driver 470.223.02. Install driver 580.65.06 or newer, and then "
      "torch 2.15.0 for CUDA 13.2.");
  EXPECT_THAT(shell_words(told.suggestion->install.back()), StartsWith("pip install torch==2.15.0 "));
  EXPECT_EQ(told.suggestion->request.find(Field::driver), nullptr);
  const auto wsl = told_by("RTX 5090 with driver 566.36 in WSL2\n" + no_image);
  EXPECT_THAT(wsl.summary(), testing::HasSubstr(" with driver 566.36. Install Windows driver 580 or newer, and then torch "));
  const auto too_new = told_by("NVIDIA GeForce GTX 1080\nDriver Version: 590.44.01\n" + no_image);
  EXPECT_THAT(too_new.summary(), testing::HasSubstr(" with driver 590.44.01. Install a driver up to 580.xx, and then torch "));
}

TEST(Suggestion, KeepsThePythonUnderAnotherDriverIfItCan) {
  const auto told =
      told_by("python3.10\nNVIDIA GeForce RTX 5090, driver 470.223.02\n/usr/lib/python3.10/site-packages/torch\n" + no_image);
  EXPECT_EQ(told.suggestion->request.find(Field::python)->text, "3.10");
  EXPECT_THAT(told.summary(), testing::HasSubstr(" and then torch 2.14.1 "));
  EXPECT_THAT(told.suggestion->lines.back(), StartsWith("pip install torch==2.14.1 "));
}

TEST(Suggestion, PrefersABuildThatTheDriverSupportsByItself) {
  // By cuda-compat, which somebody must install, it is one for CUDA 12.6.
  const auto told = told_by("Tesla P40, driver 470.57.02, torch 2.13.0+cu130\n" + too_old);
  EXPECT_EQ(told.summary(), "The Tesla P40 with driver 470.57.02 needs torch 1.7.0 to 2.7.1, built for CUDA 11.8 or older.");
  EXPECT_THAT(shell_words(told.suggestion->install.back()),
              testing::EndsWith(" --index-url https://download.pytorch.org/whl/cu118"));
}

TEST(Suggestion, UninstallsACpuBuildOfAnyRelease) {
  const std::string cpu = "AssertionError: Torch not compiled with CUDA enabled\n";
  const auto told = told_by("driver version 535.54.03, RTX 3090\n" + cpu);
  EXPECT_EQ(lines_of(*told.suggestion).front(), "pip uninstall --yes torch torchvision torchaudio");
  // Of another release, pip installs the new one over it.
  EXPECT_THAT(lines_of(*told_by("driver version 535.54.03, RTX 3090, torch 1.4.0+cpu\n" + cpu).suggestion),
              testing::Not(testing::Contains(StartsWith("pip uninstall"))));
}

TEST(Suggestion, NamesAnIndexOnWindows) {
  const std::string log = "C:\\Users\\me\\torch\\cuda\\__init__.py\nAssertionError: Torch not compiled with CUDA enabled\n";
  const auto told = told_by("NVIDIA GeForce RTX 4070\n" + log);
  EXPECT_THAT(lines_of(*told.suggestion),
              ElementsAre("pip uninstall --yes torch torchvision torchaudio",
                          "pip install torch==2.15.0 torchvision==0.29.2 --index-url https://download.pytorch.org/whl/cu132"));
  EXPECT_EQ(
      told.summary(),
      "The NVIDIA GeForce RTX 4070 needs torch 1.7.0 or newer. torch 2.15.0 for CUDA 13.2 needs Windows driver 580 or newer.");
  EXPECT_NE(told.suggestion->request.find(Field::wsl), nullptr);
  const auto platform = [](const std::string& text) {
    auto line = platform_of(told_by(text));
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
  };
  const std::string covers = "The log is from Windows. envgen covers only Linux and WSL 2. ";
  // One index, that of the commands.
  EXPECT_EQ(
      platform("NVIDIA GeForce RTX 4070\n" + log),
      covers + "The package index has only CPU builds of torch for Windows, so the commands below use PyTorch's own index. ");
  EXPECT_EQ(platform(log),
            covers +
                "The package index has only CPU builds of torch for Windows: uninstall that build, and install torch "
                "with --index-url https://download.pytorch.org/whl/cu128 (cu126 for a GPU older than Turing). ");
  EXPECT_EQ(platform("C:\\Users\\me> CUDA error: no kernel image is available for execution on the device\n"),
            covers +
                "The package index has only CPU builds of torch for Windows: install torch with --index-url "
                "https://download.pytorch.org/whl/cu128 (cu126 for a GPU older than Turing). ");
  // Another build is of no use against this.
  EXPECT_EQ(platform_of(told_by("C:\\Users\\me> CUDA error: out of memory\n")),
            "The log is from Windows. envgen covers only Linux and WSL 2.\n");
  const auto other_python = told_by("C:\\Users\\me> python\nPython 3.14.0\nNo matching distribution found for torch==2.1.0\n");
  EXPECT_THAT(lines_of(*other_python.suggestion).front(), StartsWith("py -3.10 -m pip install 'numpy<2'"));
  EXPECT_EQ(lines_of(*other_python.suggestion).back(),
            "py -3.10 -m pip install torch==2.1.0 torchvision==0.16.0 torchaudio==2.1.0 --index-url "
            "https://download.pytorch.org/whl/cu121");
  EXPECT_EQ(other_python.suggestion->lines, lines_of(*other_python.suggestion));
}

TEST(Suggestion, IsNoneOnAPlatformWithoutCuda) {
  const std::string cpu = ": AssertionError: Torch not compiled with CUDA enabled, torch 2.1.0, RTX 3090\n";
  for (const std::string platform : {"macOS M2", "HIP error"}) {
    const auto told = told_by(platform + cpu);
    EXPECT_EQ(told.summary(), "none") << platform;
    EXPECT_THAT(platform_of(told), StartsWith("The log is ")) << platform;
  }
  EXPECT_EQ(platform_of(told_by("Linux" + cpu)), "");
}

TEST(Suggestion, IsCondasWhereNoWheelSupportsTheGpu) {
  const auto told = told_by("Tesla K20m with CUDA capability sm_35 is not compatible with the current PyTorch installation.\n");
  EXPECT_EQ(told.summary(), "No known torch wheel supports the Tesla K20m; conda's torch 1.12.1 does.");
  ASSERT_FALSE(told.suggestion->install.empty());
  EXPECT_THAT(told.suggestion->install.front(), testing::Contains("pytorch==1.12.1=cuda102*"));
  EXPECT_EQ(told.suggestion->request.values.back().field, Field::installer);
  EXPECT_EQ(told.suggestion->request.values.back().text, "conda");
}

TEST(Suggestion, SaysWhereATorchIsNotKnown) {
  EXPECT_EQ(told_by("ERROR: No matching distribution found for torch==9.9.0\n").summary(),
            "torch 9.9.0 is newer than envgen's data, which ends at 2.15.0; it may not have been released yet.");
  EXPECT_EQ(told_by("ERROR: No matching distribution found for torch==2.4.9\n").summary(), "No build of torch 2.4.9 is known.");
}

TEST(Suggestion, AsTextAndAsJson) {
  const auto told = told_by(
      "GPU 0: Tesla T4 (UUID: GPU-1)\nDriver Version: 535.104.05\ntorch 2.3.1+cpu\n/usr/lib/python3.11/x\n"
      "AssertionError: Torch not compiled with CUDA enabled\n");
  ASSERT_TRUE(told.suggestion);
  EXPECT_EQ(
      suggestion_text(*told.suggestion, told.seen, {}),
      "The log names the Tesla T4 (line 1), torch 2.3.1+cpu (line 3), the driver\n535.104.05 (line 2) and Python 3.11 (line 4).\n"
      "torch 2.3.1 has a CUDA 12.1 build for Python 3.11 that runs on the Tesla T4 with\ndriver 535.104.05.\n"
      "  pip uninstall --yes torch torchvision torchaudio\n"
      "  pip install torch==2.3.1 torchvision==0.18.1 torchaudio==2.3.1 'setuptools<82'\n"
      "  envgen resolve --torch 2.3.1 --python 3.11 --driver 535.104.05 --gpu 'Tesla T4'\n");
  util::JsonWriter json;
  json.begin_array();
  write_suggestion(json, told.suggestion);
  write_suggestion(json, std::nullopt);
  const auto written = nlohmann::json::parse(json.end_array().take());
  EXPECT_EQ(written[0]["request"],
            nlohmann::json::parse(R"({"torch": "2.3.1", "python": "3.11", "driver": "535.104.05", "gpus": ["Tesla T4"]})"));
  EXPECT_EQ(written[0]["summary"], told.suggestion->summary);
  EXPECT_EQ(written[0]["install"].size(), 2U);
  EXPECT_TRUE(written[1].is_null());
}

}  // namespace
}  // namespace envgen::api
