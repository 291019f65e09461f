#include <gtest/gtest.h>

#include "matrix/embedded/embedded.hpp"
#include "matrix/gpu_names.hpp"
#include "resolver/changed.hpp"
#include "resolver/resolver.hpp"
#include "support/request_text.hpp"

/// What people type and do not mean, and what they mean and envgen does not cover: each is told, none is proven impossible.
namespace envgen::resolver {
namespace {

struct Refusal {
  const char* request;
  const char* message;
  const char* hint;  ///< the first
};

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, SaysWhatIsMeant) {
  const auto query = interpret(matrix::embedded(), test::request_of(GetParam().request));
  ASSERT_FALSE(query);
  EXPECT_EQ(query.error().code, ErrorCode::usage);
  EXPECT_EQ(query.error().message, GetParam().message);
  ASSERT_FALSE(query.error().hints.empty());
  EXPECT_EQ(query.error().hints.front(), GetParam().hint);
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, Refused,
    testing::Values(
        Refusal{"cuda=12,4", "'12,4' is not a version: a version has dots, not commas", "did you mean 12.4?"},
        Refusal{"torch=2,3", "'2,3' is not a version: a version has dots, not commas", "did you mean 2.3?"},
        Refusal{"cuda=12,4,1", "'12,4,1' is not a version: a version has dots, not commas", "did you mean 12.4.1?"},
        Refusal{"driver=550,54,15", "'550,54,15' is not a version: a version has dots, not commas", "did you mean 550.54.15?"},
        Refusal{"driver=535,550,580", "'535,550,580' is several versions, not one", "write a range as '>=535,<=580'"},
        Refusal{"torch=2.3,2.4,2.5", "'2.3,2.4,2.5' is several versions, not one", "write a range as '>=2.3,<=2.5'"},
        Refusal{"torch=2.3,2.5", "'2.3,2.5' is two versions, not one", "write a range as '>=2.3,<=2.5'"},
        Refusal{"driver=550,535", "'550,535' is two versions, not one", "write a range as '>=535,<=550'"},
        Refusal{"driver=540.4.0", "540.4.0 is a driver of JetPack 6, for Jetson",
                "name the board in its place: --gpu Orin --installer conda --cuda 12.9"},
        Refusal{"gpu=A100 driver=540.3.0", "540.3.0 is a driver of JetPack 6, for Jetson",
                "name the board in its place: --gpu Orin --installer conda --cuda 12.9"},
        Refusal{"cuda=124", "'124' is not a CUDA version", "did you mean 12.4? Its tag is cu124"},
        Refusal{"cuda=535", "'535' is a driver version, not a CUDA version", "did you mean --driver 535?"},
        Refusal{"cuda=550.54.15", "'550.54.15' is a driver version, not a CUDA version", "did you mean --driver 550.54.15?"},
        Refusal{"cuda=2.3", "'2.3' is not a CUDA version", "did you mean --torch 2.3?"},
        Refusal{"driver=2.3", "'2.3' is not a driver version", "did you mean --torch 2.3?"},
        Refusal{"driver=3.14", "'3.14' is not a driver version", "write a driver as 535 (a branch), 535.183.01 or '>=535,<580'"},
        Refusal{"torch=2.3_2.4", "'2.3 2.4' is two versions, not one", "write a range as '>=2.3,<=2.4'"},
        Refusal{"python=3.1", "'3.1' is not a Python version that PyTorch supports", "did you mean 3.10?"},
        Refusal{"tensorflow=15", "'15' is not a version of tensorflow", "did you mean 2.15?"},
        Refusal{"torch=15", "'15' is not a version of torch", "did you mean 2.15?"},
        Refusal{"torch=26", "'26' is not a version of torch", "did you mean 2.6?"},
        Refusal{"torch=213", "'213' is not a version of torch", "did you mean 2.13?"},
        Refusal{"python=312", "'312' is not a version of Python 3", "did you mean 3.12?"},
        Refusal{"os=ubuntu-24", "'ubuntu-24' is not a known operating system", "did you mean ubuntu24.04?"},
        Refusal{"os=ubuntu", "'ubuntu' is not a known operating system", "did you mean ubuntu26.04, ubuntu24.04, ubuntu22.04?"},
        Refusal{"gpu=5090,A100", "'5090,A100' is not one GPU", "repeat the option for each GPU: --gpu 5090 --gpu A100"},
        Refusal{"gpu=GTX_960M_Laptop", "unknown GPU 'GTX 960M Laptop'", "did you mean GeForce GTX 960M?"},
        Refusal{"torch=2.x", "'2.x' is not a version number (only digits and dots are allowed)",
                "2 means any 2.x; '==2.*' means the same"},
        Refusal{"gpu=8.0;9.0", "'8.0;9.0' is not one GPU", "repeat the option for each GPU: --gpu 5090 --gpu A100"},
        Refusal{"gpu=8.0_9.0+PTX", "'8.0 9.0+PTX' is not one GPU", "repeat the option for each GPU: --gpu 5090 --gpu A100"},
        Refusal{"cuda=V12.1.105", "'V12.1.105' is a build number of nvcc, not a CUDA release", "did you mean 12.1?"},
        Refusal{"os=rhel7", "'rhel7' is not a known operating system", "equivalent systems: centos7"},
        Refusal{"os=centos8", "'centos8' is not a known operating system", "equivalent systems: rockylinux8, ubi8"},
        Refusal{"os=AlmaLinux_9.4", "'AlmaLinux 9.4' is not a known operating system", "equivalent systems: rockylinux9, ubi9"},
        Refusal{"os=ubuntu22.10", "'ubuntu22.10' is not a known operating system",
                "known: ubuntu16.04, ubuntu18.04, ubuntu20.04, ubuntu22.04, ubuntu24.04, ubuntu26.04"},
        Refusal{"driver=31.0.15.3623", "'31.0.15.3623' is not a driver version",
                "this is the file version of Windows driver 536.23; for WSL 2, add --wsl"},
        Refusal{"engine=podman:5", "'podman:5' is not one of docker, docker-cdi, podman, none",
                "leave out the version: --engine podman"},
        Refusal{"engine=Docker_27", "'Docker 27' is not one of docker, docker-cdi, podman, none",
                "leave out the version: --engine docker"},
        Refusal{"installer=Mamba", "'Mamba' is not one of pip, uv, conda",
                "did you mean conda? mamba and micromamba read the same environment.yaml"},
        Refusal{"base=pytorch/pytorch:2.3.1-cuda12.1-cudnn8-devel",
                "'pytorch/pytorch:2.3.1-cuda12.1-cudnn8-devel' is not one of slim, cuda, pytorch, tensorflow",
                "for an image like this: --base pytorch --torch 2.3.1 --cuda 12.1 --variant devel"},
        Refusal{"base=docker.io/nvidia/cuda:12.1.1-devel-ubuntu22.04",
                "'docker.io/nvidia/cuda:12.1.1-devel-ubuntu22.04' is not one of slim, cuda, pytorch, tensorflow",
                "for an image like this: --base cuda --cuda 12.1.1 --variant devel --os ubuntu22.04"},
        Refusal{"base=tensorflow/tensorflow:2.15.0-gpu",
                "'tensorflow/tensorflow:2.15.0-gpu' is not one of slim, cuda, pytorch, tensorflow",
                "for an image like this: --base tensorflow --tensorflow 2.15.0 --variant runtime"},
        Refusal{"base=ubuntu:22.04", "'ubuntu:22.04' is not one of slim, cuda, pytorch, tensorflow",
                "for an image like this: --base slim --os ubuntu22.04"},
        Refusal{"base=python:3.11", "'python:3.11' is not one of slim, cuda, pytorch, tensorflow",
                "for exactly this image: envgen render dockerfile --base-image python:3.11"},
        Refusal{"engine=none base=cuda", "starts from a container image, which --engine none excludes", "omit one of the two"},
        Refusal{"gpu=V100_1g.5gb", "'V100 1g.5gb' is a MIG slice, and this GPU has no MIG",
                "'envgen show gpu NAME' says how many MIG instances a GPU has"},
        Refusal{"gpu=all", "'all' is not a GPU",
                "--gpu names the GPU that the environment is for; which GPUs a container gets: --container-gpus all"},
        Refusal{"gpu=4", "'4' is not a GPU", "for several of one kind, write --gpu 4xA100"},
        Refusal{"driver=CUDA_12.2", "'CUDA 12.2' is a CUDA version, not a driver version",
                "nvidia-smi shows the newest CUDA that the driver supports as \"CUDA Version\"; the driver's own "
                "version is shown as \"Driver Version\", such as 535.183.01"},
        Refusal{"driver=12.2", "'12.2' is a CUDA version, not a driver version",
                "nvidia-smi shows the newest CUDA that the driver supports as \"CUDA Version\"; the driver's own "
                "version is shown as \"Driver Version\", such as 535.183.01"}));

INSTANTIATE_TEST_SUITE_P(
    NotCovered, Refused,
    testing::Values(Refusal{"torch=1.8.2+cu111", "'1.8.2' is the LTS release, which is not in envgen's data",
                            "its wheels: pip install torch==1.8.2 -f https://download.pytorch.org/whl/lts/1.8/torch_lts.html"},
                    Refusal{"torchvision=0.9.2", "'0.9.2' is the LTS release, which is not in envgen's data",
                            "its wheels: pip install torch==1.8.2 -f https://download.pytorch.org/whl/lts/1.8/torch_lts.html"},
                    Refusal{"os=windows11", "'windows11' is not supported: envgen supports only Linux",
                            "WSL 2 works, with the Windows driver: use --wsl, and name its Linux distribution with --os"},
                    Refusal{"platform=win-64", "'win-64' is not supported: envgen supports only Linux",
                            "WSL 2 works, with the Windows driver: use --wsl, and name its Linux distribution with --os"},
                    Refusal{"os=wsl2", "'wsl2' is not a Linux distribution",
                            "use --wsl; --os names the distribution that runs in it, such as ubuntu24.04"},
                    Refusal{"os=macos", "'macos' is macOS, which has no CUDA; envgen supports only Linux",
                            "PyTorch for macOS: pip install torch torchvision"},
                    Refusal{"gpu=MI300X", "'MI300X' names an AMD GPU; envgen covers only NVIDIA GPUs",
                            "builds for ROCm: https://pytorch.org/get-started/locally/"},
                    Refusal{"gpu=RX_7900_XTX", "'RX 7900 XTX' names an AMD GPU; envgen covers only NVIDIA GPUs",
                            "builds for ROCm: https://pytorch.org/get-started/locally/"},
                    Refusal{"torch=2.6.0+rocm6.2", "'2.6.0+rocm6.2' names a build for AMD GPUs; envgen covers only NVIDIA GPUs",
                            "builds for ROCm: https://pytorch.org/get-started/locally/"},
                    Refusal{"gpu=Arc_A770", "'Arc A770' names an Intel GPU; envgen covers only NVIDIA GPUs",
                            "builds for XPU: https://docs.pytorch.org/docs/stable/notes/get_start_xpu.html"},
                    Refusal{"gpu=TPU_v4", "'TPU v4' names a TPU; envgen covers only NVIDIA GPUs",
                            "PyTorch for TPUs: https://github.com/pytorch/xla"},
                    Refusal{"gpu=cpu", "'cpu' is not an NVIDIA GPU", "the CPU build: --cuda cpu"},
                    Refusal{"gpu=M1", "'M1' names an Apple GPU; envgen covers only NVIDIA GPUs",
                            "PyTorch for macOS, with the device mps: pip install torch torchvision"},
                    Refusal{"gpu=M4_Max", "'M4 Max' names an Apple GPU; envgen covers only NVIDIA GPUs",
                            "PyTorch for macOS, with the device mps: pip install torch torchvision"},
                    Refusal{"gpu=Data_Center_GPU_Max_1550",
                            "'Data Center GPU Max 1550' names an Intel GPU; envgen covers only NVIDIA GPUs",
                            "builds for XPU: https://docs.pytorch.org/docs/stable/notes/get_start_xpu.html"},
                    Refusal{"gpu=gaudi2", "'gaudi2' names an Intel Gaudi accelerator; envgen covers only NVIDIA GPUs",
                            "PyTorch for Gaudi: https://docs.habana.ai/en/latest/PyTorch/PyTorch_Main.html"},
                    Refusal{"gpu=npu", "'npu' names an Ascend accelerator; envgen covers only NVIDIA GPUs",
                            "PyTorch for Ascend: https://github.com/Ascend/pytorch"},
                    Refusal{"gpu=Ascend_910B", "'Ascend 910B' names an Ascend accelerator; envgen covers only NVIDIA GPUs",
                            "PyTorch for Ascend: https://github.com/Ascend/pytorch"},
                    Refusal{"os=alpine", "'alpine' is not supported: there are no wheels of PyTorch for musl",
                            "choose a system with glibc: --os ubuntu24.04 or --os debian12"},
                    Refusal{"torch=2.16.0rc1", "'2.16.0rc1' is a pre-release; envgen supports only releases",
                            "pre-releases of torch: pip install --pre torch --index-url https://download.pytorch.org/whl/test"},
                    Refusal{"torch=2.16.0a0+git1234", "'2.16.0a0+git1234' is a pre-release; envgen supports only releases",
                            "pre-releases of torch: pip install --pre torch --index-url https://download.pytorch.org/whl/test"},
                    Refusal{"tensorflow=2.16rc1", "'2.16rc1' is a pre-release; envgen supports only releases",
                            "pre-releases of TensorFlow: pip install --pre tensorflow"},
                    Refusal{"tensorflow=nightly", "'nightly' is not a release; envgen supports only releases",
                            "nightly builds: pip install tf-nightly"},
                    Refusal{"torch=lts", "'lts' is not a release", "for the newest release, omit the version"},
                    Refusal{"torch=nightly", "'nightly' is not a release; envgen supports only releases",
                            "nightly builds: https://pytorch.org/get-started/locally/"},
                    Refusal{"torch=2.16.0.dev20261101", "'2.16.0.dev20261101' is not a release; envgen supports only releases",
                            "nightly builds: https://pytorch.org/get-started/locally/"}));

TEST(Spellings, OfOtherToolsAreVersions) {
  const auto facts = matrix::embedded();
  const auto same = [&](const char* one, const char* other) {
    const auto a = interpret(facts, test::request_of(one));
    const auto b = interpret(facts, test::request_of(other));
    ASSERT_TRUE(a && b) << one;
    const auto found = find_best(facts, *a);
    const auto expected = find_best(facts, *b);
    ASSERT_TRUE(found && expected) << one;
    EXPECT_EQ(found->build, expected->build) << one;
    EXPECT_EQ(found->python, expected->python) << one;
  };
  same("torch=v2.7", "torch=2.7");
  same("torch=stable", "gpu=8.6");
  same("torch=2.6 cuda=latest", "torch=2.6");
  same("torch=2.6 python=py310", "torch=2.6 python=3.10");
  same("torch=2.6 driver=535.xx", "torch=2.6 driver=535");
  same("torch=torch2.7", "torch=2.7");
  same("cuda=cu12 torch=2.3", "cuda=12 torch=2.3");
  same("cuda=cu12.1 torch=2.3", "cuda=12.1 torch=2.3");
  same("cuda=cu92 torch=1.7", "cuda=9.2 torch=1.7");
  same("python=python3.12", "python=3.12");
  same("driver=v535.183.01", "driver=535.183.01");
  same("driver=535.183.01-0ubuntu1", "driver=535.183.01");
  same("host=gpu=A100,driver=nvidia-driver-535-server", "host=gpu=A100,driver=535");
  same("gpu=4090 wsl=true driver=31.0.15.3623", "gpu=4090 wsl=true driver=536.23");
  same("gpu=sm90a", "gpu=9.0");
  same("gpu=NVIDIA_GeForce_RTX_4090", "gpu=4090");
  same("gpu=A100 installer=Conda", "gpu=A100 installer=conda");
  same("python=Python_3.11 torch=2.6", "python=3.11 torch=2.6");
  for (const auto& [written, id] :
       {std::pair("Ubuntu_22.04.4_LTS", "ubuntu22.04"), std::pair("Ubuntu_22.04.4_LTS_(Jammy_Jellyfish)", "ubuntu22.04"),
        std::pair("Debian_GNU/Linux_12_(bookworm)", "debian12"), std::pair("debian12.5", "debian12"),
        std::pair("Rocky_Linux_9.3_(Blue_Onyx)", "rockylinux9"), std::pair("CentOS_Linux_7_(Core)", "centos7"),
        std::pair("Red_Hat_Enterprise_Linux_8.6_(Ootpa)", "ubi8"), std::pair("Amazon_Linux_2023", "amzn2023")})
    EXPECT_EQ(interpret(facts, test::request_of(std::string("os=") + written)).value().os->id.view(), id) << written;
  EXPECT_FALSE(interpret(facts, test::request_of("torch=2.3.1+cu12")));
}

TEST(Spellings, OfOtherToolsAreChangedAsTheyAreWritten) {
  const auto facts = matrix::embedded();
  const auto request = test::request_of("torch=2.6 gpu=5090 driver=nvidia-driver-535 engine=Docker");
  const auto answer = resolve(facts, interpret(facts, request).value());
  ASSERT_FALSE(nearest_of(answer).empty());
  for (const auto& nearest : nearest_of(answer)) EXPECT_TRUE(changed(request, nearest.changes));
}

TEST(Counts, OfGpusChangeNothing) {
  const auto facts = matrix::embedded();
  const auto board = [&](const char* request) {
    const auto query = interpret(facts, test::request_of(request));
    return query ? query->boards.front().name : query.error().message;
  };
  for (const auto* request :
       {"gpu=4xA100", "gpu=4x_A100", "gpu=4_x_A100", "gpu=A100:4", "gpu=A100_x4", "gpu=A100x4", "gpu=A100*4", "gpu=4_A100",
        "gpu=4\u00d7A100", "gpu=4_\u00d7_A100", "host=4xA100", "host=A100,driver=535"})
    EXPECT_EQ(board(request), board("gpu=A100")) << request;
  EXPECT_EQ(board("gpu=10de:2684"), "GeForce RTX 4090");  // no four boards called 10de
  EXPECT_EQ(board("gpu=2x8.6"), "GPU of compute capability 8.6");
}

TEST(Counts, OfTheNameAloneAreOnlyTakenFromAKnownBoard) {
  EXPECT_EQ(matrix::without_loose_count("4090x2"), "4090");
  EXPECT_EQ(matrix::without_loose_count("4 H200"), "H200");
  EXPECT_EQ(matrix::without_loose_count("24 x"), "x");
  for (const auto* none : {"MX150", "A100X2", "535 T4", "0 4090", "4090x0"}) EXPECT_EQ(matrix::without_loose_count(none), none);
  const auto facts = matrix::embedded();
  EXPECT_EQ(facts.gpu_without_count("4090x2"), "4090");
  EXPECT_EQ(facts.gpu_without_count("MX150"), "MX150");
  EXPECT_EQ(facts.gpu_without_count("2080 Ti"), "2080 Ti");
}

TEST(Counts, AreDigitsBesideAnX) {
  EXPECT_EQ(matrix::without_count("8xH100"), "H100");
  EXPECT_EQ(matrix::without_count("8*H100"), "H100");
  EXPECT_EQ(matrix::without_count("RTX 4090"), "RTX 4090");
  EXPECT_EQ(matrix::without_count("GTX 1080"), "GTX 1080");
  EXPECT_EQ(matrix::without_count("0xA100"), "0xA100");
  EXPECT_EQ(matrix::without_count("A100:0"), "A100:0");
  EXPECT_EQ(matrix::without_count("2 xeon"), "2 xeon");
  EXPECT_EQ(matrix::without_count("4x"), "4x");
  EXPECT_EQ(matrix::without_count(":4"), ":4");
  EXPECT_EQ(matrix::without_count("10de:2684"), "10de:2684");
  EXPECT_EQ(matrix::without_count(""), "");
}

}  // namespace
}  // namespace envgen::resolver
