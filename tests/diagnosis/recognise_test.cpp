// How logs are read: whatever surrounds a message, however long the log is, and what comes first.
#include "diagnosis/recognise.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ids.hpp"

namespace envgen::diagnosis {
namespace {

using test::ids_of;
using testing::ElementsAre;
using testing::IsEmpty;

const std::string no_image = "RuntimeError: CUDA error: no kernel image is available for execution on the device";

TEST(Recognise, FindsNothingInNothing) {
  EXPECT_THAT(recognise(""), IsEmpty());
  EXPECT_THAT(recognise("\n\n\n"), IsEmpty());
  EXPECT_THAT(recognise("all is well\n"), IsEmpty());
}

TEST(Recognise, NamesTheLineAndItsText) {
  const auto findings = recognise("one\r\ntwo\n\x1b[1;31m" + no_image + "\x1b[0m\nfour\n");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].diagnosis->id, "cuda-209");
  EXPECT_EQ(findings[0].evidence.line, 3U);
  EXPECT_EQ(findings[0].evidence.text, no_image);
}

TEST(Recognise, ShowsThePlaceInALongLine) {
  const std::string many(5000, 'x');
  const auto findings = recognise(many + " " + no_image + " " + many);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_LE(findings[0].evidence.text.size(), longest_evidence);
  EXPECT_THAT(findings[0].evidence.text, testing::HasSubstr("no kernel image is available"));
}

TEST(Recognise, CutsNoCharacterOfEvidence) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "\xC3\xA9\xE2\x82\xAC";
  for (const auto* shift : {"", "a", "ab", "abc"}) {
    const auto findings = recognise(shift + many + no_image + many);
    ASSERT_EQ(findings.size(), 1U);
    const auto& text = findings[0].evidence.text;
    EXPECT_NE(static_cast<unsigned char>(text.front()) & 0xC0U, 0x80U);
    EXPECT_TRUE(static_cast<unsigned char>(text.back()) < 0x80U || text.ends_with("\xC3\xA9") || text.ends_with("\xE2\x82\xAC"));
  }
}

TEST(Recognise, ReadsALineOfAnyLength) {
  for (const std::size_t size : {65500U, 65536U, 130000U, 1000000U}) {
    const auto findings = recognise(std::string(size, 'x') + no_image + std::string(size, 'y') + "\n\nnext\n");
    ASSERT_EQ(findings.size(), 1U) << size;
    EXPECT_EQ(findings[0].evidence.line, 1U);
  }
}

TEST(Recognise, ReadsPiecesOfAnySize) {
  const auto log = "first\n" + no_image + "\nDataLoader worker (pid 7) is killed by signal: Bus error.\n";
  for (const std::size_t size : {1U, 2U, 7U, 64U}) {
    Recogniser recogniser;
    for (std::size_t at = 0; at < log.size(); at += size) recogniser.feed(std::string_view(log).substr(at, size));
    const auto findings = recogniser.finish();
    ASSERT_EQ(findings.size(), 2U) << size;
    EXPECT_EQ(findings[0].evidence.line, 2U);
    EXPECT_EQ(findings[1].evidence.line, 3U);
  }
}

/// It holds a few lines, however many there are.
TEST(Recognise, ReadsManyMegabytes) {
  Recogniser recogniser;
  std::string chunk;
  while (chunk.size() < std::size_t{1} << 16) chunk += "Step 209: loss 1.8042, 38 tokens/s, gpu memory 209 MiB on cuda:0\n";
  std::size_t lines = 0;
  for (int i = 0; i < 64; ++i) {
    recogniser.feed(chunk);
    lines += static_cast<std::size_t>(std::count(chunk.begin(), chunk.end(), '\n'));
  }
  for (int i = 0; i < 64; ++i) recogniser.feed(std::string(chunk.size(), '.'));  // and one line that is as long
  recogniser.feed("\n" + no_image);
  const auto findings = recogniser.finish();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].evidence.line, lines + 2);
}

TEST(Recognise, ReadsBinaryRubbish) {
  std::string rubbish;
  unsigned state = 1;
  for (int i = 0; i < 300000; ++i) {
    state = state * 1103515245 + 12345;
    rubbish += static_cast<char>(state >> 16);
  }
  EXPECT_THAT(ids_of(rubbish), IsEmpty());
  EXPECT_THAT(ids_of(rubbish + "\n" + no_image + "\n" + rubbish), ElementsAre("cuda-209"));
}

TEST(Recognise, ReadsWhatLoggersEscape) {
  EXPECT_THAT(ids_of(R"({"msg":"Error response from daemon: could not select device driver \"\" with capabilities: [[gpu]]"})"),
              ElementsAre("engine-no-gpu-driver"));
  EXPECT_THAT(ids_of(R"({"a":"{\"b\":\"could not select device driver \\\"\\\" with capabilities: [[gpu]]\"}"})"),
              ElementsAre("engine-no-gpu-driver"));
  EXPECT_THAT(
      ids_of(R"(one\ntwo\u001b[31mCUDA\u001b[0m error:\u0020no kernel image is available for execution on the device\nx)"),
      ElementsAre("cuda-209"));
  EXPECT_THAT(ids_of("^[[31mno kernel image is \\x1b[1mavailable \\033[0mfor execution on the device"), ElementsAre("cuda-209"));
}

/// What is shown of a log must neither steer the terminal nor break the JSON.
TEST(Recognise, ShowsNothingThatSteersATerminal) {
  const auto findings = recognise("\xE0\x80\x9C\xC2\x9B[2J\xE2\x80\xA8\xE2\x80\xAE\xFF\x07\x1b]0;title\x07" + no_image + "\x1b[");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].evidence.text, "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD [2J \xEF\xBF\xBD " + no_image);
}

TEST(Recognise, ReadsALineThatWasWrapped) {
  const std::string begin = "  File \"train.py\", line 12: RuntimeError: CUDA error: no kernel image is avail";
  EXPECT_THAT(ids_of(begin + "\nable for execution on the device"), ElementsAre("cuda-209"));
  EXPECT_THAT(ids_of("trainer-1  | " + begin + "\ntrainer-1  | able for execution on the device\n"), ElementsAre("cuda-209"));
  EXPECT_THAT(
      ids_of("a line that is as long as a margin would have it: no kernel\n\nimage is available for execution on the device"),
      IsEmpty());
  EXPECT_THAT(ids_of("no kernel\nimage is available for execution on the device"), IsEmpty()) << "too short for a margin";
}

TEST(Recognise, NamesTheLineOnWhichAWrappedMessageBegins) {
  const std::string begin = "  File \"train.py\", line 12: RuntimeError: CUDA error: no kernel image is avail";
  const auto findings = recognise("one\n\n" + begin + "\nable for execution on the device\nfive\n");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].evidence.line, 3U);
  // Where the margin ended a line before it began.
  const auto later = recognise("one\n" + std::string(90, 'x') + " and\n" + begin + "\nable for execution on the device\nfive\n");
  ASSERT_EQ(later.size(), 1U);
  EXPECT_EQ(later[0].evidence.line, 3U);
}

/// Parts of a long line overlap: an escape that a part would cut leaves nothing of it in the message.
TEST(Recognise, CutsNoEscapeOfALongLine) {
  const std::string message = "CUDA error: no kernel image is \x1b[1;31mavailable for execution on the device";
  for (std::size_t cut = 30; cut < 42; ++cut) {
    const auto findings = recognise(std::string((std::size_t{1} << 16) - cut, 'x') + message + std::string(70000, 'y') + "\n");
    ASSERT_EQ(findings.size(), 1U) << cut;
    EXPECT_EQ(findings[0].diagnosis->id, "cuda-209");
  }
}

TEST(Recognise, ManyBlankLinesAreReadLikeNone) {
  const std::string begin = "  File \"train.py\", line 12: RuntimeError: CUDA error: no kernel image is avail";
  const std::string blank(1000, '\n');
  EXPECT_THAT(ids_of(begin + "\n" + blank + "able for execution on the device"), IsEmpty());
  const auto findings = recognise(blank + begin + "\nable for execution on the device\n" + blank);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].evidence.line, 1001U);
}

TEST(Recognise, ShowsTheLineThatIsSureInPlaceOfOneThatMayMeanIt) {
  const std::string general = "CUDA error: CUDA driver version is insufficient for CUDA runtime version";
  const std::string sure = "The NVIDIA driver on your system is too old (found version 11040).";
  const auto findings = recognise(general + "\n\n" + sure + "\n\n" + sure + " Again.\n");
  ASSERT_EQ(findings.size(), 1U) << "the general wording is also that of another failure, which this one hides";
  EXPECT_EQ(findings[0].diagnosis->id, "cuda-35-old-driver");
  EXPECT_EQ(findings[0].evidence.line, 3U);
  EXPECT_EQ(findings[0].evidence.text, sure);
}

/// A long line shows its wording, with a little before it, and that there is more.
TEST(Recognise, EvidenceBeginsShortlyBeforeTheWording) {
  const auto evidence = [](const std::string& before, const std::string& behind) {
    return recognise(before + no_image + behind).at(0).evidence.text;
  };
  const std::string message = no_image.substr(no_image.find("no kernel"));  // where the wording begins
  const auto head = no_image.size() - message.size();
  EXPECT_EQ(evidence("", ""), no_image);
  const std::string fits(longest_evidence - no_image.size(), 'x');
  EXPECT_EQ(evidence("", fits), no_image + fits);
  EXPECT_EQ(evidence("", fits + "y"), no_image + fits.substr(6) + "...");
  EXPECT_EQ(evidence(std::string(1000, 'x'), ""), "..." + std::string(80 - head, 'x') + no_image);
  EXPECT_EQ(evidence(std::string(1000, 'x'), std::string(1000, 'y')).size(), longest_evidence);
}

TEST(Recognise, ALineEndsAtItsMarginOrBeforeAWordThatIsTooLong) {
  const auto found = [](const std::string& first, const std::string& second) { return !ids_of(first + "\n" + second).empty(); };
  const std::string end = "no kernel image";
  const std::string rest = "is available for execution on the device";
  const auto line_of = [&](std::size_t width) { return std::string(width - end.size() - 1, 'x') + " " + end; };
  EXPECT_TRUE(found(line_of(40), rest));
  EXPECT_FALSE(found(line_of(39), rest));
}

TEST(Recognise, SaysOneFailureOnce) {
  std::string log;
  for (int i = 0; i < 1000; ++i) log += no_image + "\n";
  EXPECT_THAT(ids_of(log), ElementsAre("cuda-209"));
}

TEST(Ranking, ACauseStandsForWhatFollows) {
  EXPECT_THAT(ids_of("CUDA error: unknown error\nFailed to initialize NVML: Driver/library version mismatch\n"),
              ElementsAre("driver-library-mismatch"));
}

TEST(Ranking, AGeneralWordingGivesWayToACertainOneOfItsLine) {
  EXPECT_THAT(ids_of("CDI device injection failed: unresolvable CDI devices nvidia.com/gpu=all"),
              ElementsAre("engine-cdi-injection"));
  EXPECT_THAT(ids_of("unresolvable CDI devices nvidia.com/gpu=all"), ElementsAre("cdi-unresolvable"));
}

TEST(Ranking, WhatIsCertainHidesWhatALineOnlyMayMean) {
  const std::string no_driver = "RuntimeError: Found no NVIDIA driver on your system.\n";
  const std::string compiling = "No CUDA runtime is found, using CUDA_HOME='/usr/local/cuda'\n";
  EXPECT_THAT(ids_of(compiling + no_driver), ElementsAre("cuda-35-no-driver"));
  EXPECT_THAT(ids_of(no_driver + compiling + "    arch_list[-1] += '+PTX'\n"), ElementsAre("arch-list-empty"));
}

TEST(Ranking, SomeWordingsNeedAnotherLine) {
  const std::string no_torch = "ModuleNotFoundError: No module named 'torch'\n";
  EXPECT_THAT(ids_of(no_torch), ElementsAre("torch-not-installed"));
  EXPECT_THAT(ids_of(no_torch + "Getting requirements to build wheel did not run successfully.\n"),
              ElementsAre("build-isolation"));
  EXPECT_THAT(ids_of("Getting requirements to build wheel did not run successfully.\n"), IsEmpty());
}

TEST(Ranking, AnInstructionThatIsIllegalOnTheGpuIsNoneOfTheProcessor) {
  EXPECT_THAT(ids_of(">>> import torch\nRuntimeError: CUDA error: an illegal instruction was encountered\n"),
              ElementsAre("cuda-700"));
  EXPECT_THAT(ids_of(">>> import torch\nIllegal instruction\n"), ElementsAre("cpu-no-avx"));
}

TEST(Ranking, WhatPyxisPrintsOfEnrootSaysMoreThanThatItFailed) {
  EXPECT_THAT(ids_of("slurmstepd: error: pyxis: failed to import docker image\n"
                     "slurmstepd: error: pyxis:     mkdir: cannot create directory '/run/enroot': Permission denied\n"),
              ElementsAre("enroot-folder"));
}

TEST(Ranking, AnotherLineSpeaksAgainstAWording) {
  const std::string unavailable = "Is CUDA available: False\n";
  EXPECT_THAT(ids_of(unavailable), ElementsAre("torch-cpu-build", "cuda-35-no-driver"));
  EXPECT_THAT(ids_of("CUDA used to build PyTorch: 12.6\n" + unavailable), ElementsAre("cuda-35-no-driver"));
  EXPECT_THAT(ids_of("CUDA used to build PyTorch: None\n" + unavailable), ElementsAre("torch-cpu-build"));
  EXPECT_THAT(ids_of(unavailable + "Nvidia driver version: 580.65.06\n"), ElementsAre("torch-cpu-build"));
  EXPECT_THAT(ids_of(unavailable + "Nvidia driver version: Could not collect\n"), ElementsAre("cuda-35-no-driver"));
}

TEST(Ranking, TorchThatFindsNoCudaMayNameADriverThatIsTooOld) {
  const auto collected = [](const std::string& cuda, const std::string& driver) {
    return "CUDA used to build PyTorch: " + cuda + "\nIs CUDA available: False\nNvidia driver version: " + driver + "\n";
  };
  const auto findings = recognise(collected("13.0", "535.183.01"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].diagnosis->id, "cuda-35-old-driver");
  EXPECT_EQ(findings[0].evidence.line, 3U);
  EXPECT_EQ(findings[0].evidence.text, "Nvidia driver version: 535.183.01");
  EXPECT_THAT(ids_of(collected("12.1", "470.82.01")), ElementsAre("cuda-35-old-driver"));
  EXPECT_THAT(ids_of(collected("11.8", "418.67")), ElementsAre("cuda-35-old-driver"));
  EXPECT_THAT(ids_of(collected("13.0", "580.65.06")), IsEmpty());
  EXPECT_THAT(ids_of(collected("12.1", "525.60.13")), IsEmpty());
  EXPECT_THAT(ids_of(collected("10.2", "418.67")), IsEmpty());
  EXPECT_THAT(ids_of("CUDA used to build PyTorch: 13.0\nIs CUDA available: True\nNvidia driver version: 535.183.01\n"),
              IsEmpty());
}

/// Error 35 says that the driver is older than the runtime wants; a driver that is not there counts as version 0.
/// The version may stand behind a logger's prefix, and the answer below the question.
TEST(Ranking, TorchThatFindsNoCudaIsDecidedByItsVersion) {
  const std::string question = ">>> torch.cuda.is_available()\n";
  for (const std::string prefix : {"", "trainer-1  | "}) {
    const auto log = [&](const std::string& version, const std::string& answer) {
      return prefix + "'" + version + "'\n" + prefix + question + prefix + answer + "\n";
    };
    EXPECT_THAT(ids_of(log("2.0.1+cpu", "False")), ElementsAre("torch-cpu-build"));
    EXPECT_THAT(ids_of(log("2.4.0+cu121", "False")), ElementsAre("cuda-35-no-driver"));
    EXPECT_THAT(ids_of(log("2.4.0", "False")), ElementsAre("torch-cpu-build", "cuda-35-no-driver"));
    EXPECT_THAT(ids_of(log("2.0.1+cpu", "True")), IsEmpty());
  }
  EXPECT_THAT(ids_of("$ python -c \"import torch; print(torch.cuda.is_available())\"\nFalse\n"), testing::Not(IsEmpty()));
  EXPECT_THAT(ids_of("on = torch.cuda.is_available() or x\nFalse\n"), IsEmpty());
  EXPECT_THAT(ids_of(question + "\nFalse\n"), IsEmpty());
}

TEST(Ranking, Error35IsDecidedByTheDriverThatTheLogShows) {
  const std::string error = "CUDA error: CUDA driver version is insufficient for CUDA runtime version\n";
  EXPECT_THAT(ids_of(error), ElementsAre("cuda-35-no-driver", "cuda-35-old-driver"));
  EXPECT_THAT(ids_of("CUDA Driver Version / Runtime Version          11.4 / 12.1\n" + error), ElementsAre("cuda-35-old-driver"));
  EXPECT_THAT(ids_of("CUDA Driver Version / Runtime Version          0.0 / 12.1\n" + error), ElementsAre("cuda-35-no-driver"));
  EXPECT_THAT(ids_of("CUDA error 35, driver version 11040"), ElementsAre("cuda-35-old-driver"));
  EXPECT_THAT(ids_of("CUDA error 35, driver version 0"), ElementsAre("cuda-35-no-driver"));
  EXPECT_THAT(ids_of(error + "driver version 0, runtime 12040\n"), ElementsAre("cuda-35-no-driver"));
  EXPECT_THAT(ids_of("| NVIDIA-SMI 470.82.01  Driver Version: 470.82.01  CUDA Version: 11.4 |\n" + error),
              ElementsAre("cuda-35-old-driver"));
  EXPECT_THAT(ids_of("driver version 0, runtime 12040\n"), IsEmpty()) << "a hint alone says nothing";
}

TEST(Ranking, TheFirstOfTheLogComesFirst) {
  const std::string shm = "DataLoader worker (pid 7) is killed by signal: Bus error.";
  EXPECT_THAT(ids_of(shm + "\n" + no_image), ElementsAre("shm-bus-error", "cuda-209"));
  EXPECT_THAT(ids_of(no_image + "\n" + shm), ElementsAre("cuda-209", "shm-bus-error"));
}

TEST(Ranking, WhatIsOnlyRemarkedComesLast) {
  const std::string remark = "WARNING: xFormers can't load C++/CUDA extensions.";
  EXPECT_THAT(ids_of(remark + "\n\n" + no_image), ElementsAre("cuda-209", "xformers-mismatch"));
  EXPECT_THAT(ids_of(no_image + "\n\n" + remark), ElementsAre("cuda-209", "xformers-mismatch"));
  const std::string general = "CUDA error: CUDA driver version is insufficient for CUDA runtime version";
  EXPECT_THAT(ids_of(remark + "\n\n" + general), ElementsAre("cuda-35-no-driver", "cuda-35-old-driver", "xformers-mismatch"))
      << "also behind what is not certain";
  EXPECT_THAT(ids_of(general + "\n\n" + no_image), ElementsAre("cuda-209", "cuda-35-no-driver", "cuda-35-old-driver"))
      << "what is certain comes first, wherever it stands";
}

TEST(Ranking, RocmIsNotOurs) {
  EXPECT_THAT(ids_of("RuntimeError: HIP error: no kernel image is available for execution on the device"), IsEmpty());
}

}  // namespace
}  // namespace envgen::diagnosis
