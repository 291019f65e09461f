#include "model/environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/literals.hpp"

namespace envgen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(DriverRange, IsWrittenAsADriverIsAskedFor) {
  using Range = Environment::DriverRange;
  EXPECT_EQ((Range{"450.80.02"_driver, std::nullopt}.to_string()), ">=450.80.02");
  EXPECT_EQ((Range{"450.80.02"_driver, "470"_driver}.to_string()), ">=450.80.02,<471");
  EXPECT_EQ((Range{std::nullopt, "470"_driver}.to_string()), "unknown");
}

TEST(DriverRange, OfSeveralMachinesIsToldOnceWithAllTheirBoards) {
  const Environment::DriverRange old{"450.80.02"_driver, "470"_driver};
  const Environment::DriverRange open{"450.80.02"_driver, std::nullopt};
  Environment::Driver driver;
  driver.range = {"520.61.05"_driver, "470"_driver};
  driver.machines = {{{"K80"}, {}, old, {}}, {{"T4", "A100"}, {}, open, {}}, {{"K40"}, {}, old, {}}};
  const auto served = driver.by_range();
  ASSERT_EQ(served.size(), 2U);
  EXPECT_EQ(served[0].range, old);
  EXPECT_THAT(served[0].gpus, ElementsAre("K80", "K40"));
  EXPECT_EQ(served[1].range, open);
  EXPECT_THAT(served[1].gpus, ElementsAre("T4", "A100"));
}

TEST(DriverRange, WithoutMachinesIsThatOfAll) {
  Environment::Driver driver;
  driver.range = {"520.61.05"_driver, std::nullopt};
  const auto served = driver.by_range();
  ASSERT_EQ(served.size(), 1U);
  EXPECT_EQ(served[0].range, driver.range);
  EXPECT_THAT(served[0].gpus, IsEmpty());
}

}  // namespace
}  // namespace envgen
