#include "files/install_commands.hpp"

#include <gmock/gmock.h>

#include "files/extensions.hpp"
#include "files/pinned.hpp"
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
  options.extensions = {{"flash-attn", false, std::nullopt, {}, {}}};
  const auto environment = test::environment_of("torch=2.6 variant=devel gpu=A100");
  EXPECT_EQ(test::text_of(check_extensions({environment, options, {}}).error()),
            "other | --pip | no package is called 'flashattn==2.7' | did you mean flash-attn?");
  options.pip = {{"numpy", "--pip"}};
  EXPECT_TRUE(check_extensions({environment, options, {}}));
}

TEST(Extensions, ThatANamedGpuCannotRunAreRefused) {
  const auto refused = [](const char* request) {
    Options options;
    options.pip = {{"flash-attn>=2", "--pip"}};
    options.extensions = {{"flash-attn", false, Capability{8, 0}, {}, {}}};
    const auto environment = test::environment_of(request);
    const auto checked = check_extensions({environment, options, {}});
    return checked ? std::string() : test::text_of(checked.error());
  };
  EXPECT_EQ(
      refused("torch=2.6 variant=devel gpu=A100 gpu=T4"),
      "other | --pip | 'flash-attn>=2' needs a GPU of compute capability 8.0 or newer, but the Tesla T4 has 7.5 | leave it out: "
      "torch.nn.functional.scaled_dot_product_attention runs on this GPU");
  EXPECT_EQ(refused("torch=2.6 variant=devel gpu=A100"), "");
  EXPECT_EQ(refused("torch=2.6 variant=devel"), "");
}

TEST(Requirements, ThatContradictTheEnvironmentAreRefused) {
  const auto refused = [](const char* requirement, const char* request) {
    Options options;
    options.pip = {{requirement, "--pip"}};
    const auto environment = test::environment_of(request);
    const auto checked = check_pinned({environment, options, {}});
    return checked ? std::string() : test::text_of(checked.error());
  };
  const auto* leave = " | leave it out: it is installed anyway";
  EXPECT_EQ(refused("triton==2.1", "torch=2.8"),
            fmt::format("other | --pip | 'triton==2.1' contradicts triton 3.4, which torch 2.8.0 pins{}", leave));
  EXPECT_EQ(
      refused("nvidia-cudnn-cu12==8.9.7.29", "torch=2.8"),
      fmt::format("other | --pip | 'nvidia-cudnn-cu12==8.9.7.29' contradicts nvidia-cudnn-cu12 9.10.2.21, which torch 2.8.0 "
                  "pins{}",
                  leave));
  EXPECT_EQ(refused("nvidia_nccl_cu12<2.27", "torch=2.8"),
            fmt::format("other | --pip | 'nvidia_nccl_cu12<2.27' contradicts nvidia-nccl-cu12 2.27.3, which torch 2.8.0 pins{}",
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
  EXPECT_EQ(refused("triton==2.1", "torch=2.8 cuda=cpu"), "") << "a CPU build pins none";
}

TEST(Requirements, ThatContradictEachOtherAreRefused) {
  const auto refused = [](std::vector<const char*> requirements) {
    Options options;
    for (const auto* requirement : requirements) options.pip.push_back({requirement, "--pip"});
    const auto environment = test::environment_of("torch=2.8");
    const auto checked = check_pinned({environment, options, {}});
    return checked ? std::string() : test::text_of(checked.error());
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
    Options options;
    options.pip = {{requirement, "--pip"}};
    options.extensions = {{"flash-attn", false, std::nullopt, {}, {}, Version(11, 7)}};
    const auto environment = test::environment_of(request);
    const auto checked = check_extensions({environment, options, {}});
    return checked ? std::string() : test::text_of(checked.error());
  };
  EXPECT_EQ(
      refused("flash-attn", "torch=1.12.1 cuda=11.6 variant=devel"),
      "other | --pip | 'flash-attn' compiles with CUDA 11.7 or newer, but this environment has CUDA 11.6 | --cuda '>=11.7', "
      "which may need a newer torch; or name an older release: 'flash-attn==VERSION'");
  EXPECT_EQ(refused("flash-attn", "torch=1.13.1 cuda=11.7 variant=devel"), "");
  EXPECT_EQ(refused("flash-attn==1.0.9", "torch=1.12.1 cuda=11.6 variant=devel"), "") << "an older release may compile";
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
