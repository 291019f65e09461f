// The walk below a folder: what is listed, and what keeps it within bounds.
#include "image_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace envgen::bench {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

class Walk : public ::testing::Test {
 protected:
  Walk() : root_(fs::temp_directory_path() / ("envgen-walk-" + std::to_string(::getpid()))) { fs::create_directories(root_); }
  ~Walk() override { fs::remove_all(root_); }
  void file(const std::string& path) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << "four";
  }
  std::vector<std::string> paths(const ImageFiles& found) const {
    std::vector<std::string> paths;
    for (const auto& one : found.files) paths.push_back(one.path.substr(root_.string().size() + 1));
    return paths;
  }
  fs::path root_;
};

TEST(LibraryOf, NamesAndVersions) {
  const auto of = [](const char* name) {
    const auto file = library_of(name);
    return file.library + " " + file.version;
  };
  EXPECT_EQ(of("libcuda.so.550.54.14"), "libcuda 550.54.14");
  EXPECT_EQ(of("libcuda.so"), "libcuda ");
  EXPECT_EQ(of("libcudart-d0da41ae.so.11.0"), "libcudart-d0da41ae 11.0");
  EXPECT_EQ(of("libcudnn.so.9"), "libcudnn 9");
  EXPECT_EQ(of("libnvidia-ml.so.1"), "libnvidia-ml 1");
  for (const auto* other : {"libcudnn_ops.so.9", "libnvidia-container.so.1", "libcuda.a", "libcudart_static.a", "libcuda.so.txt",
                            "libcudadevrt.so", "libc.so.6", "cuda"})
    EXPECT_EQ(of(other), " ") << other;
}

TEST(TorchVersion, OfOldAndNewForms) {
  const auto of = [](const char* text) {
    const auto package = of_torch_version(text);
    return package.version + " " + package.cuda.value_or("none");
  };
  EXPECT_EQ(of("from typing import Optional\n\n__all__ = ['__version__', 'cuda']\n__version__ = '2.7.1+cu126'\ndebug = False\n"
               "cuda: Optional[str] = '12.6'\n"),
            "2.7.1+cu126 12.6");
  EXPECT_EQ(of("__version__ = \"1.12.0+cu116\"\ncuda = '11.6'"), "1.12.0+cu116 11.6");
  EXPECT_EQ(of("__version__ = '2.7.1+cpu'\ncuda: Optional[str] = None\ngit_version = 'abc'\n"), "2.7.1+cpu ");
  EXPECT_EQ(of("__version__x = 'a'\ncudas = 'b'\n"), " none");
}

TEST(MountPoints, OfMountinfo) {
  EXPECT_THAT(mount_points("22 1 0:21 / / rw - overlay overlay rw\n23 22 0:5 / /proc rw - proc proc rw\n"
                           "24 22 8:1 /lib/libcuda.so.1 /usr/lib/libcuda.so.1 ro - ext4 /dev/sda1 ro\nshort line\n"),
              UnorderedElementsAre("/proc", "/usr/lib/libcuda.so.1"));
}

TEST_F(Walk, ListsPythonsAndWhatTheirFrameworksSay) {
  const auto write = [&](const std::string& path, const std::string& text) {
    file(path);
    std::ofstream(root_ / path) << text;
  };
  const std::string site = "v/lib/python3.11/site-packages/";
  write(site + "torch/version.py", "__version__ = '2.6.0+cu124'\ncuda: Optional[str] = '12.4'\n");
  write(site + "torch-2.6.0+cu124.dist-info/METADATA",
        "Name: torch\nRequires-Dist: filelock\nRequires-Dist: nvidia-cudnn-cu12==9.1.0.70; platform_system == 'Linux'\n");
  write(site + "nvidia_cudnn_cu12-9.1.0.70.dist-info/METADATA", "");
  write(site + "numpy-2.0.dist-info/METADATA", "");
  file(site + "torch/lib/libtorch_cuda.so");
  file("usr/lib/python3.11/os.py");
  file("usr/lib/other/os.py");
  fs::create_symlink("/etc/passwd", root_ / "v/lib/version.py");
  std::vector<std::string> found;
  for (const auto& one : image_files(root_, {}, {}).packages)
    found.push_back(one.name + " " + one.version + " " + one.cuda.value_or("-") + " " + one.cudnn.value_or("-") + " " +
                    one.path.substr(root_.string().size() + 1));
  EXPECT_THAT(found, ElementsAre("python 3.11 - - usr/lib/python3.11/os.py",
                                 "nvidia-cudnn-cu12 9.1.0.70 - - " + site + "nvidia_cudnn_cu12-9.1.0.70.dist-info",
                                 "torch 2.6.0+cu124 - nvidia-cudnn-cu12 " + site + "torch-2.6.0+cu124.dist-info",
                                 "libtorch_cuda  - - " + site + "torch/lib/libtorch_cuda.so",
                                 "torch 2.6.0+cu124 12.4 - " + site + "torch/version.py"));
  WalkLimits limits;
  limits.files = 2;
  const auto few = image_files(root_, {(root_ / "usr").string()}, limits);
  EXPECT_EQ(few.packages.size(), 2U);
  EXPECT_EQ(few.left_out, 2U);
  EXPECT_THAT(few.mounts, ElementsAre((root_ / "usr").string()));
}

TEST_F(Walk, ListsLibrariesAndLinks) {
  file("usr/lib/libcuda.so.550.54.14");
  file("usr/lib/libother.so.1");
  file("opt/a/libcudnn.so.9");
  fs::create_symlink("libcuda.so.550.54.14", root_ / "usr/lib/libcuda.so.1");
  fs::create_symlink("/", root_ / "everything");  // a folder behind a link is not looked into
  const auto found = image_files(root_, {}, {});
  EXPECT_THAT(paths(found), ElementsAre("opt/a/libcudnn.so.9", "usr/lib/libcuda.so.1", "usr/lib/libcuda.so.550.54.14"));
  EXPECT_EQ(found.files[0].bytes, 4);
  EXPECT_EQ(found.files[1].target, "libcuda.so.550.54.14");
  EXPECT_EQ(found.entries, 9U);
  EXPECT_TRUE(found.complete);
}

TEST_F(Walk, LeavesOutWhatIsMounted) {
  file("proc/libcuda.so.1");
  file("usr/lib/libcuda.so.550.54.14");
  file("usr/lib/libcudnn.so.9");
  const auto at = [&](const char* path) { return (root_ / path).string(); };
  EXPECT_THAT(paths(image_files(root_, {at("proc"), at("usr/lib/libcuda.so.550.54.14")}, {})),
              ElementsAre("usr/lib/libcudnn.so.9"));
}

TEST_F(Walk, StaysWithinItsBounds) {
  for (const auto* path : {"a/libcudnn.so.8", "b/libcudnn.so.8", "c/libcudnn.so.8"}) file(path);
  const auto few = image_files(root_, {}, {.files = 2});
  EXPECT_EQ(few.files.size(), 2U);
  EXPECT_EQ(few.left_out, 1U);
  EXPECT_FALSE(image_files(root_, {}, {.entries = 3}).complete);
  EXPECT_FALSE(image_files(root_, {}, {.seconds = 0}).complete);
}

TEST_F(Walk, CountsWhatItMayNotRead) {
  file("closed/libcuda.so.1");
  fs::permissions(root_ / "closed", fs::perms::none);
  const auto user = ::geteuid();
  constexpr uid_t nobody = 65534;
  const bool as_nobody = user == 0 && ::seteuid(nobody) == 0;  // root reads everything
  const auto found = image_files(root_, {}, {});
  ASSERT_TRUE(!as_nobody || ::seteuid(user) == 0);
  fs::permissions(root_ / "closed", fs::perms::owner_all);
  EXPECT_EQ(found.closed, 1U);
  EXPECT_THAT(found.some_closed, ElementsAre((root_ / "closed").string()));
}

TEST_F(Walk, IsATestOfTheProgram) {
  file("libcudnn.so.9");
  const auto ran = run_bench({"--format", "json", "--tests", "image-files", "--files-of", root_.string(), "--library",
                              "libcuda=/nonexistent/libcuda.so.1"});
  EXPECT_EQ(ran.status, 0);
  const auto row = ran.row("image-files");
  EXPECT_EQ(row.at("message"), "1 libraries of the driver, the CUDA Runtime and cuDNN among 1 entries of " + root_.string());
  EXPECT_EQ(row.at("evidence").at("files").at(0).at("library"), "libcudnn");
  const auto none = run_bench({"--format", "json", "--tests", "image-files", "--library", "libcuda=/nonexistent/libcuda.so.1"});
  EXPECT_EQ(none.row("image-files").at("message"), "no folder was named (--files-of)");
}

}  // namespace
}  // namespace envgen::bench
