// What a person who does not know the options types first, and what they are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_tool.hpp"

namespace envgen {
namespace {

using test::run_tool;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Hints, HelpAndVersionAreWordsToo) {
  EXPECT_EQ(run_tool({"help", "render"}).out, run_tool({"render", "--help"}).out);
  EXPECT_EQ(run_tool({"help"}).out, run_tool({"--help"}).out);
  EXPECT_EQ(run_tool({"help"}).exit, 0);
  EXPECT_EQ(run_tool({"version"}).out, run_tool({"--version"}).out);
}

TEST(Hints, NamesOfGpusNeedNoQuotesAfterWhy) {
  EXPECT_EQ(run_tool({"why", "torch", "2.7", "gpu", "RTX", "5090", "cuda", "12.8"}).out,
            run_tool({"why", "torch", "2.7", "gpu", "RTX 5090", "cuda", "12.8"}).out);
  const auto words = run_tool({"why", "torch", "2.4", "gpu", "5090"}).out;
  EXPECT_EQ(run_tool({"why", "torch", "2.4", "5090"}).out, words);
  EXPECT_EQ(run_tool({"why", "torch2.4", "on", "a", "5090"}).out, words);
  EXPECT_EQ(run_tool({"why", "torch 2.4 gpu 5090"}).out, words);
  EXPECT_EQ(run_tool({"why", "torch", "2.4", "cu121", "and", "RTX", "5090"}).out,
            run_tool({"why", "torch", "2.4", "cuda", "cu121", "gpu", "RTX 5090"}).out);
  EXPECT_EQ(run_tool({"why", "torch", "2.3", "RTX", "4090", "rocky8"}).out,
            run_tool({"why", "torch", "2.3", "gpu", "RTX 4090", "os", "rocky8"}).out);
  EXPECT_EQ(run_tool({"why", "torch", "2.3", "ubuntu22.04"}).out, run_tool({"why", "torch", "2.3", "os", "ubuntu22.04"}).out);
  EXPECT_THAT(
      run_tool({"why", "2.4", "5090"}).err,
      StartsWith("envgen: why: '2.4' is not a request field\n  for PyTorch, write: envgen why torch 2.4 gpu 5090\n  known: "));
  EXPECT_THAT(run_tool({"why", "8.6"}).err,
              StartsWith("envgen: why: '8.6' is not a request field\n  for PyTorch, write: envgen why torch 8.6\n"
                         "  for a GPU, write: envgen why gpu 8.6\n  known: "));
}

TEST(Hints, WhatAShellOrAnEditorMadeOfACommand) {
  const std::string help = "\n  see 'envgen resolve --help'\n";
  EXPECT_EQ(
      run_tool({"resolve", "--torch", "--gpu", "A100"}).err,
      "envgen: --torch: the value is missing\n  a range needs quotes, because > and < are the shell's: --torch '>=2.3'" + help);
  EXPECT_THAT(run_tool({"resolve", "--torch", "-g", "A100"}).err, StartsWith("envgen: --torch: the value is missing\n"));
  EXPECT_EQ(run_tool({"resolve", "-gpu", "A100"}).err, "envgen: unexpected argument 'A100'\n  did you mean --gpu?" + help);
  EXPECT_EQ(run_tool({"resolve", "\u2014gpu", "A100"}).err,
            "envgen: unexpected argument '\u2014gpu'\n  options begin with two hyphens, and this is a dash" + help);
  EXPECT_THAT(run_tool({"resolve", "--gpu", "\u201c5090\u201d"}).err,
              EndsWith("\n  the command has typographic quotes, which a shell does not know; use ' or \"\n"));
  EXPECT_EQ(run_tool({"resolve", "--gpu", "RTX", "5090"}).err,
            "envgen: unexpected argument '5090'\n  put quotes around a name with spaces, and repeat --gpu for each GPU: --gpu "
            "'RTX 5090' "
            "--gpu A100" +
                help);
  EXPECT_EQ(run_tool({"resolve", "--host", "gpu=4090", "driver=535"}).err,
            "envgen: unexpected argument 'driver=535'\n  a host is one argument with comma-separated parts: --host "
            "gpu=4090,driver=535" +
                help);
}

TEST(Hints, WordsOfWhyKeepNamesAndValues) {
  EXPECT_THAT(run_tool({"why", "gpu", "RTX", "A", "6000"}).out, HasSubstr("RTX A6000"));
  EXPECT_EQ(run_tool({"why", "A100", "and", "H100"}).out, run_tool({"why", "gpu", "A100", "gpu", "H100"}).out);
  EXPECT_EQ(run_tool({"why", "python", "python3.12"}).exit, 0);
  EXPECT_EQ(run_tool({"why", "torch", "2.4", "wsl2", "on", "a", "T4"}).out,
            run_tool({"why", "torch", "2.4", "wsl", "true", "gpu", "T4"}).out);
  EXPECT_EQ(run_tool({"why", "torch", "2.4", "wsl", "2", "gpu", "T4"}).out,
            run_tool({"why", "torch", "2.4", "wsl", "true", "gpu", "T4"}).out);
  EXPECT_EQ(run_tool({"why", "on", "with"}).err,
            "envgen: why: nothing is asked\n  for example: envgen why torch 2.6 cuda 12.1\n");
}

TEST(Hints, CommandsComeBeforeOptions) {
  const std::string help = "\n  see 'envgen --help'\n";
  EXPECT_EQ(run_tool({"--gpu", "5090", "resolve"}).err,
            "envgen: unknown command '5090'\n  options come after the command: envgen resolve --gpu 5090" + help);
  EXPECT_EQ(run_tool({"--gpu", "5090"}).err,
            "envgen: unknown command '5090'\n  options come after the command: envgen resolve --gpu 5090" + help);
  EXPECT_THAT(run_tool({"--json", "resolve", "--gpu", "5090"}).err,
              HasSubstr("\n  options come after the command: envgen resolve --json\n"));
  EXPECT_EQ(run_tool({"5090"}).err, "envgen: unknown command '5090'\n  for example: envgen resolve --gpu 5090" + help);
  EXPECT_EQ(run_tool({"install", "torch"}).err,
            "envgen: unknown command 'install'\n  for example: envgen resolve --torch 2.6 --gpu 5090" + help);
  EXPECT_EQ(run_tool({"resolve", "help"}).out, run_tool({"resolve", "--help"}).out);
  EXPECT_EQ(run_tool({"why", "-t", "2.4", "--wsl"}).out, run_tool({"why", "torch", "2.4", "wsl"}).out);
  EXPECT_EQ(run_tool({"why", "--preset", "wsl2"}).exit, 2) << "a preset is no field, and once ended the program";
  EXPECT_EQ(run_tool({"why", "--torch", "2.4", "--gpu=RTX 4090", "--os", "debian12", "--json"}).out,
            run_tool({"why", "torch", "2.4", "gpu", "RTX 4090", "os", "debian12", "--json"}).out);
  EXPECT_EQ(run_tool({"resolve", "--wsl2", "--gpu", "4090"}).out, run_tool({"resolve", "--wsl", "--gpu", "4090"}).out);
  EXPECT_THAT(
      run_tool({"resolve", "--jax", "0.6"}).err,
      HasSubstr("\n  envgen covers PyTorch and TensorFlow; for JAX, see https://docs.jax.dev/en/latest/installation.html\n"));
  EXPECT_THAT(run_tool({"why", "jax", "0.6"}).err, HasSubstr("\n  envgen covers PyTorch and TensorFlow; for JAX, see "));
  EXPECT_THAT(run_tool({"jax"}).err, HasSubstr("\n  envgen covers PyTorch and TensorFlow; for JAX, see "));
  EXPECT_THAT(run_tool({"render", "environment.yaml"}).err, EndsWith("\n  did you mean conda? It writes environment.yaml\n"));
  EXPECT_EQ(run_tool({"validate", "--bench", "nofile", "image"}).err,
            "envgen: --bench: there is no file 'nofile'\n  see 'envgen validate --help'\n");
  EXPECT_THAT(run_tool({"render", "dockerfile", "--check"}).err, StartsWith("envgen: --check works only with --output\n"));
  EXPECT_THAT(run_tool({"render", "compose", "devcontainer"}).err,
              HasSubstr("\n  one output at a time; 'envgen init' and 'envgen generate' make several\n"));
}

TEST(Hints, APackageIsAnOption) {
  const std::string help = "\n  see 'envgen render --help'\n";
  EXPECT_EQ(run_tool({"render", "dockerfile", "--torch", "2.6", "--gpu", "A100", "flash-attn"}).err,
            "envgen: unexpected argument 'flash-attn'\n  to install an additional package: --pip flash-attn" + help);
  EXPECT_EQ(run_tool({"render", "dockerfile", "--torch", "2.6", "--pip", "einops", "numpy"}).err,
            "envgen: unexpected argument 'numpy'\n  repeat --pip for each package: --pip numpy" + help);
  EXPECT_EQ(run_tool({"render", "dockerfile", "--torch", "2.6", "--gpu", "RTX", "Titan-X1"}).err,
            "envgen: unexpected argument 'Titan-X1'\n  put quotes around a name with spaces, and repeat --gpu for each GPU: "
            "--gpu 'RTX 5090' --gpu A100" +
                help);
}

TEST(Hints, AnItemOfAListIsShown) {
  const auto hint = [](const std::string& list, const std::string& word) { return run_tool({"list", list, word}).err; };
  EXPECT_EQ(
      hint("gpus", "RTX 4090"),
      "envgen: unexpected argument 'RTX 4090'\n  to see only one: envgen show gpu 'RTX 4090'\n  see 'envgen list gpus --help'\n");
  EXPECT_EQ(hint("torch", "2.3"),
            "envgen: unexpected argument '2.3'\n  to see only one: envgen show torch 2.3\n  see 'envgen list torch --help'\n");
  EXPECT_EQ(hint("presets", "wsl2"), "envgen: unexpected argument 'wsl2'\n  see 'envgen list presets --help'\n");
}

TEST(Hints, AnOptionOfASubcommandComesAfterIt) {
  EXPECT_EQ(
      run_tool({"list", "--json"}).err,
      "envgen: unknown option '--json'\n  it comes after a subcommand: envgen list torch --json\n  see 'envgen list --help'\n");
  EXPECT_EQ(run_tool({"list", "--laptop"}).err,
            "envgen: unknown option '--laptop'\n  it comes after a subcommand: envgen list gpus --laptop\n"
            "  see 'envgen list --help'\n");
  EXPECT_EQ(run_tool({"list", "--nothing"}).err, "envgen: unknown option '--nothing'\n  see 'envgen list --help'\n");
}

TEST(Hints, ValuesBelongToOptions) {
  const std::string told =
      "  write values as options: --torch 2.6 --gpu 5090; only 'envgen why' takes bare values\n"
      "  see 'envgen resolve --help'\n";
  EXPECT_EQ(run_tool({"resolve", "5090"}).err, "envgen: unexpected argument '5090'\n" + told);
  EXPECT_EQ(run_tool({"resolve", "torch", "2.6"}).err, "envgen: unexpected argument 'torch'\n" + told);
}

TEST(Hints, OptionsOfFilesBelongToRender) {
  EXPECT_EQ(run_tool({"resolve", "--pip", "flash-attn"}).err,
            "envgen: --pip is not an option of this command\n"
            "  it belongs to 'envgen render', and in envgen.json to \"outputs\"\n  see 'envgen resolve --help'\n");
}

TEST(Hints, OfShowNameTheCommandThatShowsIt) {
  EXPECT_THAT(run_tool({"show", "5090"}).err,
              StartsWith("envgen: unknown command '5090'\n  did you mean: envgen show gpu '5090'\n"));
  EXPECT_THAT(run_tool({"show", "driver", "H200"}).err, EndsWith("\n  the drivers of a GPU: envgen list drivers --gpu 'H200'\n"));
  EXPECT_THAT(run_tool({"show", "driver", "4xH200"}).err,
              EndsWith("\n  the drivers of a GPU: envgen list drivers --gpu '4xH200'\n"));
  EXPECT_EQ(run_tool({"show", "torch", "2.7.1+cu128"}).out, run_tool({"show", "torch", "2.7.1"}).out);
}

/// `why`, `resolve --explain` and `explain` are near one another: each names the other that was meant.
TEST(Hints, WhyAndExplainNameEachOther) {
  EXPECT_EQ(run_tool({"why", "train.log"}).err,
            "envgen: why: 'train.log' is not a request field\n  for a log or an error message: envgen explain train.log\n");
  EXPECT_EQ(run_tool({"why", "CUDA error: no kernel image"}).err,
            "envgen: why: 'CUDA error: no kernel image' is not a request field\n"
            "  for a log or an error message: envgen explain 'CUDA error: no kernel image'\n");
  EXPECT_EQ(run_tool({"explain", "torch", "2.4", "gpu", "5090"}).out,
            "No known failure was found.\nThis looks like a request: envgen why torch 2.4 gpu 5090\n");
  EXPECT_EQ(run_tool({"why", "--explain", "torch", "2.4"}).err,
            "envgen: unknown option '--explain'\n  the reasons: envgen resolve --explain, or envgen why --all\n"
            "  see 'envgen why --help'\n");
  EXPECT_EQ(run_tool({"why", "flash-attn", "T4"}).err,
            "envgen: why: 'flash-attn' is not a request field\n"
            "  for an additional package: envgen render dockerfile --pip flash-attn\n");
}

TEST(Hints, AnOutputOrAPartOfMatrixIsNoCommandOfItsOwn) {
  EXPECT_EQ(run_tool({"dockerfile"}).err,
            "envgen: unknown command 'dockerfile'\n  did you mean envgen render dockerfile?\n  see 'envgen --help'\n");
  EXPECT_EQ(run_tool({"update"}).err,
            "envgen: unknown command 'update'\n  did you mean envgen matrix update?\n  see 'envgen --help'\n");
}

TEST(Hints, OfOptionsThatOtherToolsHave) {
  const std::string help = "\n  see 'envgen resolve --help'\n";
  EXPECT_EQ(run_tool({"resolve", "--conda"}).err,
            "envgen: unknown option '--conda'\n  the installer is one option: --installer pip, uv or conda" + help);
  EXPECT_EQ(run_tool({"resolve", "--devel"}).err,
            "envgen: unknown option '--devel'\n  the variant of the image is one option: --variant devel or runtime" + help);
  EXPECT_EQ(run_tool({"resolve", "--tf", "2.15"}).err,
            "envgen: unknown option '--tf'\n  the option is called --tensorflow" + help);
  EXPECT_EQ(run_tool({"resolve", "--rocm"}).err,
            "envgen: unknown option '--rocm'\n  envgen covers only NVIDIA GPUs; builds for ROCm: "
            "https://pytorch.org/get-started/locally/" +
                help);
}

TEST(Hints, AFlagTakesNoValue) {
  EXPECT_EQ(run_tool({"resolve", "--json=maybe"}).err,
            "envgen: --json takes no value; omit '=maybe'\n  see 'envgen resolve --help'\n");
  EXPECT_EQ(run_tool({"generate", "--locked=x"}).err,
            "envgen: --locked takes no value; omit '=x'\n  see 'envgen generate --help'\n");
}

TEST(Hints, TheBeginningOfAnIdOfADiagnosis) {
  EXPECT_THAT(run_tool({"explain", "cuda-35"}).err, HasSubstr("\n  did you mean cuda-35-no-driver, cuda-35-old-driver?\n"));
}

TEST(Hints, TheBeginningOfANameIsNearIt) {
  EXPECT_THAT(run_tool({"render", "docker", "--torch", "2.6"}).err, EndsWith("\n  did you mean dockerfile?\n"));
  EXPECT_THAT(run_tool({"render"}).err,
              StartsWith("envgen: 'envgen render' needs OUTPUT\n  for example: envgen render dockerfile "));
}

TEST(Hints, ARefusalNamesTheCommandForTheNearest) {
  EXPECT_THAT(run_tool({"resolve", "--torch", "2.4", "--gpu", "5090"}).out,
              HasSubstr("\nNext: envgen resolve --torch 2.7.1 --gpu 5090\n"));
  const auto unknown = run_tool({"resolve", "--torch", "9.9", "--gpu", "RTX 5090"});
  EXPECT_EQ(unknown.exit, 8);
  EXPECT_THAT(unknown.out, HasSubstr("\nNext: envgen resolve --torch 2.15.0 --gpu 'RTX 5090'\n"));
}

}  // namespace
}  // namespace envgen
