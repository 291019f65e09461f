// A namespace of IPC that is held for other containers: what is in it, for whom, and that nothing of it stays.
#include <signal.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "program.hpp"
#include "support/ipc.hpp"

namespace envgen::bench {
namespace {

namespace fs = std::filesystem;

/// A holder as a process of its own, and what it says. `before`: words of the shell, which ends in it.
class Holder {
 public:
  explicit Holder(const std::string& seconds, const std::string& before = "")
      : stream_(::popen((before + "echo $$; exec " BENCH_PROGRAM " --hold-ipc " + seconds + " 2>&1").c_str(), "r")) {
    process_ = std::atoi(line().c_str());
    first_ = line();
  }
  ~Holder() { end(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  std::string first() const { return first_; }
  Json held() const { return Json::parse(first_); }
  fs::path file() const { return "/dev/shm/" + held().at("name").get<std::string>(); }
  int segment() const { return ::shmget(held().at("key").get<int>(), 0, 0); }
  void tell(int signal) const { ::kill(process_, signal); }
  int end() {
    const int status = stream_ == nullptr ? -1 : ::pclose(stream_);
    stream_ = nullptr;
    return WEXITSTATUS(status);
  }

 private:
  std::string line() {
    char text[300] = "";
    return std::fgets(text, sizeof text, stream_) == nullptr ? "" : text;
  }

  std::FILE* stream_;
  pid_t process_ = 0;
  std::string first_;
};

std::string with_fault(const std::string& fault) {
  return "export LD_PRELOAD=" BENCH_DOUBLES "/libsystem.so ASAN_OPTIONS=verify_asan_link_order=0 ENVGEN_DOUBLE_FAULTS=" + fault +
         "; ";
}

TEST(HoldIpc, IsForEveryUserToReadAndForNobodyElseToWrite) {
  Holder holder("30", "umask 077; ");
  const auto held = holder.held();
  struct stat own {};
  ASSERT_EQ(::stat("/proc/self/ns/ipc", &own), 0);
  EXPECT_EQ(held.at("inode"), own.st_ino);
  EXPECT_EQ(held.at("key").get<unsigned>() >> 16, 0x4557U);
  const auto nonce = held.at("nonce").get<std::string>();
  EXPECT_EQ(nonce.size(), 32U);
  EXPECT_EQ(nonce.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(held.at("name"), "envgen-canary-" + nonce.substr(0, 8));
  struct stat file {};
  ASSERT_EQ(::stat(holder.file().c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 07777U, 0644U);
  EXPECT_EQ(file.st_size, 32);
  shmid_ds about{};
  ASSERT_EQ(::shmctl(holder.segment(), IPC_STAT, &about), 0);
  EXPECT_EQ(about.shm_perm.mode & 0777U, 0644U);
  EXPECT_EQ(about.shm_segsz, 32U);
  EXPECT_NE(Holder("0.01").held().at("nonce"), nonce);
  holder.tell(SIGTERM);
}

TEST(HoldIpc, ASignalEndsItAndNothingStays) {
  Holder holder("30");
  const auto file = holder.file();
  const int segment = holder.segment();
  shmid_ds about{};
  ASSERT_EQ(::shmctl(segment, IPC_STAT, &about), 0);
  Holder("0.01").end();  // clears away what nobody holds
  EXPECT_TRUE(fs::exists(file));
  EXPECT_EQ(holder.segment(), segment);
  holder.tell(SIGTERM);
  EXPECT_EQ(holder.end(), 0);
  EXPECT_FALSE(fs::exists(file));
  EXPECT_NE(::shmctl(segment, IPC_STAT, &about), 0);
}

TEST(HoldIpc, WhatAnotherUserMadeStays) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a segment away";
  leave_shared_ipc();
  const int segment = ::shmget(0x45570000 + static_cast<int>(::getpid() & 0x7fff), 16, IPC_CREAT | IPC_EXCL | 0600);
  if (segment < 0) GTEST_SKIP() << "no SysV shared memory here";
  shmid_ds about{};
  ASSERT_EQ(::shmctl(segment, IPC_STAT, &about), 0);
  about.shm_perm.uid = 65534;
  ASSERT_EQ(::shmctl(segment, IPC_SET, &about), 0);
  EXPECT_EQ(Holder("0.01").end(), 0);
  EXPECT_EQ(::shmctl(segment, IPC_STAT, &about), 0);
  ::shmctl(segment, IPC_RMID, nullptr);
}

TEST(HoldIpc, WhatAnotherHolderRemovesIsMadeAnew) {
  for (const std::string what : {"shmat", "flock"}) {
    Holder holder("30", with_fault(what + "=removed"));
    EXPECT_TRUE(fs::exists(holder.file())) << what;
    shmid_ds about{};
    EXPECT_EQ(::shmctl(holder.segment(), IPC_STAT, &about), 0) << what;
    EXPECT_EQ(about.shm_nattch, 1U) << what;
    holder.tell(SIGTERM);
  }
}

TEST(HoldIpc, WhyNothingCanBeHeld) {
  const auto said = [](const std::string& fault) {
    Holder holder("30", with_fault(fault));
    const auto first = holder.first();
    EXPECT_EQ(holder.end(), 1);
    return first;
  };
  const std::string what = "envgen-bench: cannot create the segment and the file to hold: ";
  EXPECT_EQ(said("shmget=28"), what + "No space left on device\n");
  EXPECT_EQ(said("shmat=13"), what + "Permission denied\n");
}

}  // namespace
}  // namespace envgen::bench
