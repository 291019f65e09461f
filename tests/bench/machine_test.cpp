#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver_files.hpp"
#include "lookup.hpp"

namespace envgen::bench {
namespace {

namespace fs = std::filesystem;

/// A folder of the test's own, gone with it.
class Machine : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "envgen-bench-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root = name;
  }
  void TearDown() override { fs::remove_all(root); }

  fs::path write(const fs::path& file, const std::string& text = "") const {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
    return root / file;
  }

  fs::path root;
};

TEST_F(Machine, KernelModulesOfBothKinds) {
  EXPECT_EQ(kernel_driver_version(
                write("a", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\n")),
            "535.183.01");
  EXPECT_EQ(kernel_driver_version(write(
                "b", "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build  (dvs-builder@x)\n")),
            "570.86.15");
  EXPECT_EQ(kernel_driver_version(root / "nothing"), "");
}

TEST(DriverFiles, ReleaseOfALibrary) {
  EXPECT_EQ(library_release("/usr/lib/x86_64-linux-gnu/libcuda.so.535.183.01"), "535.183.01");
  EXPECT_EQ(library_release("/usr/lib/x86_64-linux-gnu/libcuda.so.1"), "");
  EXPECT_EQ(library_release("/usr/lib/wsl/lib/libcuda.so.1.1"), "1.1");
}

TEST_F(Machine, DeviceNodes) {
  for (const char* name : {"nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-caps/cap1", "null"}) write(name);
  const auto nodes = device_nodes(root);
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(nodes[0].path, (root / "nvidia-uvm").string());
  EXPECT_FALSE(nodes[0].is_gpu());
  EXPECT_TRUE(nodes[1].is_gpu());
  EXPECT_FALSE(nodes[2].is_gpu());
  EXPECT_EQ(nodes[1].error, "");
}

TEST_F(Machine, LibrariesOfCuda10AreLookedForByTheirNames) {
  Places places;
  places.toolkit = "/cuda";
  EXPECT_THAT(candidates_too_old("libcublas", places), testing::ElementsAre("libcublas.so.10", "/cuda/libcublas.so.10"));
  EXPECT_THAT(candidates_too_old("libcudart", places), testing::Contains("/cuda/libcudart.so.10.2"));
  EXPECT_THAT(candidates_too_old("libnccl", places), testing::IsEmpty());
  places.overrides["libcublas"] = "/elsewhere";
  EXPECT_THAT(candidates_too_old("libcublas", places), testing::IsEmpty());
}

TEST_F(Machine, LibrariesOfWheelsComeFirstThenCondaThenTheLinker) {
  Places places;
  places.site_packages = {root / "site"};
  places.conda_prefix = root / "conda";
  const auto twelve = write("site/nvidia/cublas/lib/libcublas.so.12");
  const auto thirteen = write("site/nvidia/cu13/lib/libcublas.so.13");
  const auto conda = write("conda/lib/libcublas.so.11");
  EXPECT_EQ(candidates("libcublas", places),
            (std::vector<std::string>{thirteen.string(), twelve.string(), conda.string(), "libcublas.so.13", "libcublas.so.12",
                                      "libcublas.so.11", "/usr/local/cuda/lib64/libcublas.so.13",
                                      "/usr/local/cuda/lib64/libcublas.so.12", "/usr/local/cuda/lib64/libcublas.so.11"}));
  EXPECT_EQ(candidates("libcuda", places), (std::vector<std::string>{"libcuda.so.1"}));
  places.overrides["libcublas"] = "/here.so";
  EXPECT_EQ(candidates("libcublas", places), (std::vector<std::string>{"/here.so"}));
}

}  // namespace
}  // namespace envgen::bench
