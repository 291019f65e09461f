#include "model/os_name.hpp"

#include <gtest/gtest.h>

namespace envgen {
namespace {

TEST(OsName, IsThatOfPeople) {
  EXPECT_EQ(os_name("ubuntu24.04"), "Ubuntu 24.04");
  EXPECT_EQ(os_name("rockylinux9"), "Rocky Linux 9");
  EXPECT_EQ(os_name("amzn2023"), "Amazon Linux 2023");
  EXPECT_EQ(os_name("debian12"), "Debian 12");
  EXPECT_EQ(os_name("ubi8"), "UBI 8");
  EXPECT_EQ(os_name("centos7"), "CentOS 7");
  EXPECT_EQ(os_name("fedora42"), "Fedora 42");
}

TEST(OsName, IsTheIdOfWhatItDoesNotKnow) {
  EXPECT_EQ(os_name("gentoo2"), "gentoo2");
  EXPECT_EQ(os_name("ubunt"), "ubunt");
}

}  // namespace
}  // namespace envgen
