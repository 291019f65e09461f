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

TEST(DriverRange, OfMachinesThatAskForDifferentDriversIsToldApart) {
  const Environment::DriverRange open{"525.60.13"_driver, std::nullopt};
  Environment::Driver driver;
  driver.asked = "550";
  driver.range = open;
  driver.machines = {{{"4090"}, "550", open, {CarriedBy::native}},
                     {{"T4"}, std::nullopt, open, {CarriedBy::minor_compat}},
                     {{"A100"}, "550", open, {CarriedBy::minor_compat}},
                     {{"V100"}, "550", open, {CarriedBy::forward_compat}}};
  EXPECT_EQ(driver.by_range().size(), 1U);
  const auto served = driver.by_request();
  ASSERT_EQ(served.size(), 3U);
  EXPECT_THAT(served[0].gpus, ElementsAre("4090", "A100"));
  EXPECT_EQ(served[0].asked, "550");
  EXPECT_FALSE(served[0].lifted);
  EXPECT_THAT(served[1].gpus, ElementsAre("T4"));
  EXPECT_EQ(served[1].asked, std::nullopt);
  EXPECT_THAT(served[2].gpus, ElementsAre("V100"));
  EXPECT_TRUE(served[2].lifted);
  driver.machines.clear();
  ASSERT_EQ(driver.by_request().size(), 1U);
  EXPECT_EQ(driver.by_request()[0].asked, "550");
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
