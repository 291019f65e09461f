// A host as a request writes it, in its parts.
#include "model/host_text.hpp"

#include <string>

#include <gtest/gtest.h>

namespace envgen {
namespace {

/// `gpu: V100; driver: 535`.
std::string named(std::string_view host) {
  std::string text;
  for (const auto& part : parts_of_host(host))
    text += (text.empty() ? "" : "; ") + std::string(part.name) + ": " + std::string(part.text);
  return text;
}

TEST(HostText, HasNamedParts) {
  EXPECT_EQ(named("gpu=V100,gpu=T4,driver=535.183.01"), "gpu: V100; gpu: T4; driver: 535.183.01");
  EXPECT_EQ(named(" gpu = RTX 4090 , driver = >=585 "), "gpu: RTX 4090; driver: >=585");
  EXPECT_EQ(named("K80,4xA100"), "gpu: K80; gpu: 4xA100");
  EXPECT_EQ(named(""), "gpu: ");
  EXPECT_EQ(named("gpu=V100,"), "gpu: V100; gpu: ");
  EXPECT_EQ(named("=x"), ": x");
}

TEST(HostText, KeepsWhatWasWritten) {
  const auto parts = parts_of_host("gpu=V100, 4xA100");
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].written, "gpu=V100");
  EXPECT_EQ(parts[1].written, "4xA100");
}

TEST(HostText, NamesItsDriverOrNot) {
  EXPECT_TRUE(names_driver("gpu=V100, driver=535"));
  EXPECT_TRUE(names_driver("driver=535"));
  EXPECT_FALSE(names_driver("gpu=V100"));
  EXPECT_FALSE(names_driver("gpu=driver"));
}

}  // namespace
}  // namespace envgen
