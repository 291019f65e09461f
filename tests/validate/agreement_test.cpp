// What Python says of itself beside what lies in the image.
#include "validate/agreement.hpp"

#include <gtest/gtest.h>

namespace envgen::validate {
namespace {

const std::string site = "/opt/venv/lib/python3.11/site-packages";

SelfReport torch_told() {
  SelfReport told;
  told.python = "3.11.2";
  told.library = "/usr/lib/python3.11/os.py";
  told.framework = "torch";
  told.version = "2.6.0";
  told.cuda = "12.4";
  told.cudnn = 90100;
  told.file = site + "/torch/__init__.py";
  return told;
}

/// An image with the wheels of torch 2.6.0.
ImageFiles torch_found() {
  ImageFiles found;
  found.complete = true;
  found.packages = {{"python", "3.11", {}, "", "/usr/lib/python3.11/os.py"},
                    {"torch", "2.6.0+cu124", "12.4", "", site + "/torch/version.py"},
                    {"torch", "2.6.0+cu124", {}, "nvidia-cudnn-cu12", site + "/torch-2.6.0+cu124.dist-info"},
                    {"nvidia-cudnn-cu12", "9.1.0.70", {}, "", site + "/nvidia_cudnn_cu12-9.1.0.70.dist-info"},
                    {"libtorch_cuda", "", {}, "", site + "/torch/lib/libtorch_cuda.so"}};
  return found;
}

std::string text(const SelfReport& told, const ImageFiles& found) {
  const auto result = judge_agreement(told, found);
  EXPECT_EQ(result.diagnosis != nullptr, result.status == Status::fail);
  return std::string(name_of(result.status)) + " " + result.message;
}

const std::string differs = "fail what Python reports does not match the files: ";

TEST(Agreement, TheFilesSayTheSame) {
  EXPECT_EQ(text(torch_told(), torch_found()), "pass confirmed by the files: Python 3.11, torch 2.6.0, CUDA 12.4, cuDNN 90100");
}

TEST(Agreement, AScriptThatNamesNoFiles) {
  auto told = torch_told();
  told.library.clear();
  told.file.clear();
  EXPECT_EQ(text(told, torch_found()),
            differs + "Python does not report the path of its standard library; Python does not report the path of its torch");
}

TEST(Agreement, ATorchThatIsNotThere) {
  auto found = torch_found();
  found.packages.resize(1);
  EXPECT_EQ(text(torch_told(), found), differs + "it reports torch 2.6.0, but there is no " + site + "/torch/version.py");
}

TEST(Agreement, AnotherTorchOrCudaLiesThere) {
  auto told = torch_told();
  told.version = "2.7.1";
  told.cuda = "12.6";
  EXPECT_EQ(text(told, torch_found()), differs + "it reports torch 2.7.1, but " + site +
                                           "/torch/version.py says 2.6.0+cu124; it reports that torch is built for 12.6, but " +
                                           site + "/torch/version.py says 12.4");
  told = torch_told();
  told.cuda.reset();
  EXPECT_EQ(text(told, torch_found()),
            differs + "it reports that torch is built for cpu, but " + site + "/torch/version.py says 12.4");
}

TEST(Agreement, ACudaBuildWithoutItsLibrary) {
  auto found = torch_found();
  found.packages.pop_back();
  EXPECT_EQ(text(torch_told(), found), differs + "it reports that torch is built for CUDA 12.4, but libtorch_cuda.so is missing");
}

TEST(Agreement, AnotherPython) {
  auto told = torch_told();
  told.python = "3.12.1";
  EXPECT_EQ(text(told, torch_found()), differs + "it reports Python 3.12.1, but its library is /usr/lib/python3.11/os.py");
  told.python = "3.1.1";
  EXPECT_EQ(text(told, torch_found()), differs + "it reports Python 3.1.1, but its library is /usr/lib/python3.11/os.py");
  told = torch_told();
  told.library = "/usr/lib/python3.13/os.py";
  EXPECT_EQ(text(told, torch_found()),
            differs + "the library of Python 3.11.2 should be /usr/lib/python3.13/os.py, which does not exist");
  auto found = torch_found();
  found.packages[0].version = "3.13t";  // free-threaded
  told = torch_told();
  told.python = "3.13.1";
  EXPECT_EQ(text(told, found), "pass confirmed by the files: Python 3.13, torch 2.6.0, CUDA 12.4, cuDNN 90100");
}

TEST(Agreement, CudnnIsComparedWhereItIsKnownWhichOneIsLoaded) {
  auto told = torch_told();
  told.cudnn = 90200;
  EXPECT_EQ(text(told, torch_found()),
            differs + "it reports cuDNN 90200, but " + site + "/nvidia_cudnn_cu12-9.1.0.70.dist-info is 90100");
  auto found = torch_found();
  found.packages[2].cudnn.clear();  // conda's torch holds cuDNN in itself
  EXPECT_EQ(text(told, found), "pass confirmed by the files: Python 3.11, torch 2.6.0, CUDA 12.4");
  found.files = {{site + "/torch/lib/libcudnn.so.8", "libcudnn", "8", {}, 9, 1}};
  EXPECT_EQ(text(told, found), differs + "it reports cuDNN 90200, but " + site + "/torch/lib/libcudnn.so.8 is loaded");
  told.cudnn = 8902;
  EXPECT_EQ(text(told, found), "pass confirmed by the files: Python 3.11, torch 2.6.0, CUDA 12.4");
}

TEST(Agreement, WhereNobodyLookedNothingIsKnown) {
  auto found = torch_found();
  found.packages.clear();
  const auto unseen = "unknown Python's report could not be checked against all files: ";
  const auto one = [&] { return text(torch_told(), found).substr(0, std::string(unseen).size()); };
  found.complete = false;
  EXPECT_EQ(one(), unseen);
  found.complete = true;
  found.left_out = 1;
  EXPECT_EQ(one(), unseen);
  found.left_out = 0;
  found.not_entered = {"/opt", "/usr/lib/python3.11"};
  EXPECT_EQ(text(torch_told(), found),
            unseen + ("/usr/lib/python3.11/os.py was not examined; " + site) + "/torch/version.py was not examined");
  found.not_entered = {"/op", "/usr/lib/python3.1"};
  EXPECT_EQ(one().substr(0, 4), "fail");
  auto told = torch_told();
  told.framework.clear();
  told.library = "/opt/python311.zip/os.pyc";
  EXPECT_EQ(text(told, found), unseen + std::string("/opt/python311.zip/os.pyc was not examined"));
}

TEST(Agreement, ThePackageIsTheOneThatWasImported) {
  auto found = torch_found();
  found.packages.insert(found.packages.begin(), {"torch", "2.5.1", "12.1", "", "/usr/lib/torch/version.py"});
  found.packages.insert(found.packages.begin(), {"python", "3.9", {}, "", "/usr/lib/python3.9/os.py"});
  EXPECT_EQ(text(torch_told(), found), "pass confirmed by the files: Python 3.11, torch 2.6.0, CUDA 12.4, cuDNN 90100");
}

TEST(Agreement, APackageOfCudnnInAnotherFolderIsNotTheOneThatIsLoaded) {
  auto found = torch_found();
  found.packages[3] = {
      "nvidia-cudnn-cu12", "9.8.0.87", {}, "", "/usr/lib/python3/dist-packages/nvidia_cudnn_cu12-9.8.0.87.dist-info"};
  EXPECT_EQ(text(torch_told(), found), "pass confirmed by the files: Python 3.11, torch 2.6.0, CUDA 12.4");
  found = torch_found();
  found.packages[3].version = "unread";
  EXPECT_EQ(text(torch_told(), found), "pass confirmed by the files: Python 3.11, torch 2.6.0, CUDA 12.4, cuDNN 90100");
  found.packages[3].version = "9.1.1.17";
  EXPECT_EQ(text(torch_told(), found),
            differs + "it reports cuDNN 90100, but " + site + "/nvidia_cudnn_cu12-9.1.0.70.dist-info is 90101");
}

TEST(Agreement, OnlyTheCudnnBesideTorchIsSurelyLoaded) {
  auto found = torch_found();
  found.packages[2].cudnn.clear();
  const auto with = [&](const std::string& path, const char* library, std::optional<std::string> version) {
    found.files = {{path, library, std::move(version), {}, 9, 1}};
    return text(torch_told(), found).substr(0, 4);
  };
  EXPECT_EQ(with(site + "/torch/lib/libcudnn.so.8", "libcudnn", "8"), "fail");
  EXPECT_EQ(with(site + "/torch/lib/libcudnn.so", "libcudnn", std::nullopt), "pass");
  EXPECT_EQ(with(site + "/torch/lib/libcudart.so.8", "libcudart", "8"), "pass");
  EXPECT_EQ(with("/usr/lib/libcudnn.so.8", "libcudnn", "8"), "pass");
}

TEST(Agreement, ATorchWithoutCudaNeedsNoLibraryOfIt) {
  auto told = torch_told();
  told.cuda.reset();
  told.cudnn.reset();
  auto found = torch_found();
  found.packages[1].cuda.reset();
  found.packages.pop_back();
  EXPECT_EQ(text(told, found), "pass confirmed by the files: Python 3.11, torch 2.6.0");
}

TEST(Agreement, ItsEvidenceIsWhereThingsLie) {
  EXPECT_EQ(judge_agreement(torch_told(), torch_found()).evidence.dump(),
            R"({"library":"/usr/lib/python3.11/os.py","file":")" + site + R"(/torch/__init__.py"})");
  SelfReport told;
  EXPECT_EQ(judge_agreement(told, torch_found()).evidence.dump(), R"({"library":"","file":""})");
}

TEST(Agreement, AClosedRootLeavesEverythingUnknown) {
  auto found = torch_found();
  found.packages.clear();
  found.not_entered = {"/"};
  EXPECT_EQ(text(torch_told(), found).substr(0, 7), "unknown");
}

TEST(Agreement, TensorFlow) {
  auto told = torch_told();
  told.framework = "tensorflow";
  told.version = "2.16.1";
  told.file = site + "/tensorflow/__init__.py";
  told.cudnn.reset();
  auto found = torch_found();
  EXPECT_EQ(text(told, found), differs + "it reports tensorflow 2.16.1, but there is none in " + site + "/tensorflow");
  found.packages.push_back({"libtensorflow_framework", "", {}, "", site + "/tensorflow/libtensorflow_framework.so.2"});
  EXPECT_EQ(
      text(told, found),
      "unknown Python's report could not be checked against all files: no package gives the version of " + site + "/tensorflow");
  found.packages.push_back({"tensorflow-cpu", "2.16.1", {}, "", site + "/tensorflow_cpu-2.16.1.dist-info"});
  EXPECT_EQ(text(told, found), "pass confirmed by the files: Python 3.11, tensorflow 2.16.1");
  found.packages.back().version = "2.15.0";
  EXPECT_EQ(text(told, found),
            differs + "it reports tensorflow 2.16.1, but " + site + "/tensorflow_cpu-2.16.1.dist-info says 2.15.0");
}

TEST(Agreement, WhatCouldNotBeImportedIsNotCompared) {
  auto told = torch_told();
  told.error = "libcudnn.so.9: cannot open shared object file";
  ImageFiles found = torch_found();
  found.packages.resize(1);
  EXPECT_EQ(text(told, found), "pass confirmed by the files: Python 3.11");
}

TEST(Agreement, OnlyWhatPassedByItsWordIsDoubted) {
  std::vector<Result> results{{"framework", Status::pass, "a"}, {"cudnn", Status::fail, "b"}, {"shm", Status::pass, "c"}};
  doubt(results);
  EXPECT_EQ(results[0].status, Status::unknown);
  EXPECT_EQ(results[0].message, "a; the files contradict this (self-report)");
  EXPECT_EQ(results[1].status, Status::fail);
  EXPECT_EQ(results[1].message, "b");
  EXPECT_EQ(results[2].status, Status::pass);
  for (const auto* check :
       {"python", "framework", "framework-cuda", "cudnn", "nccl-version", "archs", "gpu-archs", "framework-gpu", "nvcc"}) {
    std::vector<Result> one{{check, Status::pass, ""}};
    doubt(one);
    EXPECT_EQ(one[0].status, Status::unknown) << check;
  }
}

}  // namespace
}  // namespace envgen::validate
