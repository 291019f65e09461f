#include "files/install_commands.hpp"

#include <gmock/gmock.h>

#include "files/extensions.hpp"
#include "files/known_releases.hpp"
#include "files/pinned.hpp"
#include "files/requirement.hpp"
#include "files/resolved.hpp"
#include "model/shell_word.hpp"
#include "support/error_text.hpp"

namespace envgen::files {
namespace {

using testing::ElementsAre;

std::vector<std::string> lines_for(std::string_view request) {
  std::vector<std::string> lines;
  for (const auto& command : install_commands(test::environment_of(request))) lines.push_back(shell_words(command));
  return lines;
}

TEST(InstallCommands, NameTheIndexWhereThePackageIndexLacksTheBuild) {
  EXPECT_THAT(lines_for("torch=2.10 gpu=5090"), ElementsAre("pip install torch==2.10.0 torchvision==0.25.0 torchaudio==2.10.0"));
  EXPECT_THAT(lines_for("torch=2.10 cuda=12.6"),
              ElementsAre("pip install torch==2.10.0 torchvision==0.25.0 torchaudio==2.10.0 --index-url "
                          "https://download.pytorch.org/whl/cu126"));
}

TEST(InstallCommands, HoldWhatMustNotBeNewer) {
  EXPECT_THAT(lines_for("torch=2.3 cuda=11.8"),
              ElementsAre("pip install 'setuptools<82'",
                          "pip install torch==2.3.1 torchvision==0.18.1 torchaudio==2.3.1 --index-url "
                          "https://download.pytorch.org/whl/cu118"));
}

TEST(InstallCommands, AreThoseOfTheInstaller) {
  EXPECT_THAT(lines_for("torch=2.10 installer=uv python=3.12"),
              ElementsAre("uv venv --python 3.12", "uv pip install torch==2.10.0 torchvision==0.25.0 torchaudio==2.10.0"));
  EXPECT_THAT(lines_for("torch=2.3 installer=conda cuda=12.1 python=3.12"),
              ElementsAre(testing::StartsWith("conda create --name torch-2.3.1 --override-channels --channel pytorch")));
  EXPECT_THAT(lines_for("torch=2.6 base=pytorch"), ElementsAre("docker pull pytorch/pytorch:2.6.0-cuda12.4-cudnn9-runtime"));
  EXPECT_THAT(lines_for("torch=2.6 base=pytorch engine=podman"),
              ElementsAre("podman pull pytorch/pytorch:2.6.0-cuda12.4-cudnn9-runtime"));
}

TEST(InstallLines, MakeTheVirtualEnvironmentThatPipNeeds) {
  const auto first = [](std::string_view request) { return install_lines(test::environment_of(request)).front(); };
  EXPECT_EQ(first("torch=2.10 os=ubuntu24.04"), "python3.12 -m venv .venv && . .venv/bin/activate");
  EXPECT_EQ(first("torch=2.10 os=ubuntu22.04 python=3.13"), "uv venv --seed --python 3.13 && . .venv/bin/activate");
  EXPECT_EQ(first("torch=2.10 installer=uv python=3.12"), "uv venv --python 3.12");
  EXPECT_EQ(first("torch=2.6 base=pytorch"), "docker pull pytorch/pytorch:2.6.0-cuda12.4-cudnn9-runtime");
}

TEST(InstallLines, TellCondaTheCudaAndActivate) {
  const auto lines = install_lines(test::environment_of("torch=2.6 installer=conda gpu=4090"));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines.front(),
              testing::StartsWith("CONDA_OVERRIDE_CUDA=12.6 CONDA_OVERRIDE_CUDA_ARCH=8.9 conda create --name torch-2.6.0 "));
  EXPECT_EQ(lines.back(), "conda activate torch-2.6.0");
}

TEST(Extensions, ThatLackAHyphenAreRefused) {
  Options options;
  options.pip = {{"flashattn==2.7", "--pip"}};
  options.extensions = {{"flash-attn", false, {}, {}, {}}};
  const auto environment = test::environment_of("torch=2.6 variant=devel gpu=A100");
  EXPECT_EQ(test::text_of(check_extensions({environment, options, {}}).error()),
            "other | --pip | no package is called 'flashattn==2.7' | did you mean flash-attn?");
  options.pip = {{"numpy", "--pip"}};
  EXPECT_TRUE(check_extensions({environment, options, {}}));
}

/// What a check says against an environment with these packages; empty: nothing.
std::string said_by(Expected<void> (*check)(const Inputs&), const Options& options, const char* request) {
  const auto environment = test::environment_of(request);
  const auto checked = check({environment, options, {}});
  return checked ? std::string() : test::text_of(checked.error());
}

/// What is said against a requirement; empty: nothing.
std::string refusal(const std::string& requirement, const char* request, std::vector<PackageNeeds> needs,
                    std::string instead = {}) {
  Options options;
  options.pip = {{requirement, "--pip"}};
  options.extensions = {{requirement_name(requirement), false, {}, {}, std::move(instead)}};
  options.needs = std::move(needs);
  return said_by(check_extensions, options, request);
}

TEST(Extensions, ThatANamedGpuCannotRunAreRefused) {
  const auto refused = [](const char* request) {
    return refusal("flash-attn>=2", request, {{"flash-attn", Version(2), {}, Capability{8, 0}}}, "torch has its own");
  };
  EXPECT_EQ(refused("torch=2.6 variant=devel gpu=A100 gpu=T4"),
            "other | --pip | 'flash-attn>=2' needs a GPU of compute capability 8.0 or newer, but the Tesla T4 has 7.5 | leave it "
            "out: torch has its own");
  EXPECT_EQ(refused("torch=2.6 variant=devel gpu=A100"), "");
  EXPECT_EQ(refused("torch=2.6 variant=devel"), "");
}

TEST(Extensions, AreCompiledForTheGpusOfTheirRelease) {
  const auto refused = [](const char* requirement, const char* request) {
    return refusal(requirement, request,
                   {{"flash-attn", Version(1), {{7, 5}, {8, 0}, {9, 0}}},
                    {"flash-attn", Version(2), {{8, 0}, {9, 0}}},
                    {"flash-attn", Version(2, 7, 4), {}, Capability{8, 0}}});
  };
  const auto* t4 = "torch=2.6 variant=devel gpu=T4";
  const auto needs_8 = [](const char* requirement) {
    return fmt::format(
        "other | --pip | '{}' needs a GPU of compute capability 8.0 or newer, but the Tesla T4 has 7.5 | a release that runs on "
        "it: 'flash-attn<2'",
        requirement);
  };
  for (const auto* newer : {"flash-attn", "flash-attn>=1", "flash-attn==2.*", "flash-attn~=2.5", "flash-attn!=2.8.3",
                            "flash-attn==2.5.9.post1", "flash-attn>1.0.9", "flash_attn<=2"})
    EXPECT_EQ(refused(newer, t4), needs_8(newer));
  for (const auto* older : {"flash-attn<2", "flash-attn==1.0.9", "flash-attn~=1.0", "flash-attn==1.*", "flash-attn<2,>=1.0.5"})
    EXPECT_EQ(refused(older, t4), "") << older;
  for (const auto* unknown : {"flash-attn==0.2.8", "flash-attn<1", "flash-attn==2.9.0rc1", "flash-attn==2.8.3+cu12"})
    EXPECT_EQ(refused(unknown, t4), "") << unknown;
  const auto* blackwell = "torch=2.7 variant=devel gpu=5090";
  EXPECT_EQ(refused("flash-attn==2.7.3", blackwell),
            "other | --pip | 'flash-attn==2.7.3' is compiled for compute capabilities 8.0, 9.0 alone, but the GeForce RTX 5090 "
            "has 12.0 | a release that runs on it: 'flash-attn>=2.7.4'");
  EXPECT_EQ(refused("flash-attn<2.8", blackwell), "");
  EXPECT_EQ(refused("flash-attn==2.7.3", "torch=2.6 variant=devel gpu=4090"), "") << "code for 8.0 runs on 8.9";
  EXPECT_EQ(refused("flash-attn==2.7.3", "torch=2.7 variant=devel gpu=T4 gpu=5090"),
            "other | --pip | 'flash-attn==2.7.3' needs a GPU of compute capability 8.0 or newer, but the Tesla T4 has 7.5 | ")
      << "no release runs on both";
}

TEST(Extensions, AreJudgedByTheReleaseThatFitsTheTorch) {
  const auto refused = [](const char* requirement, const char* request) {
    Options options;
    options.pip = {{requirement, "--pip"}};
    options.needs = {{"vllm", Version(0, 1), {}, Capability{7, 0}},
                     {"vllm", Version(0, 4), {}, Capability{8, 0}},
                     {"vllm", Version(0, 4, 0, 1), {}, Capability{7, 0}},
                     {"vllm", Version(0, 20), {}, Capability{7, 5}}};
    options.requirements = {{"vllm", "torch", "==2.1.2", {"0.4.0", "0.4.0.post1"}},
                            {"vllm", "torch", "==2.6.0", {"0.8.5"}},
                            {"vllm", "torch", "==2.11.0", {"0.20.0", "0.26.0"}}};
    return said_by(check_extensions, options, request);
  };
  EXPECT_EQ(refused("vllm", "torch=2.6 gpu=V100"), "") << "pip takes 0.8.5";
  EXPECT_EQ(refused("vllm", "torch=2.6 gpu=P100"),
            "other | --pip | 'vllm' needs a GPU of compute capability 7.0 or newer, but the P100 has 6.0 | ");
  EXPECT_EQ(refused("vllm", "torch=2.11 gpu=V100 cuda=12.6"),
            "other | --pip | 'vllm' needs a GPU of compute capability 7.5 or newer, but the V100 has 7.0 | a release "
            "that runs on it, for another torch or Python: 'vllm<0.20'");
  EXPECT_EQ(refused("vllm==0.4.0", "torch=2.1.2 gpu=T4"),
            "other | --pip | 'vllm==0.4.0' needs a GPU of compute capability 8.0 or newer, but the Tesla T4 has 7.5 | a release "
            "that runs on it: 'vllm==0.4.0.post1'");
  EXPECT_EQ(refused("vllm", "torch=2.11 gpu=T4"), "");
}

TEST(Extensions, ThatAreForANewerTorchAreRefused) {
  const auto refused = [](const char* requirement) {
    return refusal(
        requirement, "torch=1.13.1 cuda=11.7 variant=devel",
        {{"flash-attn", Version(2, 7), {}, {}, {}, Version(1, 12)}, {"flash-attn", Version(2, 7, 4), {}, {}, {}, Version(2, 2)}});
  };
  EXPECT_EQ(refused("flash-attn==2.8.3"),
            "other | --pip | 'flash-attn==2.8.3' needs torch 2.2 or newer, but this environment has torch 1.13.1 | --torch "
            "'>=2.2'; or name an older release: 'flash-attn==VERSION'");
  EXPECT_EQ(refused("flash-attn==2.7.3"), "");
}

/// What each release requires, as extensions.json has it.
std::vector<PackageRequirement> releases_of_xformers() {
  return {{"xformers", "torch", "==2.4.0", {"0.0.27.post2"}}, {"xformers", "torch", "==2.4.1", {"0.0.28", "0.0.28.post1"}},
          {"xformers", "torch", "==2.5.1", {"0.0.29"}},       {"xformers", "torch", "==2.9.1", {"0.0.33"}},
          {"xformers", "torch", ">=2.10", {"0.0.35"}},        {"xformers", "torch", "==2.0", {"1.0rc1"}}};
}

struct Said {
  std::string refusal;
  std::vector<std::string> notes;
};

Said said_of(const std::string& requirement, const char* request, std::vector<PackageRequirement> known) {
  Options options;
  options.pip = {{requirement, "--pip"}};
  options.requirements = std::move(known);
  const auto environment = test::environment_of(request);
  const Inputs inputs{environment, options, {}};
  const auto checked = check_known_releases(inputs);
  return {checked ? std::string() : test::text_of(checked.error()), known_releases_notes(inputs)};
}

TEST(KnownReleases, ThatExcludeTheTorchAreRefused) {
  const auto refused = [](const char* requirement, const char* request) {
    return said_of(requirement, request, releases_of_xformers()).refusal;
  };
  EXPECT_EQ(refused("xformers==0.0.28", "torch=2.5.1"),
            "other | --pip | 'xformers==0.0.28' requires torch==2.4.1, but this environment has torch 2.5.1 | for torch 2.5.1: "
            "'xformers==0.0.29'; or --torch 2.4.1");
  EXPECT_EQ(refused("xformers==0.0.28", "torch=2.6"),
            "other | --pip | 'xformers==0.0.28' requires torch==2.4.1, but this environment has torch 2.6.0 | --torch 2.4.1");
  EXPECT_EQ(refused("xformers>=0.0.28,<0.0.33", "torch=2.6"),
            "other | --pip | 'xformers>=0.0.28,<0.0.33' requires torch==2.4.1 or torch==2.5.1, but this environment has torch "
            "2.6.0 | ");
  EXPECT_EQ(refused("xformers<=0.0.35,!=0.0.26.post1", "torch=2.6"), "") << "one before the known ones may fit";
  EXPECT_EQ(refused("xformers==0.0.35", "torch=2.9"),
            "other | --pip | 'xformers==0.0.35' requires torch>=2.10, but this environment has torch 2.9.1 | for torch 2.9.1: "
            "'xformers==0.0.33'");
  EXPECT_EQ(refused("xformers==0.0.28.post1", "torch=2.4.1"), "");
  EXPECT_EQ(refused("xformers[extra]>=0.0.28,<0.0.35", "torch=2.5.1"), "") << "one of them is for it";
  for (const auto* unknown : {"xformers<0.0.27", "xformers==0.0.28.post2", "xformers==0.0.20", "xformers==0.0.28+cu121",
                              "xformers!=0.0.28", "numpy==1"})
    EXPECT_EQ(refused(unknown, "torch=2.6"), "") << unknown;
}

TEST(KnownReleases, AreFollowedByNoneForAnOlderTorch) {
  const auto refused = [](const char* requirement, const char* request) {
    return said_of(requirement, request, releases_of_xformers()).refusal;
  };
  EXPECT_EQ(refused("xformers>=0.0.30", "torch=2.5.1"),
            "other | --pip | 'xformers>=0.0.30' requires torch==2.9.1 or torch>=2.10, but this environment has torch 2.5.1 | for "
            "torch 2.5.1: 'xformers==0.0.29'");
  EXPECT_EQ(
      refused("xformers>=0.0.28", "torch=2.4.0"),
      "other | --pip | 'xformers>=0.0.28' requires torch==2.4.1, torch==2.5.1, ... or torch>=2.10, but this environment has "
      "torch 2.4.0 | for torch 2.4.0: 'xformers==0.0.27.post2'");
  EXPECT_EQ(refused("xformers==0.0.36", "torch=2.5.1"),
            "other | --pip | 'xformers==0.0.36' allows only releases after xformers 0.0.35, which requires torch>=2.10, but this "
            "environment has torch 2.5.1 | for torch 2.5.1: 'xformers==0.0.29'");
  EXPECT_EQ(refused("xformers", "torch=2.5.1"), "");
  EXPECT_EQ(refused("xformers>0.0.29", "torch=2.10"), "");
}

TEST(KnownReleases, ThatLeaveItOpenAreNoted) {
  const std::vector<PackageRequirement> known{{"vllm", "torch", "==2.6.0", {"0.8.5"}}, {"vllm", "torch", "==2.7.0", {"0.9.2"}}};
  const auto newer = said_of("vllm>=0.8", "torch=2.8", known);
  EXPECT_EQ(newer.refusal, "");
  EXPECT_THAT(newer.notes, ElementsAre("No release of vllm that envgen knows and 'vllm>=0.8' allows fits: 0.9.2 requires "
                                       "torch==2.7.0, but this environment has torch 2.8.0. A later one may."));
  const auto unknown = said_of("vllm==0.10.2", "torch=2.8", known);
  EXPECT_EQ(unknown.refusal, "");
  EXPECT_THAT(unknown.notes, ElementsAre("envgen has no data on the releases of vllm that 'vllm==0.10.2' allows; pip decides "
                                         "whether one fits."));
  const auto older = said_of("vllm<0.9.3", "torch=2.8", known);
  EXPECT_EQ(older.refusal, "");
  EXPECT_THAT(older.notes, ElementsAre("No release of vllm that envgen knows and 'vllm<0.9.3' allows fits: 0.9.2 requires "
                                       "torch==2.7.0, but this environment has torch 2.8.0. An earlier one may."));
  EXPECT_THAT(said_of("vllm", "torch=2.7.0", known).notes, testing::IsEmpty());
  EXPECT_THAT(said_of("einops", "torch=2.7.0", known).notes, testing::IsEmpty());
}

TEST(KnownReleases, ThatNeedAnotherTritonAreRefused) {
  const std::vector<PackageRequirement> known{{"mamba-ssm", "python", ">=3.9", {"2.3.1", "2.3.2.post1"}},
                                              {"mamba-ssm", "triton", ">=3.5.0", {"2.3.2.post1"}}};
  EXPECT_EQ(said_of("mamba-ssm==2.3.2.post1", "torch=2.6", known).refusal,
            "other | --pip | 'mamba-ssm==2.3.2.post1' requires triton>=3.5.0, but torch 2.6.0 pins triton 3.2 | for triton 3.2: "
            "'mamba-ssm==2.3.1'; or a newer torch, which pins a newer triton");
  EXPECT_EQ(said_of("mamba-ssm", "torch=2.6", known).refusal, "") << "pip takes 2.3.1";
  EXPECT_EQ(said_of("mamba-ssm>=2.3.2", "torch=2.9", known).refusal, "");
}

TEST(KnownReleases, ThatNeedAnotherPythonAreRefused) {
  const std::vector<PackageRequirement> known{
      {"vllm", "python", ">=3.8", {"0.5.5"}},           {"vllm", "torch", "==2.4.0", {"0.5.5"}},
      {"vllm", "python", ">=3.9,<3.13", {"0.8.5"}},     {"vllm", "torch", "==2.6.0", {"0.8.5"}},
      {"bitsandbytes", "python", ">=3.10", {"0.50.2"}}, {"bitsandbytes", "torch", ">=2.4,<3", {"0.50.2"}}};
  EXPECT_EQ(
      said_of("vllm>=0.5.5,<=0.8.5", "torch=2.6 python=3.13", known).refusal,
      "other | --pip | 'vllm>=0.5.5,<=0.8.5' requires Python >=3.9,<3.13, but this environment has Python 3.13 | --python 3.12")
      << "the release for this torch";
  const auto later = said_of("vllm>=0.8", "torch=2.6 python=3.13", known);
  EXPECT_EQ(later.refusal, "") << "a later release may take a later Python";
  EXPECT_THAT(later.notes, ElementsAre("No release of vllm that envgen knows and 'vllm>=0.8' allows fits: 0.8.5 requires Python "
                                       ">=3.9,<3.13, but this environment has Python 3.13. A later one may."));
  EXPECT_EQ(said_of("vllm==0.5.5", "torch=2.6 python=3.13", known).refusal,
            "other | --pip | 'vllm==0.5.5' requires torch==2.4.0, but this environment has torch 2.6.0 | --torch 2.4.0");
  EXPECT_EQ(said_of("bitsandbytes>=0.50.2", "torch=2.6 python=3.9", known).refusal,
            "other | --pip | 'bitsandbytes>=0.50.2' requires Python >=3.10, but this environment has Python 3.9 | --python 3.10");
  EXPECT_EQ(said_of("bitsandbytes", "torch=2.6 python=3.10", known).refusal, "");
}

TEST(KnownReleases, ThatContradictAnotherRequirementAreRefused) {
  Options options;
  options.pip = {{"vllm==0.6.3", "--pip"}, {"Numpy >= 2", "envgen.json#/outputs/pip/1"}};
  options.requirements = {{"vllm", "numpy", "<2.0.0", {"0.6.3"}}, {"vllm", "torch", "==2.4.0", {"0.6.3"}}};
  const auto environment = test::environment_of("torch=2.4.0");
  EXPECT_EQ(test::text_of(check_known_releases({environment, options, {}}).error()),
            "other | --pip | 'vllm==0.6.3' requires numpy<2.0.0, but envgen.json#/outputs/pip/1 asks for 'Numpy >= 2' | ");
  options.pip.back().value = "numpy<2";
  EXPECT_TRUE(check_known_releases({environment, options, {}}));
}

TEST(KnownReleases, NeedTheirTorchBesideTensorFlow) {
  EXPECT_EQ(said_of("xformers>=0.0.28", "tensorflow=2.15", releases_of_xformers()).refusal,
            "other | --pip | 'xformers>=0.0.28' needs torch, which this environment does not have | make an environment of "
            "PyTorch for it: --torch VERSION");
  EXPECT_EQ(said_of("einops", "tensorflow=2.15", releases_of_xformers()).refusal, "");
}

TEST(Requirements, ThatContradictTheEnvironmentAreRefused) {
  const auto refused = [](const char* requirement, const char* request) {
    Options options;
    options.pip = {{requirement, "--pip"}};
    return said_by(check_pinned, options, request);
  };
  const auto* leave = " | leave it out: it is installed anyway";
  EXPECT_EQ(refused("triton==2.1", "torch=2.8"),
            fmt::format("other | --pip | 'triton==2.1' contradicts triton 3.4, which torch 2.8.0 pins{}", leave));
  EXPECT_EQ(
      refused("nvidia-cudnn-cu12==8.9.7.29", "torch=2.8"),
      fmt::format("other | --pip | 'nvidia-cudnn-cu12==8.9.7.29' contradicts nvidia-cudnn-cu12 9.10.2.21, which torch 2.8.0 "
                  "pins{}; or replace it when all else is installed: pip install nvidia-cudnn-cu12==8.9.7.29",
                  leave));
  EXPECT_EQ(
      refused("nvidia_nccl_cu12<2.27", "torch=2.8"),
      fmt::format("other | --pip | 'nvidia_nccl_cu12<2.27' contradicts nvidia-nccl-cu12 2.27.3, which torch 2.8.0 pins{}; or "
                  "replace it when all else is installed: pip install 'nvidia_nccl_cu12<2.27'",
                  leave));
  EXPECT_EQ(refused("numpy>=2", "torch=2.2"),
            fmt::format("other | --pip | 'numpy>=2' contradicts 'numpy<2', which this environment needs{}", leave));
  EXPECT_EQ(refused("setuptools==82", "torch=2.8"),
            fmt::format("other | --pip | 'setuptools==82' contradicts 'setuptools<82', which this environment needs{}", leave));
  EXPECT_EQ(refused("triton>=3.5", "torch=2.8"),
            fmt::format("other | --pip | 'triton>=3.5' contradicts triton 3.4, which torch 2.8.0 pins{}", leave));
  for (const auto* fits : {"triton==3.4.0", "triton", "triton>=3.4.1", "triton==3.4.*", "numpy==2.1", "setuptools==80.9",
                           "setuptools>=70", "nvidia-nccl-cu12>=2.20", "nvidia-cudnn-cu11==8.9", "numpy==2.0.0rc1"})
    EXPECT_EQ(refused(fits, "torch=2.8"), "") << fits;
  // Builds of PyTorch's own index require these from 2.3 on, and hold them before.
  EXPECT_EQ(
      refused("nvidia-cudnn-cu12==9.1.0.70", "torch=2.7 cuda=12.8"),
      fmt::format(
          "other | --pip | 'nvidia-cudnn-cu12==9.1.0.70' contradicts nvidia-cudnn-cu12 9.7.1.26, which torch 2.7.1 pins{}; or "
          "replace it when all else is installed: pip install nvidia-cudnn-cu12==9.1.0.70",
          leave));
  EXPECT_EQ(refused("nvidia-cudnn-cu11==8.0", "torch=2.2 cuda=11.8"), "");
  EXPECT_EQ(refused("triton==2.1", "torch=2.8 cuda=cpu"), "") << "a CPU build pins none";
}

TEST(Requirements, ThatContradictTensorFlowAreRefused) {
  const auto refused = [](const char* requirement, const char* request) {
    Options options;
    options.pip = {{requirement, "--pip"}};
    options.requirements = {{"tensorflow", "keras", "<2.16,>=2.15.0", {"2.15.0", "2.15.1"}},
                            {"tensorflow", "protobuf", ">=3.20.3,<5.0.0", {"2.15.1"}},
                            {"tensorflow", "keras", ">=3.0.0", {"2.16.1", "2.16.2"}}};
    return said_by(check_pinned, options, request);
  };
  EXPECT_EQ(
      refused("Keras>=3", "tensorflow=2.15.1"),
      "other | --pip | 'Keras>=3' contradicts 'keras<2.16,>=2.15.0', which tensorflow 2.15.1 requires | leave it out: it is "
      "installed anyway");
  EXPECT_EQ(refused("protobuf==5.28", "tensorflow=2.15.1"),
            "other | --pip | 'protobuf==5.28' contradicts 'protobuf>=3.20.3,<5.0.0', which tensorflow 2.15.1 requires | leave it "
            "out: it is installed anyway");
  EXPECT_EQ(refused("keras==2.15.0", "tensorflow=2.16.1"),
            "other | --pip | 'keras==2.15.0' contradicts 'keras>=3.0.0', which tensorflow 2.16.1 requires | leave it out: it is "
            "installed anyway");
  for (const auto* fits : {"keras", "keras==2.15.0", "keras>=2.15", "protobuf<5", "protobuf==4.25.3"})
    EXPECT_EQ(refused(fits, "tensorflow=2.15.1"), "") << fits;
  EXPECT_EQ(refused("keras>=3", "torch=2.6"), "");
}

TEST(Requirements, ThatContradictEachOtherAreRefused) {
  const auto refused = [](std::vector<const char*> requirements) {
    Options options;
    for (const auto* requirement : requirements) options.pip.push_back({requirement, "--pip"});
    return said_by(check_pinned, options, "torch=2.8");
  };
  EXPECT_EQ(refused({"numpy<1", "einops", "NumPy >= 2"}),
            "other | --pip | 'NumPy >= 2' contradicts 'numpy<1' | leave one of them out");
  EXPECT_EQ(refused({"numpy==2.1", "numpy==2.2"}),
            "other | --pip | 'numpy==2.2' contradicts 'numpy==2.1' | leave one of them out");
  EXPECT_EQ(refused({"numpy>=2", "numpy==1.26.*"}),
            "other | --pip | 'numpy==1.26.*' contradicts 'numpy>=2' | leave one of them out");
  EXPECT_EQ(refused({"numpy>=2,<1.20"}), "other | --pip | no release satisfies 'numpy>=2,<1.20' | ");
  for (const auto& fit : std::vector<std::vector<const char*>>{{"numpy", "numpy<2"},
                                                               {"numpy>=1.20", "numpy<2,!=1.25"},
                                                               {"numpy==1.26.*", "numpy>=1.26.3"},
                                                               {"numpy<1", "einops>=2"},
                                                               {"numpy==2.0.0rc1", "numpy<2"}})
    EXPECT_EQ(refused(fit), "") << fit.front();
}

TEST(Extensions, ThatTheCudaCannotCompileAreRefused) {
  const auto refused = [](const char* requirement, const char* request) {
    return refusal(requirement, request,
                   {{"flash-attn", Version(1), {}, {}, Version(11, 0)}, {"flash-attn", Version(2, 7), {}, {}, Version(11, 7)}});
  };
  EXPECT_EQ(
      refused("flash-attn", "torch=1.12.1 cuda=11.6 variant=devel"),
      "other | --pip | 'flash-attn' compiles with CUDA 11.7 or newer, but this environment has CUDA 11.6 | --cuda '>=11.7', "
      "which may need a newer torch; or name an older release: 'flash-attn==VERSION'");
  EXPECT_EQ(refused("flash-attn", "torch=1.13.1 cuda=11.7 variant=devel"), "");
  EXPECT_EQ(refused("flash-attn==1.0.9", "torch=1.12.1 cuda=11.6 variant=devel"), "") << "an older release compiles";
}

TEST(InstallCommands, OfAnOldTensorFlowKeepNumPy1) {
  for (const auto* request : {"tensorflow=2.7 python=3.9", "tensorflow=2.10 python=3.10", "tensorflow=2.11 python=3.10"})
    EXPECT_THAT(install_lines(test::environment_of(request)).back(), testing::HasSubstr(" 'numpy<2'")) << request;
  EXPECT_THAT(install_lines(test::environment_of("tensorflow=2.12")).back(), Not(testing::HasSubstr("numpy")));
}

TEST(InstallCommands, OfTensorFlowKeepProtobuf3WhereItSetsNoLimit) {
  for (const auto* release : {"2.4.0", "2.4.4", "2.5.3", "2.6.2", "2.6.4", "2.7.0", "2.7.2", "2.8.0", "2.8.1", "2.9.0"})
    EXPECT_THAT(install_lines(test::environment_of(fmt::format("tensorflow={}", release))).back(),
                testing::HasSubstr(" 'protobuf<3.20'"))
        << release;
  for (const auto* release : {"2.6.5", "2.7.3", "2.7.4", "2.8.2", "2.8.3", "2.8.4", "2.9.1", "2.9.3", "2.10.0", "2.12.0"})
    EXPECT_THAT(install_lines(test::environment_of(fmt::format("tensorflow={}", release))).back(),
                Not(testing::HasSubstr("protobuf")))
        << release;
}

TEST(InstallLines, ReplaceAPipThatIsOlderThan20Point3) {
  const auto first = [](const char* request) { return install_lines(test::environment_of(request)).front(); };
  EXPECT_EQ(first("tensorflow=2.6.2 python=3.6"), "python3.6 -m venv .venv && . .venv/bin/activate && pip install --upgrade pip");
  EXPECT_EQ(first("torch=2.3 os=ubuntu20.04"), "python3.8 -m venv .venv && . .venv/bin/activate && pip install --upgrade pip");
  EXPECT_EQ(first("torch=2.3 os=debian11"), "python3.9 -m venv .venv && . .venv/bin/activate");
  EXPECT_EQ(first("torch=2.3 python=3.8 os=ubuntu22.04"), "uv venv --seed --python 3.8 && . .venv/bin/activate");
}

}  // namespace
}  // namespace envgen::files
