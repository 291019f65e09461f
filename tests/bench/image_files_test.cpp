// The walk below a folder: what is listed, and what keeps it within bounds.
#include "image_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"
#include "tests/tests.hpp"

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
  for (const auto* other :
       {"libcudnn_ops.so.9", "libnvidia-container.so.1", "libcuda.a", "libcudart_static.a", "libcuda.so.txt", "libcuda.so.",
        "libcuda.sox1", "libcuda.so1", "libcudartx.so.12", "libcudadevrt.so", "libc.so.6", "cuda"})
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
  EXPECT_EQ(of("__version__='1'\ncuda='2'\n"), "1 2");
  EXPECT_EQ(of("__version__\ncuda :str\n__version__ = '3'"), "3 none");
  EXPECT_EQ(of(" __version__ = '4'\n\n"), " none");
}

/// A file or folder as the walk finds it: its name, version, what torch asks of cuDNN.
std::string package(const std::string& path, bool folder = true) {
  const auto found = package_at(path, folder);
  return found ? found->name + " " + found->version + " " + found->cudnn.value_or("-") : "none";
}

TEST(Packages, OfTheirMetadatasNames) {
  EXPECT_EQ(package("/s/Torch-2.5.1.dist-info"), "torch 2.5.1 ");  // whose METADATA cannot be read
  EXPECT_EQ(package("/s/torch-2.5.1-py3.11.egg-info"), "torch 2.5.1 -");
  EXPECT_EQ(package("/s/torch-2.5.1.egg-info", false), "torch 2.5.1 -");
  EXPECT_EQ(package("/s/nvidia.cudnn_cu12-9.1.dist-info"), "nvidia-cudnn-cu12 9.1 -");
  EXPECT_EQ(package("/s/tf_nightly_gpu-2.20.0.dev1.dist-info"), "tf-nightly-gpu 2.20.0.dev1 -");
  for (const char* other :
       {"/s/torch.dist-info", "/s/torch-2.5.1", "/s/torchvision-0.20.dist-info", "/s/torch-2.5.1.dist-info.bak"})
    EXPECT_EQ(package(other), "none") << other;
}

TEST(Packages, OfFilesThatOnlyAFrameworkHas) {
  EXPECT_EQ(package("/s/torch/lib/libtorch_cuda.so", false), "libtorch_cuda  -");
  EXPECT_EQ(package("/s/tensorflow/libtensorflow_framework.so.2", false), "libtensorflow_framework  -");
  EXPECT_EQ(package("/usr/lib/python3.13t/os.py", false), "python 3.13t -");
  EXPECT_EQ(package("/usr/lib/python3.8/os.pyc", false), "python 3.8 -");
  for (const char* other : {"/usr/lib/python2.7/os.py", "/usr/lib/python3.8/cos.py", "/usr/lib/python3/os.py", "/os.py",
                            "/s/libtorch_cuda.a", "/s/torch/version.txt"})
    EXPECT_EQ(package(other, false), "none") << other;
  EXPECT_EQ(package("/usr/lib/python3.8/os.py", true), "none");  // a folder
}

TEST_F(Walk, OfAPackageItsRequirementOfCudnn) {
  const auto of = [&](const std::string& metadata) {
    fs::create_directories(root_ / "torch-2.0.dist-info");
    std::ofstream(root_ / "torch-2.0.dist-info/METADATA") << metadata;
    return package((root_ / "torch-2.0.dist-info").string());
  };
  EXPECT_EQ(of("Name: torch\nRequires-Dist: nvidia_cudnn_cu11 (==8.5); extra == 'x'\n"), "torch 2.0 nvidia-cudnn-cu11");
  EXPECT_EQ(of("Name: torch\nRequires-Dist: nvidia-cudnn-cu12\n"), "torch 2.0 nvidia-cudnn-cu12");
  EXPECT_EQ(of("Name: torch\nRequires-Dist: nvidia-cublas-cu12\nX-Requires-Dist: nvidia-cudnn-cu12\n"), "torch 2.0 ");
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

TEST_F(Walk, TakesFilesAndLinksAlone) {
  fs::create_directories(root_ / "libcudnn.so.9");
  ASSERT_EQ(::mkfifo((root_ / "libcuda.so.1").c_str(), 0600), 0);
  EXPECT_TRUE(image_files(root_, {}, {}).files.empty());
}

TEST_F(Walk, GoesThroughNoLink) {
  file("a/libcudnn.so.9");
  fs::create_directory_symlink(root_ / "a", root_ / "b");
  const auto found = image_files(root_ / "b", {}, {});  // as if it had taken a folder's place meanwhile
  EXPECT_EQ(found.entries, 0U);
  EXPECT_THAT(found.some_closed, ElementsAre((root_ / "b").string()));
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
  const auto at_once = image_files(root_, {}, {.seconds = 0});
  EXPECT_FALSE(at_once.complete);
  EXPECT_EQ(at_once.entries, 0U);
  EXPECT_EQ(image_files(root_, {}, {.files = 3}).left_out, 0U);
  const auto mounts = image_files(root_, {(root_ / "a").string(), (root_ / "b").string()}, {.files = 1});
  EXPECT_EQ(mounts.mounts.size(), 1U);
}

TEST_F(Walk, IsCompleteWhereItsLastEntryIsTheLastThatItMayRead) {
  for (const auto* path : {"a/libcudnn.so.8", "b/libcudnn.so.8", "c/libcudnn.so.8"}) file(path);
  const auto of = [&](std::size_t entries) {
    const auto found = image_files(root_, {}, {.entries = entries});
    return std::tuple{found.complete, found.entries, found.files.size()};
  };
  EXPECT_EQ(of(6), (std::tuple{true, 6U, 3U}));
  EXPECT_EQ(of(5), (std::tuple{false, 5U, 2U}));
  EXPECT_EQ(of(3), (std::tuple{false, 3U, 0U}));
}

TEST_F(Walk, IsNotCompleteWhereAFolderAloneHasTooMany) {
  for (const auto* path : {"libcudnn.so.7", "libcudnn.so.8", "libcudnn.so.9"}) file(path);
  EXPECT_TRUE(image_files(root_, {}, {.entries = 3}).complete);
  const auto found = image_files(root_, {}, {.entries = 2});
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.files.size(), 2U);
}

TEST_F(Walk, NamesAHundredClosedFolders) {
  constexpr int count = 102;
  for (int i = 0; i < count; ++i) {
    fs::create_directory(root_ / std::to_string(i));
    fs::permissions(root_ / std::to_string(i), fs::perms::none);
  }
  const auto user = ::geteuid();
  const bool as_nobody = user == 0 && ::seteuid(65534) == 0;  // root reads everything
  const auto found = image_files(root_, {}, {});
  ASSERT_TRUE(!as_nobody || ::seteuid(user) == 0);
  EXPECT_EQ(found.closed, 102U);
  EXPECT_EQ(found.some_closed.size(), 100U);
  EXPECT_TRUE(found.complete);
}

/// As the test of the program says it, which has nine tenths of its time for the walk.
TEST_F(Walk, ThatIsNotCompleteSaysSo) {
  file("libcudnn.so.9");
  Options options;
  const Places places;
  const Sizes sizes;
  options.files_of = root_.string();
  const auto row = [&](double seconds) {
    Context context{options, places, sizes};
    context.limit.seconds = seconds;
    return tests::image_files(context).front();
  };
  const auto whole = row(60);
  EXPECT_EQ(whole.status, Status::pass);
  EXPECT_EQ(whole.evidence.at("complete"), true);
  const auto part = row(0);
  EXPECT_EQ(part.status, Status::unknown);
  EXPECT_EQ(part.message, "0 libraries of the driver, the CUDA Runtime and cuDNN among 0 entries of " + root_.string() +
                              "; not all were examined");
}

TEST_F(Walk, TellsOfClosedFolders) {
  fs::create_directory(root_ / "closed");
  fs::permissions(root_ / "closed", fs::perms::none);
  Options options;
  const Places places;
  const Sizes sizes;
  options.files_of = root_.string();
  Context context{options, places, sizes};
  context.limit.seconds = 60;
  const auto user = ::geteuid();
  const bool as_nobody = user == 0 && ::seteuid(65534) == 0;
  const auto row = tests::image_files(context).front();
  ASSERT_TRUE(!as_nobody || ::seteuid(user) == 0);
  EXPECT_EQ(row.message, "0 libraries of the driver, the CUDA Runtime and cuDNN among 1 entries of " + root_.string() +
                             "; unreadable folders: 1");
}

TEST_F(Walk, AsJson) {
  file("libcudnn.so.9.1");
  fs::create_symlink("libcudnn.so.9.1", root_ / "libcudnn.so");
  auto json = to_json(image_files(root_, {}, {}));
  EXPECT_GT(json.at("files").at(1).at("inode").get<long>(), 0);
  json["files"][1]["inode"] = "#";
  const auto at = root_.string() + "/libcudnn.so";
  EXPECT_EQ(json.dump(), R"({"entries":2,"complete":true,"closed":0,"some_closed":[],"mounts":[],"left_out":0,"files":[)"
                         R"({"path":")" +
                             at +
                             R"(","library":"libcudnn","version":null,"target":"libcudnn.so.9.1","bytes":null,"inode":null},)"
                             R"({"path":")" +
                             at +
                             R"(.9.1","library":"libcudnn","version":"9.1","target":null,"bytes":4,"inode":"#"}],)"
                             R"("packages":[]})");
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
  EXPECT_EQ(none.row("image-files").at("message"), "no folder was given (--files-of)");
}

}  // namespace
}  // namespace envgen::bench
