#include "check/check.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/answer.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/answers.hpp"
#include "support/literals.hpp"
#include "support/request_text.hpp"

/// A right environment is broken in one place at a time; the check must name each break.
namespace envgen::test {
namespace {

using testing::Contains;
using testing::IsEmpty;

constexpr std::string_view image = "torch=2.3.1 cuda=12.1 gpu=4090 driver=535 python=3.10 os=ubuntu22.04 variant=devel base=cuda";
constexpr std::string_view conda = "torch=2.5.1 installer=conda gpu=A100";
constexpr std::string_view conda_forge = "torch=2.7.1 cuda=12.9 installer=conda";
constexpr std::string_view ptx = "tensorflow=2.15 gpu=H100 driver=570";
constexpr std::string_view pins = "tensorflow=2.16 gpu=4090";
constexpr std::string_view hosts = "host=gpu=V100,driver=535 host=gpu=5090";
constexpr std::string_view forward = "torch=2.3.1 cuda=12.1 gpu=A100 driver=470";
constexpr std::string_view cpu = "torch=2.3.1+cpu";
constexpr std::string_view official = "torch=2.12.0 base=pytorch";
constexpr std::string_view unlisted = "torch=2.9.0 cuda=12.9 platform=linux-aarch64";
constexpr std::string_view thor = "gpu=Thor";
constexpr std::string_view plain = "torch=2.12.0";
constexpr std::string_view free_threaded = "torch=2.12.0 python=3.13t";

struct Mutation {
  std::string_view request;
  std::function<void(Environment&)> break_it;
  std::string_view message;
};

const Mutation mutations[] = {
    {image, [](Environment& e) { e.torch->version = "2.3.2"; },
     "build: there is no 2.3.2+cu121 of this platform, installer and conda_spec"},
    {image, [](Environment& e) { e.torch->tag = "cu122"; },
     "build: there is no 2.3.1+cu122 of this platform, installer and conda_spec"},
    {image, [](Environment& e) { e.torch->cuda = "12.2"_version; }, "build.cuda: must be 12.1, is 12.2"},
    {image, [](Environment& e) { e.torch->torchvision = "0.18.0"; }, "torchvision: must be 0.18.1, is 0.18.0"},
    {image, [](Environment& e) { e.torch->torchaudio = std::nullopt; }, "torchaudio: must be 2.3.1, is none"},
    {image, [](Environment& e) { e.torch->torchaudio = "9.9"; }, "torchaudio: there is no wheel of 9.9 for Python 3.10"},
    {image, [](Environment& e) { e.torch->index_url = "https://download.pytorch.org/whl/cu118"; },
     "build.index_url: must be https://download.pytorch.org/whl/cu121, is https://download.pytorch.org/whl/cu118"},
    {image, [](Environment& e) { e.torch->index_url = std::nullopt; },
     "build.index_url: must be https://download.pytorch.org/whl/cu121, is none"},
    {"torch=2.15.0", [](Environment& e) { e.torch->index_url = "https://download.pytorch.org/whl/cu130"; },
     "build.index_url: must be none, is https://download.pytorch.org/whl/cu130"},
    {image, [](Environment& e) { e.torch->on_package_index = false; }, "build.on_package_index: must be yes, is no"},
    {image, [](Environment& e) { e.torch->official = false; }, "build.official: must be yes, is no"},
    {image, [](Environment& e) { e.torch->toolkit = "12.1.0"_version; }, "build.toolkit: must be 12.1.1, is 12.1.0"},
    {image, [](Environment& e) { e.torch->archs->push_back("10.0"_arch); },
     "build.archs: must be [5.0, 6.0, 7.0, 7.5, 8.0, 8.6, 9.0], is [5.0, 6.0, 7.0, 7.5, 8.0, 8.6, 9.0, 10.0]"},
    {image, [](Environment& e) { e.torch->archs = std::nullopt; },
     "build.archs: must be [5.0, 6.0, 7.0, 7.5, 8.0, 8.6, 9.0], is none"},
    {image, [](Environment& e) { e.torch->ptx->push_back("9.0"_arch); }, "build.ptx: must be [], is [9.0]"},
    {image, [](Environment& e) { e.torch->pythons.push_back("3.13"_python); },
     "build.pythons: must be [3.8, 3.9, 3.10, 3.11, 3.12], is [3.8, 3.9, 3.10, 3.11, 3.12, 3.13]"},
    {image, [](Environment& e) { e.torch->triton = "3.0.0"; }, "build.triton: must be 2.3.1, is 3.0.0"},
    {image, [](Environment& e) { e.torch->nccl = std::nullopt; }, "build.nccl: must be 2.20.5, is none"},
    {image, [](Environment& e) { e.torch->glibc = "2.28"_version; }, "build.glibc: must be 2.17, is 2.28"},
    {image, [](Environment& e) { e.torch->conda_spec = "pytorch==2.3.1"; }, "build.conda_spec: must be none, is pytorch==2.3.1"},
    {conda, [](Environment& e) { e.torch->conda_spec = "pytorch==2.5.1"; },
     "build: there is no 2.5.1+cu124 of this platform, installer and conda_spec"},
    {conda, [](Environment& e) { e.torch->conda_channels.pop_back(); },
     "build.conda_channels: must be [pytorch, nvidia], is [pytorch]"},
    {conda, [](Environment& e) { e.torch->on_package_index = true; }, "build.on_package_index: must be no, is yes"},
    {conda, [](Environment& e) { e.torch->torchvision = "0.20.0"; }, "torchvision: must be 0.20.1, is 0.20.0"},
    {pins, [](Environment& e) { e.tensorflow->cuda_pins.front().second = "==1"; },
     "build.cuda_pins: they are not those of [and-cuda]"},
    {image, [](Environment& e) { e.cuda->version = "12.1.9"_version; }, "cuda.toolkit: there is no 12.1.9 of CUDA 12.1"},
    {image, [](Environment& e) { e.cuda->version = "12.2.2"_version; }, "cuda.toolkit: there is no 12.2.2 of CUDA 12.1"},
    {image, [](Environment& e) { e.cudnn = std::nullopt; }, "cudnn: there has to be one"},
    {image, [](Environment& e) { e.cudnn->version = "8.9.7.29"_version; }, "cudnn.version: must be 8.9.2.26, is 8.9.7.29"},
    {image, [](Environment& e) { e.cudnn->major = 9; }, "cudnn.major: must be 8, is 9"},
    {image, [](Environment& e) { e.cudnn->from = CudnnFrom::image; }, "cudnn.from: must be wheel, is image"},
    {cpu, [](Environment& e) { e.cudnn = Environment::Cudnn(); }, "cuda: a CPU build has no cuDNN, driver or GPU"},
    {image, [](Environment& e) { e.python = "3.11"_python; }, "python: 3.11 is not 3.10"},
    {image, [](Environment& e) { e.python = "3.14"_python; }, "python: not every part has a wheel for 3.14"},
    {image, [](Environment& e) { e.pythons.pop_back(); },
     "pythons: must be [3.8, 3.9, 3.10, 3.11, 3.12], is [3.8, 3.9, 3.10, 3.11]"},
    {image, [](Environment& e) { e.python_provider = PythonProvider::uv; }, "python_provider: must be system, is uv"},
    {image, [](Environment& e) { e.os = "ubuntu20.04"; }, "os: ubuntu20.04 is not ubuntu22.04"},
    {image, [](Environment& e) { e.os = "beos"; }, "os: there is no beos"},
    {official, [](Environment& e) { e.os = "ubuntu18.04"; }, "os: the glibc of ubuntu18.04 is older than 2.28"},
    {image, [](Environment& e) { e.platform = Platform::linux_aarch64; },
     "build: there is no 2.3.1+cu121 of this platform, installer and conda_spec"},
    {image, [](Environment& e) { e.variant = Variant::runtime; }, "variant: must be devel, is runtime"},
    {image, [](Environment& e) { e.installer = Installer::conda; },
     "build: there is no 2.3.1+cu121 of this platform, installer and conda_spec"},
    {image, [](Environment& e) { e.installer = Installer::uv; }, "installer: must be pip, is uv"},
    {image, [](Environment& e) { e.base = Base::slim; }, "base: must be cuda, is slim"},
    {cpu, [](Environment& e) { e.base = Base::pytorch; }, "base: there is no runtime image of pytorch"},
    {image, [](Environment& e) { e.gpus.clear(); }, "gpus: must be 1, is 0"},
    {image, [](Environment& e) { e.gpus.front().name = "GeForce RTX 3090"; }, "gpus.name: 4090 is not called GeForce RTX 3090"},
    {image, [](Environment& e) { e.gpus.front().capability = "8.6"_capability; }, "gpus.capability: must be 8.9, is 8.6"},
    {image, [](Environment& e) { e.gpus.front().nvcc = "8.6"; }, "gpus.nvcc: must be 8.9, is 8.6"},
    {image, [](Environment& e) { e.gpus.front().nvcc.reset(); }, "gpus.nvcc: must be 8.9, is none"},
    {image, [](Environment& e) { e.gpus.front().via = "9.0"_arch; }, "gpus.via: sass for 9.0 does not run on 8.9"},
    {image, [](Environment& e) { e.gpus.front().via = "8.0"_arch; },
     "gpus.via: the build has binaries nearer to 8.9 than those for 8.0"},
    {image, [](Environment& e) { e.gpus.front().via = "8.9"_arch; }, "gpus.via: the build has no sass for 8.9"},
    {image, [](Environment& e) { e.gpus.front().runs = CodeKind::ptx; }, "gpus.runs: must be sass, is ptx"},
    {ptx, [](Environment& e) { e.gpus.front().runs = CodeKind::sass; }, "gpus.via: sass for 8.0 does not run on 9.0"},
    {ptx, [](Environment& e) { e.gpus.front().via = "7.0"_arch; }, "gpus.via: the build has no ptx for 7.0"},
    {image, [](Environment& e) { e.driver = std::nullopt; }, "driver: there has to be one"},
    {image, [](Environment& e) { e.driver->asked = "550"; }, "driver.asked: must be 535, is 550"},
    {image, [](Environment& e) { e.driver->range.minimum = "520.61.05"_driver; },
     "driver.range: must be 530.30.02 to none, is 520.61.05 to none"},
    {image, [](Environment& e) { e.driver->range.minimum = "550.54.14"_driver; },
     "driver.range: must be 530.30.02 to none, is 550.54.14 to none"},
    {image, [](Environment& e) { e.driver->native = "525.60.13"_driver; }, "driver.native: must be 530.30.02, is 525.60.13"},
    {image, [](Environment& e) { std::erase(e.driver->carried_by, CarriedBy::native); },
     "driver: 535 does not carry CUDA 12.1 as it is said, or does not start the image"},
    {image, [](Environment& e) { std::erase(e.driver->carried_by, CarriedBy::gpu_driver); },
     "driver.carried_by: gpu_driver is missing"},
    {image, [](Environment& e) { std::erase(e.driver->carried_by, CarriedBy::image_gate); },
     "driver.carried_by: image_gate is missing"},
    {image, [](Environment& e) { e.driver->carried_by.push_back(CarriedBy::forward_compat); },
     "driver.carried_by: forward_compat does not hold"},
    {forward,
     [](Environment& e) {
       e.driver->carried_by = {CarriedBy::gpu_driver, CarriedBy::minor_compat};
     },
     "driver: 470 does not carry CUDA 12.1 as it is said, or does not start the image"},
    {ptx,
     [](Environment& e) {
       e.driver->carried_by = {CarriedBy::gpu_driver, CarriedBy::forward_compat};
     },
     "driver: 570 does not carry CUDA 12.2 as it is said, or does not start the image"},
    {image, [](Environment& e) { e.images.devel = "nvidia/cuda:12.1.1-runtime-ubuntu22.04"; },
     "images.devel: must be nvidia/cuda:12.1.1-devel-ubuntu22.04, is nvidia/cuda:12.1.1-runtime-ubuntu22.04"},
    {image, [](Environment& e) { e.images.devel = std::nullopt; }, "base: there is no devel image of cuda"},
    {image, [](Environment& e) { e.images.devel_cudnn = "nvidia/cuda:12.1.1-cudnn-devel-ubuntu22.04"; },
     "images.devel_cudnn: must be nvidia/cuda:12.1.1-cudnn8-devel-ubuntu22.04, is nvidia/cuda:12.1.1-cudnn-devel-ubuntu22.04"},
    {image, [](Environment& e) { e.images.runtime = "nvidia/cuda:12.1.1-runtime-ubuntu20.04"; },
     "images.runtime: must be nvidia/cuda:12.1.1-runtime-ubuntu22.04, is nvidia/cuda:12.1.1-runtime-ubuntu20.04"},
    {image, [](Environment& e) { e.images.runtime_cudnn = "nvidia/cuda:12.1.0-cudnn8-runtime-ubuntu22.04"; },
     "images.runtime_cudnn: must be nvidia/cuda:12.1.1-cudnn8-runtime-ubuntu22.04, is "
     "nvidia/cuda:12.1.0-cudnn8-runtime-ubuntu22.04"},
    {image, [](Environment& e) { e.images.official_devel = std::nullopt; },
     "images.official_devel: must be pytorch/pytorch:2.3.1-cuda12.1-cudnn8-devel, is none"},
    {image, [](Environment& e) { e.images.official_runtime = "pytorch/pytorch:2.3.1-cuda12.1-cudnn9-runtime"; },
     "images.official_runtime: must be pytorch/pytorch:2.3.1-cuda12.1-cudnn8-runtime, is "
     "pytorch/pytorch:2.3.1-cuda12.1-cudnn9-runtime"},
    {official, [](Environment& e) { e.images.official_runtime = std::nullopt; }, "base: there is no runtime image of pytorch"},
    {official, [](Environment& e) { e.os = "ubuntu22.04"; }, "os: must be ubuntu24.04, is ubuntu22.04"},
    {official, [](Environment& e) { e.python = "3.11"_python; }, "python: must be 3.12, is 3.11"},
    {image, [](Environment& e) { e.pins.clear(); },
     "pins: must be [setuptools<82: setuptools 82 removed pkg_resources, which extension builds for PyTorch before 2.9 "
     "reportedly import], is []"},
    {image,
     [](Environment& e) {
       e.pins.push_back({"numpy", "<2", "habit", "none"});
     },
     "pins: must be [setuptools<82: setuptools 82 removed pkg_resources, which extension builds for PyTorch before 2.9 "
     "reportedly import], is [setuptools<82: setuptools 82 removed pkg_resources, which extension builds for PyTorch before 2.9 "
     "reportedly import, numpy<2: habit]"},
    {image, [](Environment& e) { e.env.emplace_back("PIP_BREAK_SYSTEM_PACKAGES", "1"); },
     "env: must be [], is [PIP_BREAK_SYSTEM_PACKAGES=1]"},
    {conda_forge, [](Environment& e) { e.env.clear(); }, "env: must be [CONDA_OVERRIDE_CUDA=12.9], is []"},
    {image, [](Environment& e) { e.warnings.pop_back(); }, "warnings: the rule tag-deletion warns, the answer does not"},
    {hosts, [](Environment& e) { std::swap(e.gpus[0], e.gpus[1]); }, "gpus.capability: must be 7.0, is 12.0"},
    {hosts, [](Environment& e) { e.driver->range.minimum = "525.60.13"_driver; },
     "driver.range: must be 570.86.16 to 580, is 525.60.13 to 580"},
    {image, [](Environment& e) { e.tensorflow = e.torch; }, "framework: an environment holds either torch or tensorflow"},
    {hosts, [](Environment& e) { e.driver->machines[0].asked = "550"; }, "driver.machines.asked: must be 535, is 550"},
    {hosts, [](Environment& e) { e.driver->machines[1].gpus.clear(); }, "driver.machines.gpus: must be 1, is 0"},
    {hosts, [](Environment& e) { e.driver->machines.pop_back(); }, "driver.machines: must be 2, is 1"},
    {hosts, [](Environment& e) { e.driver->machines[0].range.last_branch = "590"_driver; },
     "driver.machines.range: must be 525.60.13 to 580, is 525.60.13 to 590"},
    {image, [](Environment& e) { e.driver->range.last_branch = "580"_driver; },
     "driver.range: must be 530.30.02 to none, is 530.30.02 to 580"},
    {thor, [](Environment& e) { e.driver->range.minimum = "570.26"_driver; },
     "driver.range: must be none to none, is 570.26 to none"},
    {image, [](Environment& e) { e.python = "3.14"_python; }, "build: no index has a wheel for Python 3.14"},
    {unlisted, [](Environment& e) { e.torch->archs = {"9.0"_arch}; }, "build.archs: must be none, is [9.0]"},
    {plain, [](Environment& e) { e.base = Base::pytorch; }, "base: must be slim, is pytorch"},
};

TEST(Check, NoticesEveryBrokenValue) {
  const auto matrix = matrix::embedded();
  EXPECT_GE(std::size(mutations), 40U);
  for (const auto& mutation : mutations) {
    const auto request = request_of(mutation.request);
    auto environment = environment_of(mutation.request);
    ASSERT_TRUE(environment) << mutation.request << ": " << summary(mutation.request);
    ASSERT_THAT(check::violations(matrix, request, *environment), IsEmpty()) << mutation.request;
    mutation.break_it(*environment);
    EXPECT_THAT(check::violations(matrix, request, *environment), Contains(std::string(mutation.message))) << mutation.request;
  }
}

/// The same environment, asked for in other words: what was asked decides, not only what exists.
TEST(Check, HoldsTheAnswerAgainstTheRequest) {
  const auto environment = environment_of("torch=2.3.1 cuda=12.1 gpu=4090");
  ASSERT_TRUE(environment);
  const std::pair<std::string_view, std::string_view> requests[] = {
      {"torch=2.4 gpu=4090", "torch: 2.3.1 is not 2.4"},
      {"torch=>=2.2,<2.3 gpu=4090", "torch: 2.3.1 is not >=2.2,<2.3"},
      {"torch=~=2.2.0 gpu=4090", "torch: 2.3.1 is not ~=2.2.0"},
      {"torch=!=2.3.* gpu=4090", "torch: 2.3.1 is not !=2.3.*"},
      {"torch===2.3 gpu=4090", "torch: 2.3.1 is not ==2.3"},
      {"torch=2.3.1+cu118 gpu=4090", "build.tag: must be cu118, is cu121"},
      {"torch=2.3.1+cpu", "build.cpu: must be yes, is no"},
      {"cuda=cpu", "build.cpu: must be yes, is no"},
      {"tensorflow=2.16 gpu=4090", "framework: must be tensorflow, is torch"},
      {"cuda=cu118 gpu=4090", "build.tag: must be cu118, is cu121"},
      {"cuda=11.8 gpu=4090", "cuda: 12.1 is not 11.8"},
      {"cuda=>12.1 gpu=4090", "cuda: 12.1 is not >12.1"},
      {"cuda=12.1.0 gpu=4090", "cuda: 12.1.1 is not 12.1.0"},
      {"cudnn=9 gpu=4090", "cudnn: 8.9.2.26 is not 9"},
      {"python=3.11 gpu=4090", "python: 3.10 is not 3.11"},
      {"python=3.13t gpu=4090", "python: 3.10 is not 3.13t"},
      {"python=>=3.11 gpu=4090", "python: 3.10 is not >=3.11"},
      {"torchvision=0.17 gpu=4090", "torchvision: 0.18.1 is not 0.17"},
      {"torchaudio=2.2 gpu=4090", "torchaudio: 2.3.1 is not 2.2"},
      {"os=jammy gpu=4090", ""},
      {"os=noble gpu=4090", "os: ubuntu22.04 is not ubuntu24.04"},
      {"platform=arm64 gpu=4090", "platform: must be linux-aarch64, is linux-x86_64"},
      {"gpu=GH200", "platform: must be linux-aarch64, is linux-x86_64"},
      {"variant=devel gpu=4090", "variant: must be devel, is runtime"},
      {"installer=uv gpu=4090", "installer: must be uv, is pip"},
      {"base=cuda gpu=4090", "base: must be cuda, is slim"},
      {"gpu=A100", "gpus.capability: must be 8.0, is 8.9"},
      {"gpu=4090 gpu=A100", "gpus: must be 2, is 1"},
      {"gpu=4090 driver=515", "driver: 515 does not carry CUDA 12.1 as it is said, or does not start the image"},
      {"gpu=4090 driver=520", "driver: 520 does not carry CUDA 12.1 as it is said, or does not start the image"},
      {"gpu=4090 ptx", "driver.range: must be 530.30.02 to none, is 525.60.13 to none"},
      {"gpu=Banana", "request: no board and no compute capability is called Banana"},
  };
  for (const auto& [text, message] : requests) {
    const auto violations = check::violations(matrix::embedded(), request_of(text), *environment);
    if (message.empty()) {
      EXPECT_THAT(violations, IsEmpty()) << text;
    } else {
      EXPECT_THAT(violations, Contains(std::string(message))) << text;
    }
  }
}

/// A host has one kernel module; the same two boards in two hosts have one each.
TEST(Check, KnowsThatAHostHasOneKernelModule) {
  const auto environment = environment_of("gpu=V100 gpu=5090");
  ASSERT_TRUE(environment);
  EXPECT_THAT(check::violations(matrix::embedded(), request_of("host=gpu=V100 host=gpu=5090"), *environment), IsEmpty());
  EXPECT_THAT(check::violations(matrix::embedded(), request_of("host=gpu=V100,gpu=5090"), *environment),
              Contains("host: its boards need both the proprietary and the open kernel module"));
}

/// cuda-compat is for data-centre and Jetson boards: the same claim for a GeForce of the same capability is refused.
TEST(Check, LetsCudaCompatLiftDataCentreBoardsAlone) {
  const auto environment = environment_of("torch=2.3.1 cuda=12.1 gpu=A10 driver=470");
  ASSERT_TRUE(environment);
  auto other = *environment;
  other.gpus.front().name = "GeForce RTX 3090";
  for (auto& reason : other.reasons) {
    if (reason.field == "gpu") reason.value = "GeForce RTX 3090";
  }
  EXPECT_THAT(check::violations(matrix::embedded(), request_of("torch=2.3.1 cuda=12.1 gpu=3090 driver=470"), other),
              Contains("driver: 470 does not carry CUDA 12.1 as it is said, or does not start the image"));
}

/// An answer with the boards of another request: what the build cannot do for them is seen without the resolver.
TEST(Check, KnowsWhatABuildCannotDoForABoard) {
  struct Case {
    std::string_view answered;
    std::string_view asked;
    std::function<void(Environment&)> change;
    std::string_view message;
  };
  const auto board = [](std::string_view name, Capability capability) {
    return [=](Environment& e) {
      e.gpus.front().name = name;
      e.gpus.front().capability = capability;
    };
  };
  const Case cases[] = {
      {"torch=2.12.0 gpu=A100", "torch=2.12.0 gpu=V100", board("V100", "7.0"_capability),
       "cudnn: no fact says that 9.20.0.48 serves 7.0"},
      {ptx, "tensorflow=2.15 gpu=V100 driver=570", board("V100", "7.0"_capability), "gpus.via: ptx for 8.0 does not run on 7.0"},
      {thor, "gpu=Thor driver=580", [](Environment&) {}, "driver: no fact says what 580 carries on a Jetson"},
      {thor, "host=gpu=Thor,gpu=4090", [](Environment&) {}, "host: a Jetson's GPU and another one cannot share a driver"},
      {free_threaded, "torch=2.12.0", [](Environment&) {}, "python: nobody asked for the free-threaded 3.13t"},
      {pins, "gpu=4090", [](Environment&) {}, "framework: must be torch, is tensorflow"},
  };
  for (const auto& [answered, asked, change, message] : cases) {
    auto environment = environment_of(answered);
    ASSERT_TRUE(environment) << answered;
    change(*environment);
    EXPECT_THAT(check::violations(matrix::embedded(), request_of(asked), *environment), Contains(std::string(message))) << asked;
  }
}

/// What a user sees of a refused answer.
TEST(Verify, IsAnInternalErrorThatNamesTheFacts) {
  const auto matrix = matrix::embedded();
  const auto request = request_of(image);
  auto environment = environment_of(image);
  ASSERT_TRUE(environment);
  EXPECT_TRUE(api::verify(matrix, request, *environment));
  environment->cudnn->major = 9;
  environment->torch->glibc = "2.28"_version;
  const auto refused = api::verify(matrix, request, *environment);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::internal);
  EXPECT_EQ(refused.error().message,
            "the independent check rejects this answer: build.glibc: must be 2.17, is 2.28; cudnn.major: must be 8, is 9; please "
            "report this bug");
}

}  // namespace
}  // namespace envgen::test
