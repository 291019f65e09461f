#include "answers/proof.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "answers/phrases.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/answers.hpp"

/// How conflicts of the shipped matrix are told.
namespace envgen::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string proof(std::string_view request) {
  const auto answered = ask(request);
  const auto* conflict = std::get_if<resolver::Conflict>(&answered.answer);
  if (conflict == nullptr) return "no conflict";
  std::string text;
  for (const auto& line : answers::proof_of(matrix::embedded(), answered.query, *conflict).sentences())
    text += (text.empty() ? "" : " ") + line;
  return text;
}

TEST(Proof, DoesNotDependOnTheOrderOfTheValues) {
  for (const auto* request : {"torch=2.9 python=3.7", "python=3.7 torch=2.9"})
    EXPECT_THAT(proof(request),
                HasSubstr("have wheels only for Python 3.10, 3.11, 3.12, 3.13, 3.13t, 3.14 and 3.14t, not for Python 3.7."));
}

TEST(Proof, ATagThatAReleaseDoesNotHave) {
  EXPECT_THAT(proof("torch=2.3.1+cu999"),
              StartsWith("There is no build for torch 2.3.1+cu999: the only builds of torch 2.3.1 are for CUDA 11.8 and 12.1."));
}

TEST(Proof, ASystemThatOfficialImagesDoNotHave) {
  EXPECT_THAT(
      proof("torch=2.3 os=ubuntu18.04 base=pytorch"),
      StartsWith(
          "The only images for torch 2.3.0 and 2.3.1 with CUDA 11.8 and 12.1 are based on Ubuntu 22.04, not on Ubuntu 18.04."));
}

TEST(Proof, APythonThatOfficialImagesDoNotHave) {
  EXPECT_THAT(proof("torch=2.3 base=pytorch python=3.12"),
              StartsWith("The images for torch 2.3.0 and 2.3.1 with CUDA 11.8 and 12.1 have only Python 3.10, not Python 3.12."));
  EXPECT_THAT(proof("torch=2.3 base=pytorch python=3.6"),
              HasSubstr("have wheels only for Python 3.8 to 3.12, not for Python 3.6. So torch 2.3 and "
                        "python 3.6 are incompatible."));
}

TEST(Proof, TheCpuIsNoCuda) {
  EXPECT_THAT(
      proof("torch=2.4 cuda=cpu python=3.13"),
      StartsWith("All builds of torch 2.4.0 and 2.4.1 for the CPU and CUDA 11.8, 12.1 and 12.4 have wheels only for Python "
                 "3.8 to 3.12, not for Python 3.13."));
}

TEST(Proof, NamesTheCapabilitiesThatMatter) {
  EXPECT_THAT(proof("torch=2.4 gpu=5090"),
              StartsWith("No builds of torch 2.4.0 or 2.4.1 for CUDA 11.8, 12.1 or 12.4 run on the GeForce RTX 5090 (compute "
                         "capability 12.0): they have binaries only for compute capabilities 3.7 to 9.0, and no PTX. "));
  EXPECT_THAT(proof("torch=2.7 cuda=12.8 gpu=V100"),
              StartsWith("No builds of torch 2.7.0 or 2.7.1 for CUDA 12.8 run on the V100 (compute capability 7.0): they have "
                         "binaries only for compute capabilities 7.5 to 12.0, and PTX for 12.0. This GPU needs binaries for 7.0, "
                         "or PTX for 7.0 or lower. "));
  EXPECT_THAT(proof("cuda=cpu gpu=4090"),
              StartsWith("No CPU builds of torch 1.7.0 to 2.14.1 can use the GeForce RTX 4090 (compute "
                         "capability 8.9): CPU builds have no GPU code. "));
}

TEST(Proof, NamesTheLastBranchOfAGpuOrItsFirstDriver) {
  EXPECT_THAT(
      proof("gpu=V100 driver=590"),
      StartsWith("R580 is the last driver branch that supports the V100 (compute capability 7.0); driver 590 does not. "));
  EXPECT_THAT(proof("gpu=5090 driver=535"), StartsWith("The GeForce RTX 5090 (compute capability 12.0) needs driver 570.86.16 or "
                                                       "newer; driver 535 does not support it. "));
}

TEST(Proof, NamesTheCudasOfTheMajorThatWasAskedFor) {
  EXPECT_THAT(proof("cuda=12.7"),
              StartsWith("There is no build for CUDA 12.7: the only CUDA 12 builds of torch 1.7.0 to 2.15.0 are "
                         "for CUDA 12.1, 12.4, 12.6, 12.8 and 12.9. "));
}

TEST(Proof, SaysWhereCudaCompatWouldHelp) {
  EXPECT_THAT(proof("torch=2.12 cuda=13 driver=535"),
              HasSubstr(". cuda-compat helps only on data-centre GPUs, and no GPU was requested. "));
  EXPECT_THAT(proof("torch=2.12 cuda=13 driver=535"),
              HasSubstr("So cuda 13 and driver 535 are incompatible without cuda-compat."));
  EXPECT_THAT(proof("torch=2.12 cuda=13 driver=535 gpu=4090"),
              HasSubstr(". cuda-compat helps only on data-centre GPUs, and the GeForce RTX 4090 is not one. "));
  EXPECT_THAT(proof("torch=2.12 cuda=13 driver=535 gpu=4090"),
              HasSubstr("CUDA 13.x needs driver 580.65.06 or newer (minor-version compatibility); driver 535 (first release "
                        "535.54.03) is too old for any build of torch 2.9.0 to 2.15.0 for CUDA 13.0 or 13.2. "
                        "cuda-compat helps only on data-centre GPUs, and the GeForce RTX 4090 is not one. So cuda 13 "
                        "and driver 535 are incompatible without cuda-compat."));
  // R495 is not in NVIDIA's table of cuda-compat.
  EXPECT_THAT(proof("torch=2.12 cuda=13 driver=495.29.05 gpu=4090"), Not(HasSubstr("cuda-compat")));
}

TEST(Proof, SaysThatACondaChannelHasABuild) {
  EXPECT_THAT(proof("torch=<2.14 gpu=1080 gpu=5090"),
              HasSubstr("Only wheels were considered (the default); --installer conda works."));
}

TEST(Proof, SaysWhichDefaultItSpeaksOf) {
  EXPECT_THAT(proof("os=ubuntu22.04 base=pytorch torch=2.1"),
              HasSubstr("Only runtime images were considered (the default); whether --variant devel works is unknown."));
  EXPECT_THAT(proof("torch=2.9 cuda=12.9 gpu=6.1"),
              HasSubstr("Only linux-x86_64 was considered (the default); whether --platform linux-aarch64 works is unknown."));
  EXPECT_THAT(proof("torch=2.3 driver=550 platform=linux-aarch64 ptx"),
              HasSubstr("Only wheels were considered (the default); --installer conda works."));
  EXPECT_THAT(proof("torch=2.9 gpu=4090 driver=470.57.02"), Not(HasSubstr("the default")));
}

TEST(Proof, AJetsonSharesItsDriverWithNoOtherGpu) {
  EXPECT_THAT(proof("host=gpu=T5000,gpu=4090"), StartsWith("The Jetson T5000 (compute capability 11.0) works only with "
                                                           "JetPack's own driver, so no other GPU can be in the same host."));
}

TEST(Proof, TellsTheFirstReleaseOfANumber) {
  EXPECT_THAT(proof("torch=2.14.1 driver=450.80"), HasSubstr("driver 450.80 (first release "));
  EXPECT_THAT(proof("torch=2.14.1 driver=470"), HasSubstr("driver 470 (first release "));
  EXPECT_THAT(proof("gpu=V100 driver=621"), HasSubstr("driver 621 does"));
  EXPECT_THAT(proof("gpu=V100 driver=>616.00"), HasSubstr("; driver >616.00 does not."));
}

TEST(Changes, AreValuesThatAreOthersNewOrLeftOut) {
  EXPECT_EQ(answers::changes_text({{Field::torch, "2.4.1", "2.7.0"}, {Field::gpu, "5090", ""}, {Field::installer, "", "conda"}}),
            "with torch 2.7.0 instead of 2.4.1, without gpu 5090 and with installer conda");
}

TEST(Proof, SaysThatWhatIsNotListedNeedsTheSameGlibc) {
  EXPECT_THAT(proof("torch=2.15 os=ubuntu18.04"),
              HasSubstr("needs glibc 2.28 (so does any build not listed; inferred: PyTorch has never gone back to an older "
                        "glibc); Ubuntu 18.04 has 2.27."));
}

TEST(Proof, SpeaksOfNoMoreBuildsThanItMeans) {
  // 2.5.1 has CPU wheels for aarch64, but for no Python 3.13.
  EXPECT_THAT(proof("torch=2.5.1 python=3.13 platform=linux-aarch64 cuda=cpu"),
              StartsWith("All builds of torch 2.5.1 for the CPU and CUDA 11.8, 12.1 and 12.4 that support Python 3.13 are for "
                         "linux-x86_64, not linux-aarch64."));
}

TEST(Proof, SpeaksOfTheGatesOfTheSystemAlone) {
  const auto on = [](const char* system) {
    return proof(fmt::format("gpu=3090 driver=510.47.03 cuda=11.8 base=cuda torch=2.0.1 os={}", system));
  };
  // Those of CUDA 11.7 and 11.8 on Ubuntu 18.04 let R510 pass, those on 20.04 do not.
  EXPECT_THAT(on("ubuntu20.04"), Not(HasSubstr("they start only on")));
}

TEST(Proof, SaysOfAGateWithoutADriverThatNoneOpensIt) {
  EXPECT_EQ(answers::Phrases::driver_of({}), "any driver that supports the machine's GPUs");
}

}  // namespace
}  // namespace envgen::test
