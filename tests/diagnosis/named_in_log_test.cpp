// What a log says of the environment that it comes from: each form in which programs write it, and what of two values is told.
#include "diagnosis/named_in_log.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnosis/recognise.hpp"
#include "model/spelling.hpp"

namespace envgen::diagnosis {
namespace {

bool is_board(std::string_view name) {
  constexpr std::array<std::string_view, 10> boards{
      "NVIDIA GeForce RTX 5090", "5090",     "5070 ti",  "Tesla T4 GPU",          "NVIDIA GeForce RTX 3090",
      "GeForce RTX 3090",        "Tesla T4", "RTX 5090", "NVIDIA H100 80GB HBM3", "10de:25a0"};
  return std::find(boards.begin(), boards.end(), without_spaces_around(name)) != boards.end();  // as the matrix takes names
}

/// `gpu=RTX 5090 torch=2.4.0`, in the order of `Named`; with the line where that is not the first.
std::string named_in(std::string_view log) {
  Recogniser recogniser;
  recogniser.feed(log);
  recogniser.finish();
  const auto seen = recogniser.seen(is_board);
  std::string text;
  for (std::size_t i = 0; i < named_names.size(); ++i) {
    const auto& value = seen.values.at(i);
    if (!value) continue;
    text += (text.empty() ? "" : ", ") + std::string(named_names.at(i)) + " " + value->text;
    if (value->line != 1) text += "@" + std::to_string(value->line);
  }
  return text;
}

TEST(NamedInLog, FindsWhatTheKernelModuleSaysOfABoardThatItDoesNotDrive) {
  const std::map<std::string, std::string> cases{
      {"NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:25a0)\n"
       "NVRM: installed in this system is not supported by the\n"
       "NVRM: NVIDIA 520.56.06 driver release.\n",
       "gpu 10de:25a0, driver 520.56.06@3"},
      {"NVRM: The NVIDIA Tesla T4 GPU installed in this system is\n"
       "NVRM:  supported through the NVIDIA 470.xx Legacy drivers. Please\n"
       "NVRM:  visit http://www.nvidia.com/object/unix.html for more\n"
       "NVRM:  information.  The 535.129.03 NVIDIA driver will ignore\n",
       "driver 535.129.03@4, last_branch 470@2"},
      {"NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 10de:ffff)", ""},
      {"NVRM: The NVIDIA GPU 0000:01:00.0 (PCI ID: 8086:25a0)", ""},
      {"supported through the NVIDIA 470.xx drivers, and the NVIDIA driver will ignore it", ""},
  };
  for (const auto& [log, expected] : cases) EXPECT_EQ(named_in(log), expected) << log;
}

TEST(NamedInLog, FindsTheDriverThatAPersonNames) {
  const std::map<std::string, std::string> cases{
      {"Kernel: 6.8 (driver 570.124.06 from NVIDIA)", "driver 570.124.06"},
      {"- Driver: 535.183.01", "driver 535.183.01"},
      {"driver is 572.16. what do I need to change?", "driver 572.16"},
      {"NVIDIA driver 550.54.15", "driver 550.54.15"},
      {"this needs NVIDIA driver 525.60.13", ""},
      {"NVIDIA driver 525.60.13 or newer", ""},
      {"sudo apt-get install nvidia-driver-535 and a driver 535", ""},
  };
  for (const auto& [line, expected] : cases) EXPECT_EQ(named_in(line), expected) << line;
}

TEST(NamedInLog, FindsTorchAndItsCuda) {
  const std::map<std::string, std::string> cases{
      {"torch 2.4.0+cu121", "torch 2.4.0+cu121, cuda 12.1"},
      {"PyTorch version: 2.7.0+cu126", "torch 2.7.0+cu126, cuda 12.6"},
      {"torch.__version__ = '2.0.1+cu118'", "torch 2.0.1+cu118, cuda 11.8"},
      {"CUDA used to build PyTorch: 12.4", "cuda 12.4"},
      {"ERROR: No matching distribution found for torch==2.1.0", "torch 2.1.0"},
      {"torch-2.1.0+cu121-cp310-cp310-linux_x86_64.whl is not a supported wheel", "torch 2.1.0+cu121, cuda 12.1"},
      {"https://download.pytorch.org/whl/cu121/torch-2.1.0%2Bcu121-cp310-cp310-linux_x86_64.whl", "torch 2.1.0+cu121, cuda 12.1"},
      {"PyTorch 2.1.0a0+29c30b1", "torch 2.1.0a0+29c30b1"},
      {"torch 2.8.0.dev20250301+cu128.", "torch 2.8.0.dev20250301+cu128, cuda 12.8"},
      {"torch 2.3.1+cpu", "torch 2.3.1+cpu"},
      {"2.4.0+cu121", "torch 2.4.0+cu121, cuda 12.1"},
      {"'2.3.1+cpu'", "torch 2.3.1+cpu"},
      {"pip install torch yesterday, torch.__version__ is 2.13.0+cu130, and", "torch 2.13.0+cu130, cuda 13.0"},
      {"torch 2.4", "torch 2.4"},
      {"    PyTorch 2.3.0+cu121 with CUDA 1201 (you have 2.1.0+cu118)", "torch 2.1.0+cu118, cuda 11.8"},
      {"2.4.0+cu121 12.1 True", "torch 2.4.0+cu121, cuda 12.1"},
      {"0.19.0+cu121", ""},
      {"torch>=2.0,<3 and torch~=2.1.0 and torch<=2.5.1", ""},
      {"torch 2 or later, torchvision 0.18.0, libtorch 2.1.0, torch", ""},
      {"torchvision 0.18.0 depends on torch==2.3.0", ""},
      {"vllm 0.6.3 requires torch==2.4.0, but you have torch 2.5.1 which is incompatible.", "torch 2.5.1"},
      {"  Successfully uninstalled torch-2.5.1+cpu", ""},
  };
  for (const auto& [line, expected] : cases) EXPECT_EQ(named_in(line), expected) << line;
}

TEST(NamedInLog, FindsTheGpu) {
  const std::map<std::string, std::string> cases{
      {"NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch",
       "gpu NVIDIA GeForce RTX 5090"},
      {"|   0  NVIDIA GeForce RTX 3090        Off | 00000000:01:00.0 |", "gpu NVIDIA GeForce RTX 3090"},
      {"GPU 0: Tesla T4 (UUID: GPU-5895e020)", "gpu Tesla T4"},
      {"NVIDIA H100 80GB HBM3, 81559 MiB", "gpu NVIDIA H100 80GB HBM3"},
      {"Your Tesla T4 GPU has compute capability 7.5.", "gpu Tesla T4"},
      {"Device: cuda:0 NVIDIA GeForce RTX 5090 : cudaMallocAsync", "gpu NVIDIA GeForce RTX 5090"},
      {"it fails on my RTX 5090", "gpu RTX 5090"},
      {"my 5090 says no kernel image is available", "gpu 5090"},
      {"hi, new 5070 ti here", "gpu 5070 ti"},
      {"2x 5090", "gpu 5090"},
      {"NVRM: The NVIDIA NVIDIA GeForce RTX 3090 GPU installed in this system is", "gpu NVIDIA GeForce RTX 3090"},
      {"step 5090, port 5090, at data 5090 and 5090 samples", ""},
      {"my 3060 and my 50900", ""},
      {"Found GPU0 NVIDIA Made-Up 1 which is of cuda capability 5.2.", "gpu sm_52"},
      {"ValueError: Unknown CUDA arch (12.0) or GPU not supported", "gpu sm_120"},
      {"nvcc fatal : Unsupported gpu architecture 'compute_120'", "gpu sm_120"},
      {"Bfloat16 needs compute capability of at least 8.0", ""},
      {"The minimum cuda capability supported by this library is 7.5.", ""},
      {"NVIDIA driver, NVIDIA Container Toolkit, an RTX board, Tesla", ""},
  };
  for (const auto& [line, expected] : cases) EXPECT_EQ(named_in(line), expected) << line;
}

TEST(NamedInLog, FindsTheDriverAndWhatItReports) {
  const std::map<std::string, std::string> cases{
      {"| NVIDIA-SMI 550.54.15     Driver Version: 550.54.15      CUDA Version: 12.4     |",
       "driver 550.54.15, driver_cuda 12.4"},
      {"Driver Version                            : 535.54.03", "driver 535.54.03"},
      {"Nvidia driver version: 570.133.07", "driver 570.133.07"},
      {"NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023", "driver 535.104.05"},
      {"The NVIDIA driver on your system is too old (found version 11040).", "driver_cuda 11.4"},
      {"NCCL INFO cudaDriverVersion 12020", "driver_cuda 12.2"},
      {"CUDA Driver Version / Runtime Version 0", ""},
      {"       version 440.64.00 was detected and compatibility mode is UNAVAILABLE.", "driver 440.64.00"},
      {"NVIDIA GeForce RTX 3090, 525.60.13", "gpu NVIDIA GeForce RTX 3090, driver 525.60.13"},
      {"NVIDIA GeForce RTX 3090, 525 W", "gpu NVIDIA GeForce RTX 3090"},
      {"requires driver version 580.65.06", ""},
      {"driver version", ""},
  };
  for (const auto& [line, expected] : cases) EXPECT_EQ(named_in(line), expected) << line;
}

TEST(NamedInLog, FindsPython) {
  const std::map<std::string, std::string> cases{
      {"Python 3.13.1", "python 3.13"},
      {"Python version: 3.12.3 (main, Feb  4 2025) [GCC 13.3.0]", "python 3.12"},
      {"  File \"/usr/lib/python3.10/site.py\", line 7", "python 3.10"},
      {"Python 3.11+ not yet supported", ""},
      {"Python 2.7.18", ""},
      {"Requires-Python >=3.8", ""},
      {"python3", ""},
  };
  for (const auto& [line, expected] : cases) EXPECT_EQ(named_in(line), expected) << line;
}

TEST(NamedInLog, FindsTensorflow) {
  const std::map<std::string, std::string> cases{
      {"TensorFlow version: 2.8.0", "tensorflow 2.8.0"},
      {"tensorflow                   2.8.0", "tensorflow 2.8.0"},
      {"ERROR: No matching distribution found for tensorflow==2.8.0", "tensorflow 2.8.0"},
      {"Downloading tensorflow-2.14.0-cp310-cp310-manylinux_2_17_x86_64.whl", "tensorflow 2.14.0"},
      {"Successfully installed tensorflow_gpu-2.4.1 x", "tensorflow 2.4.1"},
      {"tensorflow (2.9.1)", "tensorflow 2.9.1"},
      {"tf 2.9", "tensorflow 2.9"},
      {"tensorflow 2 has no sessions, tensorflow>=2.8,<3", ""},
      {"tf2onnx 1.16.0 requires tensorflow 2.8", ""},
      {"2024-02-24 17:46:11: W tensorflow/core/common_runtime/gpu/gpu_device.cc:1960] tensorflow", ""},
  };
  for (const auto& [line, expected] : cases) EXPECT_EQ(named_in(line), expected) << line;
}

TEST(NamedInLog, TellsNeitherOfTwo) {
  EXPECT_EQ(named_in("torch 2.4.0\ntorch 2.5.0\n"), "");
  EXPECT_EQ(named_in("GPU 0: Tesla T4 (UUID\nGPU 1: NVIDIA GeForce RTX 3090 (UUID\n"), "");
  EXPECT_EQ(named_in("GPU 0: Tesla T4 (UUID\nGPU 1: Tesla T4 (UUID\n"), "gpu Tesla T4");
}

TEST(NamedInLog, FindsThePlatformThatEnvgenDoesNotCover) {
  const std::map<std::string, std::string> cases{
      {"  File \"D:\\ComfyUI\\comfy\\model_management.py\", line 186", "platform windows"},
      {"PS C:\\Users\\me> python", "platform windows"},
      {"it fails on Windows 11", "platform windows"},
      {"hint: You're on macOS (`macosx_15_0_x86_64`), but `torch` only has wheels for: `win_amd64`", "platform macos"},
      {"macOS M2", "platform macos"},
      {"'2.6.0+rocm6.2.4'", "torch 2.6.0+rocm6.2.4, platform rocm"},
      {"Unable to open /dev/kfd read-write: Permission denied", "platform rocm"},
      {"(from versions: 2.0.0+cu118, 2.0.0+rocm5.4.2)", ""},
      {"runs on Linux, macOS and Windows", ""},
      {"Ubuntu 22.04 beside Windows 11", ""},
      {"Dynamic LLM libraries [cuda_v12 rocm_v60102 cpu]", ""},
      {"torch-2.6.0-cp311-none-macosx_11_0_arm64.whl is not a supported wheel", "torch 2.6.0"},
      {"node:\\n is no folder, nor is http://host", ""},
  };
  for (const auto& [line, expected] : cases) EXPECT_EQ(named_in(line), expected) << line;
}

TEST(NamedInLog, FindsWslInASentence) {
  EXPECT_EQ(named_in("RTX 5090 with Windows driver 566.36 in WSL2"), "gpu RTX 5090, driver 566.36, wsl 2");
  EXPECT_EQ(named_in("C:\\Users\\me, Windows 11\nUsing 'pin_memory=False' as WSL is detected."), "wsl 2@2");
  EXPECT_EQ(named_in("see the guide for WSL 2"), "");
}

TEST(NamedInLog, TakesTheWholerOfTwoThatAreOne) {
  EXPECT_EQ(named_in("my RTX 5090\nGPU 0: NVIDIA GeForce RTX 5090 (UUID\n"), "gpu NVIDIA GeForce RTX 5090@2");
  EXPECT_EQ(named_in("my 5090 with an RTX 3090 beside it\nGPU 0: Tesla T4 (UUID\n"), "gpu Tesla T4@2");

  EXPECT_EQ(named_in("torch 2.4.0\ntorch 2.4.0+cu121\n"), "torch 2.4.0+cu121@2, cuda 12.1@2");
  EXPECT_EQ(named_in("torch 2.4.0+cu121\ntorch 2.4.0\n"), "torch 2.4.0+cu121, cuda 12.1");
  EXPECT_EQ(named_in("PyTorch version: 2.4.0\ntorch 2.4.0+cu121\n"), "torch 2.4.0+cu121@2, cuda 12.1@2");
}

/// What failed knows better than a list of what is there.
TEST(NamedInLog, BelievesWhatFailedBeforeAnInventory) {
  EXPECT_EQ(named_in("GPU 0: NVIDIA GeForce RTX 3090 (UUID\n"
                     "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible\n"),
            "gpu NVIDIA GeForce RTX 5090@2");
  EXPECT_EQ(named_in("/opt/python3.9/lib\nPython version: 3.12.3\n"), "python 3.12@2");
  EXPECT_EQ(named_in("GPU 0: NVIDIA GeForce RTX 3090 (UUID\nUnknown CUDA arch (12.0)\n"), "gpu sm_120@2");
}

/// A line may be of any length, and say one thing again and again.
TEST(NamedInLog, ReadsALineOfOneWordInNoTime) {
  for (const std::string word : {"kernel module ", "driver version ", "nvidia ", "torch ", "python ", "cuda capability "}) {
    std::string line;
    while (line.size() < std::size_t{1} << 18) line += word;
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(named_in(line), "");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << word;
  }
}

TEST(NamedInLog, HoldsNoMoreThanALogCanMean) {
  std::string log;
  for (int i = 0; i < 1000; ++i) log += "torch 2." + std::to_string(i) + ".0\n";
  EXPECT_EQ(named_in(log), "");
}

}  // namespace
}  // namespace envgen::diagnosis
