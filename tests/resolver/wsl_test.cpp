// WSL 2: the driver is one of Windows, whose releases have numbers of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answers/headline.hpp"
#include "answers/proof.hpp"
#include "matrix/embedded/embedded.hpp"
#include "resolver/resolver.hpp"
#include "support/answers.hpp"
#include "support/request_text.hpp"

namespace envgen::test {
namespace {

using testing::Contains;
using testing::EndsWith;

std::string refused(std::string_view request) {
  const auto query = resolver::interpret(matrix::embedded(), request_of(request));
  return query ? "" : query.error().origin + ": " + query.error().message;
}

TEST(Wsl, ADriverIsToldByTheCudaThatItReports) {
  EXPECT_THAT(answers::headline(must("wsl=true gpu=5090 torch=2.9")), EndsWith(", Windows driver 570 or newer"));
  const auto driver = must("wsl=true gpu=4090 torch=2.9").driver.value();
  EXPECT_EQ(driver.range.windows_cuda, Version(12, 0));
  EXPECT_EQ(driver.machines.front().range.windows_cuda, Version(12, 0));
  EXPECT_FALSE(must("gpu=4090 torch=2.9").driver->range.windows_cuda);
  EXPECT_FALSE(must("wsl=false gpu=4090 torch=2.9").driver->range.windows_cuda);
}

TEST(Wsl, ANumberOfWindowsStandsForItsBranch) {
  // 572.16 is no number of Linux; it is of R570.
  EXPECT_EQ(must("wsl=true gpu=5090 driver=572.16").build().cuda, Version(12, 8));
  EXPECT_EQ(answers::headline(must("wsl=true gpu=5090 driver=572.16 torch=2.9")),
            "torch 2.9.1 + CUDA 12.8, Python 3.12, Ubuntu 24.04, Windows driver 572.16");
  EXPECT_EQ(must("wsl=true host=gpu=5090,driver=572.16").build().cuda, Version(12, 8));
  EXPECT_EQ(must("wsl=true gpu=4090 driver=570").build().cuda, must("wsl=true gpu=4090 driver=572.16").build().cuda);
}

TEST(Wsl, ABoardThatJoinedABranchLaterIsUnknownThere) {
  // 572.47 is the first of Windows for the 5070 Ti (keylase/nvidia-patch#903); Linux's list says in which branches it joined.
  EXPECT_THAT(summary("wsl=true gpu=5070_Ti driver=572.16"),
              testing::StartsWith("unknown: envgen does not know which Windows drivers support the GeForce RTX"));
  EXPECT_EQ(must("wsl=true gpu=5070_Ti driver=570").build().cuda, Version(12, 8)) << "some release of the branch has it";
  EXPECT_EQ(must("wsl=true gpu=5070_Ti driver=576.80").build().cuda, Version(12, 8));
  EXPECT_THAT(summary("wsl=true gpu=5060 driver=576.40"),
              testing::StartsWith("unknown: envgen does not know which Windows drivers support the GeForce RTX"));
  // R530 for Linux has no 4070; 531.61 for Windows may.
  EXPECT_THAT(summary("wsl=true gpu=4070 driver=531.61"),
              testing::StartsWith("unknown: envgen does not know which Windows drivers support the GeForce RTX"));
  EXPECT_EQ(summary("gpu=4070 driver=530.41.03"), "conflict: gpu, driver");
  EXPECT_EQ(summary("wsl=true gpu=4070 driver=512.95"), "conflict: gpu, driver") << "R510 is older than its architecture";
}

TEST(Wsl, CudaBeganWithR495) {
  for (const auto* driver : {"461.79", "472.12", "494.99"})
    EXPECT_THAT(summary(fmt::format("wsl=true gpu=3060 driver={} torch=1.10", driver)),
                testing::StartsWith(
                    fmt::format("unknown: envgen does not know whether Windows driver {} supports CUDA in WSL 2", driver)));
  EXPECT_EQ(must("wsl=true gpu=3060 driver=496.76 torch=1.10").build().cuda, Version(11, 3));
  EXPECT_THAT(answers::headline(must("wsl=true gpu=1080Ti torch=1.8.1")), EndsWith(", Windows driver 495 to branch 580"));
  EXPECT_EQ(must("wsl=true driver=472.12 torch=1.13 cuda=cpu").build().tag, "cpu");
  // Whether or not a driver or a GPU is named, no older one is said to work.
  for (const auto* request :
       {"wsl=true cuda=11.8 torch=2.3", "wsl=true cuda=11.8 torch=2.3 gpu=3090",
        "wsl=true cuda=11.8 torch=2.3 gpu=3090 driver=522.25", "wsl=true cuda=11.8 torch=2.3 driver=522.25"})
    EXPECT_EQ(must(request).driver->range.to_string(), "for Windows: 495 or newer (CUDA 11.5 in nvidia-smi)") << request;
  EXPECT_THAT(must("wsl=true cuda=11.8 torch=2.3").reasons,
              Contains(testing::Field(&Environment::Reason::why,
                                      testing::StartsWith("the first branch with CUDA in WSL 2, according to NVIDIA; "))));
}

TEST(Wsl, IsGivenUpLast) {
  const auto asked = ask("wsl=true gpu=3060 driver=472.12");
  const auto& nearest = std::get<resolver::Unknown>(asked.answer).nearest;
  ASSERT_FALSE(nearest.empty());
  EXPECT_EQ(answers::changes_text(nearest.front().changes), "without driver 472.12");
}

TEST(Wsl, ANumberOfLinuxIsNoted) {
  const auto note = [](const std::string& driver) {
    return "driver " + driver + " is numbered like a Linux driver, so only its branch is compared; Windows drivers have " +
           "numbers like 536.23";
  };
  EXPECT_THAT(must("wsl=true gpu=4090 driver=535.183.01").warnings, Contains(note("535.183.01")));
  for (const std::string driver : {"536.23", "535"})
    EXPECT_THAT(must("wsl=true gpu=4090 driver=" + driver).warnings, testing::Not(Contains(note(driver))));
  EXPECT_THAT(must("gpu=4090 driver=535.183.01").warnings, testing::Not(Contains(note("535.183.01"))));
}

TEST(Wsl, TheLastBranchIsToldToo) {
  const auto environment = must("wsl=true gpu=1080Ti torch=2.6");
  EXPECT_THAT(answers::headline(environment), EndsWith(", Windows driver 525 to branch 580"));
  EXPECT_EQ(environment.driver->range.to_string(), "for Windows: 525 to branch 580 (CUDA 12.0 in nvidia-smi)");
  EXPECT_EQ(must("wsl=true gpu=4090 torch=2.9").driver->range.to_string(), "for Windows: 525 or newer (CUDA 12.0 in nvidia-smi)");
  // One that is too new gives way to the last branch, not to the oldest.
  const auto asked = ask("wsl=true gpu=1080Ti torch=2.6 driver=591.44");
  const auto& nearest = std::get<resolver::Conflict>(asked.answer).nearest;
  ASSERT_FALSE(nearest.empty());
  EXPECT_EQ(nearest.front().changes.front().to, "580");
}

TEST(Wsl, KernelModulesAreAMatterOfLinux) {
  EXPECT_EQ(summary("host=gpu=V100,gpu=5090 torch=2.10"), "conflict: host");
  EXPECT_EQ(must("wsl=true host=gpu=V100,gpu=5090 torch=2.10").build().cuda, Version(12, 8));
}

TEST(Wsl, CudaCompatIsOfNoUse) {
  EXPECT_TRUE(must("gpu=A100 driver=535 torch=2.9.1+cu130").driver->compat_image);
  EXPECT_EQ(summary("wsl=true gpu=A100 driver=537.13 torch=2.9.1+cu130"), "conflict: driver, torch");
}

TEST(Wsl, AProofSaysWhoseNumbersItHas) {
  const auto asked = ask("wsl=true gpu=5090 driver=537.13");
  const auto& conflict = std::get<resolver::Conflict>(asked.answer);
  EXPECT_THAT(answers::proof_of(matrix::embedded(), asked.query, conflict).remarks,
              Contains("The driver versions above are those of Linux; Windows drivers are compared only by branch."));
}

TEST(Wsl, AProofDoesNotTakeANumberOfWindowsForOneOfLinux) {
  const auto asked = ask("wsl=true gpu=5090 driver=566.36");
  const auto& conflict = std::get<resolver::Conflict>(asked.answer);
  const auto proof = answers::proof_of(matrix::embedded(), asked.query, conflict);
  EXPECT_THAT(proof.because.front(), testing::EndsWith("; driver 566.36 does not support it."));
}

TEST(Wsl, WhatDoesNotWorkThereIsRefused) {
  EXPECT_EQ(refused("wsl=true gpu=K80"),
            "--gpu: the Tesla K80 does not work in WSL 2, which needs compute capability 6.0 (Pascal) or newer");
  EXPECT_EQ(refused("wsl=true gpu=8.7"),
            "--gpu: the GPU of compute capability 8.7 comes with an Arm CPU, and envgen covers WSL 2 only on x86_64 PCs");
  for (const auto* gpu : {"GH200", "GB10"})
    EXPECT_THAT(refused(std::string("wsl=true gpu=") + gpu), testing::EndsWith("envgen covers WSL 2 only on x86_64 PCs"));
  EXPECT_EQ(refused("wsl=true platform=linux-aarch64"), "--platform: envgen covers WSL 2 only on x86_64 PCs");
  EXPECT_EQ(refused("platform=arm64 gpu=5090 wsl=true"), "--platform: envgen covers WSL 2 only on x86_64 PCs");
  EXPECT_EQ(refused("wsl=true driver=>=535"), "--driver: '>=535' is a range; for WSL 2, name the Windows driver itself");
  EXPECT_EQ(refused("wsl=true driver=12.2"), "--driver: '12.2' is a CUDA version, not a driver version");
  EXPECT_EQ(refused("wsl=maybe"), "--wsl: 'maybe' must be true or false");
}

}  // namespace
}  // namespace envgen::test
