#include "check/check.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/verified.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/answers.hpp"
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
constexpr std::string_view unlisted = "torch=2.0.0 cuda=12.0 installer=conda";
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
     "build: no row says that torch 2.3.2+cu121 exists for linux-x86_64 with pip"},
    {image, [](Environment& e) { e.torch->tag = "cu122"; },
     "build: no row says that torch 2.3.1+cu122 exists for linux-x86_64 with pip"},
    {image, [](Environment& e) { e.torch->cuda = "12.2"; },
     "cuda: torch 2.3.1+cu121 for linux-x86_64 has 12.1, the answer says 12.2"},
    {image, [](Environment& e) { e.torch->torchvision = "0.18.0"; },
     "torchvision: 0.18.1 was released for torch 2.3.1+cu121 for linux-x86_64, the answer says 0.18.0"},
    {image, [](Environment& e) { e.torch->torchaudio = std::nullopt; },
     "torchaudio: 2.3.1 has a wheel for Python 3.10, the answer leaves it out"},
    {image, [](Environment& e) { e.torch->torchaudio = "9.9"; }, "torchaudio: no row says that 9.9 exists for linux-x86_64"},
    {image, [](Environment& e) { e.torch->index_url = "https://download.pytorch.org/whl/cu118"; },
     "index_url: the wheel index of torch 2.3.1+cu121 for linux-x86_64 is https://download.pytorch.org/whl/cu121, the answer "
     "says https://download.pytorch.org/whl/cu118"},
    {image, [](Environment& e) { e.torch->index_url = std::nullopt; },
     "index_url: https://download.pytorch.org/whl/cu121 has this wheel, the answer leaves it out"},
    {free_threaded, [](Environment& e) { e.torch->index_url = "https://download.pytorch.org/whl/cu130"; },
     "index_url: https://download.pytorch.org/whl/cu130 has no wheel of torch 2.12.0+cu130 for linux-x86_64 for Python 3.13t"},
    {image, [](Environment& e) { e.torch->on_package_index = false; },
     "on_package_index: the package index has a wheel of torch 2.3.1+cu121 for linux-x86_64 for Python 3.10"},
    {image, [](Environment& e) { e.torch->official = false; },
     "official: whether torch 2.3.1+cu121 for linux-x86_64 is official is yes in the matrix"},
    {image, [](Environment& e) { e.torch->toolkit = "12.1.0"; },
     "torch.toolkit: torch 2.3.1+cu121 for linux-x86_64 has 12.1.1, the answer says 12.1.0"},
    {image, [](Environment& e) { e.torch->archs->push_back("10.0"); },
     "archs: torch 2.3.1+cu121 for linux-x86_64 carries 5.0, 6.0, 7.0, 7.5, 8.0, 8.6, 9.0, the answer says 5.0, 6.0, 7.0, 7.5, "
     "8.0, 8.6, 9.0, 10.0"},
    {image, [](Environment& e) { e.torch->archs = std::nullopt; },
     "archs: torch 2.3.1+cu121 for linux-x86_64 carries 5.0, 6.0, 7.0, 7.5, 8.0, 8.6, 9.0, the answer says unknown"},
    {image, [](Environment& e) { e.torch->ptx->push_back("9.0"); },
     "ptx: torch 2.3.1+cu121 for linux-x86_64 carries none, the answer says 9.0"},
    {image, [](Environment& e) { e.torch->pythons.push_back("3.13"); },
     "torch.pythons: torch 2.3.1+cu121 for linux-x86_64 has 3.8, 3.9, 3.10, 3.11, 3.12, the answer says 3.8, 3.9, 3.10, 3.11, "
     "3.12, 3.13"},
    {image, [](Environment& e) { e.torch->triton = "3.0.0"; },
     "triton: torch 2.3.1+cu121 for linux-x86_64 has 2.3.1, the answer says 3.0.0"},
    {image, [](Environment& e) { e.torch->nccl = std::nullopt; },
     "nccl: torch 2.3.1+cu121 for linux-x86_64 has 2.20.5, the answer says none"},
    {image, [](Environment& e) { e.torch->glibc = "2.28"; },
     "torch.glibc: torch 2.3.1+cu121 for linux-x86_64 has 2.17, the answer says 2.28"},
    {image, [](Environment& e) { e.torch->conda_spec = "pytorch==2.3.1"; },
     "conda_spec: torch 2.3.1+cu121 for linux-x86_64 is installed with pip"},
    {conda, [](Environment& e) { e.torch->conda_spec = "pytorch==2.5.1"; },
     "build: no row says that torch 2.5.1+cu124 exists for linux-x86_64 with conda as pytorch==2.5.1"},
    {conda, [](Environment& e) { e.torch->conda_channels.pop_back(); },
     "conda_channels: torch 2.5.1+cu124 for linux-x86_64 comes from pytorch, nvidia, the answer says pytorch"},
    {conda, [](Environment& e) { e.torch->on_package_index = true; }, "index_url: a conda package stands on no index"},
    {conda, [](Environment& e) { e.torch->torchvision = "0.20.0"; },
     "torchvision: 0.20.1 was released for torch 2.5.1+cu124 for linux-x86_64, the answer says 0.20.0"},
    {pins, [](Environment& e) { e.tensorflow->cuda_pins.front().second = "==1"; },
     "cuda_pins: [and-cuda] of tensorflow 2.16.2+cu123 for linux-x86_64 names 12 packages, 11 of the answer's 12 are right"},
    {image, [](Environment& e) { e.cuda->version = "12.1.9"; }, "cuda.toolkit: there is no CUDA toolkit 12.1.9"},
    {image, [](Environment& e) { e.cuda->version = "12.2.2"; }, "cuda.toolkit: 12.2.2 is no update of CUDA 12.1"},
    {image, [](Environment& e) { e.cudnn = std::nullopt; },
     "cudnn: torch 2.3.1+cu121 for linux-x86_64 brings a cuDNN, the answer has none"},
    {image, [](Environment& e) { e.cudnn->version = "8.9.7.29"; },
     "cudnn: torch 2.3.1+cu121 for linux-x86_64 has 8.9.2.26, the answer says 8.9.7.29"},
    {image, [](Environment& e) { e.cudnn->major = 9; }, "cudnn.major: cuDNN 8.9.2.26 is not of major 9"},
    {image, [](Environment& e) { e.cudnn->from = CudnnFrom::image; },
     "cudnn.from: torch 2.3.1+cu121 for linux-x86_64 gets it from the wheel, the answer says image"},
    {cpu, [](Environment& e) { e.cudnn = Environment::Cudnn(); }, "cuda: a CPU build has no cuDNN, driver or GPU"},
    {image, [](Environment& e) { e.python = "3.11"; }, "python: 3.11 is not 3.10"},
    {image, [](Environment& e) { e.python = "3.14"; },
     "python: Python 3.14 has no wheel of every part of torch 2.3.1+cu121 for linux-x86_64"},
    {image, [](Environment& e) { e.python = "four"; }, "python: there is no Python four"},
    {image, [](Environment& e) { e.pythons.pop_back(); },
     "pythons: every part of torch 2.3.1+cu121 for linux-x86_64 has a wheel for 3.8, 3.9, 3.10, 3.11, 3.12, the answer says 3.8, "
     "3.9, 3.10, 3.11"},
    {image, [](Environment& e) { e.python_provider = PythonProvider::uv; },
     "python_provider: Python 3.10 comes from system on ubuntu22.04, the answer says uv"},
    {image, [](Environment& e) { e.os = "ubuntu20.04"; }, "os: ubuntu22.04 was asked for, the answer is ubuntu20.04"},
    {image, [](Environment& e) { e.os = "beos"; }, "os: there is no system beos in the matrix"},
    {official, [](Environment& e) { e.os = "ubuntu18.04"; },
     "glibc: torch 2.12.0+cu130 for linux-x86_64 needs 2.28, ubuntu18.04 has 2.27"},
    {image, [](Environment& e) { e.platform = Platform::linux_aarch64; },
     "build: no row says that torch 2.3.1+cu121 exists for linux-aarch64 with pip"},
    {image, [](Environment& e) { e.variant = Variant::runtime; }, "variant: devel was asked for, the answer is runtime"},
    {image, [](Environment& e) { e.installer = Installer::conda; },
     "build: no row says that torch 2.3.1+cu121 exists for linux-x86_64 with conda"},
    {image, [](Environment& e) { e.installer = Installer::uv; }, "installer: the default is pip, the answer is uv"},
    {image, [](Environment& e) { e.base = Base::slim; }, "base: cuda was asked for, the answer is slim"},
    {cpu, [](Environment& e) { e.base = Base::pytorch; }, "base: there is no official runtime image for it to start from"},
    {image, [](Environment& e) { e.gpus.clear(); }, "gpus: 1 were asked for, the answer has 0"},
    {image, [](Environment& e) { e.gpus.front().name = "GeForce RTX 3090"; }, "gpus.name: 4090 is not called GeForce RTX 3090"},
    {image, [](Environment& e) { e.gpus.front().capability = "8.6"; }, "gpus.capability: 4090 has 8.9, the answer says 8.6"},
    {image, [](Environment& e) { e.gpus.front().nvcc = "8.6"; },
     "gpus.nvcc: extensions for the GeForce RTX 4090 are compiled for 8.9, the answer says 8.6"},
    {image, [](Environment& e) { e.gpus.front().nvcc.reset(); },
     "gpus.nvcc: extensions for the GeForce RTX 4090 are compiled for 8.9, the answer says none"},
    {image, [](Environment& e) { e.gpus.front().via = "9.0"; },
     "gpus.via: machine code for 9.0 does not run on the GeForce RTX 4090 (8.9)"},
    {image, [](Environment& e) { e.gpus.front().via = "8.0"; },
     "gpus.via: torch 2.3.1+cu121 for linux-x86_64 has machine code nearer to 8.9 than that for 8.0"},
    {image, [](Environment& e) { e.gpus.front().via = "8.9"; },
     "gpus.via: torch 2.3.1+cu121 for linux-x86_64 has no machine code for 8.9"},
    {image, [](Environment& e) { e.gpus.front().runs = CodeKind::ptx; },
     "gpus.runs: torch 2.3.1+cu121 for linux-x86_64 has machine code for the GeForce RTX 4090, the answer says ptx"},
    {ptx, [](Environment& e) { e.gpus.front().runs = CodeKind::sass; },
     "gpus.via: machine code for 8.0 does not run on the H100 (9.0)"},
    {ptx, [](Environment& e) { e.gpus.front().via = "7.0"; },
     "gpus.via: tensorflow 2.15.1+cu122 for linux-x86_64 has no PTX for 7.0"},
    {image, [](Environment& e) { e.driver = std::nullopt; },
     "driver: torch 2.3.1+cu121 for linux-x86_64 needs one, the answer has none"},
    {image, [](Environment& e) { e.driver->asked = "550"; }, "driver.asked: 535 was asked for, the answer says 550"},
    {image, [](Environment& e) { e.driver->range.minimum = "520.61.05"; },
     "driver.minimum: CUDA 12.1 on the asked boards needs 530.30.02, the answer says 520.61.05"},
    {image, [](Environment& e) { e.driver->range.minimum = "550.54.14"; },
     "driver.minimum: CUDA 12.1 on the asked boards needs 530.30.02, the answer says 550.54.14"},
    {image, [](Environment& e) { e.driver->range.minimum = "new"; },
     "driver.minimum: CUDA 12.1 on the asked boards needs 530.30.02, the answer says new"},
    {image, [](Environment& e) { e.driver->native = "525.60.13"; },
     "driver.native: CUDA 12.1 came with driver 530.30.02, the answer says 525.60.13"},
    {image, [](Environment& e) { std::erase(e.driver->carried_by, CarriedBy::native); },
     "driver: driver 535.54.03 carries CUDA 12.1 by none of the named predicates"},
    {image, [](Environment& e) { std::erase(e.driver->carried_by, CarriedBy::gpu_driver); },
     "driver.carried_by: gpu_driver decides for every board and is not named"},
    {image, [](Environment& e) { std::erase(e.driver->carried_by, CarriedBy::image_gate); },
     "driver.carried_by: image_gate decides for the gate of nvidia/cuda:12.1.1-devel-ubuntu22.04 (CUDA 12.1) and is not named"},
    {image, [](Environment& e) { e.driver->carried_by.push_back(CarriedBy::forward_compat); },
     "driver.carried_by: forward_compat holds for no machine of the request"},
    {forward,
     [](Environment& e) {
       e.driver->carried_by = {CarriedBy::gpu_driver, CarriedBy::minor_compat};
     },
     "driver: driver 470.42.01 carries CUDA 12.1 by none of the named predicates"},
    {ptx,
     [](Environment& e) {
       e.driver->carried_by = {CarriedBy::gpu_driver, CarriedBy::forward_compat};
     },
     "driver: driver 570.26 carries CUDA 12.2 with PTX by none of the named predicates"},
    {image, [](Environment& e) { e.images.devel = "nvidia/cuda:12.1.1-runtime-ubuntu22.04"; },
     "images.devel: for CUDA 12.1.1 on ubuntu22.04 the published tag is 12.1.1-devel-ubuntu22.04, the answer says "
     "nvidia/cuda:12.1.1-runtime-ubuntu22.04"},
    {image, [](Environment& e) { e.images.devel = std::nullopt; },
     "base: there is no nvidia/cuda devel image for it to start from"},
    {image, [](Environment& e) { e.images.devel_cudnn = "nvidia/cuda:12.1.1-cudnn-devel-ubuntu22.04"; },
     "images.devel_cudnn: for CUDA 12.1.1 on ubuntu22.04 the published tag is 12.1.1-cudnn8-devel-ubuntu22.04, the answer says "
     "nvidia/cuda:12.1.1-cudnn-devel-ubuntu22.04"},
    {image, [](Environment& e) { e.images.runtime = "nvidia/cuda:12.1.1-runtime-ubuntu20.04"; },
     "images.runtime: for CUDA 12.1.1 on ubuntu22.04 the published tag is 12.1.1-runtime-ubuntu22.04, the answer says "
     "nvidia/cuda:12.1.1-runtime-ubuntu20.04"},
    {image, [](Environment& e) { e.images.runtime_cudnn = "nvidia/cuda:12.1.0-cudnn8-runtime-ubuntu22.04"; },
     "images.runtime_cudnn: for CUDA 12.1.1 on ubuntu22.04 the published tag is 12.1.1-cudnn8-runtime-ubuntu22.04, the answer "
     "says nvidia/cuda:12.1.0-cudnn8-runtime-ubuntu22.04"},
    {image, [](Environment& e) { e.images.official_devel = std::nullopt; },
     "images.official_devel: for torch 2.3.1+cu121 for linux-x86_64 pytorch/pytorch:2.3.1-cuda12.1-cudnn8-devel was published, "
     "the answer says none"},
    {image, [](Environment& e) { e.images.official_runtime = "pytorch/pytorch:2.3.1-cuda12.1-cudnn9-runtime"; },
     "images.official_runtime: for torch 2.3.1+cu121 for linux-x86_64 pytorch/pytorch:2.3.1-cuda12.1-cudnn8-runtime was "
     "published, the answer says pytorch/pytorch:2.3.1-cuda12.1-cudnn9-runtime"},
    {official, [](Environment& e) { e.images.official_runtime = std::nullopt; },
     "base: there is no official runtime image for it to start from"},
    {official, [](Environment& e) { e.os = "ubuntu22.04"; },
     "os: the image 2.12.0-cuda13.0-cudnn9-runtime is on ubuntu24.04, the answer says ubuntu22.04"},
    {official, [](Environment& e) { e.python = "3.11"; },
     "python: the image 2.12.0-cuda13.0-cudnn9-runtime has Python 3.12, the answer says 3.11"},
    {image, [](Environment& e) { e.pins.clear(); }, "pins: the rule setuptools-82 pins setuptools<82, the answer does not"},
    {image,
     [](Environment& e) {
       e.pins.push_back({"numpy", "<2", "habit", "none"});
     },
     "pins: no rule that holds pins numpy<2"},
    {image, [](Environment& e) { e.env.emplace_back("PIP_BREAK_SYSTEM_PACKAGES", "1"); },
     "env: no rule that holds sets PIP_BREAK_SYSTEM_PACKAGES=1"},
    {conda_forge, [](Environment& e) { e.env.clear(); },
     "env: the rule conda-override sets CONDA_OVERRIDE_CUDA=12.9, the answer does not"},
    {image, [](Environment& e) { e.warnings.pop_back(); }, "warnings: the rule tag-deletion warns, the answer does not"},
    {hosts, [](Environment& e) { std::swap(e.gpus[0], e.gpus[1]); }, "gpus.capability: V100 has 7.0, the answer says 12.0"},
    {hosts, [](Environment& e) { e.driver->range.minimum = "525.60.13"; },
     "driver.minimum: CUDA 12.8 on the asked boards needs 570.26, the answer says 525.60.13"},
    {image, [](Environment& e) { e.tensorflow = e.torch; }, "framework: an environment holds either torch or tensorflow"},
    {hosts, [](Environment& e) { e.driver->machines[0].asked = "550"; },
     "driver.machines.asked: 535 was asked for, the answer says 550"},
    {hosts, [](Environment& e) { e.driver->machines[1].gpus.clear(); },
     "driver.machines.gpus: 1 boards were asked for, the answer has 0"},
    {hosts, [](Environment& e) { e.driver->machines.pop_back(); }, "driver.machines: 2 were asked for, the answer has 1"},
    {hosts, [](Environment& e) { e.driver->machines[0].range.last_branch = "590"; },
     "driver.machines.last_branch: the last branch for the asked boards is 580, the answer says 590"},
    {image, [](Environment& e) { e.driver->range.last_branch = "580"; },
     "driver.last_branch: the last branch for the asked boards is none, the answer says 580"},
    {thor, [](Environment& e) { e.driver->range.minimum = "570.26"; },
     "driver.minimum: CUDA 13.2 on the asked boards needs no number, the answer says 570.26"},
    {image, [](Environment& e) { e.python = "3.14"; },
     "index_url: no index has a wheel of torch 2.3.1+cu121 for linux-x86_64 for Python 3.14"},
    {unlisted, [](Environment& e) { e.torch->archs = {"9.0"}; },
     "archs: no fact lists what torch 2.0.0+cu120 for linux-x86_64 was compiled for, the answer says 9.0"},
    {plain, [](Environment& e) { e.base = Base::pytorch; },
     "base: an official image is taken only when asked for, the answer is pytorch"},
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
      {"torch=2.3.1+cu118 gpu=4090", "tag: cu118 was asked for, the answer is cu121"},
      {"torch=2.3.1+cpu", "cuda: a CPU build was asked for"},
      {"cuda=cpu", "cuda: a CPU build was asked for"},
      {"tensorflow=2.16 gpu=4090", "tensorflow: 2.16 was asked for, the answer is a torch"},
      {"cuda=cu118 gpu=4090", "cuda: cu118 was asked for, the build is cu121"},
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
      {"os=noble gpu=4090", "os: noble was asked for, the answer is ubuntu22.04"},
      {"platform=arm64 gpu=4090", "platform: linux-aarch64 was asked for, the answer is linux-x86_64"},
      {"gpu=GH200", "platform: an asked board sits beside an Arm CPU only, the answer is linux-x86_64"},
      {"variant=devel gpu=4090", "variant: devel was asked for, the answer is runtime"},
      {"installer=uv gpu=4090", "installer: uv was asked for, the answer is pip"},
      {"base=cuda gpu=4090", "base: cuda was asked for, the answer is slim"},
      {"gpu=A100", "gpus.capability: A100 has 8.0, the answer says 8.9"},
      {"gpu=4090 gpu=A100", "gpus: 2 were asked for, the answer has 1"},
      {"gpu=4090 driver=515", "driver: driver 515.43.04 does not know 8.9, the first that does is 520.56.06"},
      {"gpu=4090 driver=520", "driver: driver 520.56.06 carries CUDA 12.1 by none of the named predicates"},
      {"gpu=4090 ptx", "driver.minimum: CUDA 12.1 on the asked boards needs 530.30.02, the answer says 525.60.13"},
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
              Contains("host: the V100 needs the proprietary kernel module and the 5090 the open one, and a host has one"));
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
              Contains("driver: driver 470.42.01 carries CUDA 12.1 by none of the named predicates"));
}

/// An answer with the boards of another request: what the build cannot do for them is seen without the resolver.
TEST(Check, KnowsWhatABuildCannotDoForABoard) {
  struct Case {
    std::string_view answered;
    std::string_view asked;
    std::function<void(Environment&)> change;
    std::string_view message;
  };
  const auto board = [](std::string_view name, std::string_view capability) {
    return [=](Environment& e) {
      e.gpus.front().name = name;
      e.gpus.front().capability = capability;
    };
  };
  const Case cases[] = {
      {"torch=2.12.0 gpu=A100", "torch=2.12.0 gpu=V100", board("V100", "7.0"),
       "cudnn: cuDNN 9.20.0.48 does not serve the V100 (7.0)"},
      {ptx, "tensorflow=2.15 gpu=V100 driver=570", board("V100", "7.0"),
       "gpus.via: PTX for 8.0 cannot be compiled for the V100 (7.0)"},
      {thor, "gpu=Thor driver=580", [](Environment&) {},
       "driver: Jetson drivers have numbers of their own, no fact says what 580 carries"},
      {thor, "host=gpu=Thor,gpu=4090", [](Environment&) {}, "host: a Jetson's GPU and another one cannot share a driver"},
      {free_threaded, "torch=2.12.0", [](Environment&) {}, "python: nobody asked for the free-threaded 3.13t"},
      {pins, "gpu=4090", [](Environment&) {}, "torch: nobody asked for a TensorFlow"},
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
  environment->torch->glibc = "2.28";
  const auto refused = api::verify(matrix, request, *environment);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::internal);
  EXPECT_EQ(refused.error().message,
            "the independent check refuses this answer: torch.glibc: torch 2.3.1+cu121 for linux-x86_64 has 2.17, the answer "
            "says 2.28; "
            "cudnn.major: cuDNN 8.9.2.26 is not of major 9; please report it");
}

}  // namespace
}  // namespace envgen::test
