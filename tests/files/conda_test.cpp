// environment.yaml and what lies beside it, as the tool prints them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_tool.hpp"
#include "files/conda_packages.hpp"
#include "files/outputs.hpp"
#include "files/resolved.hpp"
#include "rendered.hpp"

namespace envgen::files {
namespace {

using test::environment_of;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Files made(const char* kind, std::string_view request, const Options& options = {}) {
  const auto environment = environment_of(request);
  const auto files = make(*find_output(kind), {environment, options, "sha256:0"});
  EXPECT_TRUE(files) << files.error().message;
  return files.value_or(Files(1));
}

Options with_toolkit() {
  Options options;
  options.explicit_toolkit = true;
  return options;
}

TEST(CondaForge, HoldsCudaByItsVersionFromCuda12On) {
  EXPECT_THAT(test::rendered("conda", {"--torch", "2.3", "--installer", "conda", "--cuda", "12.0"}),
              AllOf(HasSubstr("  - \"cuda-version=12.0\"\n"), Not(HasSubstr("cudatoolkit"))));
  EXPECT_THAT(test::rendered("conda", {"--torch", "2.1.0", "--installer", "conda", "--cuda", "11.2"}),
              AllOf(HasSubstr("  - \"cudatoolkit=11.2\"\n"), Not(HasSubstr("cuda-version"))));
}

TEST(CondaToolkit, OfThePytorchChannelComesFromItsLabelWhichStandsFirst) {
  const auto text = made("conda", "torch=2.5 cuda=12.4 installer=conda", with_toolkit()).front().text;
  EXPECT_THAT(text, AllOf(HasSubstr("channels:\n  - \"nvidia/label/cuda-12.4.1\"\n  - \"pytorch\"\n  - \"nvidia\"\n"),
                          HasSubstr("  - \"cuda-toolkit=12.4.1\"\n  - \"cuda-nvcc=12.4\"\n  - \"cuda-cudart-dev=12.4\"\n"
                                    "  - \"cuda-cccl=12.4\"\n  - \"gxx_linux-64<14\"\n")));
  EXPECT_THAT(text, AllOf(HasSubstr("ln -s lib \"$CONDA_PREFIX/lib64\"\n"),
                          HasSubstr("CUDA_INC_PATH=\"$CONDA_PREFIX/targets/x86_64-linux/include\" TORCH_CUDA_ARCH_LIST=")));
}

TEST(CondaToolkit, BesideCondaForgeIsCondaForges) {
  const auto text = made("conda", "torch=2.8 installer=conda variant=devel").front().text;
  EXPECT_THAT(text,
              AllOf(HasSubstr("  - \"cuda-version=12.9\"\n  - \"cudnn=9.10.2.21\"\n  - \"setuptools<82\"\n  - \"cuda-nvcc\"\n  "
                              "- \"cuda-libraries-dev\"\n  - \"gxx_linux-64<15\"\n"),
                    Not(HasSubstr("nvidia/label"))));
}

TEST(CondaCuda, IsPinnedWithItsCudnn) {
  const auto text = [](std::string_view request) { return made("conda", request).front().text; };
  EXPECT_THAT(text("torch=2.8 installer=conda"),
              HasSubstr("  - \"pytorch==2.8.0=cuda129*\"\n  - \"cuda-version=12.9\"\n  - \"cudnn=9.10.2.21\"\n"));
  EXPECT_THAT(text("torch=2.5 cuda=12.4 installer=conda"), HasSubstr("  - \"pytorch==2.5.1=*_cuda12.4_cudnn9.1.0_*\"\n"));
  EXPECT_THAT(text("torch=1.12 cuda=11.2 installer=conda"), HasSubstr("  - \"cudatoolkit=11.2\"\n  - \"cudnn=8.9.7.29\"\n"));
  EXPECT_THAT(text("torch=2.5 cuda=12.6 installer=conda os=centos7"), HasSubstr("  - \"cuda-version=12.6\"\n  - \"cudnn=9\"\n"))
      << "the newest does not load there, and which older one is not known";
  EXPECT_THAT(text("torch=2.8 cuda=cpu installer=conda"), AllOf(Not(HasSubstr("cudnn")), Not(HasSubstr("cuda-version"))));
}

TEST(CondaOverride, IsTheCudaThatTheAskedDriverReports) {
  const auto exported = [](std::string_view request) {
    const auto files = made("conda", request);
    const std::string& text = files.front().text;
    const auto begin = text.find("CONDA_OVERRIDE_CUDA=\"") + std::string_view("CONDA_OVERRIDE_CUDA=\"").size();
    const auto cuda = text.substr(begin, text.find('"', begin) - begin);
    EXPECT_THAT(files.at(1).text, HasSubstr("__cuda: \"" + cuda + "\"\n"));
    return cuda;
  };
  EXPECT_EQ(exported("torch=2.8 installer=conda gpu=A100"), "12.9");  // no driver is asked: the build's
  EXPECT_EQ(exported("torch=2.8 installer=conda gpu=A100 driver=535"), "12.2");
  EXPECT_EQ(exported("torch=2.8 installer=conda gpu=A100 driver=580"), "13.0");
  EXPECT_EQ(exported("torch=2.8 installer=conda host=gpu=A100,driver=580 host=gpu=T4,driver=560"), "12.6");
}

TEST(CondaPip, BringsNothingThatCondaBrings) {
  const auto refusal = [](const char* requirement) {
    const auto environment = environment_of("torch=2.5 cuda=12.4 installer=conda");
    Options options;
    options.pip = {{requirement, "--pip"}};
    const auto files = make(*find_output("conda"), {environment, options, "sha256:0"});
    return files ? "made" : files.error().message;
  };
  EXPECT_EQ(
      refusal("Setuptools==80"),
      "'Setuptools==80' names a package that conda already installs here (setuptools<82); only one installer may install it");
  EXPECT_EQ(refusal("mkl"),
            "'mkl' names a package that conda already installs here (mkl<2024.1); only one installer may install it");
  for (const auto* package : {"nvidia_cudnn-cu12", "nvidia-cuda-runtime==13.0.48", "nvidia-nccl-cu12", "nvidia-nvjitlink-cu12"})
    EXPECT_EQ(refusal(package),
              "'" + std::string(package) + "' installs a CUDA library with pip beside the one that conda installs");
  EXPECT_EQ(refusal("nvidia-ml-py"), "made");
}

TEST(CondaToolkit, IsThereOnlyWhereSomethingCompiles) {
  for (const auto* request : {"torch=2.5 installer=conda", "torch=2.8 installer=conda"}) {
    for (const auto* kind : {"conda", "setup"})
      EXPECT_THAT(made(kind, request).front().text, Not(HasSubstr("cuda-nvcc"))) << request;
  }
  EXPECT_THAT(made("setup", "torch=2.5 cuda=12.4 installer=conda variant=devel").front().text,
              AllOf(HasSubstr("--channel nvidia/label/cuda-12.4.1 --channel pytorch "), HasSubstr("ln -s lib \"$place/lib64\"\n"),
                    Not(HasSubstr("is not here: extensions"))));
  // An image of nvidia/cuda has nvcc already.
  EXPECT_THAT(made("dockerfile", "torch=2.5 cuda=12.4 installer=conda variant=devel").front().text, Not(HasSubstr("cuda-nvcc")));
}

TEST(CondaToolkit, ThatNoChannelHasIsRefusedWhereItIsAskedFor) {
  const auto outcome =
      test::run_tool({"render", "conda", "--torch", "1.12", "--cuda", "10.2", "--installer", "conda", "--explicit-toolkit"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err,
            "envgen: --explicit-toolkit: no known channel provides nvcc for CUDA 10.2\n"
            "  an nvidia/cuda image has it: --installer pip --variant devel\n");
  EXPECT_THAT(made("conda", "torch=1.12 cuda=10.2 installer=conda variant=devel").front().text, Not(HasSubstr("nvcc")));
}

TEST(CondaToolkit, IsNothingForTheCpu) {
  const auto refused = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"render", "conda", "--torch", "2.7", "--installer", "conda", "--cuda", "cpu"});
    const auto outcome = test::run_tool(words);
    EXPECT_EQ(outcome.exit, 2);
    return outcome.err.substr(outcome.err.find("envgen: --"));
  };
  EXPECT_EQ(refused({"--explicit-toolkit"}),
            "envgen: --explicit-toolkit: this is a CPU build, which has no CUDA toolkit\n  leave out --cuda cpu\n");
  EXPECT_THAT(refused({"--pip", "flash-attn"}), HasSubstr("'flash-attn' needs a CUDA build, but this is a CPU build"));
}

TEST(CondaForge, SaysWhichPartsWereNotRead) {
  EXPECT_THAT(made("conda", "torch=2.8 installer=conda").front().text,
              HasSubstr("  # envgen's data does not say which torchvision and torchaudio conda-forge has for this torch"));
  EXPECT_THAT(made("conda", "torch=2.5 installer=conda").front().text, Not(HasSubstr("was not read")));
}

TEST(VirtualPackages, AreAllThatCondaLockAsksFor) {
  const auto files = made("conda", "torch=2.8 installer=conda");
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[1].path, "virtual-packages.yml");
  EXPECT_THAT(files[1].text, testing::EndsWith("subdirs:\n"
                                               "  linux-64:\n"
                                               "    packages:\n"
                                               "      __unix: \"0\"\n"
                                               "      __linux: \"5.10\"\n"
                                               "      __archspec: \"1 x86_64\"\n"
                                               "      __glibc: \"2.28\"\n"
                                               "      __cuda: \"12.9\"\n"));
  EXPECT_EQ(made("conda", "torch=2.8 installer=conda cuda=cpu").size(), 1U);
}

TEST(CondaVariables, NameTheWeakestBoardWhereTheyNameCuda) {
  using Variables = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(conda_variables(environment_of("torch=2.8 installer=conda gpu=4090 gpu=T4")),
            (Variables{{"CONDA_OVERRIDE_CUDA", "12.9"}, {"CONDA_OVERRIDE_CUDA_ARCH", "7.5"}}));
  EXPECT_EQ(conda_variables(environment_of("torch=2.8 installer=conda")), (Variables{{"CONDA_OVERRIDE_CUDA", "12.9"}}));
  EXPECT_EQ(conda_variables(environment_of("torch=2.5 installer=conda gpu=4090")), Variables());
}

}  // namespace
}  // namespace envgen::files
