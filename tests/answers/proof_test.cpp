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
    EXPECT_THAT(
        proof(request),
        HasSubstr("has wheels only for Python 3.10, 3.11, 3.12, 3.13, 3.13t, 3.14 and 3.14t, there is none for python 3.7."));
}

TEST(Proof, ATagThatAReleaseDoesNotHave) {
  EXPECT_THAT(
      proof("torch=2.3.1+cu999"),
      StartsWith("Because the only builds of torch 2.3.1 are for CUDA 11.8 and 12.1, there is no build for torch 2.3.1+cu999."));
}

TEST(Proof, ASystemThatOfficialImagesDoNotHave) {
  EXPECT_THAT(proof("torch=2.3 os=ubuntu18.04 base=pytorch"),
              HasSubstr("are built only on ubuntu22.04, there is none on ubuntu18.04."));
}

TEST(Proof, APythonThatOfficialImagesDoNotHave) {
  EXPECT_THAT(
      proof("torch=2.3 base=pytorch python=3.12"),
      StartsWith("Because the images for every build of torch 2.3.0 and 2.3.1 for CUDA 11.8 and 12.1 have only Python 3.10, "
                 "there is none with python 3.12."));
  EXPECT_THAT(
      proof("torch=2.3 base=pytorch python=3.6"),
      HasSubstr("has wheels only for Python 3.8, 3.9, 3.10, 3.11 and 3.12, there is none for python 3.6. So torch 2.3 and "
                "python 3.6 are incompatible."));
}

TEST(Proof, SaysWhereCudaCompatWouldHelp) {
  EXPECT_THAT(proof("torch=2.12 cuda=13 driver=535"),
              HasSubstr("(cuda-compat could help, but only on data-centre boards, and no GPU was requested)"));
  EXPECT_THAT(proof("torch=2.12 cuda=13 driver=535"),
              HasSubstr("So cuda 13 and driver 535 are incompatible without cuda-compat."));
  EXPECT_THAT(proof("torch=2.12 cuda=13 driver=535 gpu=4090"),
              HasSubstr("(cuda-compat could help, but only on data-centre boards, and the GeForce RTX 4090 is not one)"));
  EXPECT_THAT(
      proof("torch=2.12 cuda=13 driver=535 gpu=4090"),
      HasSubstr("Because CUDA 13.x needs driver 580.65.06 or newer (minor-version compatibility), driver 535 (its first release "
                "is 535.54.03) is too old for every build of torch 2.9.0 to 2.15.0 for CUDA 13.0 and 13.2 "
                "(cuda-compat could help, but only on data-centre boards, and the GeForce RTX 4090 is not one). So cuda 13 "
                "and driver 535 are incompatible without cuda-compat."));
  // R495 is not in NVIDIA's table of cuda-compat.
  EXPECT_THAT(proof("torch=2.12 cuda=13 driver=495.29.05 gpu=4090"), Not(HasSubstr("cuda-compat")));
}

TEST(Proof, SaysThatACondaChannelHasABuild) {
  EXPECT_THAT(proof("torch=<2.14 gpu=1080 gpu=5090"),
              HasSubstr("This considers only wheels, the default; --installer conda finds an environment."));
}

TEST(Proof, SaysWhichDefaultItSpeaksOf) {
  EXPECT_THAT(proof("os=ubuntu22.04 base=pytorch torch=2.1"),
              HasSubstr("This considers only runtime images, the default; --variant devel may find an environment."));
  EXPECT_THAT(proof("torch=2.9 cuda=12.9 gpu=6.1"),
              HasSubstr("This considers only linux-x86_64, the default; --platform linux-aarch64 may find an environment."));
  EXPECT_THAT(proof("torch=2.3 driver=550 platform=linux-aarch64 ptx"),
              HasSubstr("This considers only wheels, the default; --installer conda finds an environment."));
  EXPECT_THAT(proof("torch=2.9 gpu=4090 driver=470.57.02"), Not(HasSubstr("This holds for")));
}

TEST(Proof, AJetsonSharesItsDriverWithNoOtherGpu) {
  EXPECT_THAT(proof("host=gpu=T5000,gpu=4090"), StartsWith("Because the Jetson T5000 (compute capability 11.0) works only with "
                                                           "JetPack's own driver, no other GPU can share its machine."));
}

TEST(Proof, TellsTheFirstReleaseOfANumber) {
  EXPECT_THAT(proof("torch=2.14.1 driver=450.80"), HasSubstr("driver 450.80 (its first release is"));
  EXPECT_THAT(proof("torch=2.14.1 driver=470"), HasSubstr("driver 470 (its first release is"));
  EXPECT_THAT(proof("gpu=V100 driver=621"), HasSubstr("driver 621 does"));
  EXPECT_THAT(proof("gpu=V100 driver=>616.00"), HasSubstr("a driver >616.00"));
}

TEST(Changes, AreValuesThatAreOthersNewOrLeftOut) {
  EXPECT_EQ(answers::changes_text({{Field::torch, "2.4.1", "2.7.0"}, {Field::gpu, "5090", ""}, {Field::installer, "", "conda"}}),
            "with torch 2.7.0 instead of 2.4.1, without gpu 5090 and with installer conda");
}

TEST(Proof, SaysThatWhatIsNotListedNeedsTheSameGlibc) {
  EXPECT_THAT(proof("torch=2.15 os=ubuntu18.04"),
              HasSubstr("needs glibc 2.28 (so does any build not listed; inferred: PyTorch has never gone back to an older "
                        "glibc), while ubuntu18.04 has 2.27, no such build loads there."));
}

TEST(Proof, SaysOfAGateWithoutADriverThatNoneOpensIt) {
  EXPECT_EQ(answers::Phrases::driver_of({}), "any driver that supports the machine's GPUs");
}

}  // namespace
}  // namespace envgen::test
