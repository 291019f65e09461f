// What lies in an image beside what belongs there: what envgen's own images hold, and what no image should.
#include "validate/image_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/literals.hpp"

namespace envgen::validate {
namespace {

using testing::HasSubstr;

ImageFile file(std::string path, std::string library, std::optional<std::string> version, long long inode = 0) {
  return {std::move(path), std::move(library), std::move(version), std::nullopt, 1000, inode};
}
ImageFile link(std::string path, std::string library, std::string target) {
  return {std::move(path), std::move(library), "1", std::move(target), 0, 0};
}
ImageFiles of(std::vector<ImageFile> files) { return {std::move(files), true, 0, 0, {}}; }

std::string text(const Result& result) {
  return std::string(name_of(result.status)) + " " + result.message +
         (result.diagnosis == nullptr ? "" : " [" + std::string(result.diagnosis->id) + "]");
}
std::string driver_files(std::vector<ImageFile> files) { return text(judge_driver_files(of(std::move(files)))); }
std::string second(std::vector<ImageFile> files, const Environment* lock = nullptr) {
  return text(judge_second_libraries(of(std::move(files)), lock));
}

Environment locked(Base base) {
  Environment lock;
  lock.torch = Environment::FrameworkBuild();
  lock.base = base;
  return lock;
}

const std::string packages = "/opt/venv/lib/python3.12/site-packages/nvidia/";
const std::string system_folder = "/usr/lib/x86_64-linux-gnu/";

TEST(DriverFiles, AreToldFromStubsAndCudaCompat) {
  EXPECT_EQ(driver_files({}), "pass the image's layers contain no driver libraries");
  EXPECT_EQ(driver_files({file("/usr/local/cuda-12.4/targets/x86_64-linux/lib/stubs/libcuda.so", "libcuda", std::nullopt),
                          file("/usr/local/cuda-12.4/compat/libcuda.so.550.54.15", "libcuda", "550.54.15"),
                          link("/usr/local/cuda-12.4/compat/libcuda.so.1", "libcuda", "libcuda.so.550.54.15")}),
            "pass the image's layers contain no driver libraries; cuda-compat is there: "
            "/usr/local/cuda-12.4/compat/libcuda.so.550.54.15; a toolkit's stubs are there");
  EXPECT_EQ(driver_files({file(system_folder + "libcuda.so.550.54.14", "libcuda", "550.54.14"),
                          link(system_folder + "libcuda.so.1", "libcuda", "libcuda.so.550.54.14")}),
            "fail the image's layers contain driver libraries: " + system_folder + "libcuda.so.550.54.14, " + system_folder +
                "libcuda.so.1 [driver-in-image]");
  auto empty = file(system_folder + "libnvidia-ml.so.550.54.14", "libnvidia-ml", "550.54.14");
  empty.bytes = 0;
  EXPECT_THAT(driver_files({empty}), HasSubstr("libnvidia-ml.so.550.54.14 (empty) [driver-in-image]"));
}

TEST(DriverFiles, AStubInPlaceOfTheDriver) {
  EXPECT_EQ(driver_files({link("/usr/lib/libcuda.so.1", "libcuda", "/usr/local/cuda/lib64/stubs/libcuda.so")}),
            "warn a stub is found instead of the driver's library: /usr/lib/libcuda.so.1 [cuda-34]");
}

TEST(DriverFiles, AStubThatLdLibraryPathNames) {
  auto found = of({file("/usr/local/cuda-13.0/targets/x86_64-linux/lib/stubs/libcuda.so.1", "libcuda", "1")});
  const std::string stub = "warn a stub is found instead of the driver's library: " + found.files[0].path + " [cuda-34]";
  const auto judged = [&](const char* path) {
    found.library_path = path;
    return text(judge_driver_files(found));
  };
  const std::string fine = "pass the image's layers contain no driver libraries; a toolkit's stubs are there";
  EXPECT_EQ(judged(""), fine);
  EXPECT_EQ(judged("/usr/local/cuda/lib64:/usr/local/nvidia/lib"), fine);
  EXPECT_EQ(judged("/opt/x:/usr/local/cuda/lib64/stubs"), stub);
  EXPECT_EQ(judged("/usr/local/cuda-13.0/targets/x86_64-linux/lib/stubs/"), stub);
  found.files[0].path = "/usr/local/cuda-13.0/targets/x86_64-linux/lib/stubs/libcuda.so";  // a name that no program loads
  EXPECT_EQ(judged("/usr/local/cuda/lib64/stubs"), fine);
}

TEST(DriverFiles, EachFormOfCudaCompatAndOfAStubIsNone) {
  for (const auto& one : {file("/usr/local/cuda-12.4/compat/libcuda.so.1", "libcuda", "1"),
                          file("/opt/conda/cuda-compat/libcuda.so.550.54.15", "libcuda", "550.54.15"),
                          link("/usr/lib/libcuda.so.1", "libcuda", "../compat/libcuda.so.1"),
                          link("/usr/lib/libcuda.so.1", "libcuda", "/opt/cuda-compat/libcuda.so.1")})
    EXPECT_EQ(driver_files({one}), "pass the image's layers contain no driver libraries; cuda-compat is there: " + one.path);
  EXPECT_EQ(driver_files({file("/x/stubs/libcuda.so", "libcuda", std::nullopt), file("/x/libcudart.so.12", "libcudart", "12"),
                          file("/x/libcudnn.so.9", "libcudnn", "9")}),
            "pass the image's layers contain no driver libraries; a toolkit's stubs are there");
}

TEST(DriverFiles, OnlyTheFirstFourAreNamed) {
  std::vector<ImageFile> files;
  for (int i = 1; i <= 4; ++i) files.push_back(file("/" + std::to_string(i) + "/libcuda.so.1", "libcuda", "1"));
  const std::string four =
      "fail the image's layers contain driver libraries: /1/libcuda.so.1, /2/libcuda.so.1, "
      "/3/libcuda.so.1, /4/libcuda.so.1";
  EXPECT_EQ(driver_files(files), four + " [driver-in-image]");
  files.push_back(file("/5/libcuda.so.1", "libcuda", "1"));
  files.push_back(file("/6/libcuda.so.1", "libcuda", "1"));
  EXPECT_EQ(driver_files(files), four + " and 2 more [driver-in-image]");
}

TEST(DriverFiles, ItsEvidenceIsTheFiles) {
  EXPECT_EQ(
      judge_driver_files(of({file("/x/libcuda.so", "libcuda", std::nullopt), link("/x/libcuda.so.1", "libcuda", "libcuda.so")}))
          .evidence.dump(),
      R"({"files":[{"path":"/x/libcuda.so","version":null,"target":null,"bytes":1000},)"
      R"({"path":"/x/libcuda.so.1","version":"1","target":"libcuda.so","bytes":null}]})");
}

TEST(DriverFiles, AStubIsSearchedWhereLdLibraryPathNamesItsFolder) {
  const auto judged = [](const std::string& folder, const std::string& library_path) {
    auto found = of({file(folder + "/libcuda.so.1", "libcuda", "1")});
    found.library_path = library_path;
    return judge_driver_files(found).status == Status::warn;
  };
  const std::string target = "/usr/local/cuda-12.4/targets/x86_64-linux/lib/stubs";
  EXPECT_TRUE(judged("/x/stubs", "/x/stubs"));
  EXPECT_TRUE(judged("/x/stubs", "/y:/x/stubs/"));
  EXPECT_FALSE(judged("/x/stubs", "/x/stubs/y:/x"));
  EXPECT_TRUE(judged(target, "/usr/local/cuda/lib64/stubs/"));
  EXPECT_TRUE(judged("/usr/local/cuda-12.4/lib64/stubs", "/usr/local/cuda-12/lib64/stubs"));
  EXPECT_FALSE(judged(target, "/usr/local/cuda/lib64"));
  EXPECT_FALSE(judged("/opt/targets/x/lib/stubs", "/usr/local/cuda/lib64/stubs"));
  EXPECT_FALSE(judged(target, "/opt/cuda/lib64/stubs"));
}

TEST(DriverFiles, WhatWasNotSeenIsSaid) {
  EXPECT_EQ(
      text(judge_driver_files({{}, true, 3, 0, {}})),
      "pass no driver library was seen in the image's layers; 3 folder(s) are not readable by the image\'s user and were not "
      "examined");
  EXPECT_EQ(text(judge_driver_files({{}, false, 0, 0, {}})),
            "unknown no driver library was seen; the image was examined only in part");
  EXPECT_EQ(text(judge_driver_files({{}, true, 0, 2, {}})), "unknown no driver library was seen; 2 more were not reported");
  EXPECT_EQ(text(judge_second_libraries({{}, false, 1, 0, {}}, nullptr)),
            "unknown neither the CUDA Runtime nor cuDNN is present; the image was examined only in part; 1 folder(s) are not "
            "readable by the "
            "image\'s user and were not examined");
  EXPECT_EQ(text(judge_second_libraries({{}, true, 0, 2, {}}, nullptr)),
            "unknown neither the CUDA Runtime nor cuDNN is present; 2 more were not reported");
}

TEST(SecondLibraries, WhatOwnImagesHoldPasses) {
  const auto lock = locked(Base::slim);
  EXPECT_EQ(second({}, &lock), "pass neither the CUDA Runtime nor cuDNN is present");
  // Wheels on a plain system; on nvidia/cuda devel the toolkit's Runtime is beside them.
  const auto wheel_runtime = file(packages + "cuda_runtime/lib/libcudart.so.12", "libcudart", "12");
  const auto wheel_cudnn = file(packages + "cudnn/lib/libcudnn.so.9", "libcudnn", "9");
  EXPECT_EQ(second({wheel_runtime, wheel_cudnn}, &lock), "pass no second CUDA Runtime or cuDNN");
  const std::string toolkit = "/usr/local/cuda-12.4/targets/x86_64-linux/lib/libcudart.so.12.4.127";
  EXPECT_EQ(second({file(toolkit, "libcudart", "12.4.127"), wheel_runtime, wheel_cudnn}, &lock),
            "pass no second CUDA Runtime or cuDNN; besides the toolkit's own, for nvcc: " + toolkit);
  // conda: a cache of packages, and links; torch 1.x: a copy under a name of its own.
  EXPECT_EQ(second({file("/opt/conda/lib/libcudart.so.12.1.105", "libcudart", "12.1.105", 7),
                    file("/opt/conda/pkgs/cuda-cudart-12.1.105-0/lib/libcudart.so.12.1.105", "libcudart", "12.1.105", 8),
                    file("/opt/conda/envs/a/lib/libcudart.so.12.1.105", "libcudart", "12.1.105", 7),
                    file("/opt/venv/torch/lib/libcudart-d0da41ae.so.11.0", "libcudart-d0da41ae", "11.0")},
                   &lock),
            "pass no second CUDA Runtime or cuDNN");
}

TEST(SecondLibraries, ASecondCudnnFailsWhereTheImageIsOurs) {
  const std::vector<ImageFile> two{file(packages + "cudnn/lib/libcudnn.so.9", "libcudnn", "9"),
                                   file(system_folder + "libcudnn.so.9.8.0", "libcudnn", "9.8.0")};
  const auto slim = locked(Base::slim);
  const std::string said = "2 copies of cuDNN 9: " + two[0].path + ", " + two[1].path +
                           "; LD_LIBRARY_PATH and the import order decide which one is loaded [cudnn-mixed]";
  EXPECT_EQ(second(two, &slim), "fail " + said);
  const auto official = locked(Base::pytorch);  // such an image holds what it holds
  EXPECT_EQ(second(two, &official), "warn " + said);
  EXPECT_EQ(second(two), "warn " + said);
}

TEST(SecondLibraries, AToolkitThatLdLibraryPathPutsFirst) {
  auto found = of({file("/usr/local/cuda-12.4/targets/x86_64-linux/lib/libcudart.so.12.4.127", "libcudart", "12.4.127"),
                   file(packages + "cuda_runtime/lib/libcudart.so.12", "libcudart", "12")});
  const auto judged = [&](const char* path, const Environment* lock = nullptr) {
    found.library_path = path;
    return text(judge_second_libraries(found, lock));
  };
  const std::string fine = "pass no second CUDA Runtime or cuDNN; besides the toolkit's own, for nvcc: " + found.files[0].path;
  const std::string first = "warn LD_LIBRARY_PATH puts the toolkit's CUDA Runtime " + found.files[0].path + " before " +
                            found.files[1].path + " [libcudart-mixed]";
  EXPECT_EQ(judged("/usr/local/nvidia/lib64:/usr/local/cuda/extras/CUPTI/lib64"), fine);
  EXPECT_EQ(judged("/usr/local/cuda/lib64"), first);
  auto lock = locked(Base::slim);
  EXPECT_EQ(judged("/usr/local/cuda/lib64", &lock), first);
  lock.variant = Variant::devel;
  EXPECT_EQ(judged("/usr/local/cuda/lib64", &lock), fine);
  found.files[1].version = "12.4.127";
  EXPECT_EQ(judged("/usr/local/cuda/lib64"), fine);
}

TEST(SecondLibraries, AFileIsNoSecondOfItself) {
  const auto linked = std::vector{file("/a/libcudnn.so.9", "libcudnn", "9", 7), file("/b/libcudnn.so.9", "libcudnn", "9", 7)};
  EXPECT_EQ(second(linked), "pass no second CUDA Runtime or cuDNN");  // a hard link
  EXPECT_THAT(second({file("/a/libcudnn.so.9", "libcudnn", "9", 7), file("/b/libcudnn.so.9", "libcudnn", "9", 8)}),
              HasSubstr("warn 2 copies of cuDNN 9: "));
  EXPECT_EQ(second({file("/a/libcudnn.so.9", "libcudnn", "9"), file("/a/libcudnn.so.9.1.0", "libcudnn", "9.1.0")}),
            "pass no second CUDA Runtime or cuDNN");
  EXPECT_EQ(second({file("/a/libcudnn.so.9", "libcudnn", "9"), link("/b/libcudnn.so.9", "libcudnn", "/a/libcudnn.so.9")}),
            "pass no second CUDA Runtime or cuDNN");
  EXPECT_EQ(second({file("/a/libcudart.so.12", "libcudart", "12"), file("/b/stubs/libcudart.so.12", "libcudart", "12")}),
            "pass no second CUDA Runtime or cuDNN");
}

TEST(SecondLibraries, NamesBothKindsAndTheFirstOfThemIsTheDiagnosis) {
  const auto slim = locked(Base::slim);
  const std::vector<ImageFile> mixed{
      file("/a/libcudnn.so", "libcudnn", std::nullopt), file("/b/libcudnn.so", "libcudnn", std::nullopt),
      file("/a/libcudart.so.12", "libcudart", "12"), file("/b/libcudart.so.12.4", "libcudart", "12.4")};
  EXPECT_EQ(second(mixed, &slim),
            "fail 2 copies of cuDNN: /a/libcudnn.so, /b/libcudnn.so; 2 copies of the CUDA Runtime 12: /a/libcudart.so.12, "
            "/b/libcudart.so.12.4; LD_LIBRARY_PATH and the import order decide which one is loaded [cudnn-mixed]");
  EXPECT_THAT(second({mixed[2], mixed[3]}, &slim), testing::EndsWith("[libcudart-mixed]"));
  EXPECT_EQ(judge_second_libraries(of({mixed[2], mixed[3]}), nullptr).evidence["files"].size(), 2U);
  for (const auto base : {Base::pytorch, Base::tensorflow}) {
    const auto official = locked(base);
    EXPECT_THAT(second(mixed, &official), testing::StartsWith("warn "));
  }
  const auto devel = locked(Base::cuda);
  EXPECT_THAT(second(mixed, &devel), testing::StartsWith("fail "));
}

TEST(SecondLibraries, TheToolkitsIsFoundByItsPlace) {
  const auto wheel = file(packages + "cuda_runtime/lib/libcudart.so.12", "libcudart", "12");
  for (const auto* toolkit : {"/usr/local/cuda/lib64/libcudart.so.12", "/opt/conda/targets/x86_64-linux/lib/libcudart.so.12"})
    EXPECT_EQ(second({file(toolkit, "libcudart", "12"), wheel}),
              std::string("pass no second CUDA Runtime or cuDNN; besides the toolkit's own, for nvcc: ") + toolkit);
  EXPECT_EQ(second({file("/usr/local/cuda/lib64/libcudart.so.12", "libcudart", "12")}), "pass no second CUDA Runtime or cuDNN");
}

TEST(SecondLibraries, AToolkitOfAnotherMajorOrAnotherFolderIsNotPutFirst) {
  const auto judged = [](const char* version, const char* wheels, const char* path) {
    auto found = of({file("/usr/local/cuda-12.4/lib64/libcudart.so", "libcudart", version),
                     file(packages + "cuda_runtime/lib/libcudart.so", "libcudart", wheels)});
    found.library_path = path;
    const auto result = judge_second_libraries(found, nullptr);
    if (result.status == Status::warn) {
      EXPECT_EQ(result.evidence["files"].size(), 2U);
    }
    return std::string(name_of(result.status));
  };
  EXPECT_EQ(judged("12.4.127", "12", "/usr/local/cuda-12.4/lib64"), "warn");
  EXPECT_EQ(judged("12.4.127", "11.0", "/usr/local/cuda-12.4/lib64"), "pass");
  EXPECT_EQ(judged("12.4.127", "12", "/usr/local/cuda-12.4/lib"), "pass");
  EXPECT_EQ(judged("12", "12", "/usr/local/cuda-12.4/lib64"), "pass");
}

TEST(SecondLibraries, ASecondRuntime) {
  const auto slim = locked(Base::slim);
  EXPECT_THAT(second({file(packages + "cuda_runtime/lib/libcudart.so.12", "libcudart", "12"),
                      file("/opt/other/libcudart.so.12", "libcudart", "12")},
                     &slim),
              HasSubstr("fail 2 copies of the CUDA Runtime 12: "));
  // Another major is another name, which nobody finds in its place.
  EXPECT_THAT(second({file(packages + "cuda_runtime/lib/libcudart.so.12", "libcudart", "12"),
                      file("/opt/other/libcudart.so.11.0", "libcudart", "11.0")},
                     &slim),
              HasSubstr("pass no second"));
}

TEST(ImageFilesRow, IsReadOrRefused) {
  Result row{"image-files", Status::pass, ""};
  EXPECT_FALSE(parse_image_files(row));
  row.evidence = Json::parse(R"({"complete": true, "closed": 1, "left_out": 2, "files": [
    {"path": "/a\u001b/libcudnn.so.9", "library": "libcudnn", "version": "9", "target": null, "bytes": 5, "inode": 6}]})");
  const auto found = parse_image_files(row);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->files.at(0).path, "/a\\x1b/libcudnn.so.9");
  EXPECT_EQ(found->closed, 1);
  EXPECT_EQ(found->left_out, 2);
  row.evidence["files"][0].erase("path");
  EXPECT_FALSE(parse_image_files(row));
}

TEST(ImageFilesRow, EachMemberIsRead) {
  Result row{"image-files", Status::pass, ""};
  row.evidence = Json::parse(R"({"complete": false, "some_closed": ["/root"], "mounts": ["/mnt", 7],
    "packages": [{"name": "torch", "version": "2.6.0", "cuda": "12.4", "cudnn": "nvidia-cudnn-cu12", "path": "/p"},
                 {"name": "b", "path": "/q"}],
    "files": [{"path": "/a", "library": "libcuda", "version": "1\u001b", "target": "b\u001b", "bytes": 5, "inode": 6},
              {"path": "/c", "library": "libcudnn"}]})");
  const auto found = parse_image_files(row);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->complete);
  EXPECT_EQ(found->closed, 0);
  EXPECT_EQ(found->left_out, 0);
  EXPECT_THAT(found->not_entered, testing::ElementsAre("/root", "/mnt"));
  ASSERT_EQ(found->files.size(), 2U);
  const auto& [path, library, version, target, bytes, inode] = found->files[0];
  EXPECT_EQ(path + library + *version + *target, "/alibcuda1\\x1bb\\x1b");
  EXPECT_EQ(bytes, 5);
  EXPECT_EQ(inode, 6);
  EXPECT_FALSE(found->files[1].version || found->files[1].target);
  EXPECT_EQ(found->files[1].bytes + found->files[1].inode, 0);
  ASSERT_EQ(found->packages.size(), 2U);
  EXPECT_EQ(found->packages[0].name + found->packages[0].version + *found->packages[0].cuda + found->packages[0].cudnn +
                found->packages[0].path,
            "torch2.6.012.4nvidia-cudnn-cu12/p");
  EXPECT_EQ(found->packages[1].version + found->packages[1].cudnn, "");
  EXPECT_EQ(found->packages[1].cuda, std::nullopt);
  for (const auto* member : {"files", "complete"}) {
    auto less = row;
    less.evidence.erase(member);
    EXPECT_FALSE(parse_image_files(less)) << member;
  }
  for (const auto& [list, member] :
       {std::pair("files", "path"), {"files", "library"}, {"packages", "name"}, {"packages", "path"}}) {
    auto less = row;
    less.evidence[list][1].erase(member);
    EXPECT_FALSE(parse_image_files(less)) << list << " " << member;
  }
  row.evidence["packages"] = row.evidence["some_closed"] = "none";
  EXPECT_TRUE(parse_image_files(row)) << "an older envgen-bench tells of no packages";
}

TEST(ImageFilesRow, AFolderIsWhatStandsBeforeTheLastSlash) {
  EXPECT_EQ(folder_of("/a/b/c"), "/a/b");
  EXPECT_EQ(folder_of("/a"), "");
  EXPECT_EQ(folder_of("a"), "");
}

}  // namespace
}  // namespace envgen::validate
