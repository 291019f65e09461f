// What an image demands of the driver, before anything starts.
#include "validate/image_gate.hpp"

#include <gtest/gtest.h>

#include "diagnosis/diagnosis.hpp"

namespace envgen::validate {
namespace {

HostDriver driver(const char* release, std::optional<Version> cuda) { return {*DriverVersion::parse(release), cuda, false}; }

TEST(ImageGate, AlternativesAndConditions) {
  const std::string gate = "cuda>=12.1 brand=tesla,driver>=470,driver<471 driver>=525,driver<526";
  EXPECT_EQ(passes(gate, driver("530.30.02", Version(12, 1))), true);
  EXPECT_EQ(passes(gate, driver("525.60.13", Version(12, 0))), true);
  EXPECT_EQ(passes(gate, driver("515.43.04", Version(11, 7))), false);
  EXPECT_EQ(passes(gate, driver("470.57.02", Version(11, 4))), std::nullopt);  // a Tesla passes
  EXPECT_EQ(passes(gate, driver("530.30.02", std::nullopt)), std::nullopt);
  EXPECT_EQ(passes("cuda>=", driver("530.30.02", Version(12, 1))), std::nullopt);
}

TEST(ImageGate, IsJudgedBeforeAnythingStarts) {
  container::Image image;
  EXPECT_EQ(judge_image_gate(image, std::nullopt).status, Status::skip);
  image.environment["NVIDIA_REQUIRE_CUDA"] = "cuda>=12.8";
  EXPECT_EQ(judge_image_gate(image, std::nullopt).status, Status::skip);
  const auto old = judge_image_gate(image, driver("535.54.03", Version(12, 2)));
  EXPECT_EQ(old.status, Status::fail);
  EXPECT_EQ(old.message, "driver 535.54.03 does not pass NVIDIA_REQUIRE_CUDA='cuda>=12.8'");
  ASSERT_NE(old.diagnosis, nullptr);
  EXPECT_EQ(old.diagnosis->id, "image-needs-newer-driver");
  const auto good = judge_image_gate(image, driver("570.26", Version(12, 8)));
  EXPECT_EQ(good.status, Status::pass);
  EXPECT_EQ(good.message, "driver 570.26 passes NVIDIA_REQUIRE_CUDA='cuda>=12.8'");
  EXPECT_EQ(good.diagnosis, nullptr);
  image.environment["NVIDIA_DISABLE_REQUIRE"] = "1";
  EXPECT_EQ(judge_image_gate(image, driver("535.54.03", Version(12, 2))).status, Status::skip);
}

TEST(ImageGate, IsNotCheckedByCdi) {
  container::Image image;
  image.environment["NVIDIA_REQUIRE_CUDA"] = "cuda>=12.8";
  const auto old = judge_image_gate(image, driver("535.54.03", Version(12, 2)), true);
  EXPECT_EQ(old.status, Status::warn);
  EXPECT_EQ(
      old.message,
      "driver 535.54.03 does not pass NVIDIA_REQUIRE_CUDA='cuda>=12.8'; CDI does not check it, but NVIDIA's hook (docker --gpus "
      "in legacy mode) refuses to start the image");
  EXPECT_EQ(old.diagnosis, nullptr);
  EXPECT_EQ(judge_image_gate(image, driver("570.26", Version(12, 8)), true).status, Status::pass);
}

TEST(ImageGate, EachSign) {
  const auto here = driver("535.54.03", Version(12, 2));
  for (const auto* open : {"driver=535", "driver==535", "driver>=535.54.03", "driver<=535.54.03", "driver>535", "driver<536",
                           "driver!=536", "cuda=12.2", "cuda=12"})
    EXPECT_EQ(passes(open, here), true) << open;
  for (const auto* shut : {"driver=536", "driver>535.54.03", "driver<535.54.03", "driver>=535.54.04", "driver<=535.54.02",
                           "driver!=535.54.03", "cuda=12.1"})
    EXPECT_EQ(passes(shut, here), false) << shut;
  EXPECT_EQ(passes("driver<>535", here), std::nullopt);
  auto jetson = here;
  jetson.tegra = true;  // its driver has numbers of its own
  EXPECT_EQ(passes("driver>=535", jetson), std::nullopt);
}

TEST(ImageGate, IsSwitchedOffByOneAndTrueAlone) {
  container::Image image;
  image.environment["NVIDIA_REQUIRE_CUDA"] = "cuda>=12.8";
  for (const auto& [value, status] :
       {std::pair("1", Status::skip), {"true", Status::skip}, {"0", Status::fail}, {"", Status::fail}}) {
    image.environment["NVIDIA_DISABLE_REQUIRE"] = value;
    EXPECT_EQ(judge_image_gate(image, driver("535.54.03", Version(12, 2))).status, status) << value;
  }
}

TEST(ImageGate, SaysWhyItIsNotJudged) {
  container::Image image;
  const auto message = [&](const std::optional<HostDriver>& host) { return judge_image_gate(image, host).message; };
  const auto here = driver("535.54.03", Version(12, 2));
  const std::string none = "the image sets no NVIDIA_REQUIRE_CUDA";
  EXPECT_EQ(message(here), none);
  image.environment["NVIDIA_REQUIRE_CUDA"] = "";
  EXPECT_EQ(message(here), none);
  image.environment["NVIDIA_REQUIRE_CUDA"] = "cuda>=12.8";
  EXPECT_EQ(message(std::nullopt), "no NVIDIA driver is known for the engine's machine");
  image.environment["NVIDIA_DISABLE_REQUIRE"] = "true";
  EXPECT_EQ(message(here), "the image disables its own NVIDIA_REQUIRE_CUDA (NVIDIA_DISABLE_REQUIRE)");
}

TEST(ImageGate, ItsEvidenceIsTheDemandAndTheDriver) {
  container::Image image;
  image.environment["NVIDIA_REQUIRE_CUDA"] = "cuda>=12.8";
  EXPECT_EQ(judge_image_gate(image, driver("535.54.03", Version(12, 2))).evidence.dump(),
            R"({"gate":"cuda>=12.8","driver":"535.54.03"})");
  image.environment["NVIDIA_REQUIRE_CUDA"] = std::string(3000, 'x');
  EXPECT_EQ(judge_image_gate(image, std::nullopt).evidence.dump(), R"({"gate":")" + std::string(2000, 'x') + "\"}");
}

/// One condition that is false makes a conjunction false, whatever else is unknown, and one alternative that holds is enough.
TEST(ImageGate, WhatIsNotKnownCountsOnlyWhereItDecides) {
  const auto here = driver("535.54.03", Version(12, 2));
  EXPECT_EQ(passes("brand=tesla,driver>=550", here), false);
  EXPECT_EQ(passes("driver>=550,brand=tesla", here), false);
  EXPECT_EQ(passes("brand=tesla cuda>=12.0", here), true);
  EXPECT_EQ(passes("brand=tesla cuda>=12.8", here), std::nullopt);
  for (const auto* unread : {"cuda", "cuda>=", "driver>=x", "arch=sm_90", "driver=>535"})
    EXPECT_EQ(passes(unread, here), std::nullopt) << unread;
}

TEST(ImageGate, IsUnknownWhereTheBrandDecides) {
  container::Image image;
  image.environment["NVIDIA_REQUIRE_CUDA"] = "cuda>=12.8 brand=tesla,driver>=535,driver<536";
  const auto result = judge_image_gate(image, driver("535.54.03", Version(12, 2)));
  EXPECT_EQ(result.status, Status::unknown);
  EXPECT_EQ(result.message,
            "whether driver 535.54.03 passes NVIDIA_REQUIRE_CUDA='cuda>=12.8 brand=tesla,driver>=535,driver<536' depends on the "
            "brand of the GPU");
}

TEST(ImageGate, IsUnknownWhereTheDriversCudaIs) {
  container::Image image;
  image.environment["NVIDIA_REQUIRE_CUDA"] = "cuda>=12.8";
  const auto result = judge_image_gate(image, driver("535.54.03", std::nullopt));
  EXPECT_EQ(result.status, Status::unknown);
  EXPECT_EQ(
      result.message,
      "whether driver 535.54.03 passes NVIDIA_REQUIRE_CUDA='cuda>=12.8' depends on the CUDA version that it reports, which is "
      "unknown");
}

}  // namespace
}  // namespace envgen::validate
