#include "resolver/predicates.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "matrix/embedded/embedded.hpp"
#include "support/answers.hpp"

/// The physics of the field on the shipped matrix. Expected values are those of matrix/*.json and of the pages it names.
namespace envgen::resolver {
namespace {

using matrix::Build;
using matrix::Channel;
using matrix::Tribool;

matrix::Matrix facts() { return matrix::embedded(); }
Capability gpu(std::string_view text) { return Capability::parse(text).value(); }
DriverVersion driver(std::string_view text) { return DriverVersion::parse(text).value(); }

bool sass(std::string_view target, std::string_view capability) {
  return sass_runs(facts(), Arch::parse(target).value(), gpu(capability));
}
bool ptx(std::string_view target, std::string_view capability) { return ptx_runs(Arch::parse(target).value(), gpu(capability)); }

const Build& build_where(auto matches) {
  const auto& builds = matrix::embedded()->builds;
  const auto* found = std::find_if(builds.begin(), builds.end(), matches);
  if (found == builds.end()) throw std::runtime_error("the matrix has no such build");
  return *found;
}

/// `2.3.1+cu121`: the wheel; on linux-x86_64 unless said otherwise.
const Build& wheel(std::string_view name, Platform platform = Platform::linux_x86_64) {
  return build_where([&](const Build& row) {
    return row.framework == Framework::torch && row.channel == Channel::wheels && row.platform == platform &&
           std::string(row.version_text.view()) + "+" + std::string(row.tag.view()) == name;
  });
}

const Build& conda(Channel channel, std::string_view version, Version cuda) {
  return build_where(
      [&](const Build& row) { return row.channel == channel && row.version_text.view() == version && row.cuda == cuda; });
}

/// A stand-in of an open release for CUDA 13.4, of which no native driver was read.
const Build& build_of_13_4() {
  return build_where([](const Build& row) { return !row.listed && row.cuda == Version(13, 4); });
}

Query query_of(std::string_view text) {
  // `ask` answers as well; what is wanted here is how the request is understood.
  return test::ask(text).query;
}

Carried carried(std::string_view machine, const Build& build, bool jit = false, bool allow_forward = true) {
  return carried_on(facts(), build, query_of(machine).machines.front(), jit, allow_forward);
}

Tribool opens(std::string_view tag, const Build& build, std::string_view machine) {
  const auto& images = matrix::embedded()->cuda_images;
  const auto* image = std::find_if(images.begin(), images.end(), [&](const auto& row) { return row.tag.view() == tag; });
  if (image == images.end()) throw std::runtime_error("the matrix has no such image");
  const auto query = query_of(machine);
  const auto& first = query.machines.front();
  return gate_opens(facts(), image->gate, build, query, first, first.drivers.front());
}

// ---- machine code

TEST(Sass, RunsWithinItsMajorFromItsMinorUp) {
  EXPECT_TRUE(sass("8.0", "8.0"));
  EXPECT_TRUE(sass("8.0", "8.6"));
  EXPECT_TRUE(sass("8.6", "8.9"));
  EXPECT_TRUE(sass("7.0", "7.5"));
  EXPECT_TRUE(sass("10.0", "10.3"));
  EXPECT_TRUE(sass("12.0", "12.1"));
}

TEST(Sass, RunsOnNoLowerMinorAndNoOtherMajor) {
  EXPECT_FALSE(sass("8.6", "8.0"));
  EXPECT_FALSE(sass("7.5", "7.0"));
  EXPECT_FALSE(sass("8.9", "9.0"));
  EXPECT_FALSE(sass("9.0", "10.0"));
  EXPECT_FALSE(sass("9.0", "8.9"));
  EXPECT_FALSE(sass("10.0", "12.0"));
}

TEST(Sass, CrossesNoBorderToOrFromATegra) {
  for (const auto* tegra : {"5.3", "6.2", "7.2", "8.7", "10.1", "11.0"}) EXPECT_TRUE(sass(tegra, tegra)) << tegra;
  EXPECT_FALSE(sass("8.0", "8.7"));
  EXPECT_FALSE(sass("8.6", "8.7"));
  EXPECT_FALSE(sass("8.7", "8.9"));
  EXPECT_FALSE(sass("7.0", "7.2"));
  EXPECT_FALSE(sass("7.2", "7.5"));
  EXPECT_FALSE(sass("10.0", "10.1"));
  EXPECT_FALSE(sass("10.1", "10.3"));
  EXPECT_FALSE(sass("10.1", "11.0"));
}

TEST(Sass, AnATargetRunsOnItsCapabilityAlone) {
  EXPECT_TRUE(sass("9.0a", "9.0"));
  EXPECT_TRUE(sass("11.0a", "11.0"));
  EXPECT_FALSE(sass("10.0a", "10.3"));
  EXPECT_FALSE(sass("12.0a", "12.1"));
}

TEST(Sass, AnFTargetRunsWithinItsMajor) {
  EXPECT_TRUE(sass("10.0f", "10.0"));
  EXPECT_TRUE(sass("10.0f", "10.3"));
  EXPECT_TRUE(sass("12.0f", "12.1"));
  EXPECT_FALSE(sass("10.3f", "10.0"));
  EXPECT_FALSE(sass("10.0f", "12.0"));
  EXPECT_FALSE(sass("10.0f", "10.1"));
}

// ---- PTX

TEST(Ptx, RunsOnEveryCapabilityFromItsOwnUp) {
  EXPECT_TRUE(ptx("8.0", "8.0"));
  EXPECT_TRUE(ptx("8.0", "9.0"));
  EXPECT_TRUE(ptx("5.0", "12.1"));
  EXPECT_TRUE(ptx("9.0", "10.0"));
  EXPECT_FALSE(ptx("8.6", "8.0"));
  EXPECT_FALSE(ptx("12.0", "10.3"));
}

TEST(Ptx, CrossesTheBorderToATegra) {
  EXPECT_TRUE(ptx("8.0", "8.7"));
  EXPECT_TRUE(ptx("7.0", "7.2"));
  EXPECT_TRUE(ptx("10.0", "10.1"));
  EXPECT_TRUE(ptx("9.0", "11.0"));
  EXPECT_TRUE(ptx("7.2", "7.5"));
}

TEST(Ptx, AnATargetIsForItsCapabilityAlone) {
  EXPECT_TRUE(ptx("9.0a", "9.0"));
  EXPECT_FALSE(ptx("9.0a", "10.0"));
  EXPECT_FALSE(ptx("10.0a", "10.3"));
}

TEST(Ptx, AnFTargetStaysInItsMajor) {
  EXPECT_TRUE(ptx("10.0f", "10.3"));
  EXPECT_FALSE(ptx("10.0f", "12.0"));
  EXPECT_FALSE(ptx("10.3f", "10.0"));
}

// ---- the best path of a build

TEST(Path, TheNearestMachineCodeIsTaken) {
  const auto path = code_path(facts(), wheel("2.3.1+cu121"), gpu("8.9"));
  EXPECT_EQ(path.runs, Runs::sass);
  EXPECT_EQ(path.via.to_string(), "8.6");
  EXPECT_EQ(code_path(facts(), wheel("2.7.0+cu128"), gpu("12.1")).via.to_string(), "12.0");
}

TEST(Path, ABuildWithoutCodeForAGpuDoesNotRunOnIt) {
  EXPECT_EQ(code_path(facts(), wheel("2.3.1+cu121"), gpu("12.0")).runs, Runs::no);
  EXPECT_EQ(code_path(facts(), wheel("2.7.0+cu128"), gpu("7.0")).runs, Runs::no);
  EXPECT_EQ(code_path(facts(), wheel("2.3.1+cu121"), gpu("8.7")).runs, Runs::no);  // Orin runs no code of other GPUs
}

TEST(Path, PtxServesWhatComesAfterTheLastTarget) {
  const auto path = code_path(facts(), wheel("2.7.0+cu128"), Capability{13, 0});
  EXPECT_EQ(path.runs, Runs::ptx);
  EXPECT_EQ(path.via.to_string(), "12.0");
}

TEST(Path, AListThatWasNotReadMayHoldWhatItsToolkitCompilesFor) {
  const auto& arm = wheel("2.9.0+cu129", Platform::linux_aarch64);
  EXPECT_EQ(code_path(facts(), arm, gpu("9.0")).runs, Runs::unknown);
  EXPECT_TRUE(code_path(facts(), arm, gpu("9.0")).maybe_sass);
}

TEST(Path, AListThatWasNotReadHoldsNothingThatItsToolkitCannotTarget) {
  // CUDA 12.9 compiles for nothing below 5.0.
  EXPECT_EQ(code_path(facts(), wheel("2.8.0+cu129", Platform::linux_aarch64), gpu("3.7")).runs, Runs::no);
}

// ---- cuDNN

Tribool served(const Build& build, Capability capability) {
  return cudnn_serves(facts(), build, nullptr, capability, code_path(facts(), build, capability));
}

TEST(CudnnServes, FromTheFloorOfItsReleaseUp) {
  EXPECT_EQ(served(wheel("2.3.1+cu121"), gpu("5.0")), Tribool::yes);
  EXPECT_EQ(served(wheel("2.3.1+cu121"), gpu("3.7")), Tribool::no);
  EXPECT_EQ(served(wheel("2.9.0+cu130"), gpu("7.5")), Tribool::yes);
  EXPECT_EQ(served(wheel("2.9.0+cu130"), gpu("7.0")), Tribool::no);
}

TEST(CudnnServes, AnUnreadOneServesWhatLiesAboveEveryFloor) {
  const auto& build = wheel("2.7.1+cu128", Platform::linux_aarch64);  // its cuDNN was not read
  EXPECT_EQ(served(build, gpu("9.0")), Tribool::yes);
  EXPECT_EQ(served(build, gpu("5.0")), Tribool::unknown);
}

// ---- gpu_driver

TEST(GpuDriverPredicate, ADriverThatKnowsTheBoardsIsNamedSo) {
  EXPECT_EQ(carried("gpu=4090 driver=535", wheel("2.3.1+cu121")).by, Carrier::gpu_driver | Carrier::native);
  EXPECT_TRUE(query_of("gpu=4090 driver=535").always.empty());
}

TEST(GpuDriverPredicate, WithoutBoardsThereIsNothingToKnow) {
  EXPECT_EQ(carried("driver=535", wheel("2.3.1+cu121")).by, Carrier::native);
}

TEST(GpuDriverPredicate, ADriverBeforeTheBoardOrAfterItsLastBranchDoesNotKnowIt) {
  for (const auto* machine : {"gpu=5090 driver=535", "gpu=V100 driver=590", "gpu=A100 driver=440.33"}) {
    const auto always = query_of(machine).always;
    ASSERT_EQ(always.size(), 1U) << machine;
    EXPECT_EQ(always.front().reason, Reason::gpu_driver) << machine;
    EXPECT_FALSE(always.front().unknown) << machine;
  }
}

TEST(GpuDriverPredicate, TheFirstDriverOfABoardIsEnough) {
  EXPECT_TRUE(query_of("gpu=A100 driver=450.36.06").always.empty());
  EXPECT_TRUE(query_of("gpu=5090 driver=570.86.16").always.empty());
  EXPECT_TRUE(query_of("gpu=V100 driver=580.178.04").always.empty());
}

TEST(GpuDriverPredicate, ABoardRaisesTheMinimum) {
  EXPECT_EQ(carried("gpu=5090", wheel("2.7.0+cu128")).minimum.to_string(), "570.86.16");
  EXPECT_EQ(carried("gpu=A100", wheel("2.3.1+cu121")).minimum.to_string(), "525.60.13");
  EXPECT_EQ(carried("gpu=H100", wheel("2.0.1+cu118")).minimum.to_string(), "520.56.06");
}

// ---- native

TEST(Native, BeginsWithTheDriverOfTheMinor) {
  EXPECT_EQ(is_native(facts(), wheel("2.3.1+cu121"), driver("530.30.02")), Tribool::yes);
  EXPECT_EQ(is_native(facts(), wheel("2.3.1+cu121"), driver("530.30.01")), Tribool::no);
  EXPECT_EQ(is_native(facts(), wheel("2.3.1+cu118"), driver("520.61.05")), Tribool::yes);
  EXPECT_EQ(is_native(facts(), wheel("2.3.1+cu118"), driver("520.56.06")), Tribool::no);
  EXPECT_EQ(is_native(facts(), wheel("2.3.1+cu118"), driver("580.65.06")), Tribool::yes);
}

TEST(Native, WithoutAFloorTheBranchesSayWhatTheyReport) {
  const auto& build = build_of_13_4();
  EXPECT_FALSE(native_floor(facts(), build));
  EXPECT_EQ(is_native(facts(), build, driver("615.31")), Tribool::yes);
  EXPECT_EQ(is_native(facts(), build, driver("610.43.02")), Tribool::no);
  EXPECT_EQ(is_native(facts(), build, driver("535.54.03")), Tribool::no);  // below CUDA 13 altogether
}

TEST(Native, WhatABranchReportsEveryNewerOneDoes) {
  EXPECT_EQ(is_native(facts(), build_of_13_4(), driver("620.10")), Tribool::yes);  // R615 does
  EXPECT_EQ(is_native(facts(), build_of_13_4(), driver("585.10")), Tribool::no);   // R590 does not
}

TEST(Native, ABranchBetweenTwoThatWereReadIsUnknown) {
  EXPECT_EQ(is_native(facts(), build_of_13_4(), driver("612.10")), Tribool::unknown);
  AskedMachine machine;
  machine.drivers = {driver("612.10")};
  EXPECT_EQ(carried_on(facts(), build_of_13_4(), machine, true, true).answer, Tribool::unknown);
}

// ---- minor_compat

TEST(MinorCompat, BeginsWithTheFirstDriverOfTheMajor) {
  EXPECT_EQ(minor_compat_floor(facts(), wheel("2.3.1+cu121")).to_string(), "525.60.13");
  EXPECT_TRUE(is_minor_compatible(facts(), wheel("2.3.1+cu121"), driver("525.60.13")));
  EXPECT_FALSE(is_minor_compatible(facts(), wheel("2.3.1+cu121"), driver("525.60.12")));
  EXPECT_TRUE(is_minor_compatible(facts(), wheel("2.12.0+cu132"), driver("580.65.06")));
  EXPECT_FALSE(is_minor_compatible(facts(), wheel("2.12.0+cu132"), driver("575.57.08")));
}

TEST(MinorCompat, Cuda110HasAFloorOfItsOwn) {
  const auto& build = conda(Channel::conda_forge, "1.11.0", Version(11, 0));
  EXPECT_TRUE(is_minor_compatible(facts(), build, driver("450.36.06")));
  EXPECT_FALSE(is_minor_compatible(facts(), build, driver("450.36.05")));
  EXPECT_FALSE(is_minor_compatible(facts(), wheel("1.11.0+cu113"), driver("450.36.06")));
  EXPECT_TRUE(is_minor_compatible(facts(), wheel("1.11.0+cu113"), driver("450.80.02")));
}

TEST(MinorCompat, Cuda10HasNone) {
  EXPECT_FALSE(minor_compat_floor(facts(), wheel("1.11.0+cu102")));
  EXPECT_FALSE(is_minor_compatible(facts(), wheel("1.11.0+cu102"), driver("580.65.06")));
}

TEST(MinorCompat, CompilesNoPtx) {
  EXPECT_EQ(carried("gpu=4090 driver=525", wheel("2.3.1+cu121")).by, Carrier::gpu_driver | Carrier::minor_compat);
  EXPECT_EQ(carried("gpu=4090 driver=525", wheel("2.3.1+cu121"), true).answer, Tribool::no);
}

TEST(MinorCompat, IsTheMinimumOfAFreeDriverUnlessPtxMustBeCompiled) {
  const auto& build = wheel("2.3.1+cu121");
  EXPECT_EQ(carried("gpu=V100", build).minimum.to_string(), "525.60.13");
  EXPECT_EQ(carried("gpu=V100", build).by, Carrier::gpu_driver | Carrier::minor_compat);
  EXPECT_EQ(carried("gpu=V100", build, true).minimum.to_string(), "530.30.02");
  EXPECT_EQ(carried("gpu=V100", build, true).by, Carrier::gpu_driver | Carrier::native);
}

TEST(MinorCompat, TheLastBranchOfABoardEndsIt) {
  // V100: R580 at most, which runs CUDA 13.2 through its major alone.
  EXPECT_EQ(carried("gpu=V100", wheel("2.12.0+cu132")).by, Carrier::gpu_driver | Carrier::minor_compat);
  EXPECT_EQ(carried("gpu=V100", wheel("2.12.0+cu132"), true).answer, Tribool::no);
  EXPECT_EQ(carried("gpu=K80", wheel("2.3.1+cu121")).answer, Tribool::no);
}

// ---- forward_compat

TEST(ForwardCompat, IsWhatTheTableOfNvidiaSays) {
  EXPECT_EQ(is_forward_compatible(facts(), wheel("2.4.0+cu124"), driver("535.54.03")), Tribool::yes);
  EXPECT_EQ(is_forward_compatible(facts(), wheel("2.4.0+cu124"), driver("570.26")), Tribool::no);
  EXPECT_EQ(is_forward_compatible(facts(), wheel("2.4.0+cu124"), driver("555.42.02")), Tribool::unknown);
}

TEST(ForwardCompat, ABranchThatAnEarlierPackageRefusesIsRefused) {
  // 545 by cuda-compat 12.8, 460 by that of 12.1, 530 by that of 12.8; the rows of 12.9 and 13.0 say nothing of them.
  for (const auto* refused : {"545.23.06", "530.30.02", "460.27.03"})
    EXPECT_EQ(is_forward_compatible(facts(), wheel("2.9.0+cu130"), driver(refused)), Tribool::no) << refused;
  EXPECT_EQ(is_forward_compatible(facts(), wheel("2.5.1+cu124"), driver("530.30.02")), Tribool::unknown) << "12.8 is later";
  // 560 has a row of its own for 12.9, and what an earlier package is too old for says nothing of a later one.
  EXPECT_EQ(is_forward_compatible(facts(), wheel("2.9.0+cu129"), driver("560.28.03")), Tribool::yes);
  EXPECT_EQ(compat_row(facts(), Version(13, 4), 610).inferred, false);
  EXPECT_EQ(compat_row(facts(), Version(13, 5), 610).row, nullptr) << "13.1 is of no use under 610, which reports 13.3";
  const auto inferred = compat_row(facts(), Version(13, 0), 545);
  ASSERT_NE(inferred.row, nullptr);
  EXPECT_TRUE(inferred.inferred);
  EXPECT_EQ(inferred.row->cuda, Version(12, 8));
}

TEST(ForwardCompat, LiftsDataCentreBoards) {
  const auto result = carried("gpu=A100 driver=470", wheel("2.3.1+cu121"));
  EXPECT_EQ(result.answer, Tribool::yes);
  EXPECT_EQ(result.by, Carrier::gpu_driver | Carrier::forward_compat);
  EXPECT_EQ(result.driver.to_string(), "470.42.01");
  EXPECT_EQ(result.minimum.to_string(), "470.42.01");
}

TEST(ForwardCompat, LiftsNoOtherBoardAndNothingWhereItIsNotAllowed) {
  EXPECT_EQ(carried("gpu=3090 driver=470", wheel("2.3.1+cu121")).answer, Tribool::no);
  EXPECT_EQ(carried("driver=470", wheel("2.3.1+cu121")).answer, Tribool::no);
  EXPECT_EQ(carried("gpu=A100 driver=470", wheel("2.3.1+cu121"), false, false).answer, Tribool::no);
}

TEST(ForwardCompat, OfABoardKnownByCapabilityAloneTakesDataCentreBoardsAlone) {
  EXPECT_EQ(carried("gpu=8.0 driver=470", wheel("2.3.1+cu121")).by, Carrier::gpu_driver | Carrier::forward_compat);
  EXPECT_EQ(carried("gpu=8.6 driver=470", wheel("2.3.1+cu121")).answer, Tribool::no);
}

TEST(ForwardCompat, ComesAfterEverythingElse) {
  EXPECT_EQ(carried("gpu=A100 driver=525", wheel("2.3.1+cu121")).by, Carrier::gpu_driver | Carrier::minor_compat);
  EXPECT_EQ(carried("gpu=A100 driver=525", wheel("2.3.1+cu121"), true).by, Carrier::gpu_driver | Carrier::forward_compat);
}

TEST(ForwardCompat, KnowsNoBoardThatItsOwnDriverDropped) {
  EXPECT_EQ(carried("gpu=V100 driver=535", wheel("2.12.0+cu132")).answer, Tribool::no);
  EXPECT_EQ(carried("gpu=V100 driver=535", wheel("2.9.0+cu130")).by, Carrier::gpu_driver | Carrier::forward_compat);
}

// ---- Tegra

TEST(Tegra, DriversHaveNumbersOfTheirOwn) {
  const auto& build = wheel("2.9.0+cu130", Platform::linux_aarch64);
  const auto free = carried("gpu=8.7", build);
  EXPECT_EQ(free.answer, Tribool::yes);
  EXPECT_EQ(free.by, 0);
  EXPECT_FALSE(free.minimum);
  EXPECT_EQ(carried("gpu=8.7 driver=535", build).answer, Tribool::unknown);
}

// ---- image_gate

TEST(ImageGate, OpensToEveryDriverThatReportsTheCuda) {
  EXPECT_EQ(opens("12.4.1-base-ubuntu22.04", wheel("2.4.0+cu124"), "gpu=4090 driver=550"), Tribool::yes);
  EXPECT_EQ(opens("12.4.1-base-ubuntu22.04", wheel("2.4.0+cu124"), "driver=580"), Tribool::yes);
}

TEST(ImageGate, StaysShutUnderABranchThatItDoesNotName) {
  EXPECT_EQ(opens("12.4.1-base-ubuntu22.04", wheel("2.4.0+cu124"), "gpu=4090 driver=545"), Tribool::no);
}

TEST(ImageGate, Of12Point4NamesTheBrandsOfEveryClassUnder535) {
  for (const auto* machine : {"gpu=4090 driver=535", "gpu=RTX_A6000 driver=535", "gpu=A100 driver=535"})
    EXPECT_EQ(opens("12.4.1-base-ubuntu22.04", wheel("2.4.0+cu124"), machine), Tribool::yes) << machine;
}

TEST(ImageGate, Of12Point6NamesNoGeForce) {
  EXPECT_EQ(opens("12.6.3-base-ubuntu22.04", wheel("2.6.0+cu126"), "gpu=4090 driver=535"), Tribool::no);
  EXPECT_EQ(opens("12.6.3-base-ubuntu22.04", wheel("2.6.0+cu126"), "gpu=RTX_A6000 driver=535"), Tribool::yes);
  EXPECT_EQ(opens("12.6.3-base-ubuntu22.04", wheel("2.6.0+cu126"), "gpu=A100 driver=535"), Tribool::yes);
}

TEST(ImageGate, EveryBoardOfAMachineMustPass) {
  EXPECT_EQ(opens("12.6.3-base-ubuntu22.04", wheel("2.6.0+cu126"), "host=gpu=A100,gpu=4090,driver=535"), Tribool::no);
  EXPECT_EQ(opens("12.6.3-base-ubuntu22.04", wheel("2.6.0+cu126"), "host=gpu=A100,gpu=T4,driver=535"), Tribool::yes);
}

TEST(ImageGate, OfBoardsThatAreNotNamedLetsPassWhatAllMay) {
  EXPECT_EQ(opens("12.6.3-base-ubuntu22.04", wheel("2.6.0+cu126"), "driver=535"), Tribool::no);
  EXPECT_EQ(opens("12.6.3-base-ubuntu22.04", wheel("2.6.0+cu126"), "gpu=8.9 driver=535"), Tribool::no);
  EXPECT_EQ(opens("12.6.3-base-ubuntu22.04", wheel("2.6.0+cu126"), "gpu=8.0 driver=535"), Tribool::yes);
  EXPECT_EQ(opens("12.4.1-base-ubuntu22.04", wheel("2.6.0+cu124"), "driver=535"), Tribool::yes);
}

TEST(ImageGate, OfAnImageThatNoOneReadIsUnknownBelowItsOwnCuda) {
  EXPECT_EQ(opens("13.2.1-base-ubuntu24.04", wheel("2.13.0+cu132"), "gpu=H100 driver=580"), Tribool::unknown);
  EXPECT_EQ(opens("13.2.1-base-ubuntu24.04", wheel("2.13.0+cu132"), "gpu=H100 driver=595"), Tribool::yes);
}

}  // namespace
}  // namespace envgen::resolver
