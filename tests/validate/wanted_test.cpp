// An image without a lock: what was asked for, what the facts know of its build, and the GPUs that it has to run on.

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/embedded/embedded.hpp"
#include "support/literals.hpp"
#include "support/matrix_folder.hpp"
#include "validate/self_report.hpp"

namespace envgen::validate {
namespace {

using testing::HasSubstr;

const matrix::Matrix facts = matrix::embedded();

/// What torch 2.3.1 for CUDA 12.1 says of itself; its wheel is in the matrix.
SelfReport torch_2_3() {
  SelfReport report;
  report.python = "3.11.2";
  report.framework = "torch";
  report.version = "2.3.1";
  report.cuda = "12.1";
  report.cudnn = 8902;
  report.nccl = "2.20.5";
  report.archs = {"sm_50", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90"};
  return report;
}

resolver::Query asked(std::vector<std::pair<Field, std::string>> values) {
  Request request;
  for (auto& [field, text] : values) request.values.push_back({field, text, Origin::flag, "--" + std::string(name_of(field))});
  auto query = resolver::interpret(facts, request);
  EXPECT_TRUE(query) << query.error().message;
  return *query;
}

std::string said_of(const SelfReport& report, const Wanted& wanted, std::string_view check) {
  for (const auto& result : judge_self_report(report, wanted, false)) {
    if (result.check == check)
      return std::string(name_of(result.status)) + " " + result.message +
             (result.diagnosis == nullptr ? "" : " [" + std::string(result.diagnosis->id) + "]");
  }
  return "no result";
}

TEST(Asked, PartsRangesAndTags) {
  const auto report = torch_2_3();
  const auto fits = asked({{Field::torch, "2.3"}, {Field::cuda, "cu121"}, {Field::python, ">=3.10,<3.12"}});
  EXPECT_EQ(said_of(report, {.asked = &fits}, "framework"), "pass installed: torch 2.3.1, as requested");
  EXPECT_EQ(said_of(report, {.asked = &fits}, "framework-cuda"), "pass torch is built for 12.1, as requested");
  EXPECT_EQ(said_of(report, {.asked = &fits}, "python"), "pass Python 3.11.2, as requested");
  const auto update = asked({{Field::torch, "2.3.1+cu121"}, {Field::cuda, "12.1.1"}});
  EXPECT_EQ(said_of(report, {.asked = &update}, "framework-cuda"), "pass torch is built for 12.1, as requested");
}

TEST(Asked, AFreeThreadedPythonIsAnother) {
  auto report = torch_2_3();
  report.python = "3.13.1";
  const auto regular = asked({{Field::torch, "2.6"}, {Field::python, "3.13"}});
  const auto free = asked({{Field::torch, "2.6"}, {Field::python, "3.13t"}});
  EXPECT_EQ(said_of(report, {.asked = &regular}, "python"), "pass Python 3.13.1, as requested");
  EXPECT_EQ(said_of(report, {.asked = &free}, "python"), "fail Python 3.13.1, but 3.13t was requested");
  report.free_threaded = true;
  EXPECT_EQ(said_of(report, {.asked = &regular}, "python"), "fail free-threaded Python 3.13.1, but 3.13 was requested");
  EXPECT_EQ(said_of(report, {.asked = &free}, "python"), "pass free-threaded Python 3.13.1, as requested");
}

TEST(Asked, OtherThanAskedFor) {
  const auto report = torch_2_3();
  const auto other = asked({{Field::torch, ">=2.4"}, {Field::cuda, "12.4"}, {Field::python, "3.12"}});
  EXPECT_EQ(said_of(report, {.asked = &other}, "framework"), "fail installed: torch 2.3.1, but torch >=2.4 was requested");
  EXPECT_EQ(said_of(report, {.asked = &other}, "framework-cuda"), "fail torch is built for 12.1, but 12.4 was requested");
  EXPECT_EQ(said_of(report, {.asked = &other}, "python"), "fail Python 3.11.2, but 3.12 was requested");
  const auto tensorflow = asked({{Field::tensorflow, "2.15"}, {Field::cuda, "12.2"}});
  EXPECT_EQ(said_of(report, {.asked = &tensorflow}, "framework"),
            "fail installed: torch 2.3.1, but tensorflow 2.15 was requested");
  EXPECT_EQ(said_of(report, {.asked = &tensorflow}, "framework-cuda"), "fail torch is built for 12.1, but 12.2 was requested");
  SelfReport plain;
  plain.python = "3.11.2";
  EXPECT_EQ(said_of(plain, {.asked = &other}, "framework"), "fail torch >=2.4 was requested but not installed");
}

TEST(KnownBuild, WhatTheFactsHave) {
  auto report = torch_2_3();
  const Wanted wanted{.matrix = &facts};
  EXPECT_EQ(said_of(report, wanted, "cudnn"), "pass cuDNN 8902, as in torch 2.3.1 for CUDA 12.1");
  EXPECT_EQ(said_of(report, wanted, "nccl-version"), "pass NCCL 2.20.5, as in torch 2.3.1 for CUDA 12.1");
  report.cudnn = 90100;
  report.nccl = "2.19.3";
  report.archs = {"sm_90"};
  EXPECT_EQ(said_of(report, wanted, "cudnn"), "warn cuDNN 90100, but torch 2.3.1 for CUDA 12.1 has 8902");
  EXPECT_EQ(said_of(report, wanted, "nccl-version"), "warn NCCL 2.19.3, but torch 2.3.1 for CUDA 12.1 has 2.20.5");
  EXPECT_THAT(said_of(report, wanted, "archs"), HasSubstr("warn compiled for sm_90, but torch 2.3.1 for CUDA 12.1 "));
  report.cuda = "12.9";
  EXPECT_EQ(said_of(report, wanted, "cudnn"), "unknown cuDNN 90100; envgen has no data for torch 2.3.1 for CUDA 12.9");
}

TEST(GpuArchs, EachGpuIsCovered) {
  const auto report = torch_2_3();
  Wanted wanted{.matrix = &facts};
  EXPECT_EQ(said_of(report, wanted, "gpu-archs"), "skip no known GPU to compare with (--gpu NAME names one)");
  wanted.gpus = {{"GeForce RTX 4090", Capability{8, 9}}, {"GPU of compute capability 9.0", Capability{9, 0}}};
  EXPECT_EQ(
      said_of(report, wanted, "gpu-archs"),
      "pass runs on GeForce RTX 4090 (8.9) with the binaries for 8.6, GPU of compute capability 9.0 with the binaries for 9.0");
  wanted.gpus.push_back({"GeForce RTX 5090", Capability{12, 0}});
  EXPECT_EQ(said_of(report, wanted, "gpu-archs"),
            "fail torch 2.3.1 has neither binaries nor PTX for GeForce RTX 5090 (12.0); 'envgen resolve --gpu 12.0' finds a "
            "build that has them "
            "[cuda-209]");
  wanted.gpus = {{"AGX Orin", Capability{8, 7}}};  // the code of other GPUs does not run there
  EXPECT_THAT(said_of(report, wanted, "gpu-archs"), HasSubstr("fail torch 2.3.1 has neither"));
}

TEST(GpuArchs, ABuildForTheCpuRunsOnNone) {
  auto report = torch_2_3();
  report.cuda = std::nullopt;
  const auto board = asked({});
  EXPECT_EQ(said_of(report, {.asked = &board, .matrix = &facts}, "gpu-archs"), "skip not in a CPU build");
  Wanted wanted{.asked = &board, .matrix = &facts, .gpus = {{"RTX 4090", Capability{8, 9}}, {"T4", std::nullopt}}};
  const std::string none = "fail torch 2.3.1 is a CPU build and runs on no GPU, so not on RTX 4090, T4 [torch-cpu-build]";
  EXPECT_EQ(said_of(report, wanted, "gpu-archs"), none);
  Environment lock;
  lock.torch = Environment::FrameworkBuild();
  wanted.lock = &lock;
  EXPECT_EQ(said_of(report, wanted, "gpu-archs"), "skip not in a CPU build");
  lock.torch->cuda = "12.1"_version;
  EXPECT_EQ(said_of(report, wanted, "gpu-archs"), none);
  EXPECT_EQ(said_of(report, wanted, "framework-cuda"), "fail torch is built for cpu, but 12.1 is locked [torch-cpu-build]");
}

TEST(GpuArchs, PtxNeedsADriverThatReportsItsCuda) {
  auto report = torch_2_3();
  report.archs = {"sm_80", "compute_90"};
  Wanted wanted{.matrix = &facts};
  wanted.gpus = {{"GeForce RTX 5090", Capability{12, 0}}};
  EXPECT_EQ(said_of(report, wanted, "gpu-archs"),
            "pass runs on GeForce RTX 5090 (12.0) through the PTX for 9.0, provided that the driver reports CUDA 12.1 or newer");
  wanted.cuda_of_driver = Version(12, 8);
  EXPECT_EQ(said_of(report, wanted, "gpu-archs"), "pass runs on GeForce RTX 5090 (12.0) through the PTX for 9.0");
  wanted.cuda_of_driver = Version(12, 0);
  EXPECT_EQ(said_of(report, wanted, "gpu-archs"),
            "fail runs on GeForce RTX 5090 (12.0) through the PTX for 9.0, but a driver that reports CUDA 12.0 cannot compile "
            "PTX from CUDA 12.1 [cuda-222]");
  report.archs = {"gfx90a"};
  EXPECT_EQ(said_of(report, wanted, "gpu-archs"), "unknown torch names an unknown target");
}

TEST(GpuArchs, AGpuWhoseCapabilityIsNotToldIsNotJudged) {
  const auto report = torch_2_3();
  Wanted wanted{.matrix = &facts, .gpus = {{"a GPU", std::nullopt}}};
  EXPECT_EQ(said_of(report, wanted, "gpu-archs"), "unknown the GPUs' compute capabilities are unknown");
  wanted.gpus.push_back({"H100", Capability{9, 0}});
  EXPECT_EQ(said_of(report, wanted, "gpu-archs"), "pass runs on H100 (9.0) with the binaries for 9.0");
  wanted.matrix = nullptr;
  EXPECT_EQ(said_of(report, wanted, "gpu-archs"), "no result");
}

TEST(GpuArchs, ItsEvidenceIsHowEachGpuRuns) {
  auto report = torch_2_3();
  report.archs = {"sm_80", "compute_80", "sm_90"};
  const auto evidence = [&](const Wanted& wanted) {
    for (const auto& result : judge_self_report(report, wanted, false)) {
      if (result.check == "gpu-archs") return result.evidence.dump();
    }
    return std::string();
  };
  EXPECT_EQ(evidence({.matrix = &facts,
                      .gpus = {{"A100", Capability{8, 0}}, {"RTX 5090", Capability{12, 0}}, {"T4", Capability{7, 5}}}}),
            R"({"gpus":[{"gpu":"A100","capability":"8.0","runs":"sass","via":"8.0"},)"
            R"({"gpu":"RTX 5090","capability":"12.0","runs":"ptx","via":"8.0"},)"
            R"({"gpu":"T4","capability":"7.5","runs":"no","via":null}]})");
}

TEST(GpuArchs, EachGpuThatLacksCodeIsInTheCommand) {
  const Wanted wanted{.matrix = &facts, .gpus = {{"RTX 5090", Capability{12, 0}}, {"B200", Capability{10, 0}}}};
  EXPECT_THAT(said_of(torch_2_3(), wanted, "gpu-archs"),
              HasSubstr("for RTX 5090 (12.0), B200 (10.0); 'envgen resolve --gpu 12.0 --gpu 10.0' finds a build that has them"));
}

TEST(GpuArchs, CodeStandsBeforePtxInTheSentence) {
  auto report = torch_2_3();
  report.archs = {"sm_90", "compute_90"};
  const Wanted wanted{
      .matrix = &facts, .gpus = {{"RTX 5090", Capability{12, 0}}, {"H100", Capability{9, 0}}}, .cuda_of_driver = Version(12, 1)};
  EXPECT_EQ(said_of(report, wanted, "gpu-archs"),
            "pass runs on H100 (9.0) with the binaries for 9.0, RTX 5090 (12.0) through the PTX for 9.0");
}

TEST(Asked, OfSeveralCudasEachHasToFit) {
  const auto report = torch_2_3();
  const auto twice = asked({{Field::torch, "2.3"}, {Field::cuda, ">=12.4"}, {Field::cuda, "12.1"}});
  EXPECT_EQ(said_of(report, {.asked = &twice}, "framework-cuda"), "fail torch is built for 12.1, but >=12.4 was requested");
  const auto fits = asked({{Field::torch, "2.3"}, {Field::cuda, ">=12.0"}, {Field::cuda, "12.1"}});
  EXPECT_EQ(said_of(report, {.asked = &fits}, "framework-cuda"), "pass torch is built for 12.1, as requested");
  auto cpu = torch_2_3();
  cpu.cuda.reset();
  const auto none = asked({{Field::torch, "2.3"}, {Field::cuda, "cpu"}});
  EXPECT_EQ(said_of(cpu, {.asked = &none}, "framework-cuda"), "pass torch is built for cpu, as requested");
  const auto wrong = asked({{Field::torch, "2.3"}, {Field::cuda, "12.1"}});
  EXPECT_EQ(said_of(cpu, {.asked = &wrong}, "framework-cuda"),
            "fail torch is built for cpu, but 12.1 was requested [torch-cpu-build]");
}

TEST(Asked, WhatWasNotAskedForIsNotJudged) {
  const auto board = asked({});
  const std::string nothing = "; nothing to compare with (--lock FILE, --torch VERSION ...)";
  EXPECT_EQ(said_of(torch_2_3(), {.asked = &board}, "python"), "skip Python 3.11.2" + nothing);
  EXPECT_EQ(said_of(torch_2_3(), {.asked = &board}, "framework"), "skip installed: torch 2.3.1" + nothing);
  EXPECT_EQ(said_of(torch_2_3(), {.asked = &board}, "framework-cuda"), "skip torch is built for 12.1" + nothing);
  Environment lock;
  lock.python = "3.11"_python;
  lock.torch = Environment::FrameworkBuild();
  lock.torch->version = "2.3.1";
  const auto other = asked({{Field::torch, "2.6"}, {Field::python, "3.12"}});
  EXPECT_EQ(said_of(torch_2_3(), {.lock = &lock, .asked = &other}, "python"), "pass Python 3.11.2, as locked");
}

/// A matrix in which the machine code of torch 2.3.1 for CUDA 12.1 is not known, and its PTX is.
TEST(KnownBuild, AHalfKnownListOfTargetsIsNotComparedWith) {
  const test::MatrixFolder folder;
  for (const auto& entry : std::filesystem::directory_iterator(ENVGEN_MATRIX_FOLDER)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    auto json = nlohmann::ordered_json::parse(file);
    if (entry.path().filename() == "torch.json") {
      for (auto& build : json["builds"]) {
        if (build["torch"] == "2.3.1" && build["cuda"] == "12.1") {
          build["sass"] = nullptr;
          build["ptx"] = {"9.0"};
        }
        if (build["torch"] == "2.3.1" && build["cuda"] == "11.8") build["ptx"] = nullptr;
      }
    }
    if (entry.path().filename() == "conda.json") json["builds"] = nlohmann::ordered_json::array();
    folder.write(entry.path().filename().string(), json.dump());
  }
  const auto loaded = folder.load();
  ASSERT_TRUE(loaded.problems.empty()) << loaded.problems.front().message;
  const auto partly = loaded.block->matrix();
  auto report = torch_2_3();
  const Wanted wanted{.matrix = &partly};
  EXPECT_THAT(said_of(report, wanted, "archs"), testing::EndsWith("; the value for torch 2.3.1 for CUDA 12.1 is unknown"));
  report.cuda = "11.8";
  EXPECT_THAT(said_of(report, wanted, "archs"), testing::EndsWith("; the value for torch 2.3.1 for CUDA 11.8 is unknown"));
}

TEST(KnownBuild, ItsEvidenceIsWhatTheFirstOfThemHas) {
  auto report = torch_2_3();
  const auto evidence = [&](const matrix::Matrix* matrix) {
    for (const auto& result : judge_self_report(report, {.matrix = matrix}, false)) {
      if (result.check == "nccl-version") return result.evidence.dump();
    }
    return std::string();
  };
  EXPECT_EQ(evidence(&facts), R"({"found":"2.20.5","wanted":"2.20.5"})");
  EXPECT_EQ(evidence(nullptr), R"({"found":"2.20.5","wanted":null})");
  EXPECT_EQ(said_of(report, {}, "nccl-version"), "skip NCCL 2.20.5; nothing to compare with");
  report.framework = "tensorflow";  // whose build of that number is another one
  EXPECT_EQ(said_of(report, {.matrix = &facts}, "nccl-version"),
            "unknown NCCL 2.20.5; envgen has no data for tensorflow 2.3.1 for CUDA 12.1");
}

TEST(FrameworkGpu, AProductOnEachGpu) {
  auto report = torch_2_3();
  report.sees_gpu = true;
  report.gpus = 4;
  report.products = {{0, "", 1e-7},
                     {1, "", 0.5},
                     {2, "", std::nullopt},
                     {3, "CUDA error: no kernel image is available for execution on the device", std::nullopt}};
  std::string said;
  for (const auto& result : judge_self_report(report, {}, true)) {
    if (result.check == "framework-gpu")
      said += std::to_string(*result.device) + " " + std::string(name_of(result.status)) + " " + result.message +
              (result.diagnosis == nullptr ? "" : " [" + std::string(result.diagnosis->id) + "]") + "\n";
  }
  EXPECT_EQ(said,
            "0 pass torch's matrix product matches the CPU's\n"
            "1 fail torch's matrix product differs from the CPU's: off by 0.5 of its largest value\n"
            "2 fail torch's matrix product differs from the CPU's: it is not a number\n"
            "3 fail torch cannot multiply: CUDA error: no kernel image is available for execution on the device [cuda-209]\n");
}

TEST(FrameworkGpu, WhyItFallsBackToTheCpu) {
  auto report = torch_2_3();
  report.sees_gpu = false;
  report.gpu_error = "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU";
  for (const auto& result : judge_self_report(report, {}, true)) {
    if (result.check != "framework-gpu") continue;
    EXPECT_EQ(result.message,
              "a GPU was requested, but torch falls back to the CPU although it is built for CUDA: " + report.gpu_error);
    ASSERT_NE(result.diagnosis, nullptr);
    EXPECT_EQ(result.diagnosis->id, "cuda-35-no-driver");
  }
}

}  // namespace
}  // namespace envgen::validate
