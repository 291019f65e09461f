#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/answers.hpp"
#include "support/literals.hpp"
#include "support/reasons_of.hpp"

/// That each value of an answer has its reason is held by the walk over all of them; here, that the walk would see it.
namespace envgen::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> wrong_after(const std::function<void(Environment&)>& change) {
  auto environment = environment_of("torch=2.3.1 cuda=12.1 gpu=4090 host=gpu=V100,driver=535");
  change(environment.value());
  return wrong_reasons(*environment);
}

Environment::Reason& reason_of(Environment& environment, std::string_view field) {
  for (auto& reason : environment.reasons) {
    if (reason.field == field) return reason;
  }
  throw std::invalid_argument(std::string(field));
}

TEST(Reasons, SpeakOfTheValuesOfTheAnswer) {
  EXPECT_THAT(wrong_after([](Environment&) {}), IsEmpty());
  EXPECT_THAT(wrong_after([](auto& e) { e.reasons.erase(e.reasons.begin()); }), ElementsAre("nothing says why torch is 2.3.1"));
  EXPECT_THAT(wrong_after([](auto& e) { e.reasons.front().why.clear(); }), ElementsAre("the reason for torch is empty"));
  for (const auto* field : {"torch", "torchvision", "torchaudio", "cuda", "toolkit", "cudnn", "python", "python_provider", "os",
                            "platform", "variant", "installer", "base"})
    EXPECT_THAT(wrong_after([&](auto& e) { reason_of(e, field).value = "x"; }),
                ElementsAre(testing::StartsWith("the reason for " + std::string(field) + " speaks of x, the answer is ")));
}

TEST(Reasons, SpeakOfEachBoardAndDriver) {
  EXPECT_THAT(wrong_after([](auto& e) { std::erase_if(e.reasons, [](const auto& reason) { return reason.field == "gpu"; }); }),
              ElementsAre("nothing says why the GeForce RTX 4090 is served"));
  EXPECT_THAT(wrong_after([](auto& e) { reason_of(e, "gpu").value = "H100"; }),
              ElementsAre("the reason for gpu speaks of H100, which is not the board in its place"));
  EXPECT_THAT(wrong_after([](auto& e) { e.driver->machines[1].range.minimum = "999"_driver; }),
              ElementsAre("nothing says why driver is >=999,<581"));
  auto plain = environment_of("torch=2.3.1 cuda=12.1").value();
  plain.driver->range.minimum = "999"_driver;
  EXPECT_THAT(wrong_reasons(plain), ElementsAre("the reason for driver speaks of >=525.60.13, the answer is >=999"));
}

}  // namespace
}  // namespace envgen::test
