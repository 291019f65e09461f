#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "answers/headline.hpp"
#include "check/check.hpp"
#include "matrix/embedded/embedded.hpp"
#include "resolver/materialize.hpp"
#include "support/answers.hpp"
#include "support/literals.hpp"
#include "support/reasons_of.hpp"
#include "support/request_text.hpp"

/// The named cases of the field and of the design, on the shipped matrix.
namespace envgen::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string build_of(std::string_view request) {
  const auto environment = environment_of(request);
  return environment ? environment->build().version + "+" + environment->build().tag : summary(request);
}

std::string runs_on(std::string_view request) {
  std::string text;
  for (const auto& board : must(request).gpus)
    text += (text.empty() ? "" : ", ") + fmt::format("{} runs {} {}", board.capability, name_of(board.runs), board.via);
  return text;
}

// ---- gpu_driver: a driver knows a GPU, or nothing else helps

TEST(GpuDriver, R535DoesNotKnowARtx5090) { EXPECT_EQ(summary("gpu=5090 driver=535"), "conflict: gpu, driver"); }
TEST(GpuDriver, R590DroppedTheV100) { EXPECT_EQ(summary("gpu=V100 driver=590"), "conflict: gpu, driver"); }
TEST(GpuDriver, R580IsTheLastForTheV100) { EXPECT_EQ(build_of("gpu=V100 driver=580 torch=2.10"), "2.10.0+cu128"); }
TEST(GpuDriver, ABranchMustHoldForItsFirstRelease) {
  // 450.36.06 comes before 450.80.02, from which on CUDA 11.x is compatible within its major: only cuda-compat is left.
  EXPECT_THAT(must("torch=>=1.11 gpu=A100 driver=450").driver->carried_by,
              ElementsAre(CarriedBy::gpu_driver, CarriedBy::forward_compat));
  EXPECT_THAT(must("gpu=A100 driver=450.80.02").driver->carried_by, ElementsAre(CarriedBy::gpu_driver, CarriedBy::minor_compat));
}

// ---- kernel modules, hosts and boards

TEST(Hosts, AV100AndA5090CannotShareOneMachine) { EXPECT_EQ(summary("host=gpu=V100,gpu=5090"), "conflict: host"); }
TEST(Hosts, TwoMachinesCan) { EXPECT_EQ(build_of("host=gpu=V100 host=gpu=5090"), "2.10.0+cu128"); }
TEST(Hosts, BareBoardsMaySitInDifferentMachines) {
  EXPECT_EQ(build_of("gpu=V100 gpu=B200"), "2.10.0+cu128");
  EXPECT_EQ(runs_on("gpu=V100 gpu=B200"), "7.0 runs sass 7.0, 10.0 runs sass 10.0");
}
TEST(Hosts, TheDriverOfAHostIsNoDriverOfAnother) {
  const auto environment = must("host=gpu=V100,driver=535 host=gpu=5090");
  EXPECT_EQ(environment.torch->tag, "cu128");
  EXPECT_EQ(environment.driver->asked, "535");
  EXPECT_EQ(environment.driver->range.minimum, "570.86.16");
}
TEST(Hosts, CudaCompatOfAHostAsksForDataCentreBoardsAlone) {
  EXPECT_EQ(build_of("host=gpu=A100,driver=470 torch=2.3 cuda=12.1"), "2.3.1+cu121");
  EXPECT_EQ(summary("host=gpu=A100,gpu=3090,driver=470 torch=2.3 cuda=12.1"), "conflict: host, cuda");
}

// ---- machine code and PTX

TEST(Code, AListWithHolesIsTheTruth) {
  EXPECT_EQ(summary("torch=2.7 cuda=12.8 gpu=V100"), "conflict: torch, cuda, gpu");
  EXPECT_EQ(build_of("torch=2.8 cuda=12.8 gpu=V100"), "2.8.0+cu128");
  EXPECT_EQ(summary("torch=2.11 cuda=12.8 gpu=V100"), "conflict: torch, cuda, gpu");
}
TEST(Code, MachineCodeRunsOnLaterMinorsOfItsMajor) {
  EXPECT_EQ(runs_on("torch=2.3 gpu=4090"), "8.9 runs sass 8.6");
  EXPECT_EQ(runs_on("torch=2.10 cuda=12.8 gpu=B300"), "10.3 runs sass 10.0");
  EXPECT_EQ(runs_on("gpu=GB10"), "12.1 runs sass 12.0");
}
TEST(Code, TheMachineCodeOfDesktopBoardsIsNothingToAnOrin) {
  EXPECT_EQ(runs_on("gpu=Orin installer=conda torch=2.13"), "8.7 runs sass 8.7");
  EXPECT_EQ(summary("gpu=Orin torch=2.5.1"), "conflict: gpu, torch");
}
TEST(Code, A5090NeedsCuda128) {
  EXPECT_EQ(summary("torch=2.3 gpu=5090"), "conflict: torch, gpu");
  EXPECT_EQ(build_of("torch=2.7 gpu=5090"), "2.7.1+cu128");
}
TEST(Code, AK80EndsAtTorch23) {
  EXPECT_EQ(build_of("gpu=K80"), "2.3.1+cu118");
  EXPECT_EQ(summary("torch=2.5 gpu=K80"), "conflict: torch, gpu");
  // The builds of 2.4 have code for 3.7, but their cuDNN starts at 5.0.
  EXPECT_EQ(summary("torch=2.4 cuda=11.8 gpu=K80"), "conflict: torch, gpu");
}
TEST(Code, PtxNeedsADriverThatReportsTheCuda) {
  EXPECT_THAT(must("torch=2.3 cuda=12.1 gpu=4090 driver=525").driver->carried_by,
              ElementsAre(CarriedBy::gpu_driver, CarriedBy::minor_compat));
  EXPECT_EQ(summary("torch=2.3 cuda=12.1 gpu=4090 driver=525 ptx"), "conflict: cuda, driver, ptx");
  const auto environment = must("torch=2.3 cuda=12.1 gpu=4090 driver=535 ptx");
  EXPECT_THAT(environment.driver->carried_by, ElementsAre(CarriedBy::gpu_driver, CarriedBy::native));
  EXPECT_EQ(environment.driver->range.minimum, "530.30.02");
}

// ---- drivers and CUDA

TEST(Driver, MinorCompatibilityStartsPerMajor) {
  EXPECT_EQ(must("torch=2.3 cuda=12.1").driver->range.minimum, "525.60.13");
  EXPECT_EQ(must("torch=2.3 cuda=11.8").driver->range.minimum, "450.80.02");
  EXPECT_EQ(must("torch=2.9 cuda=13.0").driver->range.minimum, "580.65.06");
  EXPECT_EQ(must("torch=1.12 cuda=10.2").driver->range.minimum, "440.33");  // CUDA 10 has no such compatibility
}
TEST(Driver, TheDefaultCudaGivesWayToAnOldDriver) {
  EXPECT_EQ(build_of("torch=2.12 driver=580"), "2.12.1+cu130");
  EXPECT_EQ(build_of("torch=2.12 driver=535"), "2.12.1+cu126");
  EXPECT_EQ(build_of("driver=470"), "2.7.1+cu118");
}
TEST(Driver, CudaCompatLiftsDataCentreBoards) {
  const auto environment = must("torch=2.3 cuda=12.1 gpu=A100 driver=470");
  EXPECT_THAT(environment.driver->carried_by, ElementsAre(CarriedBy::gpu_driver, CarriedBy::forward_compat));
  EXPECT_THAT(
      environment.warnings,
      testing::Contains("the driver alone does not support CUDA 12.1: it needs cuda-compat-12-1, as in envgen's Dockerfiles; "
                        "without a container, install that package on the machine and set "
                        "LD_LIBRARY_PATH=/usr/local/cuda-12.1/compat"));
}
TEST(Driver, ANewerReleaseThatNeedsCudaCompatIsNamed) {
  const auto environment = must("gpu=L40S driver=535.129.03");
  EXPECT_EQ(environment.torch->version, "2.14.1");
  EXPECT_THAT(
      environment.warnings,
      testing::Contains(
          "torch 2.15.0 also works in a container with cuda-compat-13-2, which envgen's Dockerfile installs: --torch 2.15.0"));
  EXPECT_EQ(test::why(environment, "torch"),
            "the newest release with an official build known to satisfy the request without cuda-compat");
  for (const auto* request : {"gpu=4090 driver=535.129.03", "gpu=L40S driver=580.65.06", "gpu=L40S driver=535.129.03 torch=2.14",
                              "gpu=L40S driver=535.129.03 prefer=widest"})
    EXPECT_THAT(must(request).warnings, testing::Not(testing::Contains(testing::HasSubstr("also works in a container"))))
        << request;
}
TEST(Driver, WhatAnOlderDriverAllowsIsSaidWhereGpusAloneWereAskedFor) {
  const auto note = [](const std::string& request) {
    const auto warnings = must(request).warnings;
    const auto found = std::find_if(warnings.begin(), warnings.end(),
                                    [](const std::string& each) { return each.starts_with("for an older driver"); });
    return found == warnings.end() ? "" : *found;
  };
  EXPECT_EQ(note("gpu=4xH200"), "for an older driver, --driver 550.90.07 (the first that supports the H200) gives torch 2.14.1");
  const std::regex form("for an older driver, --driver (.*) [(]the first .*[)] gives torch (.*)");
  for (const auto* gpu : {"H200", "4090", "5090", "B200", "A100", "L40S"}) {
    const auto request = std::string("gpu=") + gpu;
    std::smatch said;
    const auto text = note(request);
    ASSERT_TRUE(std::regex_match(text, said, form)) << gpu << ": " << text;
    EXPECT_EQ(must(request + " driver=" + said[1].str()).torch->version, said[2].str()) << gpu;
  }
  for (const auto* request : {"gpu=H200 driver=580", "gpu=H200 torch=2.15", "gpu=H200 cuda=13", "gpu=4090 wsl=true",
                              "gpu=H200 gpu=T4", "gpu=H200 prefer=widest", "gpu=8.6", ""})
    EXPECT_EQ(note(request), "") << request;
}
TEST(Driver, ANumberOfWindowsIsSaid) {
  const std::string note =
      "driver 572.16 is numbered like a Windows driver, so only its branch is compared; for WSL 2, add --wsl";
  EXPECT_THAT(must("gpu=4090 driver=572.16").warnings, testing::Contains(note));
  EXPECT_THAT(must("gpu=4090 driver=572.16 wsl=true").warnings, testing::Not(testing::Contains(note)));
  EXPECT_THAT(must("gpu=4090 driver=570.86.16").warnings,
              testing::Not(testing::Contains(testing::HasSubstr("like a Windows driver"))));
}
TEST(Driver, CudaCompatNeverLiftsAGeForce) {
  // Both have capability 8.6, and R470 knows both.
  EXPECT_EQ(build_of("torch=2.3 cuda=12.1 gpu=A10 driver=470"), "2.3.1+cu121");
  EXPECT_THAT(summary("torch=2.3 cuda=12.1 gpu=3090 driver=470"), StartsWith("conflict: "));
}
TEST(Driver, CudaCompatIsForCapabilitiesOfDataCentreBoardsAlone) {
  EXPECT_EQ(summary("torch=2.3 cuda=12.1 gpu=8.6 driver=470"), "conflict: cuda, driver");
  EXPECT_THAT(must("torch=2.3 cuda=12.1 gpu=8.0 driver=470").driver->carried_by,
              ElementsAre(CarriedBy::gpu_driver, CarriedBy::forward_compat));
}
TEST(Driver, CudaCompatComesLast) {
  EXPECT_THAT(must("gpu=A100 driver=470").driver->carried_by, ElementsAre(CarriedBy::gpu_driver, CarriedBy::minor_compat));
  EXPECT_EQ(build_of("gpu=A100 driver=470"), "2.7.1+cu118");
}
TEST(Driver, ARangeIsMetByAnyReleaseInIt) {
  EXPECT_EQ(build_of("torch=2.3 cuda=12.1 gpu=4090 driver=>=515,<530"), "2.3.1+cu121");
  EXPECT_THAT(summary("torch=2.3 cuda=12.1 gpu=4090 driver=>=515,<525"), StartsWith("conflict: "));
}

// ---- cuDNN

TEST(CondaCudnn, ThatIsLeftOpenIsTheNewestThatTheSystemLoads) {
  EXPECT_EQ(must("torch=2.6 installer=conda").cudnn->version->to_string(), "9.10.2.21");
  EXPECT_EQ(must("torch=2.6 installer=conda os=ubuntu18.04").cudnn->version->to_string(), "9");
  EXPECT_EQ(must("torch=2.13 cuda=13.0 installer=conda").cudnn->version->to_string(), "9.25.0.15");
  EXPECT_EQ(build_of("torch=2.6 gpu=4090 cudnn=9.10 installer=conda"), "2.6.0+cu126");
  EXPECT_THAT(summary("torch=2.6 cudnn=9.10 installer=conda os=ubuntu18.04"), StartsWith("unknown: "));
}

// ---- image gates

TEST(ImageGate, AnImageAsksForItsOwnCuda) {
  EXPECT_EQ(must("torch=2.5 base=cuda").driver->range.minimum, "550.54.14");
  EXPECT_EQ(must("torch=2.5 base=slim").driver->range.minimum, "525.60.13");
}
TEST(ImageGate, ADataCentreBoardPassesAsAnException) {
  const auto environment = must("torch=2.3 cuda=12.1 gpu=A100 driver=525 base=cuda");
  EXPECT_THAT(environment.driver->carried_by, ElementsAre(CarriedBy::gpu_driver, CarriedBy::minor_compat, CarriedBy::image_gate));
}
TEST(ImageGate, AGeForceIsNotLetInUnderADriverThatMinorCompatibilityWouldAllow) {
  EXPECT_EQ(build_of("torch=2.5 cuda=12.4 gpu=4090 driver=545"), "2.5.1+cu124");
  EXPECT_FALSE(environment_of("torch=2.5 cuda=12.4 gpu=4090 driver=545 base=cuda"));
  EXPECT_FALSE(environment_of("torch=2.7 cuda=12.8 gpu=4090 driver=550 base=cuda"));
}
TEST(ImageGate, AGeForceIsLetInWhereTheGateNamesItsBrands) {
  EXPECT_EQ(must("torch=2.3 cuda=12.1 gpu=4090 driver=525 base=cuda").driver->range.minimum, "530.30.02");
}
TEST(ImageGate, AnOfficialDevelImageInheritsWhatAllImagesOfItsCudaAsk) {
  EXPECT_TRUE(environment_of("torch=2.5 cuda=12.4 gpu=4090 driver=545 base=pytorch"));
  EXPECT_TRUE(environment_of("torch=2.5 cuda=12.4 gpu=4090 driver=550 base=pytorch variant=devel"));
  EXPECT_EQ(summary("torch=2.5.1 cuda=12.4 gpu=4090 driver=545 base=pytorch variant=devel"), "conflict: cuda, driver, variant");
  // Of CUDA 13.2 no gate was read.
  EXPECT_THAT(summary("torch=2.12.1 cuda=13.2 gpu=A100 driver=580.65.06 base=pytorch variant=devel"),
              testing::HasSubstr("(NVIDIA_REQUIRE_CUDA)"));
}

TEST(Pythons, OneThatSomebodyProvidesComesFirst) {
  // torch 1.7.1 has wheels for 3.6 to 3.9; uv installs 3.8 and later, and CentOS 7's own was not read.
  const auto old = must("torch=1.7.1 os=centos7");
  EXPECT_EQ(old.python.to_string(), "3.8");
  EXPECT_EQ(old.python_provider, PythonProvider::uv);
  EXPECT_THAT(why(old, "python"), testing::EndsWith("the oldest Python that uv installs, with a wheel for every package"));
}

TEST(GpuNames, PciIdsAreWrittenInManyWays) {
  for (const std::string id : {"10de:2684", "10DE:2684", "0x10de:0x2684", "0x2684", "2684"})
    EXPECT_EQ(must("gpu=" + id).gpus.front().name, "GeForce RTX 4090") << id;
  EXPECT_EQ(usage_error("gpu=ffff"), "unknown GPU 'ffff'");
}

// ---- what an answer leans on

TEST(Leaning, MachineCodeComesBeforePtx) {
  EXPECT_EQ(must("gpu=5090 installer=conda").gpus.front().runs, CodeKind::sass);
  EXPECT_EQ(must("tensorflow=2.16 gpu=4090").gpus.front().runs, CodeKind::sass);
}
TEST(Drivers, EndWithTheLastBranchThatKnowsTheBoards) {
  EXPECT_EQ(must("gpu=K80").driver->range.to_string(), ">=450.80.02,<471");
  EXPECT_EQ(must("gpu=K80 torch=2.3 variant=devel").driver->range.last_branch, "470");
  EXPECT_EQ(must("gpu=4090").driver->range.last_branch, std::nullopt);
}
TEST(Drivers, EachMachineHasItsOwnRange) {
  const auto driver = *must("host=gpu=V100,driver=470 host=gpu=H100,driver=570").driver;
  ASSERT_EQ(driver.machines.size(), 2U);
  EXPECT_EQ(driver.machines[0].range.to_string(), ">=450.80.02,<581");
  EXPECT_EQ(driver.machines[1].range.minimum, "520.56.06");
  EXPECT_EQ(driver.range.to_string(), ">=520.56.06,<581");
}
TEST(Drivers, OfTwoMachinesWithoutOneInCommonAreNoRange) {
  const auto driver = *must("gpu=K80 gpu=4090").driver;
  EXPECT_EQ(driver.range.to_string(), "unknown");
  EXPECT_EQ(driver.machines[0].range.to_string(), ">=450.80.02,<471");
  EXPECT_EQ(driver.machines[1].range.minimum, "520.56.06");
}
TEST(Drivers, AFreeDriverOpensTheGateOfItsImage) {
  EXPECT_TRUE(environment_of("variant=devel gpu=V100 host=gpu=A100,driver=550"));
  EXPECT_TRUE(environment_of("base=cuda host=gpu=H100,driver=550 host=gpu=H100"));
}

TEST(Cudnn, StatedInPartIsEveryReleaseOfThatName) {
  EXPECT_TRUE(environment_of("tensorflow=2.15 gpu=V100"));
  EXPECT_TRUE(environment_of("tensorflow=2.10 gpu=K80"));
}
TEST(Cudnn, OfAGpuNewerThanWhatWasPrintedForItNothingIsKnown) {
  EXPECT_THAT(summary("torch=2.5.1 gpu=5090 installer=conda"),
              testing::HasSubstr("whether the cuDNN of torch 2.5.1+cu126 on conda-forge supports the GeForce RTX 5090"));
}
TEST(Cudnn, OfAListThatEndsANewerGpuIsNotServed) {
  for (const auto* release : {"2.16", "2.17", "2.18", "2.19", "2.20"})
    EXPECT_EQ(summary(fmt::format("tensorflow={} gpu=5090", release)), "conflict: tensorflow, gpu") << release;
}

TEST(TensorFlow, WithoutCudaOfItsOwnStartsFromAnImageThatHasIt) {
  EXPECT_EQ(must("tensorflow=2.10").base, Base::cuda);
  EXPECT_EQ(must("tensorflow=2.15").base, Base::slim);
}
TEST(TensorFlow, AutoLeavesItsVersionOpen) {
  EXPECT_TRUE(must("tensorflow=auto").tensorflow);
  EXPECT_EQ(summary("tensorflow=auto"), summary("tensorflow=>=1"));
}

TEST(OpenReleases, CountWhereACudaIsNamed) {
  EXPECT_THAT(summary("cuda=13.4"), testing::HasSubstr("whether torch 2.15.0 has a build for CUDA 13.4 (known: "));
  EXPECT_EQ(summary("cuda=12.7"), "conflict: cuda");
}
/// No release went back to an older glibc than all of the one before it, so what is not listed needs it too.
TEST(OpenReleases, NeedTheGlibcOfThoseBefore) {
  for (const auto* request :
       {"torch=2.15 os=ubuntu18.04", "torch=2.15 os=ubuntu18.04 cuda=13.4", "gpu=5090 os=amzn2 installer=pip"})
    EXPECT_THAT(summary(request), StartsWith("conflict: ")) << request;
}
/// What may be there for CUDA 12.2 may be there for who names no CUDA.
TEST(OpenReleases, CountWhereNoneIsNamed) {
  for (const auto* request : {"torch=2.15 gpu=V100", "torch=2.15 gpu=V100 cuda=13.4"})
    EXPECT_EQ(summary(request), "conflict: torch, gpu") << request << ", whatever the CUDA is";
  EXPECT_EQ(summary("python=3.6 torch=2.3"), "conflict: python, torch") << "whose list is complete";
}
/// Requires-Python is of the release: what is not listed of it is for no older Python either.
TEST(OpenReleases, AskForTheSamePython) {
  EXPECT_EQ(summary("python=3.10 torch=2.15"), "conflict: python, torch");
  EXPECT_EQ(summary("python=3.10 torch=2.15 cuda=13.4"), "conflict: python, torch");
  EXPECT_THAT(summary("python=3.11 torch=2.15 cuda=13.4"), StartsWith("unknown: "));
}

// ---- what papers of 2020 to 2022 were made with

TEST(Cudnn, ServesNoGpuThatALaterOneDoesNot) {
  EXPECT_EQ(summary("tensorflow=2.10 gpu=B200"), "conflict: tensorflow, gpu");
  EXPECT_EQ(summary("tensorflow=2.8 gpu=5090"), "conflict: tensorflow, gpu");
  EXPECT_EQ(summary("tensorflow=2.10 gpu=H100"), "conflict: tensorflow, gpu") << "8.6 is the first that holds code for it";
  EXPECT_TRUE(environment_of("tensorflow=2.12 gpu=H100")) << "which brings 8.6";
}

TEST(OldReleases, AreThoseOfThePapers) {
  EXPECT_EQ(build_of("torch=1.7.1 cuda=11.0 gpu=3090"), "1.7.1+cu110");
  EXPECT_EQ(runs_on("torch=1.7.1 cuda=11.0 gpu=3090"), "8.6 runs sass 8.0") << "the code of 8.0 runs on 8.6";
  EXPECT_EQ(build_of("torch=1.10 cuda=11.3 gpu=A100"), "1.10.2+cu113");
  EXPECT_EQ(build_of("torch=1.8 gpu=4090"), "1.8.1+cu111") << "whose code of 8.6 runs on 8.9";
  EXPECT_EQ(summary("torch=1.8 cuda=10.2 gpu=4090"), "conflict: cuda, gpu") << "none of these builds has PTX";
  EXPECT_EQ(summary("torch=1.8.0 cuda=11.1 gpu=P100"), "conflict: torch, cuda, gpu") << "1.8.0 left 6.0 out";
  EXPECT_EQ(build_of("torch=1.8.1 cuda=11.1 gpu=P100"), "1.8.1+cu111");
  EXPECT_EQ(build_of("torch=1.7.1 cuda=9.2 gpu=V100 driver=418"), "1.7.1+cu92");
  EXPECT_EQ(build_of("torch=1.7.0 cuda=11.0 gpu=V100"), "1.7.0+cu110") << "any cuDNN for CUDA 11 serves it";
}
/// torch 2.15 may be built for 13.0 and 13.4 besides, and for no other CUDA; 2.14 for none besides its own.
TEST(OpenReleases, HaveNothingButWhatTheyLeaveOpen) {
  for (const auto* cuda : {"12.4", "12.6", "12.8"})
    EXPECT_EQ(summary(fmt::format("torch=2.15 cuda={}", cuda)), "conflict: torch, cuda") << cuda;
  for (const auto* cuda : {"13.0", "13.4", "cpu"})
    EXPECT_THAT(summary(fmt::format("torch=2.15 cuda={}", cuda)), StartsWith("unknown: ")) << cuda;
  EXPECT_EQ(summary("torch=2.14 cuda=13.4"), "conflict: torch, cuda");
  EXPECT_EQ(summary("gpu=3.5"), "conflict: gpu");
  EXPECT_THAT(summary("python=3.6 cuda=12.2"), StartsWith("conflict: "));
}
/// They stand in the way of a proof, and never become an answer.
TEST(OpenReleases, AreNoAnswer) { EXPECT_EQ(build_of("python=3.7"), "1.13.1+cu117"); }

TEST(Nearest, KeepsTheOldestDriverThatWouldDo) {
  const auto answered = ask("gpu=5090 driver=550");
  const auto& nearest = std::get<resolver::Conflict>(answered.answer).nearest.front();
  ASSERT_EQ(nearest.changes.size(), 1U);
  EXPECT_EQ(nearest.changes[0].to, "570.86.16");
}
TEST(Nearest, NamesCondaToWhoNamedNoInstaller) {
  const auto answered = ask("torch=2.6 cuda=12.6 os=ubuntu18.04");
  const auto& nearest = std::get<resolver::Conflict>(answered.answer).nearest.back();
  ASSERT_EQ(nearest.changes.size(), 1U);
  EXPECT_EQ(nearest.changes[0].from, "");
  EXPECT_EQ(nearest.changes[0].to, "conda");
}

TEST(Leaning, CudaCompatNamesTheBranchThatItLifts) {
  const auto environment = must("torch=2.3 cuda=12.1 gpu=A100 driver=470");
  EXPECT_THAT(environment.driver->carried_by, ElementsAre(CarriedBy::gpu_driver, CarriedBy::forward_compat));
  EXPECT_EQ(environment.driver->range.to_string(), ">=470.42.01,<471");
}

// ---- boards beside an Arm CPU

TEST(ArmOnly, ABoardMovesThePlatform) {
  EXPECT_EQ(must("gpu=GB10").platform, Platform::linux_aarch64);
  EXPECT_EQ(must("gpu=12.1").platform, Platform::linux_aarch64);
  EXPECT_FALSE(environment_of("gpu=GB10 platform=amd64"));
}

// ---- torch, its companions and its Pythons

TEST(Torch, APrefixTakesItsNewestPatch) { EXPECT_EQ(build_of("torch=2.3"), "2.3.1+cu121"); }
TEST(Torch, RangesFollowPep440) {
  EXPECT_EQ(build_of("torch=>=2.3,<2.5"), "2.4.1+cu121");
  EXPECT_EQ(build_of("torch=~=2.3.0"), "2.3.1+cu121");
  EXPECT_EQ(build_of("torch===2.3"), "2.3.0+cu121");
  EXPECT_EQ(build_of("torch===2.3.*"), "2.3.1+cu121");
  EXPECT_EQ(build_of("torch=>=2.3,<2.5,!=2.4.*"), "2.3.1+cu121");
}
TEST(Torch, CudaIsWrittenInManyWays) {
  for (const std::string cuda : {"12.1", "cu121", "cuda12.1", "12.1.1", ">=12.1,<12.4", "==12.1"})
    EXPECT_EQ(build_of("torch=2.3 cuda=" + cuda), "2.3.1+cu121") << cuda;
  EXPECT_EQ(build_of("torch=torch==2.3.1+cu118"), "2.3.1+cu118");
  EXPECT_EQ(build_of("torch=2.3.1+cpu"), "2.3.1+cpu");
  EXPECT_EQ(build_of("torch=2.3 cuda=cpu"), "2.3.1+cpu");
}
TEST(Torch, ThreeDigitsNameTheToolkit) {
  EXPECT_EQ(must("torch=2.3 cuda=12.1").toolkit().version, "12.1.1");
  EXPECT_EQ(must("torch=2.3 cuda=12.1.0").toolkit().version, "12.1.0");
  EXPECT_EQ(must("torch=2.3 cuda=12.1.0 variant=devel").images.devel, "nvidia/cuda:12.1.0-devel-ubuntu22.04");
  EXPECT_EQ(summary("torch=2.3 cuda=12.1.9"), "conflict: cuda");
}
TEST(Torch, ACompanionWithoutAWheelIsLeftOut) {
  const auto environment = must("torch=2.5.0 python=3.13");
  EXPECT_FALSE(environment.torch->torchvision);
  EXPECT_EQ(why(environment, "torchvision"), "torchvision 0.20.0 has no wheel for Python 3.13 on linux-x86_64");
  EXPECT_THAT(must("torch=2.5.0").pythons, testing::Not(testing::Contains("3.13")));
  EXPECT_THAT(must("torch=2.5.0").torch->pythons, testing::Contains("3.13"));
}
TEST(Torch, TorchaudioStopsAt211) {
  EXPECT_EQ(must("torch=2.11").torch->torchaudio, "2.11.0");
  const auto environment = must("torch=2.12");
  EXPECT_FALSE(environment.torch->torchaudio);
  EXPECT_EQ(why(environment, "torchaudio"), "none was released for torch 2.12.1; --torchaudio 2.11.1 works with it");
}
/// torchaudio 2.11.1 is one wheel for CUDA 13 on the package index; whether PyTorch's own index has others was not read.
TEST(Torch, ATorchaudioThatLinksWithOneCudaGoesToTheBuildsOfThePackageIndex) {
  for (const auto* torch : {"2.11", "2.13", "2.15"}) {
    const auto environment = must(fmt::format("torch={} torchaudio=2.11.1", torch));
    EXPECT_EQ(environment.torch->torchaudio, "2.11.1") << torch;
    EXPECT_TRUE(environment.torch->on_package_index) << torch;
    EXPECT_EQ(environment.torch->cuda->major(), 13) << torch;
  }
  EXPECT_EQ(must("torch=2.15 torchaudio=2.11").torch->torchaudio, "2.11.1");
  // The wheel index has 2.11.0 for CUDA 12.6.
  EXPECT_EQ(must("torch=2.13 torchaudio=2.11 cuda=12.6").torch->torchaudio, "2.11.0");
  EXPECT_EQ(summary("torch=2.13 torchaudio=2.11.1 cuda=12.6"),
            "unknown: envgen does not know whether PyTorch's wheel index has torchaudio 2.11.1 for torch 2.13.0+cu126");
  EXPECT_THAT(summary("torch=2.10 torchaudio=2.11.1"), StartsWith("conflict:"));
  EXPECT_EQ(must("torch=2.13 torchaudio=latest").torch->torchaudio, "2.11.1");
  EXPECT_EQ(must("torch=2.3 torchaudio=latest").torch->torchaudio, "2.3.1");
  // The package index has torch 2.14 for no Python 3.15.
  EXPECT_THAT(
      summary("torch=2.14 python=3.15 torchaudio=2.11"),
      StartsWith("unknown: envgen does not know whether PyTorch's wheel index has torchaudio 2.11 for torch 2.14.1+cu132"));
}
TEST(Torch, AFreeThreadedPythonIsTakenOnlyWhenAskedFor) {
  const auto environment = must("python=3.13t");
  EXPECT_EQ(environment.python, "3.13t");
  EXPECT_EQ(environment.python_provider, PythonProvider::uv);
  EXPECT_TRUE(environment.torch->on_package_index);
  EXPECT_EQ(must("torch=2.12").python, "3.12");
}
TEST(Torch, PythonsAreAllThatWouldDoWhicheverWasAskedFor) {
  const std::vector<PythonVersion> pythons{{8}, {9}, {10}, {11}, {12}};
  EXPECT_EQ(must("torch=2.3").pythons, pythons);
  EXPECT_EQ(must("torch=2.3 python=3.11").pythons, pythons);
}

// ---- what the matrix does not know

TEST(Unknown, AnOpenReleaseMayHaveWhatIsNotListed) {
  EXPECT_EQ(summary("torch=2.15 cuda=13.4"),
            "unknown: No listed build satisfies the request, and envgen does not know whether torch 2.15.0 has a build for CUDA "
            "13.4 (known: cu132)");
}
TEST(Unknown, SaysThatACondaChannelHasABuild) {
  EXPECT_THAT(summary("gpu=Orin torch=2.13 cuda=>=12.6,<13.1"), HasSubstr("; --installer conda works"));
  EXPECT_THAT(summary("gpu=Orin torch=2.13 cuda=>=12.6,<13.1 installer=uv"), Not(HasSubstr("conda")));
}
TEST(Unknown, ATorchBeyondTheMatrix) {
  EXPECT_THAT(summary("torch=2.14 installer=conda"),
              StartsWith("unknown: torch 2.14 from conda is newer than envgen's data, which ends at 2.13.0 ("));
  EXPECT_THAT(summary("torch=2.13 torchaudio=2.11.2"),
              StartsWith("unknown: torchaudio 2.11.2 is newer than envgen's data, which ends at 2.11.1 ("));
  EXPECT_EQ(
      summary("torch=2.16"),
      "unknown: torch 2.16 is newer than envgen's data, which ends at 2.15.0 (as of 2026-11-29); 'envgen matrix update' fetches "
      "newer data; if it is not released yet, https://pytorch.org/get-started/locally/ has nightly builds");
}

// ---- installers, channels, side builds, TensorFlow

TEST(Installer, CondaTakesTheOfficialChannelWhileItLives) {
  const auto environment = must("torch=2.5.1 installer=conda");
  EXPECT_EQ(environment.torch->conda_spec, "pytorch==2.5.1 pytorch-cuda=12.4");
  EXPECT_THAT(environment.torch->conda_channels, ElementsAre("pytorch", "nvidia"));
  EXPECT_EQ(environment.python_provider, PythonProvider::conda);
  EXPECT_EQ(environment.cudnn->from, CudnnFrom::conda);
}
TEST(Installer, CondaForgeCarriesOnAfterIt) {
  const auto environment = must("torch=2.13 installer=conda");
  EXPECT_THAT(environment.torch->conda_channels, ElementsAre("conda-forge"));
  EXPECT_EQ(environment.torch->official, false);
}
/// The extra of 2.14 and 2.15.0 asks for a TensorRT that pip cannot always install.
TEST(TensorFlow, WhoseExtraNeedsTensorrtIsInstalledWithoutIt) {
  for (const auto* request : {"tensorflow=2.15.0", "tensorflow=2.14.1 python=3.11"})
    EXPECT_THAT(why(must(request), "package"),
                testing::StartsWith("the extra also requires a TensorRT that pip cannot always install"));
  EXPECT_THAT(why(must("tensorflow=2.15.1"), "package"), testing::StartsWith("the extra installs CUDA and cuDNN as wheels"));
}
TEST(SideBuild, IsTheAnswerOnlyWhereNoOfficialBuildIs) {
  const auto environment = must("torch=2.10 cuda=12.9");
  EXPECT_EQ(environment.torch->tag, "cu129");
  EXPECT_EQ(environment.torch->official, false);
  EXPECT_THAT(why(environment, "torch"), HasSubstr("a side build, outside the official release matrix"));
  EXPECT_EQ(must("torch=2.10 cuda=>=12.8,<13").torch->tag, "cu128");
}
/// Nothing but TensorFlow is in its images.
TEST(TensorFlow, IsWhatItsImageAsksFor) {
  EXPECT_EQ(must("base=tensorflow").build().version, must("base=tensorflow tensorflow=auto").build().version);
  EXPECT_TRUE(must("base=tensorflow").tensorflow);
  EXPECT_THAT(check::violations(matrix::embedded(), request_of("base=tensorflow"), must("base=tensorflow")), testing::IsEmpty());
  EXPECT_EQ(must("base=tensorflow python=3.8").base, Base::tensorflow);
  EXPECT_EQ(summary("base=tensorflow torch=2.3"), "conflict: base, torch");
  EXPECT_EQ(summary("base=tensorflow torchvision=0.18"), "conflict: base, torchvision");
}

TEST(TensorFlow, HasTheSameShape) {
  const auto environment = must("tensorflow=2.16 gpu=4090");
  EXPECT_FALSE(environment.torch);
  EXPECT_EQ(environment.tensorflow->version, "2.16.2");
  EXPECT_EQ(environment.tensorflow->cuda, "12.3");
  EXPECT_EQ(environment.images.official_runtime, "tensorflow/tensorflow:2.16.2-gpu");
  EXPECT_FALSE(environment.tensorflow->cuda_pins.empty());
}
TEST(TensorFlow, ItsImagesAreNoDevelImages) {
  EXPECT_EQ(summary("tensorflow=2.16 base=tensorflow variant=devel"), "conflict: base, variant");
}

// ---- the defaults of the design, each with its reason

TEST(Defaults, OfAnEmptyRequest) {
  const auto environment = must("");
  EXPECT_EQ(environment.torch->version, "2.15.0");
  EXPECT_EQ(environment.platform, Platform::linux_x86_64);
  EXPECT_EQ(why(environment, "platform"), "the default");
  EXPECT_EQ(environment.variant, Variant::runtime);
  EXPECT_EQ(why(environment, "variant"), "the default: installing these packages compiles nothing");
  EXPECT_EQ(environment.installer, Installer::pip);
  EXPECT_EQ(why(environment, "installer"), "the default");
  EXPECT_EQ(environment.base, Base::slim);
  EXPECT_EQ(why(environment, "base"), "the wheels include CUDA; a CUDA base would duplicate it");
}
TEST(Defaults, CudaIsWhatThePackageIndexInstalls) {
  const auto environment = must("torch=2.3.1");
  EXPECT_EQ(environment.torch->cuda, "12.1");
  EXPECT_EQ(why(environment, "cuda"), "the default CUDA version of torch 2.3.1");
  EXPECT_EQ(why(environment, "index"), "the package index (PyPI or a mirror of it) has this build");
}
TEST(Defaults, TheSystemIsTheNewestUbuntuWithImagesForThatCuda) {
  EXPECT_EQ(must("torch=2.3").os, "ubuntu22.04");
  EXPECT_EQ(must("torch=2.12").os, "ubuntu24.04");
  EXPECT_EQ(must("torch=2.12 os=debian12").os, "debian12");
  EXPECT_EQ(summary("torch=2.12 os=ubuntu18.04"), "conflict: torch, os");  // glibc 2.27, and 2.28 is needed
}
TEST(Defaults, ThePythonIsTheSystemsOwnWhereThereAreWheelsForIt) {
  const auto own = must("torch=2.3");
  EXPECT_EQ(own.python, "3.10");
  EXPECT_EQ(own.python_provider, PythonProvider::system);
  const auto other = must("torch=2.3 python=3.11");
  EXPECT_EQ(other.python, "3.11");
  EXPECT_EQ(other.python_provider, PythonProvider::uv);
}
TEST(Defaults, DevelStartsFromNvidiaCuda) {
  const auto environment = must("torch=2.3 variant=devel");
  EXPECT_EQ(environment.base, Base::cuda);
  EXPECT_EQ(why(environment, "base"), "nvcc and headers come with it");
}
TEST(Defaults, ABoardBesideAnArmCpuSetsThePlatform) {
  const auto environment = must("gpu=GH200");
  EXPECT_EQ(environment.platform, Platform::linux_aarch64);
  EXPECT_EQ(why(environment, "platform"), "the GH200 comes only with an Arm CPU");
  EXPECT_EQ(summary("gpu=GH200 platform=amd64"), "conflict: gpu, platform");
}
TEST(Defaults, CpuBuildsServeThoseWhoAskForThem) {
  const auto environment = must("torch=2.3 cuda=cpu");
  EXPECT_FALSE(environment.driver);
  EXPECT_FALSE(environment.cudnn);
  EXPECT_FALSE(environment.torch->cuda);
  EXPECT_EQ(summary("gpu=4090 cuda=cpu"), "conflict: gpu, cuda");
}

// ---- preferences

TEST(Prefer, StableIsTheDefaultAndOfficial) { EXPECT_EQ(build_of("prefer=stable"), build_of("")); }
TEST(Prefer, NewestTakesTheNewestCudaToo) {
  EXPECT_EQ(build_of("torch=2.9"), "2.9.1+cu128");
  EXPECT_EQ(build_of("torch=2.9 prefer=newest"), "2.9.1+cu130");
}
TEST(Prefer, WidestRunsOnTheMostGpusAndDrivers) {
  const auto environment = must("prefer=widest");
  EXPECT_EQ(environment.driver->range.minimum, "450.80.02");
  EXPECT_EQ(environment.torch->tag, "cu118");
}
TEST(Prefer, SmallestComparesWhatPipFetches) {
  const auto environment = must("torch=>=2.0 prefer=smallest");
  EXPECT_THAT(why(environment, "torch"), StartsWith("the smallest known installation that satisfies the request"));
}

// ---- requests that cannot be read

// ---- what a reader must be told besides

std::vector<std::string> warnings(std::string_view request) { return must(request).warnings; }

TEST(Told, ASystemPastItsEndOfLife) {
  EXPECT_THAT(warnings("torch=2.4 os=ubuntu20.04"), Contains("regular support for Ubuntu 20.04 ended on 2025-05-31"));
  EXPECT_THAT(warnings("torch=2.4 os=ubuntu22.04"), Not(Contains(HasSubstr("regular support"))));
}

TEST(Told, ABoardThatMovesThePlatformOfTheOthers) {
  EXPECT_THAT(warnings("host=gpu=A100,driver=580 host=gpu=GB10,driver=580"),
              Contains("the A100 must also be in a machine with an Arm CPU: one environment has one platform"));
  EXPECT_THAT(warnings("gpu=GB10"), Not(Contains(HasSubstr("beside an Arm CPU"))));
}

TEST(Told, ThePackageWhereItIsNotTheFrameworksName) {
  const auto tensorflow = must("tensorflow=2.16 gpu=T4");
  const auto package =
      std::find_if(tensorflow.reasons.begin(), tensorflow.reasons.end(), [](const auto& r) { return r.field == "package"; });
  ASSERT_NE(package, tensorflow.reasons.end());
  EXPECT_EQ(package->value, "tensorflow[and-cuda]==2.16.2");
  const auto conda = must("torch=2.5.1 installer=conda gpu=A100");
  EXPECT_EQ(why(conda, "package"), "from the channels pytorch, nvidia, in this order");
}

TEST(Told, TheOfficialImage) {
  EXPECT_EQ(why(must("torch=2.7.1 gpu=5090 base=pytorch"), "image"), "the official image of this build");
  // Its gate asks for a driver that reports the CUDA itself.
  EXPECT_THAT(why(must("tensorflow=2.16 gpu=T4 base=tensorflow"), "driver"),
              StartsWith("the first driver with native CUDA 12.3 support"));
}

TEST(Told, ABranchWhoseSupportHasEnded) {
  EXPECT_THAT(why(must("torch=2.6 gpu=T4 driver=535"), "driver"), HasSubstr("support for R535 ended in 2026-06"));
}

TEST(Told, TheFirstDriverOfABoardHasTheBoardsSource) {
  const auto matrix = matrix::embedded();
  const auto* row = matrix.gpu_driver(Capability{10, 0});
  ASSERT_NE(row, nullptr);
  const auto source = std::string(matrix.source(row->from.of("first_driver")).what.view());
  bool cited = false;
  for (const auto& reason : must("gpu=V100 gpu=B200").reasons) {
    if (reason.why != "B200: the first driver that supports the B200") continue;
    EXPECT_THAT(reason.sources, Contains(StartsWith(source)));
    cited = true;
  }
  EXPECT_TRUE(cited);
}

// ---- hosts

TEST(Nearest, AHostKeepsItsBoardsUnderANewerDriver) {
  const auto answered = ask("host=gpu=5090,driver=535 host=gpu=V100,driver=535");
  const auto* conflict = std::get_if<resolver::Conflict>(&answered.answer);
  ASSERT_NE(conflict, nullptr);
  ASSERT_FALSE(conflict->nearest.empty());
  const auto& change = conflict->nearest.front().changes.front();
  EXPECT_EQ(change.field, Field::host);
  EXPECT_EQ(change.from, "gpu=5090,driver=535");
  EXPECT_EQ(change.to, "gpu=5090,driver=570.86.16");
}

TEST(Nearest, DropsOnlyTheHostThatCannotBeServed) {
  // The T4 is a data-centre board: cuda-compat lifts its driver.
  const auto answered = ask("host=gpu=T4,driver=535 host=gpu=4090,driver=535 torch=2.12 cuda=13");
  const auto* conflict = std::get_if<resolver::Conflict>(&answered.answer);
  ASSERT_NE(conflict, nullptr);
  std::vector<std::string> changes;
  for (const auto& nearest : conflict->nearest) changes.push_back(nearest.changes.front().to);
  EXPECT_THAT(changes, ElementsAre("12.9", "gpu=4090,driver=580.65.06"));
}

TEST(Nearest, ABaseOfTheOtherFrameworkIsGivenUp) {
  const auto answered = ask("torch=2.6 base=tensorflow");
  const auto* conflict = std::get_if<resolver::Conflict>(&answered.answer);
  ASSERT_NE(conflict, nullptr);
  ASSERT_EQ(conflict->nearest.size(), 1U);
  EXPECT_EQ(conflict->nearest.front().changes.front().to, "slim");
}

// ---- a TensorFlow whose wheel brings no CUDA

TEST(BareTensorFlow, StartsFromAnImageWithCudnn) {
  const auto environment = must("tensorflow=2.12");
  EXPECT_EQ(environment.cudnn->from, CudnnFrom::image);
  const auto image =
      std::find_if(environment.reasons.begin(), environment.reasons.end(), [](const auto& r) { return r.field == "image"; });
  ASSERT_NE(image, environment.reasons.end());
  EXPECT_EQ(image->value, "nvidia/cuda:11.8.0-cudnn8-runtime-ubuntu22.04");
  EXPECT_EQ(why(environment, "image"), "a published tag for this CUDA and system");
}

/// What resolves can be rendered: a plain system has neither nvcc nor CUDA, and no file puts them there.
TEST(PlainSystem, HasNoToolkit) {
  const std::vector<std::pair<const char*, const char*>> answers{
      {"torch=2.8 os=debian12 variant=devel", "conflict: os, variant"},
      {"torch=2.8 os=debian13 variant=devel", "conflict: os, variant"},
      {"torch=2.8 cuda=12.8 os=ubuntu26.04 variant=devel", "conflict: torch, os, variant"},
      {"torch=2.3 cuda=11.8 os=ubuntu24.04 variant=devel", "conflict: torch, os, variant"},
      {"torch=2.8 base=slim variant=devel", "conflict: base, variant"},
      {"tensorflow=2.10 os=ubuntu24.04", "conflict: tensorflow, os"},
      {"tensorflow=2.12 base=slim", "conflict: tensorflow, base"},
      {"tensorflow=2.12 base=slim variant=devel", "conflict: tensorflow, base"},
      {"tensorflow=2.15.0 base=slim variant=devel", "conflict: base, variant"},
      {"installer=conda torch=1.12 cuda=10.2 os=debian12 variant=devel", "conflict: cuda, os, variant"},
  };
  for (const auto& [request, answer] : answers) EXPECT_EQ(summary(request), answer) << request;
}
TEST(PlainSystem, IsDevelByCondaWhereAChannelHasNvcc) {
  const auto of_pytorch = must("installer=conda torch=2.5 os=debian12 variant=devel");
  EXPECT_EQ(of_pytorch.base, Base::slim);
  EXPECT_EQ(of_pytorch.toolkit().conda_label, "nvidia/label/cuda-12.4.1");
  EXPECT_EQ(why(of_pytorch, "base"), "no nvidia/cuda devel image satisfies the request: conda installs nvcc");
  EXPECT_EQ(must("installer=conda torch=2.8 base=slim variant=devel").base, Base::slim);
  EXPECT_EQ(must("torch=2.8 cuda=cpu os=debian12 variant=devel").base, Base::slim);
  EXPECT_EQ(must("tensorflow=2.15.0 os=debian12").base, Base::slim);
}

TEST(Cudnn, ThatWasNotReadForAGpuIsNoYesByPtxAlone) {
  EXPECT_THAT(summary("torch=2.6 gpu=B200 installer=conda"),
              HasSubstr("whether the cuDNN of torch 2.6.0+cu126 on conda-forge supports the B200"));
}

// ---- NVIDIA_REQUIRE_CUDA

/// The gates that were read name GeForce up to CUDA 12.4; past it a GeForce below an image's CUDA is refused, whichever update it
/// is.
TEST(ImageGate, IsClosedToGeForcePastCuda124) {
  const std::string closed = "conflict: driver, base, cuda";
  for (const auto* request : {"gpu=4090 driver=535.183.01 base=cuda cuda=12.6", "gpu=4090 driver=535.183.01 base=cuda cuda=12.8",
                              "gpu=4090 driver=535.183.01 base=cuda cuda=12.9", "gpu=5090 driver=570.207 base=cuda cuda=12.9",
                              "gpu=3090 driver=550.54.14 base=cuda cuda=12.8"}) {
    EXPECT_EQ(summary(request), closed) << request;
    EXPECT_TRUE(must(request + std::string(" engine=docker-cdi")).cuda) << request;
    EXPECT_TRUE(must(request + std::string(" engine=podman")).cuda) << request;
  }
  for (const auto* request : {"gpu=4090 driver=535.183.01 base=cuda cuda=11.8", "gpu=4090 driver=535.183.01 base=cuda cuda=12.1",
                              "gpu=4090 driver=535.183.01 base=cuda cuda=12.4", "gpu=A100 driver=535.183.01 base=cuda cuda=12.8"})
    EXPECT_TRUE(must(request).cuda) << request;
}

/// Those at most two years older than the newest, whoever installs them.
TEST(Prefer, SmallestAndWidestChooseAmongSupportedReleasesForCondaToo) {
  const auto matrix = matrix::embedded();
  const auto month_of = [](std::string_view date) {
    return std::stoi(std::string(date.substr(0, 4))) * 12 + std::stoi(std::string(date.substr(5, 2)));
  };
  const auto newest = month_of(matrix.newest(Framework::torch)->released.view());
  for (const auto* request :
       {"prefer=widest", "prefer=smallest", "prefer=widest installer=conda", "prefer=smallest installer=conda"}) {
    const auto version = must(request).torch->version;
    const auto row = std::find_if(matrix->releases.begin(), matrix->releases.end(), [&](const auto& release) {
      return release.framework == Framework::torch && release.text.view() == version;
    });
    ASSERT_NE(row, matrix->releases.end()) << request;
    EXPECT_LE(newest - month_of(row->released.view()), 24) << request << ": " << row->text.view();
  }
}

// ---- Jetson

/// PyTorch's own table (torch/cuda/__init__.py of 2.14.1 and 2.15.0): machine code for 8.0 and 8.6 runs on 8.7 from CUDA 13.2 on.
TEST(Orin, RunsTheCodeOfOtherAmpereFromCuda132On) {
  for (const auto* torch : {"2.13.0", "2.14.1", "2.15.0"}) {
    const auto request = fmt::format("gpu=Orin torch={} cuda=13.2", torch);
    const auto environment = must(request);
    EXPECT_EQ(environment.platform, Platform::linux_aarch64);
    ASSERT_EQ(environment.gpus.size(), 1U);
    EXPECT_EQ(environment.gpus.front().runs, CodeKind::sass);
    EXPECT_EQ(environment.gpus.front().via.to_string(), "8.0");
    EXPECT_THAT(why(environment, "gpu"), HasSubstr("JetPack 7.2"));
  }
  EXPECT_EQ(summary("gpu=Orin torch=2.13.0 cuda=13.0"), "conflict: gpu, torch, cuda");
}

/// What stands for a driver in the headline: an Orin's own code is of JetPack 6, that of other Ampere runs from 7.2 on.
TEST(Orin, ItsHeadlineNamesTheJetPack) {
  const auto ends_with = [](const char* request, const char* end) {
    EXPECT_THAT(answers::headline(must(request)), testing::EndsWith(end)) << request;
  };
  ends_with("gpu=Orin torch=2.15.0", "Ubuntu 24.04, JetPack 7.2 or newer");
  ends_with("gpu=Orin installer=conda cuda=12.9", "Ubuntu 24.04, JetPack 6 or newer");
  ends_with("gpu=Orin installer=conda cuda=13.0", "Ubuntu 24.04, JetPack 7.2 or newer");
  ends_with("gpu=Orin installer=conda", "Ubuntu 24.04, JetPack 7.2 or newer");
  ends_with("gpu=Thor torch=2.15.0", "Ubuntu 24.04");
}

// ---- what each value ruled out

TEST(Explain, PlacesRemoveBuildsToo) {
  const auto answered = ask("torch=2.9 os=ubuntu16.04");
  const auto removals = resolver::explain(matrix::embedded(), answered.query);
  ASSERT_EQ(removals.size(), 2U);
  EXPECT_GT(removals[1].before, 0U);
  EXPECT_EQ(removals[1].after, 0U);
}

TEST(Usage, ASystemIsNamedAsPeopleWriteIt) {
  const auto environment = must("torch=2.4 os=Ubuntu_22.04");
  EXPECT_EQ(environment.os, "ubuntu22.04");
  const auto request = ask("torch=2.4 os=Ubuntu_22.04").request;
  EXPECT_EQ(check::violations(matrix::embedded(), request, environment), std::vector<std::string>());
}

TEST(Usage, BlanksAroundAValueSayNothing) {
  Request request;
  request.values = {{Field::torch, " 2.3\t", Origin::flag, "--torch"},
                    {Field::os, " ubuntu22.04", Origin::flag, "--os"},
                    {Field::gpu, " V100- ", Origin::flag, "--gpu"},
                    {Field::host, "gpu = T4 , driver= 535", Origin::flag, "--host"}};
  const auto matrix = matrix::embedded();
  const auto query = resolver::interpret(matrix, request);
  ASSERT_TRUE(query.has_value()) << query.error().message;
  const auto answer = resolver::resolve(matrix, *query);
  const auto* solution = std::get_if<resolver::Solution>(&answer);
  ASSERT_NE(solution, nullptr);
  EXPECT_EQ(check::violations(matrix, request, resolver::materialize(matrix, *query, *solution)), std::vector<std::string>());
}

TEST(Usage, SaysWhatAValueIsNot) {
  EXPECT_EQ(usage_error("gpu=RTX_6000"), "'RTX 6000' matches GPUs of several generations");
  EXPECT_EQ(usage_error("torch=banana"), "'banana' is not a version number (only digits and dots are allowed)");
  EXPECT_EQ(usage_error("torch=2.3 tensorflow=2.16"), "one environment cannot have both torch and tensorflow");
  EXPECT_EQ(usage_error("gpu=Banana"), "unknown GPU 'Banana'");
  EXPECT_EQ(usage_error("driver=111"), "unknown driver branch 111");
  EXPECT_EQ(usage_error("os=beos"), "'beos' is not a known operating system");
  EXPECT_EQ(usage_error("host=gpu=V100,colour=red"), "'gpu=V100,colour=red' has the unknown part 'colour=red'");
}

}  // namespace
}  // namespace envgen::test
