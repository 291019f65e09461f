#include <fcntl.h>
#include <stdio_ext.h>
#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "cli/run_tool.hpp"
#include "resolver/query.hpp"
#include "support/matrix_folder.hpp"

namespace envgen::cli {
namespace {

using test::Outcome;
using test::run_tool;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// The options of `resolve` that take one free value.
const std::vector<std::string> options{"--torch",   "--torchvision", "--torchaudio", "--tensorflow", "--cuda",  "--cudnn",
                                       "--python",  "--driver",      "--gpu",        "--host",       "--os",    "--platform",
                                       "--variant", "--installer",   "--base",       "--prefer",     "--preset"};

/// stderr of a request that cannot be understood, which is all that it may write.
std::string refusal(std::vector<std::string> words) {
  words.insert(words.begin(), "resolve");
  const auto outcome = run_tool(words);
  EXPECT_EQ(outcome.exit, 2) << words.at(1);
  EXPECT_EQ(outcome.out, "") << words.at(1);
  return outcome.err;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Runs the tool while a descriptor leads to /dev/full, a disk without space.
class FullDevice {
 public:
  explicit FullDevice(int descriptor) : descriptor_(descriptor), saved_(::dup(descriptor)) {
    const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
    ::dup2(full, descriptor);
    ::close(full);
  }
  ~FullDevice() {
    // What could not be written must not turn up later.
    auto* stream = descriptor_ == STDOUT_FILENO ? stdout : stderr;
    ::__fpurge(stream);
    std::clearerr(stream);
    ::dup2(saved_, descriptor_);
    ::close(saved_);
  }
  FullDevice(const FullDevice&) = delete;
  FullDevice& operator=(const FullDevice&) = delete;

 private:
  int descriptor_;
  int saved_;
};

Outcome run_on_a_full_disk(std::vector<std::string> words) {
  words.insert(words.begin(), "envgen");
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  Outcome outcome;
  testing::internal::CaptureStderr();
  {
    const FullDevice full(STDOUT_FILENO);
    outcome.exit = cli::run(arguments, matrix::embedded_with_documents());
  }
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

// ---- values that cannot be understood

TEST(ResolveOptions, AMalformedVersionIsNamed) {
  for (const auto* option : {"--torch", "--torchvision", "--torchaudio", "--tensorflow", "--cudnn", "--python"})
    EXPECT_EQ(refusal({option, "2.x"}),
              "envgen: " + std::string(option) +
                  ": '2.x' is not a version number (only digits and dots are allowed)\n  2 means any 2.x; '==2.*' means the "
                  "same\n");
  EXPECT_EQ(refusal({"--cuda", "12.x"}),
            "envgen: --cuda: '12.x' is not a version number (only digits and dots are allowed)\n"
            "  12 means any 12.x; '==12.*' means the same\n"
            "  write a CUDA version as 12.1, 12.1.1, cu121, a range such as '>=12.1,<13', or cpu\n");
  EXPECT_EQ(refusal({"--driver", "535x"}),
            "envgen: --driver: '535x' is not a version number (only digits and dots are allowed)\n"
            "  write a driver as 535 (a branch), 535.183.01 or '>=535,<580'\n");
}

TEST(ResolveOptions, AMalformedRangeIsNamed) {
  for (const auto* option : {"--torch", "--torchvision", "--torchaudio", "--tensorflow", "--cudnn", "--python"})
    EXPECT_EQ(refusal({option, ">=2,,<3"}),
              "envgen: " + std::string(option) + ": '>=2,,<3' is not a version or range (a part of it is empty)\n");
  EXPECT_EQ(refusal({"--torch", ">=2."}), "envgen: --torch: '>=2.' is not a version number (a part is empty)\n");
  EXPECT_EQ(refusal({"--torch", "2.3.1.0.1"}), "envgen: --torch: '2.3.1.0.1' is not a version number (more than four parts)\n");
  EXPECT_EQ(refusal({"--cuda", ">12,"}),
            "envgen: --cuda: '>12,' is not a version or range (a part of it is empty)\n"
            "  write a CUDA version as 12.1, 12.1.1, cu121, a range such as '>=12.1,<13', or cpu\n");
  EXPECT_EQ(refusal({"--driver", ">=535,,<580"}),
            "envgen: --driver: '>=535,,<580' is not a version or range (a part of it is empty)\n"
            "  write a driver as 535 (a branch), 535.183.01 or '>=535,<580'\n");
}

TEST(ResolveOptions, AnEmptyVersionIsNone) {
  for (const auto* option : {"--torch", "--torchvision", "--torchaudio", "--tensorflow", "--cudnn", "--python"})
    EXPECT_EQ(refusal({option, ""}),
              "envgen: " + std::string(option) + ": '' is not a version or range (a part of it is empty)\n");
}

TEST(ResolveOptions, AnUnknownChoiceListsThemAll) {
  EXPECT_EQ(refusal({"--platform", "linux-arm64"}),
            "envgen: --platform: 'linux-arm64' is not one of linux-x86_64, linux-aarch64\n  did you mean linux-aarch64?\n");
  EXPECT_EQ(refusal({"--variant", "dev"}), "envgen: --variant: 'dev' is not one of runtime, devel\n");
  EXPECT_EQ(refusal({"--variant", "devle"}), "envgen: --variant: 'devle' is not one of runtime, devel\n  did you mean devel?\n");
  EXPECT_EQ(refusal({"--installer", "poetry"}), "envgen: --installer: 'poetry' is not one of pip, uv, conda\n");
  EXPECT_EQ(refusal({"--base", "alpine"}), "envgen: --base: 'alpine' is not one of slim, cuda, pytorch, tensorflow\n");
  EXPECT_EQ(refusal({"--prefer", "fastest"}), "envgen: --prefer: 'fastest' is not one of stable, newest, smallest, widest\n");
  EXPECT_EQ(refusal({"--prefer", ""}), "envgen: --prefer: '' is not one of stable, newest, smallest, widest\n");
}

TEST(ResolveOptions, AnUnknownPresetListsThemAll) {
  std::string names;
  for (const auto& preset : matrix::embedded()->presets) names += (names.empty() ? "" : ", ") + std::string(preset.name.view());
  EXPECT_EQ(refusal({"--preset", "colab-t5"}),
            "envgen: --preset: 'colab-t5' is not one of " + names + "\n  did you mean colab-t4?\n");
}

TEST(ResolveOptions, AnUnknownGpuIsNamedWithItsNeighbour) {
  EXPECT_EQ(refusal({"--gpu", "4900"}),
            "envgen: --gpu: unknown GPU '4900'\n  did you mean 4090?\n"
            "  'envgen list gpus' shows all names; a compute capability such as 8.6 works too\n");
  EXPECT_EQ(refusal({"--gpu", "GTX 980 Laptop"}),
            "envgen: --gpu: unknown GPU 'GTX 980 Laptop'\n"
            "  envgen knows only the desktop GeForce GTX 980, compute capability 5.2; if yours is the same, use 5.2\n"
            "  'envgen list gpus' shows all names; a compute capability such as 8.6 works too\n");
  std::string known;
  for (const auto& row : matrix::embedded()->gpu_drivers) known += (known.empty() ? "" : ", ") + row.capability.to_string();
  EXPECT_EQ(refusal({"--gpu", "9.9"}), "envgen: --gpu: no known GPU has compute capability 9.9\n  known: " + known + "\n");
}

TEST(ResolveOptions, AnUnknownSystemIsNamedWithAllOthers) {
  std::string known;
  for (const auto& os : matrix::embedded()->os) known += (known.empty() ? "" : ", ") + std::string(os.id.view());
  EXPECT_EQ(refusal({"--os", "plan9"}), "envgen: --os: 'plan9' is not a known operating system\n  known: " + known + "\n");
}

TEST(ResolveOptions, AReleaseThatIsNotKnownIsNoTypingMistake) {
  EXPECT_EQ(refusal({"--os", "ubuntu25.10"}),
            "envgen: --os: 'ubuntu25.10' is not a known operating system\n"
            "  known: ubuntu16.04, ubuntu18.04, ubuntu20.04, ubuntu22.04, ubuntu24.04, ubuntu26.04\n");
  EXPECT_EQ(refusal({"--os", "ubunut22.04"}),
            "envgen: --os: 'ubunut22.04' is not a known operating system\n  did you mean ubuntu22.04?\n");
}

TEST(ResolveOptions, WhatIsNumberedLikeCudaIsNoTorch) {
  for (const auto& [asked, cuda] : {std::pair("12.4", "12.4"), std::pair("124", "12.4"), std::pair("13", "13")})
    EXPECT_EQ(refusal({"--torch", asked}), fmt::format("envgen: --torch: '{}' is a CUDA version, not a release of torch\n"
                                                       "  did you mean --cuda {}?\n",
                                                       asked, cuda));
}

TEST(ResolveOptions, AnArchitectureIsNoGpu) {
  EXPECT_EQ(refusal({"--gpu", "Hopper"}),
            "envgen: --gpu: 'Hopper' is an architecture, not a GPU\n  name a GPU of it, or a compute capability: 9.0\n");
}

TEST(ResolveOptions, AGpuHasAName) {
  EXPECT_EQ(refusal({"--gpu", " "}),
            "envgen: --gpu: the name of the GPU is empty\n  for example: --gpu 4090; leave the option out if the GPU does not "
            "matter\n");
}

TEST(ResolveOptions, OtherToolsWordsAreUnderstood) {
  const std::string help = "\n  see 'envgen resolve --help'\n";
  EXPECT_EQ(refusal({"--cpu"}), "envgen: unknown option '--cpu'\n  a CPU build: --cuda cpu" + help);
  EXPECT_EQ(refusal({"--arch", "8.6"}), "envgen: unknown option '--arch'\n  a GPU by its compute capability: --gpu 8.6" + help);
  EXPECT_EQ(refusal({"--cuda-version", "12.1"}),
            "envgen: unknown option '--cuda-version'\n  the options are called --cuda, --driver, --python and --torch" + help);
  EXPECT_EQ(refusal({"--rocm"}),
            "envgen: unknown option '--rocm'\n  envgen covers only NVIDIA GPUs; builds for ROCm: "
            "https://pytorch.org/get-started/locally/" +
                help);
  EXPECT_EQ(refusal({"--windows"}),
            "envgen: unknown option '--windows'\n  envgen covers releases for NVIDIA GPUs on Linux; for WSL 2: --wsl" + help);
  for (const std::string word : {"--jetpack", "--l4t"})
    EXPECT_EQ(refusal({word, "6"}), "envgen: unknown option '" + word + "'\n  " + std::string(resolver::jetpack_fact) + help);
}

TEST(ResolveOptions, AHostIsWrittenInParts) {
  for (const auto& [host, part] : {std::pair("V100=1", "V100=1"), std::pair("gpu=V100,foo=1", "foo=1")})
    EXPECT_EQ(refusal({"--host", host}), fmt::format("envgen: --host: '{}' has the unknown part '{}'\n  the parts of a host are "
                                                     "gpu= and driver=, as in gpu=V100,gpu=T4,driver=535.183.01\n",
                                                     host, part));
  for (const auto* host : {"gpu=V100,,gpu=T4", "gpu=", ""})
    EXPECT_EQ(refusal({"--host", host}),
              "envgen: --host: '" + std::string(host) + "' is not a host\n  write a host as gpu=V100,gpu=T4,driver=535.183.01\n");
  EXPECT_EQ(refusal({"--host", "driver=535,gpu=V100,driver=550"}),
            "envgen: --host: 'driver=535,gpu=V100,driver=550' gives one machine two drivers\n");
}

TEST(ResolveOptions, ADriverThatIsNotThereIsNamed) {
  // A branch has three digits: as 999 may come one day, so may what is asked for by >=999.
  for (const std::string driver : {">=1000", ">999.1,<999.1.1", "<390", ">=500,<510"})
    EXPECT_EQ(refusal({"--driver", driver}),
              "envgen: --driver: no known driver satisfies '" + driver + "'\n  see 'envgen list drivers'\n");
  std::string branches;
  for (const auto& branch : matrix::embedded()->branches)
    branches += (branches.empty() ? "" : ", ") + std::to_string(branch.branch);
  EXPECT_EQ(refusal({"--driver", "536"}),
            "envgen: --driver: unknown driver branch 536\n  Windows has drivers of that number, and 535 is their branch; for WSL "
            "2, add --wsl\n"
            "  did you mean 530, 535?\n  known branches: " +
                branches + "\n");
}

TEST(ResolveOptions, APythonThatCannotBeIsNamed) {
  for (const auto* python : {"3.99", "2.7", "<3"})
    EXPECT_EQ(refusal({"--python", python}),
              "envgen: --python: '" + std::string(python) + "' " +
                  (Version::parse(python) ? "is not a version of Python 3" : "allows no version of Python 3") +
                  "\n  write a Python version as 3.12, or 3.13t for the free-threaded "
                  "build\n");
}

TEST(ResolveOptions, TwoFrameworksAreOneTooMany) {
  EXPECT_EQ(refusal({"--torch", "2.3", "--tensorflow", "2.15"}),
            "envgen: --tensorflow: one environment cannot have both torch and tensorflow\n");
}

TEST(ResolveOptions, SixtyValuesAreTheMost) {
  std::vector<std::string> words{"--torch", "2.3"};
  for (int i = 0; i < 60; ++i) words.insert(words.end(), {"--gpu", "4090"});
  EXPECT_EQ(refusal(words), "envgen: --gpu: a request may have at most 60 values; this one has 61\n");
}

TEST(ResolveOptions, WrongUseOfOptionsIsNamed) {
  const std::string help = "\n  see 'envgen resolve --help'\n";
  EXPECT_EQ(refusal({"--nope"}), "envgen: unknown option '--nope'" + help);
  EXPECT_EQ(
      refusal({"--with", "flash-attn"}),
      "envgen: unknown option '--with'\n  to install an additional package, use --pip of 'envgen render': --pip flash-attn" +
          help);
  EXPECT_EQ(refusal({"word"}),
            "envgen: unexpected argument 'word'\n  write values as options: --torch 2.6 --gpu 5090; only 'envgen why' "
            "takes bare values" +
                help);
  EXPECT_EQ(refusal({"--torch"}), "envgen: --torch needs a value: VERSION" + help);
  EXPECT_EQ(refusal({"--torch", "2.3", "--torch", "2.4"}), "envgen: --torch: given 2 times, but it takes one value" + help);
  EXPECT_EQ(refusal({"--torch", "2.3", "--batch", "-"}), "envgen: --torch and --batch cannot be combined" + help);
  EXPECT_EQ(refusal({"--format", "xml"}), "envgen: --format: 'xml' is not one of text, json" + help);
}

TEST(ResolveOptions, WhatLiesOutsideTheMatrixIsNoMistakeOfUse) {
  EXPECT_EQ(run_tool({"resolve", "--torch", "99.9"}).exit, 8);
  EXPECT_EQ(run_tool({"resolve", "--tensorflow", "99.9"}).exit, 8);
  EXPECT_EQ(run_tool({"resolve", "--torchaudio", "99.9"}).exit, 8);
  const auto newer = run_tool({"resolve", "--cuda", "99.9"});
  EXPECT_EQ(newer.exit, 8);
  EXPECT_THAT(newer.out, HasSubstr("CUDA 99.9 is newer than envgen's data, which ends at "));
  EXPECT_THAT(run_tool({"resolve", "--torchvision", "0.1"}).out,
              HasSubstr("torchvision 0.1 is older than envgen's data, which begins at "));
  // Neither a complete list of CUDA tags holds it, nor one that says what it leaves open, nor a known release's companions.
  EXPECT_EQ(run_tool({"resolve", "--torch", "2.15", "--cuda", "99.9"}).exit, 3);
  const auto complete = run_tool({"resolve", "--torch", "2.3", "--cuda", "99.9"});
  EXPECT_EQ(complete.exit, 3);
  EXPECT_THAT(complete.out, StartsWith("No environment satisfies torch 2.3 and cuda 99.9.\n"));
  EXPECT_EQ(run_tool({"resolve", "--torch", "2.15", "--torchvision", "99.9"}).exit, 3);
}

TEST(ResolveOptions, ABranchNewerThanTheMatrixIsADriver) {
  EXPECT_EQ(run_tool({"resolve", "--torch", "2.3", "--driver", "630"}).exit, 0);
  EXPECT_THAT(run_tool({"resolve", "--torch", "2.3", "--driver", "999"}).err,
              StartsWith("envgen: --driver: unknown driver branch 999\n"));
  EXPECT_THAT(run_tool({"resolve", "--torch", "2.3", "--driver", "999.10.01"}).err,
              StartsWith("envgen: --driver: unknown driver branch 999\n"));
  EXPECT_THAT(run_tool({"resolve", "--torch", "2.3", "--driver", "5350"}).err,
              StartsWith("envgen: --driver: unknown driver branch 5350\n"));
}

// ---- hostile values

TEST(HostileValues, AreShownOnOneShortLineAndRefused) {
  const std::string million(1'000'000, 'x');
  std::string many_lines;
  for (int i = 0; i < 500'000; ++i) many_lines += "x\n";
  const std::vector<std::string> values{"a'b\"c`d\\e", "a\nb", "a\r\nb", "a\rb",   "$(id)",    "`id`",
                                        "; id",        "| id", "{{x}}",  "%s%n%d", "\x1b[31m", "a\tb",
                                        "\x7f",        "   ",  "--",     million,  many_lines, std::string(1'000'000, '9')};
  for (const auto& option : options) {
    for (const auto& value : values) {
      const auto err = refusal({option, value});
      EXPECT_THAT(err, StartsWith("envgen: " + option + ": ")) << option;
      EXPECT_LT(err.size(), 600U) << option << ": " << err.substr(0, 600);
      auto lines = lines_of(err);
      ASSERT_FALSE(lines.empty());
      for (std::size_t i = 1; i < lines.size(); ++i) EXPECT_THAT(lines[i], StartsWith("  ")) << err;  // hints
      const bool visible = std::none_of(err.begin(), err.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte < 0x20 && c != '\n') || byte == 0x7f;
      });
      EXPECT_TRUE(visible) << option << ": " << err;
    }
  }
}

TEST(HostileValues, AreShownAsTheyAreMadeVisible) {
  EXPECT_EQ(refusal({"--torch", "a\nb\r"}),
            "envgen: --torch: 'a\\x0ab\\x0d' is not a version number (only digits and dots are allowed)\n");
  EXPECT_EQ(refusal({"--torch", "$(id)\"'{{x}}"}),
            "envgen: --torch: '$(id)\"'{{x}}' is not a version number (only digits and dots are allowed)\n");
  EXPECT_EQ(refusal({"--base", std::string(1'000'000, 'x')}),
            "envgen: --base: '" + std::string(60, 'x') + "...' (1000000 bytes) is not one of slim, cuda, pytorch, tensorflow\n");
}

TEST(HostileValues, AreMadeVisibleInPathsToo) {
  for (const auto* option : {"--project", "--batch", "--matrix"}) {
    const auto outcome = run_tool({"resolve", option, "none\x1b[31m"});
    EXPECT_EQ(outcome.exit, 4) << option;
    EXPECT_THAT(outcome.err, StartsWith("envgen: none\\x1b[31m: ")) << option;
  }
}

TEST(HostileValues, AreNeverExecuted) {
  const test::MatrixFolder folder;
  const auto marker = (folder.path() / "executed").string();
  for (const auto& option : options) {
    for (const auto& value : {"$(touch " + marker + ")", "`touch " + marker + "`", "; touch " + marker, "| touch " + marker,
                              "x\ntouch " + marker, "'; touch " + marker + "; '"})
      refusal({option, value});
  }
  EXPECT_FALSE(std::filesystem::exists(marker));
}

TEST(HostileValues, AreJsonInJson) {
  const auto outcome = run_tool({"resolve", "--torch", "a\nb\"\\$(id)", "--format", "json"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.find('\n'), outcome.out.size() - 1);
  EXPECT_EQ(outcome.json()["error"]["message"], "'a\\x0ab\"\\$(id)' is not a version number (only digits and dots are allowed)");
}

// ---- the error object

TEST(ErrorObject, HasCodeMessageOriginAndHints) {
  const auto outcome = run_tool({"resolve", "--gpu", "4900", "--format", "json"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            R"({"schema_version":1,"error":{"code":"usage","message":"unknown GPU '4900'","origin":"--gpu",)"
            R"("hints":["did you mean 4090?","'envgen list gpus' shows all names; a compute capability such as 8.6 works too"]}})"
            "\n");
}

TEST(ErrorObject, IsWrittenForAWrongOptionToo) {
  for (const auto& words : {std::vector<std::string>{"resolve", "--nope", "--format", "json"},
                            std::vector<std::string>{"resolve", "--format", "json", "--nope"}}) {
    const auto outcome = run_tool(words);
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out, R"({"schema_version":1,"error":{"code":"usage","message":"unknown option '--nope'",)"
                           R"("origin":"","hints":["see 'envgen resolve --help'"]}})"
                           "\n");
  }
}

TEST(ErrorObject, NamesTheFileOfABadMatrix) {
  const test::MatrixFolder folder;
  folder.write("torch.json", "{");
  const auto outcome = run_tool({"resolve", "--matrix", folder.path().string(), "--format", "json"});
  EXPECT_EQ(outcome.exit, 4);
  EXPECT_EQ(outcome.json()["error"]["code"], "bad_input");
  EXPECT_EQ(outcome.json()["error"]["message"], "the file is truncated (line 1, column 2)");
  EXPECT_EQ(outcome.json()["error"]["origin"], (folder.path() / "torch.json").string());
}

// ---- digests of images

TEST(Digest, OfAnImageThatALayerKnowsIsInTheAnswerAndTheCheckAgrees) {
  const test::MatrixFolder folder;
  const std::string digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  const auto layer = [&](const std::string& text) {
    folder.write("images.json", R"({"sources": {"s": {"what": "our mirror", "url": null, "read": "2026-11-22"}}, "cuda": [
      {"tag": "12.1.1-devel-ubuntu22.04", "cuda": "12.1.1", "cudnn": null, "variant": "devel", "os": "ubuntu22.04",
       "evidence": "listed", "status": "supported", "gate": "12.1", "source": "s", "digest": ")" +
                                    text + R"("}]})");
  };
  const std::vector<std::string> words{"resolve",
                                       "--torch",
                                       "2.3",
                                       "--cuda",
                                       "12.1",
                                       "--variant",
                                       "devel",
                                       "--matrix",
                                       ENVGEN_MATRIX_FOLDER,
                                       "--matrix",
                                       folder.path().string(),
                                       "--format",
                                       "json"};
  layer(digest);
  const auto outcome = run_tool(words);
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["environment"]["images"]["devel"], "nvidia/cuda:12.1.1-devel-ubuntu22.04@" + digest);
  layer("sha256:12");
  EXPECT_EQ(run_tool(words).json()["error"]["message"], "'sha256:12' is not a digest: sha256: and 64 digits");
}

// ---- --all

TEST(All, BeginsWithTheBestAndHoldsNothingTwice) {
  const std::vector<std::string> words{"resolve", "--torch",     "2.3.1",    "--cuda", "12.1",
                                       "--os",    "ubuntu22.04", "--format", "json"};
  const auto best = run_tool(words).json()["environment"];
  auto all_words = words;
  all_words.emplace_back("--all");
  const auto all = run_tool(all_words);
  EXPECT_EQ(all.exit, 0);
  const auto lines = lines_of(all.out);
  ASSERT_GT(lines.size(), 1U);
  EXPECT_EQ(nlohmann::json::parse(lines.front())["environment"], best);
  std::set<std::string> distinct;
  for (const auto& line : lines) {
    const auto answer = nlohmann::json::parse(line);
    distinct.insert(answer["environment"].dump());
    EXPECT_EQ(answer["environment"]["torch"]["version"], "2.3.1");
    EXPECT_EQ(answer["environment"]["torch"]["cuda"], "12.1");
    EXPECT_EQ(answer["environment"]["os"], "ubuntu22.04");
  }
  EXPECT_EQ(distinct.size(), lines.size());
}

TEST(All, TextHasAsManyLinesAsJson) {
  const std::vector<std::string> words{"resolve", "--all", "--torch", "2.3.1", "--cuda", "12.1", "--gpu", "A100"};
  auto json_words = words;
  json_words.insert(json_words.end(), {"--format", "json"});
  const auto text = lines_of(run_tool(words).out);
  EXPECT_EQ(text.size(), lines_of(run_tool(json_words).out).size());
  for (const auto& line : text) EXPECT_THAT(line, StartsWith("torch 2.3.1  CUDA 12.1"));
}

TEST(All, OfNothingIsTheProof) {
  const std::vector<std::string> request{"resolve", "--torch", "2.3", "--gpu", "5090"};
  auto all = request;
  all.emplace_back("--all");
  EXPECT_EQ(run_tool(all).exit, 3);
  EXPECT_EQ(run_tool(all).out, run_tool(request).out);
}

TEST(All, OfNothingKnownIsTheMissingFact) {
  const auto outcome = run_tool({"resolve", "--all", "--torch", "99.9", "--format", "json"});
  EXPECT_EQ(outcome.exit, 8);
  EXPECT_EQ(lines_of(outcome.out).size(), 1U);
  EXPECT_TRUE(outcome.json().contains("unknown"));
}

// ---- --explain and why

TEST(Explain, CountsWhatEachValueRemoved) {
  const auto outcome = run_tool({"resolve", "--torch", "2.3", "--gpu", "5090", "--explain", "--format", "json"});
  EXPECT_EQ(outcome.exit, 3);
  const auto explain = outcome.json()["explain"];
  ASSERT_EQ(explain.size(), 2U);
  EXPECT_EQ(explain[0]["field"], "torch");
  EXPECT_EQ(explain[0]["value"], "2.3");
  EXPECT_EQ(explain[1]["field"], "gpu");
  EXPECT_EQ(explain[1]["before"], explain[0]["after"]);
  EXPECT_EQ(explain[1]["after"], 0);
  EXPECT_EQ(explain[1]["removed"],
            nlohmann::json({"torch 2.3.1+cu121", "torch 2.3.1+cu118", "torch 2.3.0+cu121", "torch 2.3.0+cu118"}));
}

TEST(Explain, StandsBehindTheAnswer) {
  const auto plain = run_tool({"resolve", "--torch", "2.3.1"});
  const auto explained = run_tool({"resolve", "--torch", "2.3.1", "--explain"});
  EXPECT_EQ(explained.exit, 0);
  // The headline and the commands stay; every value with its reason stands in place of the summary.
  const auto summary = plain.out.find("\n  GPUs ");
  ASSERT_NE(summary, std::string::npos);
  EXPECT_THAT(explained.out, StartsWith(plain.out.substr(0, summary)));
  EXPECT_THAT(explained.out, HasSubstr("\ntorch            2.3.1          requested\n"));
  EXPECT_THAT(explained.out.substr(summary), HasSubstr("What each value ruled out\n"));
}

TEST(Why, IsResolveWithExplainInWords) {
  const auto words = run_tool({"why", "torch", "2.3", "gpu", "5090", "gpu", "A100", "ptx", "true"});
  const auto flags = run_tool({"resolve", "--torch", "2.3", "--gpu", "5090", "--gpu", "A100", "--ptx", "--explain"});
  EXPECT_EQ(words.exit, 3);
  EXPECT_EQ(words.exit, flags.exit);
  EXPECT_THAT(words.out, StartsWith("No environment satisfies torch 2.3 and gpu 5090.\n"));
}

TEST(Why, AnswersWhatCanBe) {
  const auto whole = run_tool({"why", "torch", "2.3.1", "cuda", "12.1", "--all"});
  EXPECT_EQ(whole.exit, 0);
  EXPECT_EQ(whole.out, run_tool({"resolve", "--torch", "2.3.1", "--cuda", "12.1", "--explain"}).out);
  const auto brief = run_tool({"why", "torch", "2.3.1", "cuda", "12.1"}).out;
  EXPECT_LE(std::count(brief.begin(), brief.end(), '\n'), 22) << brief;
  EXPECT_THAT(brief, HasSubstr("\nand 5 more\n"));
}

TEST(Why, MistakesAreNamed) {
  EXPECT_EQ(run_tool({"why", "torch"}).err, "envgen: why: 'torch' has no value\n  for example: envgen why torch 2.6 cuda 12.1\n");
  EXPECT_EQ(run_tool({"why", "torch", "2.3", "torch", "2.4"}).err,
            "envgen: why: 'torch' is given twice\n  write a range as '>=2.3,<2.5'\n");
  EXPECT_THAT(run_tool({"why", "to\nrch", "2.6"}).err,
              StartsWith("envgen: why: 'to\\x0arch' is not a request field\n  did you mean torch?\n  known: torch, "));
  EXPECT_EQ(run_tool({"why", "torch", "2.x"}).err,
            "envgen: --torch: '2.x' is not a version number (only digits and dots are allowed)\n  2 means any 2.x; '==2.*' "
            "means the same\n");
  for (const auto& words : {std::vector<std::string>{"why"}, {"why", "torch"}, {"why", "touch", "1"}, {"why", "torch", "2.x"}}) {
    const auto outcome = run_tool(words);
    EXPECT_EQ(outcome.exit, 2);
    EXPECT_EQ(outcome.out, "");
  }
}

// ---- presets

nlohmann::json answer_to(std::vector<std::string> words) {
  words.insert(words.begin(), "resolve");
  words.insert(words.end(), {"--format", "json"});
  const auto outcome = run_tool(words);
  EXPECT_EQ(outcome.exit, 0) << outcome.out;
  return outcome.json();
}

TEST(Preset, Wsl2IsTheFlag) {
  // On a screen the preset's remark takes the room of a note; all of an answer is the same.
  EXPECT_EQ(run_tool({"resolve", "--preset", "wsl2", "--explain"}).out, run_tool({"resolve", "--wsl", "--explain"}).out);
  const auto answer = answer_to({"--preset", "wsl2"});
  EXPECT_EQ(answer["request"], nlohmann::json({{"wsl", true}}));
  EXPECT_EQ(answer["environment"]["driver"]["windows_cuda"], "13.0");
}

TEST(Preset, RemarksOfOneCommandTakeNoRoomOfTheNext) {
  const auto alone = run_tool({"resolve", "--wsl"}).out;
  EXPECT_NE(run_tool({"resolve", "--preset", "wsl2"}).err, "");
  EXPECT_EQ(run_tool({"resolve", "--wsl"}).out, alone);
}

TEST(Preset, DgxA100IsEightBoardsInOneMachine) {
  const auto answer = answer_to({"--preset", "dgx-a100", "--torch", "2.3"});
  const nlohmann::json eight(8, "A100");
  EXPECT_EQ(answer["request"]["platform"], "linux-x86_64");
  EXPECT_EQ(answer["request"]["hosts"],
            nlohmann::json({"gpu=A100,gpu=A100,gpu=A100,gpu=A100,gpu=A100,gpu=A100,gpu=A100,gpu=A100"}));
  const auto& environment = answer["environment"];
  EXPECT_EQ(environment["platform"], "linux-x86_64");
  ASSERT_EQ(environment["driver"]["machines"].size(), 1U);
  EXPECT_EQ(environment["driver"]["machines"][0]["gpus"], eight);
  EXPECT_EQ(environment["driver"]["minimum"], "525.60.13");
  ASSERT_EQ(environment["gpus"].size(), 8U);
  for (const auto& gpu : environment["gpus"])
    EXPECT_EQ(gpu, nlohmann::json({{"name", "A100"}, {"capability", "8.0"}, {"runs", "sass"}, {"via", "8.0"}, {"nvcc", "8.0"}}));
}

TEST(Preset, TwoRtx4090AreOneMachine) {
  const auto answer = answer_to({"--preset", "4090x2", "--torch", "2.3", "--cuda", "12.1"});
  EXPECT_EQ(answer["request"], nlohmann::json({{"torch", "2.3"}, {"cuda", "12.1"}, {"hosts", {"gpu=RTX 4090,gpu=RTX 4090"}}}));
  const auto& driver = answer["environment"]["driver"];
  ASSERT_EQ(driver["machines"].size(), 1U);
  EXPECT_EQ(driver["machines"][0]["gpus"], nlohmann::json({"GeForce RTX 4090", "GeForce RTX 4090"}));
  EXPECT_EQ(driver["minimum"], "525.60.13");
}

TEST(Preset, AutodlIsExact) {
  const auto environment = answer_to({"--preset", "autodl"})["environment"];
  EXPECT_EQ(environment["torch"]["version"], "2.5.1");
  EXPECT_EQ(environment["torch"]["cuda"], "12.4");
  EXPECT_EQ(environment["python"], "3.12");
  EXPECT_EQ(environment["os"], "ubuntu22.04");
}

TEST(Preset, EveryOneResolvesAndFlagsOverrideIt) {
  for (const auto& preset : matrix::embedded()->presets) {
    const std::string name(preset.name.view());
    EXPECT_EQ(run_tool({"resolve", "--preset", name}).exit, 0) << name;
    const auto answer = answer_to({"--preset", name, "--torch", "2.4", "--cuda", "12.1"});
    EXPECT_EQ(answer["environment"]["torch"]["version"], "2.4.1") << name;
    EXPECT_EQ(answer["environment"]["torch"]["cuda"], "12.1") << name;
  }
}

// ---- an old board and a new one

/// `2.8.0+cu128` of every environment for a V100 and a B200, best first, each once in a row; empty: there is none.
std::vector<std::string> builds_for_v100_and_b200(const std::string& torch) {
  const auto outcome = run_tool({"resolve", "--torch", torch, "--gpu", "V100", "--gpu", "B200", "--all", "--format", "json"});
  std::vector<std::string> builds;
  for (const auto& line : lines_of(outcome.out)) {
    const auto answer = nlohmann::json::parse(line);
    if (answer.contains("conflict")) {
      EXPECT_EQ(outcome.exit, 3) << torch;
      return {};
    }
    const auto& found = answer["environment"]["torch"];
    const auto build = found["version"].get<std::string>() + "+" + found["tag"].get<std::string>();
    if (builds.empty() || builds.back() != build) builds.push_back(build);
  }
  EXPECT_EQ(outcome.exit, 0) << torch;
  return builds;
}

TEST(OldAndNewBoard, AreServedByThreeReleasesOfTorch) {
  using testing::ElementsAre;
  EXPECT_THAT(builds_for_v100_and_b200("2.7"), testing::IsEmpty());
  EXPECT_THAT(builds_for_v100_and_b200("2.8"), ElementsAre("2.8.0+cu128", "2.8.0+cu129"));
  EXPECT_THAT(builds_for_v100_and_b200("2.9"), ElementsAre("2.9.1+cu128", "2.9.0+cu128", "2.9.1+cu129", "2.9.0+cu129"));
  EXPECT_THAT(builds_for_v100_and_b200("2.10"), ElementsAre("2.10.0+cu128", "2.10.0+cu129"));
  EXPECT_THAT(builds_for_v100_and_b200("2.11"), testing::IsEmpty());
}

TEST(OldAndNewBoard, HaveDriversOfTheirOwn) {
  const auto driver = answer_to({"--gpu", "V100", "--gpu", "B200"})["environment"]["driver"];
  ASSERT_EQ(driver["machines"].size(), 2U);
  EXPECT_EQ(driver["machines"][0]["gpus"], nlohmann::json({"V100"}));
  EXPECT_EQ(driver["machines"][0]["minimum"], "525.60.13");
  EXPECT_EQ(driver["machines"][0]["last_branch"], "580");
  EXPECT_EQ(driver["machines"][1]["gpus"], nlohmann::json({"B200"}));
  EXPECT_EQ(driver["machines"][1]["minimum"], "570.86.15");
  EXPECT_TRUE(driver["machines"][1]["last_branch"].is_null());
}

TEST(OldAndNewBoard, InOneMachineWantTwoKernelModules) {
  const std::vector<std::string> words{"resolve", "--host", "gpu=V100,gpu=B200"};
  const auto text = run_tool(words);
  EXPECT_EQ(text.exit, 3);
  EXPECT_THAT(text.out, StartsWith("No environment satisfies host gpu=V100,gpu=B200.\n"
                                   "\n"
                                   "  The V100 (compute capability 7.0) needs the proprietary kernel modules, and\n"
                                   "  the B200 (compute capability 10.0) the open ones; a machine can load only one\n"
                                   "  kind, so these GPUs cannot share a machine.\n"));
  auto json_words = words;
  json_words.insert(json_words.end(), {"--format", "json"});
  const auto json = run_tool(json_words);
  EXPECT_EQ(json.exit, 3);
  EXPECT_EQ(json.json()["conflict"]["values"],
            nlohmann::json::parse(R"([{"field": "host", "value": "gpu=V100,gpu=B200", "origin": "flag"}])"));
  EXPECT_THAT(json.json()["conflict"]["proof"][0].get<std::string>(), HasSubstr("needs the proprietary kernel modules"));
}

TEST(OldAndNewBoard, TheProofNamesBoth) {
  const auto outcome = run_tool({"resolve", "--gpu", "K80", "--gpu", "5090", "--explain"});
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.out, StartsWith("No environment satisfies gpu K80 and gpu 5090.\n"
                                      "\n"
                                      "  No builds of torch 1.8.0 to 2.15.0 for CUDA 11.1 to 13.2 run on the Tesla K80\n"
                                      "  (compute capability 3.7): they have binaries only for compute capabilities 5.0\n"
                                      "  to 12.0, and PTX for 12.0. This GPU needs binaries for 3.0 to 3.7, or PTX for\n"
                                      "  3.7 or lower.\n"
                                      "  No builds of torch 1.7.0 to 2.3.1 for CUDA 9.2 to 11.8 run on the GeForce RTX\n"
                                      "  5090 (compute capability 12.0): they have binaries only for compute\n"
                                      "  capabilities 3.7 to 9.0, and no PTX.\n"
                                      "  All builds of torch 2.4.0 to 2.7.1 for CUDA 11.8 use cuDNN 9.1.0.70, which\n"
                                      "  supports only compute capability 5.0 and newer; the Tesla K80 has 3.7.\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\n  1. without gpu K80:\n     torch 2."));
  EXPECT_THAT(outcome.out, HasSubstr("\n  2. without gpu 5090:\n     torch 2.3.1 + CUDA 11.8, "));
}

// ---- pins

/// `numpy<2` of an answer; empty: it pins no NumPy.
std::string numpy_of(std::vector<std::string> words) {
  const auto answer = answer_to(std::move(words));
  for (const auto& pin : answer["pins"]) {
    if (pin["package"] == "numpy") return "numpy" + pin["spec"].get<std::string>() + ": " + pin["why"].get<std::string>();
  }
  return {};
}

TEST(Pins, NumPy2IsKeptFromTorchBefore2_3) {
  const std::string pinned = "numpy<2: PyTorch before 2.3 was built against NumPy 1 and declares no upper bound";
  for (const auto* torch : {"1.11", "2.0", "2.2", "2.2.2+cu118", "<2.3"})
    EXPECT_EQ(numpy_of({"--torch", torch}), pinned) << torch;
  EXPECT_EQ(numpy_of({"--torch", "2.2", "--installer", "conda"}), pinned);
  EXPECT_EQ(numpy_of({"--torch", "2.2", "--cuda", "cpu"}), pinned);
  for (const auto* torch : {"2.3", "2.3.0", "2.10"}) EXPECT_EQ(numpy_of({"--torch", torch}), "") << torch;
  EXPECT_EQ(numpy_of({"--torch", "2.3", "--installer", "conda"}), "");
  EXPECT_THAT(run_tool({"resolve", "--torch", "2.2", "--explain"}).out,
              HasSubstr("\nPins\n  numpy<2: PyTorch before 2.3 was built against NumPy 1 and declares no upper\n    bound\n"));
  EXPECT_THAT(run_tool({"resolve", "--torch", "2.2"}).out, HasSubstr(" 'numpy<2' "));
  EXPECT_THAT(run_tool({"resolve", "--torch", "2.3"}).out, Not(HasSubstr("numpy")));
}

TEST(Pins, OfARenderedFileGrowByWhatIsAskedFor) {
  const std::vector<std::string> words{"render", "requirements", "--torch", "2.3"};
  EXPECT_THAT(run_tool(words).out, Not(HasSubstr("numpy")));
  auto asked = words;
  asked.insert(asked.end(), {"--pip", "numpy<2"});
  EXPECT_THAT(run_tool(asked).out, HasSubstr("\nnumpy<2\n"));
}

// ---- what best means

struct Chosen {
  std::string build;
  std::string toolkit;
  std::string driver;

  friend bool operator==(const Chosen&, const Chosen&) = default;
  friend void PrintTo(const Chosen& chosen, std::ostream* out) {
    *out << chosen.build << ", CUDA " << chosen.toolkit << ", driver " << chosen.driver;
  }
};

const std::vector<std::string> closed_releases{"--torch", ">=2.3,<2.10", "--gpu", "A100"};

nlohmann::json preferring(const std::string& what) {
  auto words = closed_releases;
  words.insert(words.end(), {"--prefer", what});
  return answer_to(words);
}

Chosen chosen_of(const nlohmann::json& answer) {
  const auto& environment = answer["environment"];
  return {environment["torch"]["version"].get<std::string>() + "+" + environment["torch"]["tag"].get<std::string>(),
          environment["cuda"]["toolkit"], environment["driver"]["minimum"]};
}

std::string reason_of(const nlohmann::json& answer, const std::string& field) {
  for (const auto& reason : answer["reasons"]) {
    if (reason["field"] == field) return reason["why"];
  }
  return {};
}

TEST(Preference, StableIsWhatTheReleaseInstalls) {
  EXPECT_EQ(chosen_of(preferring("stable")), (Chosen{"2.9.1+cu128", "12.8.1", "525.60.13"}));
  EXPECT_EQ(chosen_of(answer_to(closed_releases)), chosen_of(preferring("stable")));
}

TEST(Preference, NewestTakesTheNewestCuda) {
  const auto newest = preferring("newest");
  EXPECT_EQ(chosen_of(newest), (Chosen{"2.9.1+cu130", "13.0.0", "580.65.06"}));
  EXPECT_EQ(reason_of(newest, "torch"), "the newest release known to satisfy the request (requested: >=2.3,<2.10)");
}

TEST(Preference, SmallestFetchesTheLeast) {
  const auto smallest = preferring("smallest");
  EXPECT_EQ(chosen_of(smallest), (Chosen{"2.4.1+cu121", "12.1.1", "525.60.13"}));
  EXPECT_EQ(reason_of(smallest, "torch"), "the smallest known installation that satisfies the request (requested: >=2.3,<2.10)");
  std::uint64_t chosen = 0;
  std::uint64_t least = ~std::uint64_t{0};
  for (const auto& build : matrix::embedded()->builds) {
    if (build.framework != Framework::torch || build.platform != Platform::linux_x86_64 || build.cpu) continue;
    if (build.install_bytes == 0 || build.version < Version(2, 3) || build.version >= Version(2, 10)) continue;
    least = std::min(least, build.install_bytes);
    if (build.version_text.view() == "2.4.1" && build.tag.view() == "cu121") chosen = build.install_bytes;
  }
  EXPECT_EQ(chosen, least);
}

TEST(Preference, WidestRunsUnderTheOldestDriver) {
  const auto widest = preferring("widest");
  EXPECT_EQ(chosen_of(widest), (Chosen{"2.7.1+cu118", "11.8.0", "450.80.02"}));
  EXPECT_EQ(reason_of(widest, "torch"), "the build that supports the most GPUs and drivers (requested: >=2.3,<2.10)");
}

TEST(Preference, IsTheReasonOfTheCudaAndNotTheBoards) {
  // The default CUDA of both releases serves an A100: `stable` takes it.
  for (const auto* what : {"newest", "widest"})
    EXPECT_THAT(reason_of(preferring(what), "cuda"), Not(HasSubstr("does not serve"))) << what;
}

TEST(Preference, StandsInTheRequest) { EXPECT_EQ(preferring("widest")["request"]["prefer"], "widest"); }

// ---- spellings

TEST(Spellings, InCapitalsAreTheSame) {
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> pairs{
      {{"--gpu", "sm_89"}, {"--gpu", "SM_89"}},
      {{"--host", "gpu=sm_70,driver=535"}, {"--host", "gpu=SM_70,driver=535"}},
      {{"--torch", "2.3.1+cu121"}, {"--torch", "2.3.1+CU121"}},
      {{"--torch", "2.3.1+cpu"}, {"--torch", "2.3.1+CPU"}},
      {{"--cuda", "cu121"}, {"--cuda", "CU121"}},
      {{"--os", "jammy"}, {"--os", "JAMMY"}}};
  for (const auto& [small, large] : pairs)
    EXPECT_EQ(answer_to(large)["environment"], answer_to(small)["environment"]) << large[1];
}

// ---- a disk without space

TEST(FullDisk, IsAnErrorWithAMessage) {
  for (const auto& words : {std::vector<std::string>{"resolve", "--torch", "2.3.1"},
                            {"resolve", "--torch", "2.3.1", "--explain"},
                            {"resolve", "--torch", "2.3.1", "--all"},
                            {"resolve", "--torch", "2.3", "--gpu", "5090"},
                            {"why", "torch", "2.3"},
                            {"list", "torch"},
                            {"show", "gpu", "4090"}}) {
    const auto outcome = run_on_a_full_disk(words);
    EXPECT_EQ(outcome.exit, 1) << words.front();
    EXPECT_EQ(outcome.err, "envgen: cannot write to standard output\n") << words.front();
  }
}

TEST(FullDisk, IsAnErrorInJsonToo) {
  for (const auto& words : {std::vector<std::string>{"resolve", "--torch", "2.3.1", "--format", "json"},
                            {"resolve", "--torch", "2.3.1", "--format", "json", "--explain"},
                            {"resolve", "--torch", "2.3.1", "--format", "json", "--all"}}) {
    const auto outcome = run_on_a_full_disk(words);
    EXPECT_EQ(outcome.exit, 1) << words.back();
    EXPECT_EQ(outcome.err, "envgen: cannot write to standard output\n") << words.back();  // nowhere else could it be seen
  }
}

TEST(FullDisk, UnderHelpAndVersionIsAnError) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--help"}, {"resolve", "--help"}, {"--version"}, {}}) {
    const auto outcome = run_on_a_full_disk(words);
    EXPECT_EQ(outcome.exit, 1);
    EXPECT_EQ(outcome.err, "envgen: cannot write to standard output\n");
  }
}

TEST(FullDisk, UnderABatchIsAnError) {
  const test::MatrixFolder folder;
  folder.write("requests", "{}\n{}\n");
  const auto outcome = run_on_a_full_disk({"resolve", "--batch", (folder.path() / "requests").string()});
  EXPECT_EQ(outcome.exit, 1);
  EXPECT_EQ(outcome.err, "envgen: cannot write to standard output\n");
}

}  // namespace
}  // namespace envgen::cli
