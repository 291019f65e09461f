#include "nameless_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "failure.hpp"

namespace envgen::bench {
namespace {

TEST(NamelessFile, IsInNobodysWayAndLeavesNothing) {
  std::string folder = "/tmp/envgen-nameless-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const int descriptor = nameless_file(folder);
  struct stat status {};
  ASSERT_EQ(::fstat(descriptor, &status), 0);
  EXPECT_EQ(status.st_nlink, 0U);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  ::close(descriptor);
  std::filesystem::remove(folder);
}

TEST(NamelessFile, NeedsAFolder) {
  try {
    nameless_file("/nowhere");
    FAIL() << "no error";
  } catch (const TestFailed& failed) {
    EXPECT_NE(failed.failure().message.find("/nowhere/.envgen-bench-"), std::string::npos) << failed.failure().message;
  }
}

}  // namespace
}  // namespace envgen::bench
