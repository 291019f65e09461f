#include "update/torch_wheel.hpp"

#include <gtest/gtest.h>

namespace envgen::update {
namespace {

inspect::Metadata metadata(std::string_view requirements) {
  const auto text = "Metadata-Version: 2.1\nName: torch\nVersion: 2.16.0\n" + std::string(requirements) + "\n";
  return inspect::parse_metadata(text, "METADATA").value();
}

TEST(TorchWheel, PinsAreTheRow) {
  const auto build =
      torch_build(metadata("Requires-Dist: cuda-toolkit[cudart]==13.2.2; platform_system == \"Linux\"\n"
                           "Requires-Dist: nvidia-cudnn-cu13==9.26.0.51; platform_system == \"Linux\"\n"
                           "Requires-Dist: nvidia-nccl-cu13==2.30.7\n"
                           "Requires-Dist: triton~=3.9.0; platform_system == \"Linux\" and python_version < \"3.16\"\n"),
                  "2.16.0", "linux-x86_64", "a wheel");
  ASSERT_TRUE(build) << build.error().message;
  EXPECT_EQ(build->row.dump(), R"({"torch":"2.16.0","tag":"cu132","platform":"linux-x86_64","cuda":"13.2","toolkit":"13.2.2",)"
                               R"("cudnn":"9.26.0.51","nccl":"2.30.7","triton":"~=3.9.0"})");
  EXPECT_EQ(build->triton_below, Version(3, 16));
}

TEST(TorchWheel, WhatIsForAnotherMachineDoesNotCount) {
  const auto build = torch_build(
      metadata(
          "Requires-Dist: nvidia-cuda-runtime-cu12==12.8.90; platform_system == \"Linux\" and platform_machine == \"x86_64\"\n"
          "Requires-Dist: nvidia-cudnn-cu12==9.1.0.70; extra == \"all\"\n"),
      "2.16.0", "linux-aarch64", "a wheel");
  ASSERT_TRUE(build);
  EXPECT_EQ(build->row.dump(), R"({"torch":"2.16.0","tag":"cpu","platform":"linux-aarch64","cuda":null,"sass":[],"ptx":[]})");
}

TEST(TorchWheel, WhatIsNotUnderstoodIsAnError) {
  const std::string shape = "the response is not in the format of this source: ";
  const auto open = torch_build(metadata("Requires-Dist: nvidia-cudnn-cu13>=9\n"), "2.16.0", "linux-x86_64", "a wheel");
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().message, shape + "'nvidia-cudnn-cu13>=9' is not a pin");
  const auto other = torch_build(metadata(""), "2.17.0", "linux-x86_64", "a wheel");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, shape + "its METADATA is for version '2.16.0'");
}

}  // namespace
}  // namespace envgen::update
