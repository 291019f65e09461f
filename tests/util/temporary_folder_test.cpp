// Folders of our own, and those that a killed run left.
#include "util/temporary_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace envgen::util {
namespace {

namespace fs = std::filesystem;

/// A name that no other test uses.
std::string prefix_of(const std::string& test) { return "envgen-test-" + test + "-" + std::to_string(::getpid()); }

/// A folder that nobody holds, as old as that.
fs::path left_behind(const std::string& name, int seconds) {
  auto path = fs::temp_directory_path() / name;
  fs::create_directory(path);
  std::ofstream(path / "written") << "x";
  const timespec then{std::time(nullptr) - seconds, 0};
  const std::array<timespec, 2> times{then, then};
  EXPECT_EQ(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0), 0);
  return path;
}

TEST(TemporaryFolder, GoesWithItsOwner) {
  fs::path path;
  {
    auto made = TemporaryFolder::make(prefix_of("goes"));
    ASSERT_TRUE(made);
    const TemporaryFolder moved(std::move(*made));
    path = moved.path();
    std::ofstream(path / "written") << "x";
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, WhatAKilledRunLeftIsRemoved) {
  const auto prefix = prefix_of("left");
  const auto old = left_behind(prefix + "-old", 3600);
  const auto young = left_behind(prefix + "-young", 0);
  const auto another = left_behind(prefix + "s-another", 3600);
  const auto target = left_behind(prefix_of("target"), 3600);
  const auto link = fs::temp_directory_path() / (prefix + "-link");
  fs::create_directory_symlink(target, link);
  TemporaryFolder::remove_leftovers(prefix);
  EXPECT_FALSE(fs::exists(old));
  for (const auto& stays : {young, another, link, target}) {
    EXPECT_TRUE(fs::exists(stays)) << stays;
    fs::remove_all(stays);
  }
}

TEST(TemporaryFolder, OneThatIsYoungerThanAMinuteStays) {
  const auto prefix = prefix_of("age");
  const auto old = left_behind(prefix + "-old", 60);
  const auto young = left_behind(prefix + "-young", 50);
  TemporaryFolder::remove_leftovers(prefix);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(young));
  fs::remove_all(young);
}

TEST(TemporaryFolder, OneOfAnotherUserStays) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make one";
  const auto prefix = prefix_of("other");
  const auto theirs = left_behind(prefix + "-theirs", 3600);
  constexpr ::uid_t nobody = 65534;
  ASSERT_EQ(::chown(theirs.c_str(), nobody, nobody), 0);
  TemporaryFolder::remove_leftovers(prefix);
  EXPECT_TRUE(fs::exists(theirs));
  fs::remove_all(theirs);
}

TEST(TemporaryFolder, LiesWhereTmpdirSays) {
  const auto place = *TemporaryFolder::make(prefix_of("place"));
  ::setenv("TMPDIR", place.path().c_str(), 1);
  const auto there = TemporaryFolder::make(prefix_of("there"));
  ::setenv("TMPDIR", "", 1);
  const auto plain = TemporaryFolder::make(prefix_of("plain"));
  ::setenv("TMPDIR", "/nowhere", 1);
  const auto none = TemporaryFolder::make(prefix_of("none"));
  ::unsetenv("TMPDIR");
  EXPECT_EQ(there->path().parent_path(), place.path());
  EXPECT_EQ(plain->path().parent_path(), "/tmp");
  EXPECT_EQ(none.error().origin + ": " + none.error().message, "/nowhere: cannot create a temporary folder");
}

TEST(TemporaryFolder, OneInUseStays) {
  const auto prefix = prefix_of("used");
  const auto made = TemporaryFolder::make(prefix);
  ASSERT_TRUE(made);
  const timespec then{std::time(nullptr) - 3600, 0};
  const std::array<timespec, 2> times{then, then};
  ASSERT_EQ(::utimensat(AT_FDCWD, made->path().c_str(), times.data(), 0), 0);
  TemporaryFolder::remove_leftovers(prefix);
  EXPECT_TRUE(fs::exists(made->path()));
}

}  // namespace
}  // namespace envgen::util
