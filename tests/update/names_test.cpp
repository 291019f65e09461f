#include <gtest/gtest.h>

#include "update/image_tag.hpp"
#include "update/wheel_name.hpp"

namespace envgen::update {
namespace {

TEST(WheelName, SaysItsParts) {
  const auto wheel = WheelName::parse("torch-2.3.1+cu121-cp312-cp312-linux_x86_64.whl");
  ASSERT_TRUE(wheel);
  EXPECT_EQ(wheel->project, "torch");
  EXPECT_EQ(wheel->version, "2.3.1");
  EXPECT_EQ(wheel->local, "cu121");
  EXPECT_EQ(wheel->python, (PythonVersion{12, false}));
  EXPECT_EQ(wheel->platform, "linux-x86_64");
  EXPECT_EQ(wheel->glibc, "");
  const auto any = WheelName::parse("nvidia_cudnn_cu12-9.1.0.70-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl");
  ASSERT_TRUE(any);
  EXPECT_EQ(any->project, "nvidia-cudnn-cu12");
  EXPECT_FALSE(any->python);
  EXPECT_TRUE(any->any_python);
  EXPECT_EQ(any->glibc, "2.17");
  EXPECT_EQ(WheelName::parse("torch-1.7.1-cp37-cp37m-manylinux1_x86_64.whl")->python, (PythonVersion{7, false}));
  EXPECT_EQ(WheelName::parse("torch-1.7.1-cp37-cp37m-manylinux1_x86_64.whl")->glibc, "2.5");
  EXPECT_EQ(WheelName::parse("torch-2.9.0-1-cp314-cp314t-manylinux_2_28_aarch64.whl")->python, (PythonVersion{14, true}));
  EXPECT_EQ(WheelName::parse("torch-2.9.0-cp314-cp314-win_amd64.whl")->platform, "");
  for (const auto* wrong : {"", "torch.whl", "torch-2.9.0.tar.gz", "torch-2.9.0-cp314-cp314.whl", "a-b-c-d-e-f-g.whl",
                            "torch--cp314-cp314-linux_x86_64.whl"})
    EXPECT_FALSE(WheelName::parse(wrong)) << wrong;
}

TEST(CudaTag, SaysItsParts) {
  const auto tag = CudaTag::parse("12.4.1-cudnn-devel-ubuntu22.04");
  ASSERT_TRUE(tag);
  EXPECT_EQ(tag->cuda, "12.4.1");
  EXPECT_TRUE(tag->has_cudnn);
  EXPECT_EQ(tag->cudnn, "");
  EXPECT_EQ(tag->variant, "devel");
  EXPECT_EQ(tag->os, "ubuntu22.04");
  EXPECT_EQ(CudaTag::parse("11.8.0-cudnn8-runtime-ubi8")->cudnn, "8");
  EXPECT_FALSE(CudaTag::parse("10.2-base-ubuntu18.04")->has_cudnn);
  for (const auto* moving :
       {"latest", "12.4.1-base", "12.4.1-devel-ubuntu", "12-base-ubuntu22.04", "12.4.1-cudnnx-base-ubuntu22.04",
        "12.4.1-cuda-base-ubuntu22.04", "12.4.1-base-22.04", "12.4.1-base-ubuntu22.04-rc", "../12.4.1-base-ubi8"})
    EXPECT_FALSE(CudaTag::parse(moving)) << moving;
}

TEST(PytorchTag, SaysItsParts) {
  const auto tag = PytorchTag::parse("2.3.1-cuda12.1-cudnn8-devel");
  ASSERT_TRUE(tag);
  EXPECT_EQ(tag->torch, "2.3.1");
  EXPECT_EQ(tag->cuda, "12.1");
  EXPECT_EQ(tag->cudnn, "8");
  EXPECT_EQ(tag->variant, "devel");
  for (const auto* other : {"latest", "2.3.1-cuda12.1-cudnn8", "2.3.1-cuda12.1-cudnn-devel", "2.3.1-cu12.1-cudnn8-devel",
                            "2.3.1-cuda12.1.1-cudnn8-devel", "2.3.1-cuda12.1-cudnn8-build", "2.3.1rc1-cuda12.1-cudnn8-devel"})
    EXPECT_FALSE(PytorchTag::parse(other)) << other;
}

}  // namespace
}  // namespace envgen::update
