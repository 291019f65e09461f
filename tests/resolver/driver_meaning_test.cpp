#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/check.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/answers.hpp"
#include "support/request_text.hpp"

/// What the text of a driver means (AskedDriver in resolver/query.hpp), in requests that were once answered wrongly.
namespace envgen::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// An answer that the independent check holds for true.
Environment agreed(std::string_view request) {
  auto environment = environment_of(request);
  if (!environment) throw std::runtime_error(std::string(request) + ": " + summary(request));
  EXPECT_THAT(check::violations(matrix::embedded(), request_of(request), *environment), IsEmpty()) << request;
  return std::move(*environment);
}

/// `2.3.1+cu121 >=525.60.13,<581 by native`: the build, the drivers of one machine, and what carries it there.
std::string on_machine(const Environment& environment, std::size_t index) {
  const auto& machine = environment.driver->machines.at(index);
  return fmt::format("{}+{} {} by {}", environment.build().version, environment.build().tag, machine.range.to_string(),
                     fmt::join(names_of(machine.carried_by), " "));
}
std::string answer(std::string_view request) { return on_machine(agreed(request), 0); }

std::string driver_why(std::string_view request) {
  for (const auto& reason : agreed(request).reasons) {
    if (reason.field == "driver") return reason.why;
  }
  return {};
}

// ---- One driver of a range opens the image's gate and carries the build: what the gate keeps out lends neither.

TEST(DriverMeaning, CudaCompatLiftsADriverThatOpensTheGate) {
  constexpr auto lifted = ">=470.42.01,<471 by gpu_driver forward_compat image_gate";
  EXPECT_EQ(answer("tensorflow=2.12.1 gpu=V100 ptx driver=<495"), std::string("2.12.1+cu118 ") + lifted);
  EXPECT_EQ(answer("gpu=A100 ptx cuda=11.6 driver=<495 variant=devel"), std::string("1.13.1+cu116 ") + lifted);
  EXPECT_EQ(answer("torch=2.0.1 base=cuda variant=devel gpu=P100 ptx driver=<=470.256.02"), std::string("2.0.1+cu117 ") + lifted);
}

TEST(DriverMeaning, ADriverThatTheGateKeepsOutCarriesNothing) {
  // 525.60.13 is compatible with CUDA 12.x, but the image for 12.8 does not start under R525.
  EXPECT_EQ(answer("torch=2.8.0 gpu=V100 base=cuda driver=<=525.60.13"),
            "2.8.0+cu128 >=470.42.01,<471 by gpu_driver forward_compat image_gate");
}

TEST(DriverMeaning, AnInheritedGateCountsLikeTheImagesOwn) {
  EXPECT_EQ(answer("base=pytorch variant=devel driver=>=525 torch=2.14.1"), "2.14.1+cu130 >=580.65.06 by native");
  EXPECT_EQ(answer("base=pytorch variant=devel driver=>=525 torch=2.5.1 cuda=12.4"),
            "2.5.1+cu124 >=550.54.14 by minor_compat image_gate");
}

TEST(DriverMeaning, AnInheritedGateExceptsWhatEveryImageOfItsCudaExcepts) {
  const auto request = [](std::string_view rest) {
    return fmt::format("torch=2.5.1 cuda=12.4 base=pytorch variant=devel {}", rest);
  };
  EXPECT_EQ(answer(request("gpu=4090 driver=535.183.01")), "2.5.1+cu124 >=550.54.14 by gpu_driver minor_compat image_gate");
  EXPECT_THAT(driver_why(request("gpu=4090 driver=535.183.01")),
              HasSubstr("NVIDIA_REQUIRE_CUDA of the image lists its branch for these GPUs (inferred: every nvidia/cuda image of "
                        "CUDA 12.4 that was read does)"));
  EXPECT_THAT(
      driver_why("torch=2.3.1 gpu=K80 base=pytorch variant=devel"),
      StartsWith("the first driver that the image accepts (NVIDIA_REQUIRE_CUDA), as it lists R470 for these GPUs (inferred: "
                 "the nvidia/cuda image that it is made on does)"));
  EXPECT_THAT(driver_why("torch=2.3.1 gpu=K80 base=cuda variant=devel"),
              StartsWith("the first driver that the image accepts (NVIDIA_REQUIRE_CUDA), as it lists R470 for these GPUs;"));
}

std::vector<std::string> violations_of(std::string_view request, const Environment& environment) {
  return check::violations(matrix::embedded(), request_of(request), environment);
}

TEST(DriverMeaning, TheCheckKnowsWhichDriverOpensAGate) {
  auto official = agreed("base=pytorch variant=devel torch=2.5.1 cuda=12.4 driver=550.54.14");
  official.driver->carried_by = {CarriedBy::minor_compat};
  EXPECT_THAT(violations_of("base=pytorch variant=devel torch=2.5.1 cuda=12.4 driver=545.23.06", official),
              Contains("driver: 545.23.06 does not carry CUDA 12.4 as it is said, or does not start the image"));
  auto image = agreed("torch=2.5.1 cuda=12.4 base=cuda gpu=4090 driver=550.54.14");
  image.driver->carried_by = {CarriedBy::gpu_driver, CarriedBy::minor_compat, CarriedBy::image_gate};
  EXPECT_THAT(violations_of("torch=2.5.1 cuda=12.4 base=cuda gpu=4090 driver=530.30.02", image),
              Contains("driver: 530.30.02 does not carry CUDA 12.4 as it is said, or does not start the image"));
}

TEST(DriverMeaning, TheCheckLooksAtWhatCarriesEachMachine) {
  const auto request = "torch=2.14.0 ptx host=gpu=H100 host=gpu=V100,driver=470 driver=<=590";
  const auto answer = agreed(request);
  auto wrong = answer;
  wrong.driver->machines[0].carried_by = {CarriedBy::gpu_driver, CarriedBy::forward_compat};
  wrong.driver->machines[0].compat = Compat::needed;
  EXPECT_THAT(violations_of(request, wrong), ElementsAre("driver.machines.carried_by: forward_compat does not hold"));
  wrong = answer;
  wrong.driver->machines[0].carried_by = {CarriedBy::gpu_driver};
  EXPECT_THAT(violations_of(request, wrong), ElementsAre("driver.machines.carried_by: what carries the build is missing"));
}

// ---- cuda-compat of one machine says nothing of another one, whose own drivers do without it

TEST(DriverMeaning, AMachineThatNeedsNoCudaCompatIsCarriedByItsDriver) {
  const auto two = agreed("torch=2.14.0 ptx host=gpu=H100 host=gpu=V100,driver=470 driver=<=590");
  EXPECT_EQ(on_machine(two, 0), "2.14.0+cu126 >=560.28.03 by gpu_driver native");
  EXPECT_EQ(on_machine(two, 1), "2.14.0+cu126 >=470.42.01,<471 by gpu_driver forward_compat");
  const auto own = agreed("torch=2.10.0 ptx host=gpu=H100,driver=<=590 host=gpu=V100,driver=470");
  EXPECT_EQ(on_machine(own, 0), "2.10.0+cu128 >=570.26 by gpu_driver native");
  EXPECT_EQ(on_machine(own, 1), "2.10.0+cu128 >=470.42.01,<471 by gpu_driver forward_compat");
  const auto image = agreed("tensorflow=2.18.0 base=cuda host=gpu=V100,driver=>=418.39 host=gpu=P100,driver=470.42.01");
  EXPECT_EQ(on_machine(image, 0), "2.18.0+cu125 >=555.42.02,<581 by gpu_driver minor_compat image_gate");
  EXPECT_EQ(on_machine(image, 1), "2.18.0+cu125 >=470.42.01,<471 by gpu_driver forward_compat image_gate");
}

// ---- A bound that is excluded stands for the releases right after it

TEST(DriverMeaning, AfterTheLastReleaseThatIsKnownThereMayBeOthers) {
  const auto stricter = answer("gpu=V100 driver=580.179");
  EXPECT_EQ(stricter, "2.14.1+cu126 >=525.60.13,<581 by gpu_driver native");
  for (const auto* driver : {">=580.179", ">580.178.04", ">580.178.04,<581", ">580.178.04,<590", "!=580.178.04,>580.170",
                             ">=580.178,!=580.178.*", "~=580.179"})
    EXPECT_EQ(answer(fmt::format("gpu=V100 driver={}", driver)), stricter) << driver;
  EXPECT_EQ(answer("gpu=K80 driver=>470.256.02"), answer("gpu=K80 driver=470.257"));
}

TEST(DriverMeaning, CudaCompatIsForTheReleasesOfABranchAndNoNumberBeforeThem) {
  // R470 begins with 470.42.01.
  EXPECT_THAT(answer("torch=2.9 gpu=A100 driver=470.42.01"), HasSubstr("forward_compat"));
  for (const auto* driver : {"470.10", "470.42", ">=470.10,<470.30", "470.41.99"}) {
    const bool begins_with_it = std::string_view(driver) == "470.42";
    EXPECT_EQ(environment_of(fmt::format("torch=2.9 gpu=A100 driver={}", driver)).has_value(), begins_with_it) << driver;
  }
  EXPECT_THAT(summary("torch=2.9 gpu=A100 driver=470.10"), StartsWith("unknown"));
}

TEST(DriverMeaning, ANumberBehindANumberIsNoBranch) {
  EXPECT_EQ(answer("driver=nvidia-driver-535"), answer("driver=535"));
  EXPECT_THAT(usage_error("driver=535-550"), StartsWith("'535-550' is "));
}

TEST(DriverMeaning, AfterTheNewestBranchThereMayBeOthers) {
  const auto stricter = answer("torch=2.14.1 driver=621");
  for (const auto* driver : {">620.70.06", ">620", ">=621", ">621.10", ">=620.80,<621", "621.20"})
    EXPECT_EQ(answer(fmt::format("torch=2.14.1 driver={}", driver)), stricter) << driver;
  EXPECT_EQ(usage_error("driver=>=1000"), "no known driver satisfies '>=1000'");
}

TEST(DriverMeaning, AReleaseThatNobodyNamedIsToldAsOne) {
  EXPECT_THAT(driver_why("torch=2.14.1 driver=>580.178.04"),
              HasSubstr("; of the requested >580.178.04, a release after 580.178.04 supports CUDA 13.0 natively"));
  EXPECT_THAT(driver_why("torch=2.14.1 driver=>580.65.06"),
              HasSubstr("of the requested >580.65.06, 580.76.05 supports CUDA 13.0"));
}

TEST(DriverMeaning, ARangeBetweenTheKnownReleasesNamesItsBoundsAlone) {
  EXPECT_EQ(answer("torch=2.5.1 cuda=12.1 driver=>=535.100,<535.200"), answer("torch=2.5.1 cuda=12.1 driver=535.100"));
  EXPECT_EQ(usage_error("driver=>580.178.04,<580.178.05"), "no known driver satisfies '>580.178.04,<580.178.05'");
  EXPECT_EQ(usage_error("driver=>=500,<510"), "no known driver satisfies '>=500,<510'");
  EXPECT_EQ(usage_error("driver=<396.26"), "no known driver satisfies '<396.26'");
  EXPECT_EQ(usage_error("driver=>=535.54.03.7"), "'>=535.54.03.7' is not a driver version");
  EXPECT_EQ(usage_error("driver=535.54.03.7"), "'535.54.03.7' is not a driver version");
}

TEST(DriverMeaning, EveryReleaseThatAFactNamesIsInARange) {
  // 450.80.02 and 520.61.05 are the floors of CUDA 11.x and 11.8; no row of a branch begins with the first.
  EXPECT_EQ(answer("torch=2.5.1 driver=>=450.36.06,<450.100"), "2.5.1+cu118 >=450.80.02 by minor_compat");
}

// ---- A number names what begins with it

TEST(DriverMeaning, TwoPartsAreTheBeginningOfARelease) {
  EXPECT_EQ(answer("torch=2.14.0 driver=525.60"), answer("torch=2.14.0 driver=525.60.13"));
  EXPECT_EQ(answer("torch=2.14.0 driver=525.60.*"), answer("torch=2.14.0 driver=525.60.13"));
  EXPECT_EQ(answer("torch=2.14.0 driver===525.60"), answer("torch=2.14.0 driver=525"));
  EXPECT_EQ(answer("torch=2.5.1 driver=450.80"), answer("torch=2.5.1 driver=450.80.02"));
  EXPECT_EQ(answer("torch=2.5.1 driver=495.46"), "2.5.1+cu118 >=450.80.02 by minor_compat");  // a release of two parts
}

TEST(DriverMeaning, ABranchBeginsWithTheFirstReleaseThatKnowsTheBoards) {
  EXPECT_EQ(answer("gpu=H100 driver=520"), answer("gpu=H100 driver=520.56.06"));
  EXPECT_EQ(answer("host=gpu=H100,gpu=A100,driver=520"), answer("host=gpu=H100,gpu=A100,driver=520.56.06"));
  EXPECT_EQ(summary("gpu=V100 driver=590"), "conflict: gpu, driver");
}

TEST(DriverMeaning, ANumberMeansTheLaterReleasesWhereNothingRunsUnderTheFirst) {
  EXPECT_EQ(answer("torch=2.5.1 driver=450"), "2.5.1+cu118 >=450.80.02 by minor_compat");
  EXPECT_THAT(why(must("torch=2.5.1 driver=450"), "driver"),
              HasSubstr("of the requested 450, 450.80.02 works through minor-version compatibility"));
  EXPECT_EQ(answer("gpu=4090 ptx cuda=11.8 driver=520"), "2.7.1+cu118 >=520.61.05 by gpu_driver native");
  EXPECT_EQ(answer("gpu=4090 ptx cuda=11.8 driver=520.61.05"), "2.7.1+cu118 >=520.61.05 by gpu_driver native");
  // Something runs under the first release of R450, and that is preferred.
  EXPECT_EQ(must("driver=450").build().version, must("driver=450.36.06").build().version);
  EXPECT_EQ(summary("torch=2.5.1 driver=440"), "conflict: torch, driver");
}

TEST(DriverMeaning, SoItIsBehindTheGateOfAnImage) {
  EXPECT_EQ(answer("gpu=4090 base=cuda cuda=11.8 driver=520"), "2.7.1+cu118 >=520.61.05 by gpu_driver native image_gate");
}

}  // namespace
}  // namespace envgen::test
