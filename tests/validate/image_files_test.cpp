// What lies in an image beside what belongs there: what envgen's own images hold, and what no image should.
#include "validate/image_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

Environment locked(const char* base) {
  Environment lock;
  lock.torch.emplace();
  lock.base = base;
  return lock;
}

const std::string site = "/opt/venv/lib/python3.12/site-packages/nvidia/";
const std::string system_folder = "/usr/lib/x86_64-linux-gnu/";

TEST(DriverFiles, AreToldFromStubsAndCudaCompat) {
  EXPECT_EQ(driver_files({}), "pass no library of the driver is in the image's layers");
  EXPECT_EQ(driver_files({file("/usr/local/cuda-12.4/targets/x86_64-linux/lib/stubs/libcuda.so", "libcuda", std::nullopt),
                          file("/usr/local/cuda-12.4/compat/libcuda.so.550.54.15", "libcuda", "550.54.15"),
                          link("/usr/local/cuda-12.4/compat/libcuda.so.1", "libcuda", "libcuda.so.550.54.15")}),
            "pass no library of the driver is in the image's layers; cuda-compat is: "
            "/usr/local/cuda-12.4/compat/libcuda.so.550.54.15; a toolkit's stubs are");
  EXPECT_EQ(driver_files({file(system_folder + "libcuda.so.550.54.14", "libcuda", "550.54.14"),
                          link(system_folder + "libcuda.so.1", "libcuda", "libcuda.so.550.54.14")}),
            "fail the image's layers hold libraries of the driver: " + system_folder + "libcuda.so.550.54.14, " + system_folder +
                "libcuda.so.1 [driver-in-image]");
  auto empty = file(system_folder + "libnvidia-ml.so.550.54.14", "libnvidia-ml", "550.54.14");
  empty.bytes = 0;
  EXPECT_THAT(driver_files({empty}), HasSubstr("libnvidia-ml.so.550.54.14 (empty) [driver-in-image]"));
}

TEST(DriverFiles, AStubInPlaceOfTheDriver) {
  EXPECT_EQ(driver_files({link("/usr/lib/libcuda.so.1", "libcuda", "/usr/local/cuda/lib64/stubs/libcuda.so")}),
            "warn a stub is found in place of the driver's library: /usr/lib/libcuda.so.1 [cuda-34]");
}

TEST(DriverFiles, AStubThatLdLibraryPathNames) {
  auto found = of({file("/usr/local/cuda-13.0/targets/x86_64-linux/lib/stubs/libcuda.so.1", "libcuda", "1")});
  const std::string stub = "warn a stub is found in place of the driver's library: " + found.files[0].path + " [cuda-34]";
  const auto judged = [&](const char* path) {
    found.library_path = path;
    return text(judge_driver_files(found));
  };
  const std::string fine = "pass no library of the driver is in the image's layers; a toolkit's stubs are";
  EXPECT_EQ(judged(""), fine);
  EXPECT_EQ(judged("/usr/local/cuda/lib64:/usr/local/nvidia/lib"), fine);
  EXPECT_EQ(judged("/opt/x:/usr/local/cuda/lib64/stubs"), stub);
  EXPECT_EQ(judged("/usr/local/cuda-13.0/targets/x86_64-linux/lib/stubs/"), stub);
  found.files[0].path = "/usr/local/cuda-13.0/targets/x86_64-linux/lib/stubs/libcuda.so";  // a name that no program loads
  EXPECT_EQ(judged("/usr/local/cuda/lib64/stubs"), fine);
}

TEST(DriverFiles, WhatWasNotSeenIsSaid) {
  EXPECT_EQ(
      text(judge_driver_files({{}, true, 3, 0, {}})),
      "pass no library of the driver was seen in the image's layers; 3 folder(s) are closed to the image's user, and were not "
      "looked into");
  EXPECT_EQ(text(judge_driver_files({{}, false, 0, 0, {}})),
            "unknown no library of the driver was seen; not all of the image was looked at");
  EXPECT_EQ(text(judge_second_libraries({{}, true, 0, 2, {}}, nullptr)),
            "unknown neither the CUDA Runtime nor cuDNN is there; 2 more were not told");
}

TEST(SecondLibraries, WhatOwnImagesHoldPasses) {
  const auto lock = locked("slim");
  EXPECT_EQ(second({}, &lock), "pass neither the CUDA Runtime nor cuDNN is there");
  // Wheels on a plain system; on nvidia/cuda devel the toolkit's Runtime is beside them.
  const auto wheel_runtime = file(site + "cuda_runtime/lib/libcudart.so.12", "libcudart", "12");
  const auto wheel_cudnn = file(site + "cudnn/lib/libcudnn.so.9", "libcudnn", "9");
  EXPECT_EQ(second({wheel_runtime, wheel_cudnn}, &lock), "pass no second CUDA Runtime and no second cuDNN");
  const std::string toolkit = "/usr/local/cuda-12.4/targets/x86_64-linux/lib/libcudart.so.12.4.127";
  EXPECT_EQ(second({file(toolkit, "libcudart", "12.4.127"), wheel_runtime, wheel_cudnn}, &lock),
            "pass no second CUDA Runtime and no second cuDNN; the toolkit's own, for nvcc: " + toolkit);
  // conda: a cache of packages, and links; torch 1.x: a copy under a name of its own.
  EXPECT_EQ(second({file("/opt/conda/lib/libcudart.so.12.1.105", "libcudart", "12.1.105", 7),
                    file("/opt/conda/pkgs/cuda-cudart-12.1.105-0/lib/libcudart.so.12.1.105", "libcudart", "12.1.105", 8),
                    file("/opt/conda/envs/a/lib/libcudart.so.12.1.105", "libcudart", "12.1.105", 7),
                    file("/opt/venv/torch/lib/libcudart-d0da41ae.so.11.0", "libcudart-d0da41ae", "11.0")},
                   &lock),
            "pass no second CUDA Runtime and no second cuDNN");
}

TEST(SecondLibraries, ASecondCudnnFailsWhereTheImageIsOurs) {
  const std::vector<ImageFile> two{file(site + "cudnn/lib/libcudnn.so.9", "libcudnn", "9"),
                                   file(system_folder + "libcudnn.so.9.8.0", "libcudnn", "9.8.0")};
  const auto slim = locked("slim");
  const std::string said = "2 files of cuDNN 9: " + two[0].path + ", " + two[1].path +
                           "; which one is loaded hangs on LD_LIBRARY_PATH and on what is imported first [cudnn-mixed]";
  EXPECT_EQ(second(two, &slim), "fail " + said);
  const auto official = locked("pytorch");  // such an image holds what it holds
  EXPECT_EQ(second(two, &official), "warn " + said);
  EXPECT_EQ(second(two), "warn " + said);
}

TEST(SecondLibraries, AToolkitThatLdLibraryPathPutsFirst) {
  auto found = of({file("/usr/local/cuda-12.4/targets/x86_64-linux/lib/libcudart.so.12.4.127", "libcudart", "12.4.127"),
                   file(site + "cuda_runtime/lib/libcudart.so.12", "libcudart", "12")});
  const auto judged = [&](const char* path, const Environment* lock = nullptr) {
    found.library_path = path;
    return text(judge_second_libraries(found, lock));
  };
  const std::string fine = "pass no second CUDA Runtime and no second cuDNN; the toolkit's own, for nvcc: " + found.files[0].path;
  const std::string first = "warn LD_LIBRARY_PATH puts the toolkit's CUDA Runtime " + found.files[0].path + " before " +
                            found.files[1].path + " [libcudart-mixed]";
  EXPECT_EQ(judged("/usr/local/nvidia/lib64:/usr/local/cuda/extras/CUPTI/lib64"), fine);
  EXPECT_EQ(judged("/usr/local/cuda/lib64"), first);
  auto lock = locked("slim");
  EXPECT_EQ(judged("/usr/local/cuda/lib64", &lock), first);
  lock.variant = "devel";
  EXPECT_EQ(judged("/usr/local/cuda/lib64", &lock), fine);
  found.files[1].version = "12.4.127";
  EXPECT_EQ(judged("/usr/local/cuda/lib64"), fine);
}

TEST(SecondLibraries, ASecondRuntime) {
  const auto slim = locked("slim");
  EXPECT_THAT(second({file(site + "cuda_runtime/lib/libcudart.so.12", "libcudart", "12"),
                      file("/opt/other/libcudart.so.12", "libcudart", "12")},
                     &slim),
              HasSubstr("fail 2 files of the CUDA Runtime 12: "));
  // Another major is another name, which nobody finds in its place.
  EXPECT_THAT(second({file(site + "cuda_runtime/lib/libcudart.so.12", "libcudart", "12"),
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

}  // namespace
}  // namespace envgen::validate
