// What an answer says beside its values, and what its headline says of the driver.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answers/headline.hpp"
#include "matrix/embedded/embedded.hpp"
#include "model/working_drivers.hpp"
#include "support/answers.hpp"

namespace envgen::test {
namespace {

using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> notes(std::string_view request) { return must(request).warnings; }

constexpr auto open_modules = "open kernel modules";
constexpr auto fabric = "Fabric Manager";

TEST(Notes, BlackwellAndGraceHopperNeedTheOpenModules) {
  for (const auto* request : {"gpu=5090", "gpu=B200", "gpu=GH200"})
    EXPECT_THAT(notes(request), Contains(HasSubstr(open_modules))) << request;
  for (const auto* request : {"gpu=4090", "gpu=H100", "gpu=5090 wsl=true", "gpu=Orin"})
    EXPECT_THAT(notes(request), Not(Contains(HasSubstr(open_modules)))) << request;
}

TEST(Notes, AboutAGpuNameIt) {
  const auto modules = [](std::string_view gpus, std::string_view family) {
    return fmt::format(
        "for the {}, install the driver with its open kernel modules (nvidia-open): the proprietary ones do not "
        "support {}",
        gpus, family);
  };
  EXPECT_THAT(notes("gpu=V100 gpu=B200"), Contains(modules("B200", "Blackwell")));
  EXPECT_THAT(notes("host=gpu=4090 host=gpu=5090 host=gpu=B200 host=gpu=5090"),
              Contains(modules("GeForce RTX 5090 and the B200", "Blackwell")));
  EXPECT_THAT(notes("gpu=12.0"), Contains(modules("GPU of compute capability 12.0", "Blackwell")));
  EXPECT_THAT(notes("gpu=GH200-480GB"), Contains(modules("GH200 480GB", "Grace Hopper")));
  EXPECT_THAT(notes("torch=2.9 gpu=B300 gpu=4090"),
              Contains("torch.compile fails on the B300 SXM6 AC: set TRITON_PTXAS_PATH to the ptxas of CUDA 12.9 or newer"));
}

TEST(Notes, NvswitchNeedsFabricManager) {
  // A family may be any of its boards.
  for (const auto* request : {"gpu=4xH200", "gpu=A100", "gpu=B200"})
    EXPECT_THAT(notes(request), Contains(HasSubstr(fabric))) << request;
  for (const auto* request : {"gpu=A100-PCIE-40GB", "gpu=4090"})
    EXPECT_THAT(notes(request), Not(Contains(HasSubstr(fabric)))) << request;
}

TEST(Notes, AnOrinNeedsItsJetPack) { EXPECT_THAT(notes("gpu=Orin"), Contains(HasSubstr("needs JetPack 7.2 or newer"))); }

TEST(Notes, GpusThatCannotShareAMachine) {
  EXPECT_THAT(notes("gpu=5090 gpu=V100 torch=2.10"),
              Contains("GeForce RTX 5090 and V100 need separate machines: no single driver installation supports both"));
  EXPECT_THAT(notes("gpu=5090 gpu=A100"), Not(Contains(HasSubstr("separate machines"))));
  EXPECT_THAT(notes("gpu=5090 gpu=V100 torch=2.10 wsl=true"), Not(Contains(HasSubstr("separate machines"))));
}

TEST(Notes, CondaForgesCompanionsAreNotKnown) {
  EXPECT_THAT(
      notes("torch=2.6 installer=conda"),
      Contains("torchvision and torchaudio are left out: envgen's data does not say which ones conda-forge has for this torch"));
}

TEST(Headline, HasTheDriversThatWork) {
  const auto driver = [](std::string_view request) {
    const auto line = answers::headline(must(request));
    return line.substr(line.rfind(", ") + 2);
  };
  EXPECT_EQ(driver("gpu=A100 torch=2.15 driver=>=535"), "driver >=580.65.06");
  EXPECT_EQ(driver("gpu=A100 torch=2.3 driver=>=535"), "driver >=535");
  EXPECT_EQ(answers::headline(must("torch=2.3 cuda=11.8 driver=<=470")),
            "torch 2.3.1 + CUDA 11.8, Python 3.10, Ubuntu 22.04, driver >=450.80.02,<=470");
  EXPECT_EQ(driver("gpu=H200 torch=2.6 driver=550"), "driver 550.90.07 or newer");
  EXPECT_EQ(driver("gpu=A100 torch=2.6 driver=550"), "driver 550");
  EXPECT_EQ(driver("gpu=A100 torch=2.6 driver=550.54.15"), "driver 550.54.15");
}

TEST(WorkingDrivers, OfARelease) {
  const Environment::DriverRange range{DriverVersion(Version(550, 90, 7)), DriverVersion(Version(580))};
  EXPECT_TRUE(works_as_asked("550.90.07", range));
  EXPECT_FALSE(works_as_asked("550", range));
  EXPECT_TRUE(works_as_asked(">=555,<575", range));
  EXPECT_FALSE(works_as_asked(">=555", range));  // 590 does not
  EXPECT_FALSE(works_as_asked(">=550", range));
  EXPECT_EQ(working_drivers(">=550,<590", range), ">=550.90.07,<581");
}

TEST(Nearest, GivesUpNoMoreThanItHasTo) {
  const auto asked = ask("gpu=4090 driver=470 torch=2.6");
  const auto& nearest = std::get<resolver::Conflict>(asked.answer).nearest;
  ASSERT_GE(nearest.size(), 2U);
  ASSERT_EQ(nearest.at(1).changes.size(), 1U);
  EXPECT_EQ(nearest.at(1).changes.front().field, Field::gpu);
  EXPECT_EQ(nearest.at(1).environment.build().version, "2.6.0");
}

TEST(CudaCompat, ThatTookABranchInAgainSaysNothingOfTheNext) {
  // R560: not with the cuda-compat of 12.8, with that of 12.9.
  EXPECT_EQ(summary("gpu=A100 driver=560 cuda=13.2"),
            "unknown: envgen does not know whether driver 560.28.03 supports CUDA 13.2");
  EXPECT_EQ(summary("gpu=A100 driver=560 cuda=12.8 os=ubuntu24.04 torch=2.7.1 ptx=true"), "conflict: driver, cuda, ptx");
}

TEST(ExecutableStack, IsRefusedByANewGlibc) {
  EXPECT_EQ(summary("torch=1.12 os=debian13"), "conflict: torch, os");
  EXPECT_EQ(summary("torch=1.11 os=ubuntu26.04"), "conflict: torch, os");
  EXPECT_NE(must("torch=1.12 python=3.9").os, "ubuntu26.04");
  // The wheels before and after load there.
  EXPECT_EQ(must("torch=1.13 os=debian13").build().version, "1.13.1");
  EXPECT_EQ(must("torch=1.9 os=debian13").build().version, "1.9.1");
}

}  // namespace
}  // namespace envgen::test
