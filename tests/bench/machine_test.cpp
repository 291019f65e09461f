#include <filesystem>
#include <fstream>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver_files.hpp"
#include "image_libraries.hpp"
#include "lookup.hpp"
#include "program.hpp"

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

/// As nvidia/cuda's images lay it out: one folder of a toolkit, with doubles in it.
class Toolkit : public Machine {
 protected:
  void SetUp() override {
    Machine::SetUp();
    for (const char* name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"}) {
      if (void* found = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL); found != nullptr) {
        ::dlclose(found);
        GTEST_SKIP() << "the dynamic linker has a " << name << " of this machine";
      }
    }
    folder = fs::canonical(root) / "lib64";
    fs::create_directories(folder);
    for (const char* name : {"libcublas.so.12", "libcublasLt.so.12"}) {
      fs::copy_file(fs::path(BENCH_DOUBLES) / name, folder / (std::string(name) + ".4.5"));
      fs::create_symlink(std::string(name) + ".4.5", folder / name);
    }
  }
  fs::path folder;
};

TEST_F(Toolkit, InAFolderThatTheLinkerDoesNotKnow) {
  Places places;
  places.toolkit = folder;
  const auto blas = open_blas(places);
  EXPECT_EQ(blas.library.path, (folder / "libcublas.so.12.4.5").string());
  EXPECT_EQ(blas.lt_library.path, (folder / "libcublasLt.so.12.4.5").string());
  EXPECT_EQ(blas.library.tried.size(), 5U);  // three names that the linker has not, two of the folder
  EXPECT_EQ(describe_blas(places).at("version"), "12.4.5");
}

TEST_F(Toolkit, InAFolderThatTheLinkerKnows) {
  const auto ran =
      run_bench({"--format=json", "--scale=512", "--tests=gemm-fp32", "--library=libcuda=" BENCH_DOUBLES "/libcuda.so.1"},
                {{"LD_LIBRARY_PATH", folder.string()}});
  EXPECT_EQ(ran.row("gemm-fp32", 0).at("status"), "pass");
  EXPECT_EQ(ran.row("gemm-fp32", 0).at("evidence").at("library"), (folder / "libcublas.so.12.4.5").string());
  EXPECT_EQ(ran.row("gemm-fp32", 0).at("evidence").at("lt_library"), (folder / "libcublasLt.so.12.4.5").string());
}

TEST(Driver, BeforeR450IsRefused) {
  const std::string other = BENCH_DOUBLES "/libcudart.so.12";  // it has no function of the driver
  const auto ran = run_bench({"--format=json", "--tests=kernel", "--library=libcuda=" + other});
  EXPECT_EQ(ran.status, 5);
  EXPECT_EQ(ran.row("probe").at("message"),
            fs::canonical(other).string() + " has no cuInit: a driver of R450 (CUDA 11.0) or newer is needed");
  EXPECT_EQ(ran.row("probe").at("failure").at("id"), "cuda-35-old-driver");
  EXPECT_EQ(ran.row("kernel").at("message"), "the probe failed");
}

}  // namespace
}  // namespace envgen::bench
