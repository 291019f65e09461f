#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/check.hpp"
#include "matrix/embedded/embedded.hpp"
#include "resolver/predicates.hpp"
#include "support/answers.hpp"
#include "support/request_text.hpp"

/// What an answer says of cuda-compat, and that the independent check finds where it is wrong.
namespace envgen::test {
namespace {

using testing::Contains;
using testing::IsEmpty;

struct Wrong {
  std::string_view request;
  std::function<void(Environment&)> break_it;
  std::string_view message;
};

constexpr std::string_view with_compat = "torch=2.8.0 gpu=V100 driver=470";
constexpr std::string_view beside_a_t4 = "torch=2.8.0 host=gpu=V100,driver=470 host=gpu=T4,driver=535";
constexpr std::string_view beside_a_3090 = "torch=2.8.0 host=gpu=V100,driver=470 host=gpu=3090,driver=535";
constexpr std::string_view without_compat = "torch=2.8.0 gpu=V100 driver=570";

const Wrong wrongs[] = {
    {with_compat, [](Environment& e) { e.driver->machines[0].compat.reset(); },
     "driver.machines.compat: must be needed, is none"},
    {with_compat, [](Environment& e) { e.driver->compat_image.reset(); },
     "driver.compat_image: must be nvidia/cuda:12.8.2-base-ubuntu24.04, is none"},
    {with_compat, [](Environment& e) { e.driver->compat_image = "nvidia/cuda:12.8.1-runtime-ubuntu24.04"; },
     "driver.compat_image: must be nvidia/cuda:12.8.2-base-ubuntu24.04, is nvidia/cuda:12.8.1-runtime-ubuntu24.04"},
    {with_compat, [](Environment& e) { e.driver->compat_image = "nvidia/cuda:12.6.3-base-ubuntu24.04"; },
     "driver.compat_image: must be nvidia/cuda:12.8.2-base-ubuntu24.04, is nvidia/cuda:12.6.3-base-ubuntu24.04"},
    {beside_a_t4, [](Environment& e) { e.driver->machines[1].compat = Compat::unproven; },
     "driver.machines.compat: must be harmless, is unproven"},
    {beside_a_3090, [](Environment& e) { e.driver->machines[1].compat = Compat::harmless; },
     "driver.machines.compat: must be unproven, is harmless"},
    {without_compat, [](Environment& e) { e.driver->machines[0].compat = Compat::harmless; },
     "driver.machines.compat: must be none, is harmless"},
    {without_compat, [](Environment& e) { e.driver->compat_image = "nvidia/cuda:12.8.1-base-ubuntu24.04"; },
     "driver.compat_image: must be none, is nvidia/cuda:12.8.1-base-ubuntu24.04"},
};

TEST(Compat, IsCheckedIndependently) {
  const auto matrix = matrix::embedded();
  for (const auto& [text, break_it, message] : wrongs) {
    const auto request = request_of(text);
    auto environment = environment_of(text);
    ASSERT_TRUE(environment) << text << ": " << summary(text);
    ASSERT_THAT(check::violations(matrix, request, *environment), IsEmpty()) << text;
    break_it(*environment);
    EXPECT_THAT(check::violations(matrix, request, *environment), Contains(std::string(message))) << text;
  }
}

/// The image from which the cuda-compat of a CUDA comes; empty: none is known, and `-`: no build has that CUDA.
std::string image_for(Version cuda, Platform platform) {
  const auto matrix = matrix::embedded();
  const auto asked = ask("torch=2.8.0");
  for (const auto& build : matrix->builds) {
    if (build.cuda != cuda || build.platform != platform) continue;
    const auto* found = resolver::compat_image(matrix, asked.query, build);
    return found == nullptr ? std::string() : std::string(found->tag.view());
  }
  return "-";
}

TEST(Compat, ComesFromAPublishedImageOfItsCuda) {
  EXPECT_EQ(image_for(Version(12, 8), Platform::linux_x86_64), "12.8.1-base-ubuntu24.04");
  EXPECT_EQ(image_for(Version(12, 1), Platform::linux_x86_64), "12.1.1-base-ubuntu22.04");
  EXPECT_EQ(image_for(Version(11, 8), Platform::linux_x86_64), "11.8.0-base-ubuntu22.04");
  // The images for arm64 hold none before CUDA 12.5.1.
  EXPECT_EQ(image_for(Version(12, 4), Platform::linux_aarch64), "");
  EXPECT_EQ(image_for(Version(12, 6), Platform::linux_aarch64), "12.6.3-base-ubuntu24.04");
  EXPECT_EQ(image_for(Version(13, 0), Platform::linux_aarch64), "13.0.2-base-ubuntu24.04");
}

}  // namespace
}  // namespace envgen::test
