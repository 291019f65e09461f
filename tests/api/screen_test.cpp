#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "answers/facts.hpp"
#include "answers/paragraph.hpp"
#include "api/answer.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/request_text.hpp"

/// An answer without --explain and --sources fits a terminal of 80 columns and 24 lines, with the prompts above and below it.
namespace envgen::api {
namespace {

constexpr util::Terminal small{.width = 80, .colour = false};
constexpr std::size_t columns = 80;

class Screen : public testing::TestWithParam<const char*> {};

TEST_P(Screen, HoldsTheWholeAnswer) {
  const auto facts = matrix::embedded();
  const auto answered = answer(facts, test::request_of(GetParam())).value();
  const auto shown = text(facts, answered, small);
  EXPECT_LE(answers::lines_on_screen(shown, small), answers::screen_lines) << shown;
  // Only a command may be wider: it is copied, so it is never broken.
  std::istringstream lines(shown);
  for (std::string line; std::getline(lines, line);) {
    const bool command = line.starts_with("  pip ") || line.starts_with("  uv ") || line.starts_with("  conda ") ||
                         line.starts_with("  CONDA_OVERRIDE_CUDA=") || line.starts_with("  docker ") ||
                         line.starts_with("Next: ");
    EXPECT_TRUE(command || line.size() <= columns) << line;
  }
}

/// Two machines, with drivers of their own or one for both, whatever installs: what is decided is on the screen for each.
TEST(Screen, HoldsTheAnswerForTwoMachines) {
  const auto facts = matrix::embedded();
  std::size_t answers = 0;
  for (const auto* gpus : {"gpu=4090 gpu=V100", "gpu=5090 gpu=3090", "gpu=1080Ti gpu=L4", "gpu=A100 gpu=H100", "gpu=H200 gpu=T4",
                           "gpu=RTX_6000_Ada gpu=A6000", "host=gpu=T4,driver=470 host=gpu=A100,driver=535"}) {
    for (const auto* driver : {"", " driver=535", " driver=550", " driver=570.86.16", " driver=580 wsl=true"}) {
      for (const auto* rest : {"", " torch=2.6", " installer=conda", " installer=uv torch=2.8", " variant=devel", " base=pytorch",
                               " torch=2.3 os=debian12", " tensorflow=2.15"}) {
        const auto answered = answer(facts, test::request_of(fmt::format("{}{}{}", gpus, driver, rest)));
        if (!answered) continue;
        const auto shown = text(facts, *answered, small);
        EXPECT_LE(answers::lines_on_screen(shown, small), answers::screen_lines) << gpus << driver << rest << "\n" << shown;
        answers += answered->environment.has_value();
      }
    }
  }
  EXPECT_GT(answers, 100U);
}

/// A preset's remark takes up to three rows above the answer.
TEST(Screen, HasRoomForTheMessagesAboveTheAnswer) {
  const auto facts = matrix::embedded();
  constexpr std::size_t rows = 3;
  for (const auto* request :
       {"host=gpu=4090,gpu=4090", "python=3.12 gpu=T4 os=ubuntu22.04", "wsl=true", "host=8xA100 platform=linux-x86_64"}) {
    const auto answered = answer(facts, test::request_of(request)).value();
    const auto shown = text(facts, answered, small, {.rows_above = rows});
    EXPECT_LE(rows + answers::lines_on_screen(shown, small), answers::screen_lines) << shown;
  }
}

TEST(Screen, KeepsTheFirstNoteHoweverLongItIs) {
  const auto facts = matrix::embedded();
  const auto shown = [&](const char* request) { return text(facts, answer(facts, test::request_of(request)).value(), small); };
  EXPECT_NE(shown("torch=2.13.0 driver=470.57.02 gpu=Tesla_P40").find("cuda-compat-12-6"), std::string::npos);
  EXPECT_NE(shown("gpu=P100 gpu=5090 installer=conda").find("need separate machines"), std::string::npos);
}

/// `envgen why`, whose flag for the rest is --all.
TEST(Screen, HoldsTheReasons) {
  const auto facts = matrix::embedded();
  for (const auto* request :
       {"torch=2.4 gpu=5090", "torch=2.6 cuda=12.4 driver=470", "torch=2.6 gpu=A100", "tensorflow=2.15 gpu=T4", "torch=2.31",
        "gpu=4xH200", "gpu=K80 torch=2.5", "torch=2.4 python=3.13", "cuda=cpu gpu=4090", "torch=2.3 installer=conda",
        // many values, of which each has a row
        "torch=2.6 cuda=12.4 python=3.12 driver=550 gpu=H100 os=debian12 variant=devel",
        "torch=2.6 cuda=12.6 driver=535 gpu=4090 base=cuda variant=devel",
        "torch=2.4 cuda=12.4 driver=535 gpu=5090 os=ubuntu22.04", "torch=2.6 cuda=12.4 driver=470 gpu=A100",
        "torch=2.6 os=centos7 cuda=12.6 gpu=K80 driver=450", "torch=2.6 cuda=12.4 driver=550 gpu=A100"}) {
    const auto answered = answer(facts, test::request_of(request)).value();
    const auto shown = text(facts, answered, small, {.reasons = true, .brief = true});
    EXPECT_LE(answers::lines_on_screen(shown, small), answers::screen_lines) << shown;
    if (answered.environment) EXPECT_NE(shown.find("the newest"), std::string::npos) << "the reason of the release";
    const bool known = answered.environment || answered.is_proof();
    EXPECT_EQ(shown.find("Everything: --all") != std::string::npos, known) << shown;
    const auto whole = text(facts, answered, small, {.reasons = true});
    EXPECT_GT(whole.size(), shown.size());
    EXPECT_EQ(whole.find("Everything: --all"), std::string::npos);
  }
}

/// `envgen show`: what does not fit is counted, and --all has it.
TEST(Screen, HoldsEveryCard) {
  const auto facts = matrix::embedded();
  const auto expect_fits = [&](const answers::Card& card) {
    const auto shown = card_text(card, *facts, {}, small);
    EXPECT_LE(answers::lines_on_screen(shown, small), answers::screen_lines) << shown;
  };
  for (const auto& branch : facts->branches) expect_fits(answers::show_driver(facts, branch));
  for (const auto& gpu : facts->gpus) expect_fits(answers::show_gpu(facts, gpu));
  for (const auto& row : facts->gpu_drivers) expect_fits(answers::show_capability(facts, row.capability));
  for (const auto& os : facts->os) expect_fits(answers::show_os(facts, os));
  for (const auto& image : facts->cuda_images) expect_fits(answers::show_cuda_image(facts, image));
  for (const auto& release : facts->releases)
    expect_fits(release.framework == Framework::torch ? answers::show_torch(facts, release)
                                                      : answers::show_tensorflow(facts, release));
  for (const auto& minor : facts->cuda_minors) {
    std::vector<const matrix::Toolkit*> toolkits;
    for (const auto& toolkit : facts->toolkits) {
      if (toolkit.version.under(minor.cuda)) toolkits.push_back(&toolkit);
    }
    if (!toolkits.empty()) expect_fits(answers::show_cuda(facts, minor.cuda, toolkits));
  }
}

/// R535 supports an H20 from 535.161.07 on; R610 supports each of its boards from its first release on.
TEST(Screen, CountsBoardsOfALaterReleaseApart) {
  const auto facts = matrix::embedded();
  const auto shown = [&](std::uint16_t branch) {
    return card_text(answers::show_driver(facts, *facts.branch(branch)), *facts, {}, small);
  };
  EXPECT_NE(shown(535).find("need a later release"), std::string::npos) << shown(535);
  EXPECT_EQ(shown(610).find("need a later release"), std::string::npos) << shown(610);
}

INSTANTIATE_TEST_SUITE_P(
    TypicalRequests, Screen,
    testing::Values("torch=2.3 gpu=4090", "torch=2.3 cuda=12.1", "gpu=5090", "gpu=4xH200", "gpu=V100 gpu=B200", "gpu=K80",
                    "torch=2.6 gpu=A100 variant=devel", "torch=2.3 installer=conda", "installer=conda", "installer=uv gpu=T4",
                    "tensorflow=2.15 gpu=T4", "tensorflow=2.20", "torch=2.13 cuda=cpu os=debian12", "base=pytorch torch=2.6",
                    "base=cuda gpu=H100 driver=535.183.01", "platform=linux-aarch64 gpu=GH200", "gpu=Orin",
                    "torch=1.7.1 gpu=3090", "host=gpu=V100,gpu=T4,driver=535", "gpu=B300 os=ubuntu24.04",
                    // each GPU with a driver of its own
                    "gpu=4090 gpu=V100 driver=550", "gpu=5090 gpu=3090 driver=570 wsl=true", "gpu=1080Ti gpu=L4",
                    "host=gpu=V100,driver=470 host=gpu=T4 driver=535", "host=gpu=T4,driver=470 host=gpu=A100,driver=535",
                    "torch=2.6 gpu=A100 gpu=H100 driver=535 os=debian12 installer=conda",
                    // proofs
                    "torch=2.3 gpu=5090", "torch=2.6 cuda=12.1 gpu=V100 driver=470", "torch=1.8 cuda=10.2 gpu=4090",
                    "gpu=K80 torch=2.5", "os=centos7 torch=2.6", "gpu=V100 driver=590", "host=gpu=K80,gpu=B200",
                    "torch=2.4 python=3.13", "cuda=cpu gpu=4090", "torch=2.3 os=amzn2023 base=pytorch",
                    "tensorflow=2.15 gpu=5090", "torch=2.6 installer=conda cuda=12.8",
                    // what is not known
                    "torch=2.31", "torch=2.15 torchaudio=2.11", "tensorflow=2.20 gpu=B200"));

}  // namespace
}  // namespace envgen::api
