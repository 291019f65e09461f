#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/check.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/answers.hpp"
#include "support/request_text.hpp"

/// `--driver` beside `--host`: it drives every machine that names no driver itself.
namespace envgen::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The driver of each machine of an answer, as it was asked for; `-`: it is free.
std::vector<std::string> drivers_of(std::string_view request) {
  const auto environment = environment_of(request);
  if (!environment) return {summary(request)};
  EXPECT_THAT(check::violations(matrix::embedded(), request_of(request), *environment), IsEmpty()) << request;
  std::vector<std::string> drivers;
  for (const auto& machine : environment->driver->machines) drivers.push_back(machine.asked.value_or("-"));
  return drivers;
}

TEST(DriverOfHosts, DrivesAHostAsItDrivesABoard) {
  EXPECT_THAT(drivers_of("host=gpu=4090 driver=535"), ElementsAre("535"));
  EXPECT_THAT(drivers_of("host=gpu=4090 gpu=V100 driver=535"), ElementsAre("535", "535"));
  EXPECT_EQ(summary("gpu=5090 driver=535"), "conflict: gpu, driver");
  EXPECT_EQ(summary("host=gpu=5090 driver=535"), "conflict: host, driver");
  EXPECT_EQ(summary("host=gpu=4090 host=gpu=5090 driver=535"), "conflict: host, driver");
}

TEST(DriverOfHosts, LeavesThoseThatNameTheirOwn) {
  EXPECT_THAT(drivers_of("host=gpu=V100,driver=470 host=gpu=5090 driver=580"), ElementsAre("470", "580"));
  EXPECT_THAT(drivers_of("host=gpu=V100,driver=470 gpu=5090 driver=580"), ElementsAre("470", "580"));
}

TEST(DriverOfHosts, IsAMachineOnlyWhereThereIsNoOther) { EXPECT_THAT(drivers_of("driver=535"), ElementsAre("535")); }

TEST(DriverOfHosts, ThatDrivesNobodyIsAnError) {
  const auto query =
      resolver::interpret(matrix::embedded(), request_of("host=gpu=V100,driver=470 host=gpu=T4,driver=535 driver=580"));
  ASSERT_FALSE(query);
  EXPECT_EQ(query.error().code, ErrorCode::usage);
  EXPECT_EQ(query.error().message, "'580' does not apply to any machine: every host names its own driver");
  EXPECT_EQ(query.error().origin, "--driver");
  EXPECT_THAT(query.error().hints, ElementsAre("omit it, or omit driver= from the hosts that it is meant for"));
}

/// The kernel module is a matter of the boards, whichever driver they have.
TEST(DriverOfHosts, IsNotBlamedForWhatTheBoardsSay) { EXPECT_EQ(summary("host=gpu=V100,gpu=5090 driver=580"), "conflict: host"); }

TEST(DriverOfHosts, EachReasonNamesItsBoards) {
  for (const auto* request : {"host=gpu=V100,driver=470 host=gpu=5090 driver=580", "host=driver=535 host=gpu=5090"}) {
    const auto environment = environment_of(request);
    ASSERT_TRUE(environment) << request;
    for (const auto& reason : environment->reasons) EXPECT_FALSE(reason.why.starts_with(":")) << request << " " << reason.why;
  }
}

RequestValue value(Field field, std::string text, Origin origin) { return {field, std::move(text), origin, "there"}; }

/// What the project file or a preset says of the driver is dropped with the machines that it was meant for.
TEST(DriverOfHosts, OfTheFileGivesWayToHostsThatNameTheirs) {
  const Request file{{value(Field::gpu, "4090", Origin::file), value(Field::driver, "535", Origin::file)}};
  Request named{{value(Field::host, "gpu=V100, driver=470", Origin::flag)}};
  named.fill_from(file);
  EXPECT_EQ(text_of(named), "host=gpu=V100,_driver=470");
  Request open{{value(Field::host, "gpu=V100", Origin::flag)}};
  open.fill_from(file);
  EXPECT_EQ(text_of(open), "host=gpu=V100 driver=535");
}

}  // namespace
}  // namespace envgen::test
