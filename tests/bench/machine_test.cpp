#include <filesystem>
#include <fstream>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver_files.hpp"
#include "image_libraries.hpp"
#include "lookup.hpp"
#include "program.hpp"
#include "variable.hpp"

namespace envgen::bench {
namespace {

namespace fs = std::filesystem;

/// A folder of the test's own, gone with it.
class MachineFiles : public ::testing::Test {
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

TEST_F(MachineFiles, KernelModulesOfBothKinds) {
  EXPECT_EQ(kernel_driver_version(
                write("a", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024\n")),
            "535.183.01");
  EXPECT_EQ(kernel_driver_version(write(
                "b", "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build  (dvs-builder@x)\n")),
            "570.86.15");
  EXPECT_EQ(kernel_driver_version(root / "nothing"), "");
}

TEST_F(MachineFiles, ReleaseOfTheKernelModuleIsNumbersBetweenDots) {
  const auto of = [&](const std::string& word) { return kernel_driver_version(write("v", "Kernel " + word + " Module\n")); };
  EXPECT_EQ(of("550.40"), "550.40");
  EXPECT_EQ(of("1.2.3.4"), "1.2.3.4");
  for (const char* other : {"550", "550.", ".40", "550..40", "550.40a", "x550.40", "550-40", ""})
    EXPECT_EQ(of(other), "") << other;
  EXPECT_EQ(kernel_driver_version(write("v", "")), "");
  EXPECT_EQ(kernel_driver_version(write("v", "no release\n550.40\n")), "");  // the first line has it
}

TEST(DriverFiles, ReleaseOfALibrary) {
  EXPECT_EQ(library_release("/usr/lib/x86_64-linux-gnu/libcuda.so.535.183.01"), "535.183.01");
  EXPECT_EQ(library_release("/usr/lib/x86_64-linux-gnu/libcuda.so.1"), "");
  EXPECT_EQ(library_release("/usr/lib/wsl/lib/libcuda.so.1.1"), "1.1");
  EXPECT_EQ(library_release("/usr/lib/libcuda.so.535."), "");
  EXPECT_EQ(library_release("/usr/lib/libcuda.so"), "");
  EXPECT_EQ(library_release("/opt/libcuda.so.535.54/other"), "");
}

TEST_F(MachineFiles, DeviceNodes) {
  for (const char* name : {"nvidia0", "nvidiactl", "nvidia-uvm", "nvidia-caps/cap1", "null"}) write(name);
  const auto nodes = device_nodes(root);
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(nodes[0].path, (root / "nvidia-uvm").string());
  EXPECT_FALSE(nodes[0].is_gpu());
  EXPECT_TRUE(nodes[1].is_gpu());
  EXPECT_FALSE(nodes[2].is_gpu());
  EXPECT_EQ(nodes[1].error, "");
}

TEST_F(MachineFiles, DeviceNodesOfWsl) {
  for (const char* name : {"dxg", "dxg1", "nvidia", "nvidia12", "nvidia1a"}) write(name);
  std::vector<std::string> gpus;
  for (const auto& node : device_nodes(root)) {
    if (node.is_gpu()) gpus.push_back(fs::path(node.path).filename().string());
  }
  EXPECT_THAT(gpus, testing::ElementsAre("dxg", "nvidia12"));
  EXPECT_THAT(device_nodes(root / "nothing"), testing::IsEmpty());
}

TEST_F(MachineFiles, EachPythonThatAShellWouldFind) {
  const auto site = [&](const std::string& path) {
    fs::create_directories(root / path);
    return fs::canonical(root / path);
  };
  const auto venv = site("venv/lib/python3.12/site-packages");
  const auto conda = site("conda/lib/python3.11/site-packages");
  const auto newer = site("conda/lib/python3.13/site-packages");
  const auto debian = site("conda/lib/python3/dist-packages");
  const auto user = site("home/.local/lib/python3.10/site-packages");
  const auto listed = site("listed");
  const auto of_path = site("py/lib/python3.9/site-packages");
  site("bare/lib/python3.9/site-packages");  // without a python3 in its bin
  site("venv/lib/python2.7/site-packages");
  site("venv/lib/node/site-packages");
  write("py/bin/python3");
  fs::create_directories(root / "bare/bin");
  const auto in = [&](const char* name) { return (root / name).string(); };
  const Variable variables[] = {
      {"VIRTUAL_ENV", in("venv")},
      {"CONDA_PREFIX", in("conda")},
      {"PYTHONPATH", ":" + in("listed") + "::" + in("venv/lib/python3.12/site-packages") + ":" + in("gone")},
      {"PATH", in("bare/bin") + ":" + in("py/bin") + ":/nowhere"},
      {"HOME", in("home")}};
  auto places = places_here({{"libcuda", "/here.so"}});
  EXPECT_EQ(places.conda_prefix, root / "conda");
  EXPECT_EQ(places.overrides.at("libcuda"), "/here.so");
  ASSERT_GE(places.site_packages.size(), 8U);
  places.site_packages.resize(8);  // those of the system follow
  EXPECT_THAT(places.site_packages, testing::ElementsAre(venv, debian, conda, newer, listed, root / "gone", of_path, user));
}

TEST_F(MachineFiles, FoldersOfTheLibraryPathComeBeforeTheLinkersChoice) {
  Places places;
  places.library_path = {"", (root / "none").string(), (root / "some").string()};
  const auto nccl = write("some/libnccl.so.2");
  EXPECT_THAT(candidates("libnccl", places),
              testing::ElementsAre(nccl.string(), "libnccl.so.2", "/usr/local/cuda/lib64/libnccl.so.2"));
  EXPECT_THAT(candidates("libother", places), testing::IsEmpty());
  EXPECT_THAT(candidates_too_old("libother", places), testing::IsEmpty());
}

TEST_F(MachineFiles, WhyALibraryIsNotOpened) {
  const auto text = write("libnccl.so.2", "this is no library, and longer than the header of one would be .................");
  EXPECT_EQ(open_library("it", {"/nonexistent/a.so", text.string(), "/nonexistent/b.so"}).why_not(),
            text.string() + ": invalid ELF header");
  const auto missing = open_library("it", {"/nonexistent/a.so", "/nonexistent/b.so"});
  EXPECT_EQ(missing.why_not(), "it was not found (2 places tried)");
  EXPECT_FALSE(missing);
  EXPECT_EQ(
      to_json(missing).dump(),
      R"({"name":"it","path":null,"double":false,"tried":[)"
      R"({"path":"/nonexistent/a.so","error":"/nonexistent/a.so: cannot open shared object file: No such file or directory"},)"
      R"({"path":"/nonexistent/b.so","error":"/nonexistent/b.so: cannot open shared object file: No such file or directory"}]})");
  const auto found = open_library("libm", {"/nonexistent/a.so", "libm.so.6", "libc.so.6"});
  EXPECT_EQ(found.tried.size(), 2U);  // the first that opens is taken
  EXPECT_FALSE(found.is_double);
  EXPECT_THAT(found.path, testing::MatchesRegex("/.*/libm[.-].*"));
}

/// What an image's library is not: a test that asks for it fails and says so, it is not left out.
TEST_F(MachineFiles, ALibraryThatIsThereAndCannotServe) {
  const std::string wrong = BENCH_DOUBLES "/libcudart.so.12";
  const auto text = write("text.so", "this is no library, and longer than the header of one would be .................").string();
  const auto row = [](const char* test, const std::string& library, const std::string& path) {
    return run_bench(on_doubles({"--tests", test, "--library", library + "=" + path}))
        .row(test, std::string(test) == "nccl" ? -1 : 0);
  };
  const auto said = [&](const char* test, const std::string& library, const std::string& path) {
    const auto found = row(test, library, path);
    return found.at("status").get<std::string>() + " " + found.at("message").get<std::string>();
  };
  const auto real = fs::canonical(wrong).string();
  EXPECT_EQ(said("nccl", "libnccl", wrong), "fail " + real + " has no ncclGetVersion");
  EXPECT_EQ(said("gemm-fp32", "libcublas", wrong), "fail " + real + " has no cublasCreate_v2");
  EXPECT_EQ(said("gemm-fp32", "libcublasLt", wrong), "fail " + real + " has no cublasLtGetVersion");
  EXPECT_EQ(said("runtime", "libcudart", BENCH_DOUBLES "/libnccl.so.2"),
            "fail " + fs::canonical(BENCH_DOUBLES "/libnccl.so.2").string() + " has no cudaGetDeviceCount");
  EXPECT_EQ(said("nccl", "libnccl", text), "fail " + text + ": invalid ELF header");
  EXPECT_EQ(row("nccl", "libnccl", text).at("failure").at("call"), "dlopen");
  EXPECT_EQ(row("nccl", "libnccl", wrong).at("failure").at("call"), "dlsym");
  EXPECT_EQ(said("nccl", "libnccl", "/nonexistent"), "skip the image has no NCCL");
  EXPECT_EQ(said("gemm-fp32", "libcublas", "/nonexistent"), "skip the image has no cuBLAS");
}

TEST_F(MachineFiles, LibrariesOfCuda10AreLookedForByTheirNames) {
  Places places;
  places.toolkit = "/cuda";
  EXPECT_THAT(candidates_too_old("libcublas", places), testing::ElementsAre("libcublas.so.10", "/cuda/libcublas.so.10"));
  EXPECT_THAT(candidates_too_old("libcudart", places), testing::Contains("/cuda/libcudart.so.10.2"));
  EXPECT_THAT(candidates_too_old("libnccl", places), testing::IsEmpty());
  places.overrides["libcublas"] = "/elsewhere";
  EXPECT_THAT(candidates_too_old("libcublas", places), testing::IsEmpty());
}

TEST_F(MachineFiles, LibrariesOfWheelsComeFirstThenCondaThenTheLinker) {
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
class Toolkit : public MachineFiles {
 protected:
  void SetUp() override {
    MachineFiles::SetUp();
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
            fs::canonical(other).string() + " has no cuInit: driver R450 (CUDA 11.0) or newer is required");
  EXPECT_EQ(ran.row("probe").at("failure").at("id"), "cuda-35-old-driver");
  EXPECT_EQ(ran.row("kernel").at("message"), "the probe failed");
}

}  // namespace
}  // namespace envgen::bench
