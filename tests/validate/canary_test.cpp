// What proves from within a container whose IPC it has: it is there, it is readable, and it goes.
#include "validate/canary.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/ipc.hpp"

namespace envgen::validate {
namespace {

using testing::Contains;
using testing::StartsWith;

TEST(Canary, IsThereWhileItLives) {
  std::string file;
  int key = 0;
  {
    const Canary canary;
    const auto held = canary.held();
    for (const auto& flag : held.bench_flags) {
      if (flag.starts_with("--ipc-posix=")) file = "/dev/shm/" + flag.substr(flag.find('=') + 1);
      if (flag.starts_with("--ipc-sysv-key=")) key = std::stoi(flag.substr(flag.find('=') + 1));
    }
    EXPECT_TRUE(std::filesystem::exists(file));
    EXPECT_GE(::shmget(key, 0, 0), 0);
    EXPECT_THAT(held.bench_flags, Contains(StartsWith("--ipc-nonce=")));
    EXPECT_EQ(held.secret.size(), 16U);
  }
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_LT(::shmget(key, 0, 0), 0);
}

TEST(Canary, TakesAwayWhatAKilledRunLeft) {
  const std::string left = "/dev/shm/envgen-validate-999999999-x";
  std::ofstream(left) << "x";
  const Canary canary;
  EXPECT_FALSE(std::filesystem::exists(left));
}

/// A segment of shared memory that a process made which has ended.
int left_by_a_dead_process(int key, uid_t user) {
  const auto child = ::fork();
  if (child == 0) ::_exit(::seteuid(user) == 0 && ::shmget(key, 16, IPC_CREAT | IPC_EXCL | 0600) >= 0 ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << "no segment of key " << key;
  return ::shmget(key, 0, 0);
}

TEST(Canary, TakesAwayTheSegmentsThatAKilledRunLeftAndNoOthers) {
  leave_shared_ipc();
  constexpr int ours = 0x45560000;
  const int number = ::getpid() % 0x4000 * 4;
  const auto us = ::geteuid();
  const int held = left_by_a_dead_process(ours + number + 1, us);
  void* memory = ::shmat(held, nullptr, 0);
  const int others_key = left_by_a_dead_process(0x45570000 + number, us);
  const int living = ::shmget(ours + number + 2, 16, IPC_CREAT | IPC_EXCL | 0600);
  constexpr uid_t nobody = 65534;
  const bool is_root = us == 0;
  const int others = is_root ? left_by_a_dead_process(ours + number + 3, nobody) : -1;
  const int left = left_by_a_dead_process(ours + number, us);
  {
    const Canary canary;
    shmid_ds about{};
    EXPECT_LT(::shmctl(left, IPC_STAT, &about), 0) << "nobody holds it, and its maker is gone";
    EXPECT_EQ(::shmctl(held, IPC_STAT, &about), 0) << "somebody holds it";
    EXPECT_EQ(::shmctl(others_key, IPC_STAT, &about), 0) << "its key is not one of ours";
    EXPECT_EQ(::shmctl(living, IPC_STAT, &about), 0) << "its maker lives";
    if (is_root) {
      EXPECT_EQ(::shmctl(others, IPC_STAT, &about), 0) << "it is another user's";
    }
  }
  ::shmdt(memory);
  for (const int segment : {held, others_key, living, others}) ::shmctl(segment, IPC_RMID, nullptr);
}

TEST(Canary, LeavesTheFilesOfThoseThatLive) {
  const auto mine = "/dev/shm/envgen-validate-" + std::to_string(::getpid()) + "-x";
  const std::string another = "/dev/shm/envgen-other-999999999-x";
  for (const auto& path : {mine, another}) std::ofstream(path) << "x";
  const Canary canary;
  for (const auto& path : {mine, another}) {
    EXPECT_TRUE(std::filesystem::exists(path)) << path;
    std::filesystem::remove(path);
  }
}

TEST(Canary, TellsThePlacesAndHalfOfTheWordThatStandsThere) {
  const Canary canary;
  const auto held = canary.held();
  ASSERT_EQ(held.bench_flags.size(), 4U);
  const auto value = [&](std::size_t i, const std::string& name) {
    const auto& flag = held.bench_flags.at(i);
    EXPECT_THAT(flag, StartsWith(name + "="));
    return flag.substr(flag.find('=') + 1);
  };
  EXPECT_EQ(value(0, "--ipc-host-inode"), std::to_string(*canary.inode()));
  const int segment = ::shmget(std::stoi(value(1, "--ipc-sysv-key")), 0, 0);
  void* memory = ::shmat(segment, nullptr, SHM_RDONLY);
  ASSERT_NE(memory, reinterpret_cast<void*>(-1));
  const std::string in_segment(static_cast<const char*>(memory), 32);
  ::shmdt(memory);
  shmid_ds about{};
  ::shmctl(segment, IPC_STAT, &about);
  EXPECT_EQ(about.shm_perm.mode & 0777U, 0644U) << "whoever the container's user is has to read it";
  EXPECT_EQ(about.shm_segsz, 32U);
  const auto path = "/dev/shm/" + value(2, "--ipc-posix");
  std::ifstream file(path);
  const std::string in_file{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0644));
  const auto word = value(3, "--ipc-nonce") + held.secret;
  EXPECT_THAT(word, testing::MatchesRegex("[0-9a-f]{32}"));
  EXPECT_EQ(in_segment, word);
  EXPECT_EQ(in_file, word);
  EXPECT_NE(Canary().held().secret, held.secret);
}

TEST(Canary, TheNamespaceOfAProcessIsItsInode) {
  const auto link = std::filesystem::read_symlink("/proc/self/ns/ipc").string();
  EXPECT_EQ("ipc:[" + std::to_string(*ipc_namespace("self")) + "]", link);
  EXPECT_EQ(ipc_namespace("999999999"), std::nullopt);
}

}  // namespace
}  // namespace envgen::validate
