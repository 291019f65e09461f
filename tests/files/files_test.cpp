// The other files, as the tool prints them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files/grammar.hpp"
#include "rendered.hpp"
#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"

namespace envgen {
namespace {

using test::render_refusal;
using test::rendered;
using test::run_tool;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(Requirements, NameTheWheelIndexOnlyWhereItIsNeeded) {
  EXPECT_THAT(rendered({"requirements", "--torch", "2.3", "--cuda", "12.1", "--pip", "einops"}),
              AllOf(Not(HasSubstr("index-url")),
                    HasSubstr("\ntorch==2.3.1\ntorchvision==0.18.1\ntorchaudio==2.3.1\nsetuptools<82\neinops\n")));
  EXPECT_THAT(
      rendered({"requirements", "--torch", "2.3", "--cuda", "11.8"}),
      HasSubstr("\n--extra-index-url https://download.pytorch.org/whl/cu118\ntorch==2.3.1+cu118\ntorchvision==0.18.1+cu118\n"));
}

TEST(PyProject, MakesTheWheelIndexExplicit) {
  const auto text = rendered({"pyproject", "--torch", "2.3", "--cuda", "11.8"});
  EXPECT_THAT(text, AllOf(HasSubstr("requires-python = \"==3.10.*\"\n"), HasSubstr("  \"torch==2.3.1\",\n"),
                          HasSubstr("explicit = true\n"), HasSubstr("torch = { index = \"pytorch-cu118\" }\n"),
                          HasSubstr("priority = \"explicit\"\n")));
  EXPECT_THAT(rendered({"pyproject", "--torch", "2.3", "--cuda", "12.1"}), Not(HasSubstr("index")));
}

TEST(PyProject, AndRequirementsAreNotForConda) {
  const std::string message = "envgen: --installer: this is a conda environment, which pip cannot install\n  --installer pip\n";
  EXPECT_EQ(render_refusal({"pyproject", "--torch", "2.5", "--installer", "conda"}), message);
  EXPECT_EQ(render_refusal({"requirements", "--torch", "2.5", "--installer", "conda"}), message);
}

TEST(Mirror, IsInEveryFileThatPipReads) {
  const std::string mirror = "https://mirror.example.org/simple";
  EXPECT_THAT(rendered({"requirements", "--torch", "2.3", "--pip-index", mirror}),
              HasSubstr("\n--index-url " + mirror + "\ntorch==2.3.1\n"));
  EXPECT_THAT(rendered({"pyproject", "--torch", "2.3", "--pip-index", mirror}),
              AllOf(HasSubstr("url = \"" + mirror + "\"\ndefault = true\n"), HasSubstr("priority = \"primary\"\n")));
}

TEST(Mirror, IsInTheCondaFilesPartForPip) {
  const std::string mirror = "https://mirror.example.org/simple";
  EXPECT_THAT(rendered({"conda", "--torch", "2.5", "--installer", "conda", "--pip", "einops", "--pip-index", mirror}),
              HasSubstr("  - pip:\n      - \"--index-url " + mirror + "\"\n      - \"einops\"\n"));
}

TEST(Certificate, ReachesEveryWayToBuild) {
  EXPECT_THAT(rendered({"dockerfile", "--torch", "2.3", "--ca-cert", "certificates.pem"}),
              HasSubstr("apt-get -o Acquire::https::CaInfo=/run/secrets/ca-cert.pem update"));
  EXPECT_THAT(rendered({"run", "--torch", "2.3", "--ca-cert", "certificates.pem"}),
              HasSubstr(" --secret id=ca-cert,src=certificates.pem ."));
  EXPECT_THAT(rendered({"compose", "--torch", "2.3", "--ca-cert", "certificates.pem"}),
              AllOf(HasSubstr("      secrets:\n        - ca-cert\n"),
                    HasSubstr("secrets:\n  ca-cert:\n    file: \"${CA_CERT:-certificates.pem}\"\n")));
}

TEST(Certificate, ReachesTheMachineThatSetupRunsOn) {
  EXPECT_THAT(rendered({"setup", "--torch", "2.3", "--ca-cert", "certificates.pem"}),
              AllOf(HasSubstr("export SSL_CERT_FILE=${SSL_CERT_FILE:-$PWD/certificates.pem}\nexport PIP_CERT=$SSL_CERT_FILE\n"),
                    HasSubstr("export CURL_CA_BUNDLE=$SSL_CERT_FILE\n"), HasSubstr("export CONDA_SSL_VERIFY=$SSL_CERT_FILE\n")));
  EXPECT_THAT(rendered({"setup", "--torch", "2.3", "--ca-cert", "/etc/ca.pem"}), HasSubstr(":-/etc/ca.pem}\n"));
}

TEST(Conda, QuotesEachSpecification) {
  const auto text = rendered({"conda", "--torch", "2.5", "--installer", "conda", "--pip", "einops"});
  EXPECT_THAT(text, AllOf(HasSubstr("channels:\n  - \"pytorch\"\n  - \"nvidia\"\n  - \"conda-forge\"\n  - nodefaults\n"),
                          HasSubstr("  - \"pytorch==2.5.1=*_cuda12.4_cudnn9.1.0_*\"\n  - \"pytorch-cuda=12.4\"\n"),
                          HasSubstr("  - \"pip\"\n  - pip:\n      - \"einops\"\n")));
  EXPECT_THAT(rendered({"conda", "--torch", "2.8", "--installer", "conda"}),
              AllOf(HasSubstr("CONDA_OVERRIDE_CUDA=\"12.9\" conda env create"), Not(HasSubstr("pip"))));
  EXPECT_EQ(render_refusal({"conda", "--torch", "2.3", "--installer", "pip"}),
            "envgen: --installer: this environment is for pip, not for conda\n  --installer conda\n");
  EXPECT_EQ(rendered({"conda", "--torch", "2.5"}), rendered({"conda", "--torch", "2.5", "--installer", "conda"}));
}

TEST(Run, GivesTheGpusThatWereChosen) {
  EXPECT_THAT(rendered({"run", "--torch", "2.3"}),
              AllOf(HasSubstr("  --gpus all "), HasSubstr("  --ipc=host "), HasSubstr("exec docker run")));
  EXPECT_THAT(rendered({"run", "--torch", "2.3", "--container-gpus", "2"}), HasSubstr("  --gpus 2 "));
  EXPECT_THAT(rendered({"run", "--torch", "2.3", "--container-gpus", "device=0:0"}), HasSubstr("  --gpus '\"device=0:0\"' "));
  EXPECT_THAT(rendered({"run", "--torch", "2.3", "--container-gpus", "none"}), Not(HasSubstr("--gpus")));
  EXPECT_THAT(rendered({"run", "--torch", "2.13", "--cuda", "cpu"}), Not(HasSubstr("--gpus")));
}

TEST(Run, IsForTheEngineThatWasAskedFor) {
  const std::vector<std::string> below{"--torch", "2.6", "--cuda", "12.6", "--base", "cuda", "--driver", "535", "--gpu", "4090"};
  const auto asked = [&](std::vector<std::string> first, std::vector<std::string> last) {
    first.insert(first.end(), below.begin(), below.end());
    first.insert(first.end(), last.begin(), last.end());
    return first;
  };
  EXPECT_THAT(
      rendered(asked({"run"}, {"--engine", "docker-cdi"})),
      AllOf(HasSubstr("  --device nvidia.com/gpu=all "), HasSubstr("exec docker run"), HasSubstr("  --ulimit memlock=-1 ")));
  EXPECT_THAT(rendered(asked({"run"}, {"--engine", "podman"})),
              AllOf(HasSubstr("  --device nvidia.com/gpu=all "), HasSubstr("exec podman run"), HasSubstr("--userns=keep-id")));
  EXPECT_THAT(rendered(asked({"compose"}, {"--engine", "docker-cdi"})),
              AllOf(HasSubstr("- \"nvidia.com/gpu=all\""), HasSubstr("docker compose"), Not(HasSubstr("driver: nvidia"))));
  EXPECT_THAT(rendered({"dockerfile", "--torch", "2.6", "--engine", "podman"}), HasSubstr("podman build"));
  EXPECT_EQ(render_refusal({"run", "--torch", "2.6", "--engine", "docker-cdi", "--container-gpus", "2"}),
            "envgen: --container-gpus: docker-cdi takes device names, not a number of GPUs\n  device=0,1\n  all\n");
}

const std::string slice = "MIG-c7384736-a75d-5afc-978f-d2f1294409fd";

TEST(Run, NamesDevicesToPodman) {
  EXPECT_THAT(rendered({"run", "--torch", "2.3", "--podman", "--container-gpus", "device=0," + slice, "--shm-size", "8g"}),
              AllOf(HasSubstr("  --device nvidia.com/gpu=0 "), HasSubstr("  --device nvidia.com/gpu=" + slice + " "),
                    HasSubstr("  --shm-size=8g "), Not(HasSubstr("--ipc")), HasSubstr("  --ulimit host "),
                    HasSubstr("--userns=keep-id"), HasSubstr("exec podman run")));
  EXPECT_EQ(render_refusal({"run", "--torch", "2.3", "--podman", "--container-gpus", "2"}),
            "envgen: --container-gpus: podman takes device names, not a number of GPUs\n  device=0,1\n  all\n");
}

TEST(Run, OfACpuBuildTakesNoGpu) {
  for (const auto* gpus : {"all", "2", "device=0"})
    EXPECT_EQ(render_refusal({"run", "--torch", "2.6", "--cuda", "cpu", "--container-gpus", gpus}),
              "envgen: --container-gpus: a CPU build uses no GPU, so its container gets none\n  leave it out\n");
  EXPECT_THAT(rendered({"run", "--torch", "2.6", "--cuda", "cpu", "--container-gpus", "none"}), Not(HasSubstr("--gpus")));
  EXPECT_THAT(rendered({"run", "--torch", "2.6", "--cuda", "cpu"}), Not(HasSubstr("--gpus")));
}

TEST(Run, InWslTakesAllGpusOrNone) {
  for (const auto* gpus : {"device=0", "2", "GPU-1a"}) {
    EXPECT_EQ(render_refusal({"run", "--wsl", "--gpu", "4090", "--container-gpus", gpus}),
              "envgen: --container-gpus: containers in WSL 2 get all GPUs or none\n  all\n  none\n");
  }
  EXPECT_THAT(rendered({"run", "--wsl", "--gpu", "4090", "--container-gpus", "all"}), HasSubstr("--gpus all"));
}

TEST(Outputs, NameTheWindowsDriver) {
  EXPECT_THAT(rendered("run", {"--wsl", "--gpu", "5090", "--torch", "2.9"}),
              HasSubstr(", for GeForce RTX 5090 with Windows driver 570 or newer (CUDA 12.8 in nvidia-smi)\n"));
  EXPECT_THAT(rendered("run", {"--wsl", "--gpu", "5090", "--torch", "2.9", "--driver", "572.16"}),
              HasSubstr(" with Windows driver 572.16\n"));
}

TEST(Outputs, PodmanIsNoEngineOfDocker) {
  EXPECT_EQ(render_refusal({"run", "--torch", "2.6", "--engine", "docker-cdi", "--podman"}),
            "envgen: --podman: it contradicts --engine docker-cdi\n");
  EXPECT_THAT(rendered({"run", "--torch", "2.6", "--engine", "podman", "--podman"}), HasSubstr("exec podman run"));
}

TEST(Outputs, WithAContainerNeedAnEngine) {
  for (const auto* kind : {"dockerfile", "run", "compose", "devcontainer"})
    EXPECT_EQ(render_refusal({kind, "--torch", "2.6", "--engine", "none"}),
              fmt::format("envgen: --engine: {} needs a container, which --engine none excludes\n"
                          "  without a container: envgen render setup\n",
                          kind));
  EXPECT_THAT(rendered({"setup", "--torch", "2.6", "--engine", "none"}), HasSubstr("torch==2.6.0"));
}

TEST(Outputs, WithoutAContainerAskNothingOfTheDriverForAnImage) {
  // The 4090 with driver 535 does not start nvidia/cuda images of CUDA 12.8, and runs its wheels.
  const auto of = [](const char* kind) {
    return Words{kind, "--torch", "2.8", "--gpu", "4090", "--driver", "535", "--pip", "flash-attn"};
  };
  for (const auto* kind : {"setup", "requirements", "pyproject"}) EXPECT_THAT(rendered(of(kind)), HasSubstr("CUDA 12.8")) << kind;
  auto in_stages = of("dockerfile");
  EXPECT_THAT(test::render(in_stages).err, HasSubstr("No environment satisfies"));
  EXPECT_THAT(
      test::render(in_stages).err,
      testing::EndsWith("envgen: with --multi-stage there is one: its devel image only compiles, without a GPU, so nothing "
                        "checks the driver\n"));
  EXPECT_THAT(test::render(in_stages).err, Not(HasSubstr("variant runtime"))) << "flash-attn would be refused again";
  in_stages.emplace_back("--multi-stage");
  EXPECT_THAT(rendered(in_stages), HasSubstr("-devel-"));
  in_stages.emplace_back("--driver");
  in_stages.emplace_back("470");
  EXPECT_THAT(test::render(in_stages).err, Not(HasSubstr("--multi-stage")));
}

TEST(Outputs, ForPodmanAskNothingOfTheDriverEither) {
  const Words podman{"dockerfile", "--torch", "2.8", "--gpu", "4090", "--driver", "535", "--pip", "flash-attn", "--podman"};
  EXPECT_THAT(rendered(podman), HasSubstr("CUDA 12.8"));
}

TEST(Outputs, OfEveryKindRefuseAnExtensionThatTheGpuCannotRun) {
  for (const auto* kind : {"dockerfile", "requirements", "pyproject", "conda", "setup"}) {
    EXPECT_THAT(render_refusal({kind, "--torch", "2.6", "--gpu", "V100", "--pip", "flash-attn"}),
                HasSubstr("envgen: --pip: 'flash-attn' needs a GPU of compute capability 8.0 or newer, but the V100 has 7.0"))
        << kind;
  }
}

/// By setup.py, README and METADATA of the releases, which the rows of extensions.json name.
TEST(Outputs, RefuseReleasesOfPackagesThatDoNotFit) {
  const auto requirements = [](std::initializer_list<std::string> words) {
    Words all{"requirements", "--pip"};
    all.insert(all.end(), words);
    return all;
  };
  for (const auto& words :
       {requirements({"flash-attn==2.5.8", "--torch", "2.3", "--gpu", "T4"}),
        requirements({"flash-attn==2.7.3", "--torch", "2.7", "--gpu", "5090"}),
        requirements({"flash-attn==2.8.3", "--torch", "1.13.1", "--gpu", "A100"}),
        requirements({"flashinfer-python", "--torch", "2.6", "--gpu", "V100"}),
        requirements({"mamba-ssm==2.2.4", "--torch", "2.6", "--gpu", "P100"}),
        requirements({"mamba-ssm==2.2.4", "--torch", "2.7", "--gpu", "5090"}),
        requirements({"mamba-ssm", "--torch", "2.9", "--gpu", "V100"}),
        requirements({"causal-conv1d==1.7.0", "--torch", "2.6", "--gpu", "V100"}),
        requirements({"xformers==0.0.28", "--torch", "2.6", "--gpu", "A100"}), requirements({"vllm==0.6.3", "--torch", "2.5.1"}),
        requirements({"sglang>=0.5.3,<0.5.6", "--torch", "2.9"}), requirements({"bitsandbytes==0.49.2", "--torch", "2.2"}),
        requirements({"torch-tensorrt==2.14.0", "--torch", "2.13"}),
        requirements({"pytorch-lightning==2.5.0", "--torch", "1.13"})})
    EXPECT_NE(test::render(words).err.find("envgen: --pip: "), std::string::npos) << testing::PrintToString(words);
  for (const auto& words :
       {requirements({"flash-attn==1.0.9", "--torch", "2.0", "--gpu", "T4"}),
        requirements({"flash-attn<2", "--torch", "2.0", "--gpu", "2080Ti"}),
        requirements({"flash-attn==2.8.3", "--torch", "2.7", "--gpu", "5090"}),
        requirements({"flash-attn==2.7.3", "--torch", "1.13.1", "--gpu", "A100"}),
        requirements({"flashinfer-python", "--torch", "2.6", "--gpu", "T4"}),
        requirements({"mamba-ssm==2.2.4", "--torch", "2.6", "--gpu", "V100"}),
        requirements({"mamba-ssm", "--torch", "2.6", "--gpu", "V100"}),  // pip takes 2.3.1, because of Triton
        requirements({"xformers==0.0.28", "--torch", "2.4.1", "--gpu", "A100"}),
        requirements({"xformers", "--torch", "2.6", "--gpu", "A100"}), requirements({"vllm==0.6.3", "--torch", "2.4.0"}),
        requirements({"sglang[all]==0.4.6", "--torch", "2.9"}), requirements({"bitsandbytes", "--torch", "2.2"}),
        requirements({"torch-tensorrt==2.3.0", "--torch", "2.3.1"}), requirements({"lightning==2.2.0", "--torch", "1.13"})})
    EXPECT_EQ(test::render(words).err.find("--pip: "), std::string::npos) << testing::PrintToString(words);
}

TEST(Outputs, AreNamedAsTheirProgramsAreToo) {
  EXPECT_THAT(render_refusal({"docker-compose", "--torch", "2.6"}), HasSubstr("\n  did you mean compose?\n"));
}

TEST(Run, NamesOfGpusNeedNoDevice) {
  EXPECT_THAT(rendered({"run", "--torch", "2.3", "--container-gpus", slice}), HasSubstr("\"device=" + slice + "\""));
  const std::string before_r470 = "MIG-GPU-edf6e2b4-1c0b-4d2f-8d0e-0a1b2c3d4e5f/1/0";
  EXPECT_THAT(rendered({"run", "--torch", "2.3", "--container-gpus", "GPU-1a," + before_r470}),
              HasSubstr("\"device=GPU-1a," + before_r470 + "\""));
}

TEST(Run, KnowsASliceOfMigByTheFormOfItsUuid) {
  EXPECT_EQ(render_refusal({"run", "--torch", "2.3", "--container-gpus", "MIG-x"}),
            "envgen: --container-gpus: 'MIG-x' does not name a MIG slice by its UUID\n"
            "  'nvidia-smi -L' lists them: MIG-c7384736-a75d-5afc-978f-d2f1294409fd, or, with a driver before R470, "
            "MIG-GPU-UUID/1/0\n"
            "  by their numbers: device=0:0\n");
  for (const auto& bad : {std::string("MIG-"), std::string("MIG-1,GPU-2"), "device=" + slice + "0", slice + "/1/0",
                          "MIG-GPU-" + slice.substr(4), slice + ",MIG-1g.5gb"})
    EXPECT_THAT(render_refusal({"run", "--torch", "2.3", "--container-gpus", bad}),
                HasSubstr("does not name a MIG slice by its UUID"))
        << bad;
}

TEST(Run, RefusesWhatNamesNoGpus) {
  for (const auto* bad : {"device=", "device=0,", "device=0 1", "-1", "0", "device=$(x)", "device=GPU-1;x", "GPU-1;x", "GPU-1,0"})
    EXPECT_THAT(render_refusal({"run", "--torch", "2.3", "--container-gpus", bad}),
                HasSubstr("is not a choice of this machine's GPUs"))
        << bad;
  EXPECT_EQ(render_refusal({"compose", "--torch", "2.3", "--container-gpus", "some"}),
            "envgen: --container-gpus: 'some' is not a choice of this machine's GPUs\n  all, none, 2, device=0,1, device=0:0, "
            "GPU-UUID or MIG-UUID\n");
}

TEST(Container, LocksMemoryOnlyForGpus) {
  for (const auto* kind : {"run", "compose", "devcontainer"}) {
    EXPECT_THAT(rendered({kind, "--torch", "2.3"}), HasSubstr("memlock")) << kind;
    EXPECT_THAT(rendered({kind, "--torch", "2.13", "--cuda", "cpu"}), Not(HasSubstr("memlock"))) << kind;
  }
}

TEST(Compose, ReservesForDockerAndNamesForPodman) {
  EXPECT_THAT(rendered({"compose", "--torch", "2.3"}),
              AllOf(HasSubstr("              count: all\n              capabilities: [gpu]\n"), HasSubstr("    ipc: host\n"),
                    Not(HasSubstr("nvidia.com/gpu"))));
  EXPECT_THAT(rendered({"compose", "--torch", "2.3", "--container-gpus", "device=0,1"}),
              HasSubstr("device_ids: [\"0\", \"1\"]\n"));
  EXPECT_THAT(rendered({"compose", "--torch", "2.3", "--podman", "--shm-size", "8g"}),
              AllOf(HasSubstr("    devices:\n      - \"nvidia.com/gpu=all\"\n"), HasSubstr("    shm_size: \"8g\"\n"),
                    Not(HasSubstr("deploy"))));
}

TEST(Compose, BringsTheDockerfileThatItBuilds) {
  EXPECT_EQ(test::render({"compose", "--torch", "2.3"}).err,
            "envgen: this file needs 'Dockerfile' next to it; '-o ./' writes both\n");
  const test::TemporaryFolder folder;
  const auto path = folder.path().string() + "/";
  ASSERT_EQ(test::render({"compose", "--torch", "2.3", "--jupyter", "-o", path}).exit, 0);
  EXPECT_THAT(folder.read("Dockerfile"), HasSubstr(" jupyterlab=="));
  EXPECT_THAT(folder.read("compose.yaml"), HasSubstr("      context: .\n"));
  // One of the user's own serves as well.
  folder.write("Dockerfile", "FROM mine\n");
  ASSERT_EQ(test::render({"compose", "--torch", "2.3", "-o", path}).exit, 0);
  EXPECT_EQ(folder.read("Dockerfile"), "FROM mine\n");
}

TEST(Extension, IsSaidInEveryFile) {
  const std::vector<std::string> asked{"--torch", "2.9", "--pip", "flash-attn"};
  const auto of = [&](const std::string& kind, std::vector<std::string> more = {}) {
    std::vector<std::string> words{kind};
    words.insert(words.end(), asked.begin(), asked.end());
    words.insert(words.end(), more.begin(), more.end());
    return rendered(words);
  };
  EXPECT_THAT(of("requirements"),
              HasSubstr("so install it afterwards, and without a cache, which may hold a build for another torch:\n"
                        "#   pip install --no-cache-dir --no-build-isolation flash-attn\n"));
  EXPECT_THAT(of("pyproject"),
              AllOf(HasSubstr("[tool.uv]\n# Built against the installed torch.\nno-build-isolation-package = [\"flash-attn\"]\n"),
                    HasSubstr("\nextra-build-variables = { \"flash-attn\" = { ENVGEN_BUILT_FOR = \"torch 2.9.1, cu128\", "
                              "TORCH_CUDA_ARCH_LIST = "),
                    HasSubstr("  \"flash-attn\",\n")));
  EXPECT_THAT(of("setup"), HasSubstr("-m pip install --no-build-isolation torch==2.9.1 flash-attn\n"));
}

TEST(Extension, IsCompiledIntoACacheOfItsOwnOnAMachine) {
  const auto setup = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"setup", "--torch", "2.9", "--gpu", "4090", "--gpu", "H100"});
    return rendered(more);
  };
  const auto pip = setup({"--pip", "Flash_Attn>=2.8", "--pip", "mamba-ssm[causal-conv1d]"});
  EXPECT_THAT(
      pip, AllOf(HasSubstr("\nstale=$(\"$place/bin/python\" \"$extensions\" --for 8.9 --for 9.0 stale flash-attn mamba-ssm)\n"),
                 HasSubstr("\n  \"$place/bin/python\" -m pip uninstall --yes \"${stale[@]}\"\n"),
                 HasSubstr("/envgen-built/$(\"$place/bin/python\" \"$extensions\" key)\n"
                           "PIP_CACHE_DIR=$built UV_CACHE_DIR=$built \"$place/bin/python\" -m pip install --no-build-isolation "),
                 HasSubstr("\n\"$place/bin/python\" \"$extensions\" record flash-attn mamba-ssm\n"),
                 HasSubstr("\n\"$place/bin/python\" \"$extensions\" --for 8.9 --for 9.0 check flash-attn mamba-ssm\n")));
  EXPECT_THAT(setup({"--pip", "flash-attn", "--installer", "uv"}),
              AllOf(HasSubstr("PIP_CACHE_DIR=$built UV_CACHE_DIR=$built \"$uv\" pip install "),
                    HasSubstr("\n  \"$uv\" pip uninstall --python \"$place/bin/python\" \"${stale[@]}\"\n")));
  EXPECT_THAT(setup({"--pip", "einops"}), Not(HasSubstr("envgen-built")));
}

TEST(Setup, IsTheSameEnvironmentWithoutAContainer) {
  const auto pip = rendered({"setup", "--torch", "2.3", "--cuda", "11.8", "--pip", "einops", "--apt", "libgl1"});
  EXPECT_THAT(pip, AllOf(HasSubstr("\nTORCH_INDEX_URL=${TORCH_INDEX_URL:-https://download.pytorch.org/whl/cu118}\n"),
                         HasSubstr("\n  if ! python3.10 -m venv \"$place\" >/dev/null 2>&1; then\n"),
                         HasSubstr("\"$place/bin/python\" -m pip install --index-url \"$TORCH_INDEX_URL\" torch==2.3.1 "),
                         HasSubstr("-m pip install torch==2.3.1 einops\n"), HasSubstr("\npackages=(libgl1)\n"),
                         HasSubstr("torch._C._cuda_getArchFlags()"), HasSubstr("place=${ENVGEN_HOME:-$PWD/.venv}")));
  const auto uv = rendered({"setup", "--torch", "2.3", "--installer", "uv"});
  EXPECT_THAT(uv, AllOf(HasSubstr("\"$uv\" pip install --python \"$place/bin/python\" torch==2.3.1"), Not(HasSubstr("-m venv")),
                        Not(HasSubstr("TORCH_INDEX_URL"))));
  const auto conda = rendered({"setup", "--torch", "2.8", "--cuda", "12.9", "--installer", "conda", "--variant", "devel"});
  EXPECT_THAT(conda, AllOf(HasSubstr("export CONDA_OVERRIDE_CUDA=12.9\n"),
                           HasSubstr("--override-channels --strict-channel-priority --channel conda-forge"),
                           HasSubstr("place=${ENVGEN_HOME:-$PWD/.conda}"), HasSubstr(" cuda-nvcc ")));
  EXPECT_THAT(rendered({"setup", "--torch", "2.13", "--cuda", "cpu"}), Not(HasSubstr("nvidiactl")));
}

TEST(Builds, AreGivenTheLoginOfAnIndexThatTheUserNames) {
  const std::vector<std::pair<std::string, std::string>> wanted{
      {"run", "\n# If its index needs a password, add: --secret id=netrc,src=FILE\n"},
      {"compose", "      secrets:\n        - netrc\n"},
      {"compose", "\nsecrets:\n  netrc:\n    file: \"${NETRC:-/dev/null}\"\n"},
      {"devcontainer", "\"id=netrc,src=${localEnv:NETRC:/dev/null}\""},
      {"devcontainer",
       "\n// If the index needs a password: set the variable NETRC on your machine to a file with a line 'machine HOST login "
       "USER password PASSWORD'.\n"},
  };
  for (const auto& [kind, text] : wanted) {
    EXPECT_THAT(rendered({kind, "--torch", "2.3", "--pip-index", "https://index.example.org/simple"}), HasSubstr(text)) << kind;
    EXPECT_THAT(rendered({kind, "--torch", "2.3", "--torch-mirror", "https://wheels.example.org"}), HasSubstr(text)) << kind;
    // A known mirror asks for none, and the classic builder has no secrets.
    EXPECT_THAT(rendered({kind, "--torch", "2.3"}), Not(HasSubstr(text))) << kind;
    EXPECT_THAT(test::render({kind, "--torch", "2.3", "--mirror", "tuna"}).out, Not(HasSubstr(text))) << kind;
    EXPECT_THAT(rendered({kind, "--torch", "2.3", "--legacy-builder", "--pip-index", "https://index.example.org/simple"}),
                Not(HasSubstr(text)))
        << kind;
  }
  EXPECT_THAT(rendered({"compose", "--torch", "2.3", "--pip-index", "https://index.example.org/simple", "--ca-cert", "ca.pem"}),
              AllOf(HasSubstr("      secrets:\n        - ca-cert\n        - netrc\n"),
                    HasSubstr("\nsecrets:\n  ca-cert:\n    file: \"${CA_CERT:-ca.pem}\"\n  netrc:\n")));
}

TEST(Setup, SaysHowAnIndexGetsItsPassword) {
  const auto line = HasSubstr(
      "\n# If the index needs a password, put a line 'machine HOST login USER password PASSWORD' into ~/.netrc, which pip and uv "
      "read.\n");
  EXPECT_THAT(rendered({"setup", "--torch", "2.3", "--pip-index", "https://index.example.org/simple"}), line);
  EXPECT_THAT(rendered({"setup", "--torch", "2.3", "--legacy-builder", "--torch-mirror", "https://wheels.example.org"}), line);
  EXPECT_THAT(rendered({"setup", "--torch", "2.3"}), Not(HasSubstr("netrc")));
  EXPECT_THAT(test::render({"setup", "--torch", "2.3", "--mirror", "tuna"}).out, Not(HasSubstr("netrc")));
}

TEST(Setup, SaysHowManyCompilersRunWhereSomethingIsCompiled) {
  const std::string line = "\n# MAX_JOBS=N limits how many compilers run at once, if memory is short.\n";
  EXPECT_THAT(test::render({"setup", "--torch", "2.6", "--pip", "flash-attn"}).out, HasSubstr(line));
  EXPECT_THAT(rendered({"setup", "--torch", "2.6"}), Not(HasSubstr("MAX_JOBS=N")));
}

TEST(Setup, BringsItsToolsByTheirHashes) {
  const auto pip = rendered({"setup", "--torch", "2.3"});
  EXPECT_THAT(
      pip, AllOf(HasSubstr("-m pip install --quiet --upgrade --target \"$place.uv\" --require-hashes --requirement /dev/stdin "
                           "<<<'uv==0.13.9 --hash=sha256:d7f459fe4fd247d830351c75686d3996ace3c6f3f728eb0e85a30b7ada0cef19'\n"),
                 HasSubstr("\"$uv\" pip install --python \"$place/bin/python\" --require-hashes --requirement /dev/stdin "
                           "<<<'pip==25.0.1 --hash=sha256:c46efd13b6aa8279f33f2864459c8ce587ea6a1a59ee20de055868d8f7688f7f'\n"),
                 HasSubstr("  from_github \"$uv\" venv --python 3.10 \"$place\"\n"), Not(HasSubstr("UV_UNMANAGED_INSTALL")),
                 Not(HasSubstr("install.sh")), Not(HasSubstr("--seed"))));
  EXPECT_THAT(rendered({"setup", "--torch", "1.12", "--python", "3.7", "--os", "ubuntu18.04", "--installer", "conda"}),
              HasSubstr("echo \"848194851a98903134187fbb4ab50efe87b003e0c0f808f97644b7524a62bf2c  "
                        "$scratch/miniforge.sh\" | sha256sum --check --quiet\n"));
}

TEST(Setup, ReplacesAPipThatIsTooOld) {
  const std::string looks = "assert [int(part) for part in pip.__version__.split(\".\")[:2]] >= [20, 3]'";
  const auto by_36 = rendered({"setup", "--torch", "1.9", "--python", "3.6"});
  EXPECT_THAT(by_36, AllOf(HasSubstr(looks), HasSubstr("<<<'pip==21.3.1 --hash="), Not(HasSubstr("pip==24.0"))));
  EXPECT_THAT(rendered({"setup", "--torch", "2.3", "--os", "ubuntu20.04"}), HasSubstr(looks));
  for (const auto* other : {"debian11", "ubuntu22.04"})
    EXPECT_THAT(rendered({"setup", "--torch", "2.3", "--os", other}), Not(HasSubstr(looks)));
}

TEST(Setup, NeedsWhatAScriptCanBring) {
  EXPECT_EQ(
      render_refusal({"setup", "--tensorflow", "2.12"}),
      "envgen: --tensorflow: tensorflow 2.12.1 needs CUDA 11.8 and cuDNN 8.6 of the system, which setup.sh does not install\n"
      "  an image contains them: envgen render dockerfile\n"
      "  --tensorflow 2.14, the first whose wheels bring CUDA\n");
  EXPECT_EQ(
      render_refusal({"setup", "--tensorflow", "2.10"}),
      "envgen: --tensorflow: tensorflow 2.10.1 needs CUDA 11.2 and cuDNN 8.1 of the system, which setup.sh does not install\n"
      "  an image contains them: envgen render dockerfile\n"
      "  or the official image: envgen render dockerfile --base tensorflow\n"
      "  --tensorflow 2.14, the first whose wheels bring CUDA\n");
  EXPECT_EQ(render_refusal({"setup", "--torch", "1.12", "--python", "3.7", "--os", "ubuntu20.04"}),
            "envgen: --python: uv does not provide Python 3.7\n  --installer conda\n");
}

/// From 2.14 on the wheel brings CUDA; an image of NVIDIA has it, too.
TEST(Requirements, SayWhatAnOldTensorFlowNeedsOfTheSystem) {
  const std::string note =
      "# The wheel of tensorflow 2.10.1 includes no CUDA: the system has to provide CUDA 11.2 and cuDNN 8.1.\n";
  for (const auto* output : {"requirements", "pyproject"})
    EXPECT_THAT(rendered({output, "--tensorflow", "2.10"}), HasSubstr("\n" + note)) << output;
  EXPECT_THAT(rendered({"dockerfile", "--tensorflow", "2.10"}), Not(HasSubstr("includes no CUDA")));
  EXPECT_THAT(rendered({"requirements", "--tensorflow", "2.14"}), Not(HasSubstr("includes no CUDA")));
}

/// By the built-in data.
TEST(Render, RefusesPackagesThatNoReleaseFits) {
  const auto refused = [](std::vector<std::string> request, const std::string& package) {
    request.insert(request.begin(), "requirements");
    request.insert(request.end(), {"--pip", package});
    return render_refusal(request);
  };
  EXPECT_EQ(refused({"--torch", "2.6", "--python", "3.9"}, "bitsandbytes==0.50.2"),
            "envgen: --pip: 'bitsandbytes==0.50.2' requires Python >=3.10, but this environment has Python 3.9\n"
            "  for Python 3.9: 'bitsandbytes==0.48.2'\n  or --python 3.10\n");
  EXPECT_EQ(refused({"--torch", "2.6", "--python", "3.13"}, "vllm==0.8.5"),
            "envgen: --pip: 'vllm==0.8.5' requires Python >=3.9,<3.13, but this environment has Python 3.13\n"
            "  for Python 3.13: 'vllm==0.8.3'\n  or --python 3.12\n");
  EXPECT_EQ(refused({"--torch", "2.6"}, "xformers>=0.0.30"),
            "envgen: 'xformers>=0.0.30' needs nvcc, so the devel variant is used\n"
            "envgen: --pip: 'xformers>=0.0.30' requires torch==2.7.0, torch==2.7.1, ... or torch>=2.10, but this environment has "
            "torch 2.6.0\n  for torch 2.6.0: 'xformers==0.0.29.post3'\n");
  EXPECT_EQ(refused({"--torch", "2.6", "--gpu", "P100"}, "vllm"),
            "envgen: --pip: 'vllm' needs a GPU of compute capability 7.0 or newer, but the P100 has 6.0\n");
  EXPECT_EQ(refused({"--tensorflow", "2.15"}, "vllm"),
            "envgen: --pip: 'vllm' needs torch, which this environment does not have\n"
            "  make an environment of PyTorch for it: --torch VERSION\n");
  EXPECT_EQ(refused({"--tensorflow", "2.15"}, "keras>=3"),
            "envgen: --pip: 'keras>=3' contradicts 'keras>=2.15.0,<2.16', which tensorflow 2.15.1 requires\n"
            "  leave it out: it is installed anyway\n");
  EXPECT_EQ(refused({"--tensorflow", "2.21"}, "protobuf<5"),
            "envgen: --pip: 'protobuf<5' contradicts 'protobuf>=6.31.1,<8.0.0', which tensorflow 2.21.0 requires\n"
            "  leave it out: it is installed anyway\n");
  EXPECT_EQ(refused({"--torch", "2.9.1", "--cuda", "12.8"}, "nvidia-cudnn-cu12==9.15.1.9"),
            "envgen: --pip: 'nvidia-cudnn-cu12==9.15.1.9' contradicts nvidia-cudnn-cu12 9.10.2.21, which torch 2.9.1 pins\n"
            "  leave it out: it is installed anyway\n"
            "  or replace it when all else is installed: pip install nvidia-cudnn-cu12==9.15.1.9\n");
}

TEST(Render, KnowsItsOutputs) {
  EXPECT_EQ(
      render_refusal({"dockerfil", "--torch", "2.3"}),
      "envgen: render: 'dockerfil' is not an output; the outputs are dockerfile, conda, requirements, pyproject, run, compose, "
      "setup, devcontainer, vscode, ci\n"
      "  did you mean dockerfile?\n");
  EXPECT_THAT(render_refusal({"\x1b[31m\x9b"}), testing::StartsWith("envgen: render: '\\x1b[31m\\x9b' is not an output; "));
  EXPECT_EQ(render_refusal({"run", "--torch", "2.3", "--lock", "x"}),
            "envgen: --lock: a lock is rendered as is, so it cannot be combined with a request\n");
  EXPECT_EQ(render_refusal({"run", "--torch", "2.3", "--image-name", "A B"}),
            "envgen: --image-name: 'A B' is not an image name\n  such as registry.example.org/base:1.0\n");
}

TEST(Size, IsAsDockerTakesIt) {
  for (const auto* good : {"64m", "8g", "8gb", "1073741824"}) EXPECT_TRUE(files::check_size(good, "--shm-size")) << good;
  for (const auto* bad : {"", "0", "much", "8 g", "-1", "8t", "8", "999999"})
    EXPECT_FALSE(files::check_size(bad, "--shm-size")) << bad;
  EXPECT_EQ(test::text_of(files::check_size("8", "--shm-size").error()),
            "other | --shm-size | '8' is a number of bytes | did you mean 8g?");
}

}  // namespace
}  // namespace envgen
