#include "ipc_facts.hpp"

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace envgen::bench {
namespace {

constexpr unsigned long host = initial_ipc_inode;
constexpr unsigned long own = 4026532500UL;

IpcFacts facts(unsigned long inode, std::optional<bool> sysv, std::optional<bool> posix, bool shm = true) {
  IpcFacts facts;
  facts.inode = inode;
  facts.sysv_read = sysv;
  facts.posix_read = posix;
  if (shm) facts.shm_device = 42;
  return facts;
}

std::string mode(const IpcFacts& facts, std::optional<unsigned long> host_inode = host) {
  IpcCanary canary;
  canary.host_inode = host_inode;
  return ipc_mode(facts, canary).name;
}

TEST(IpcMode, TableOfTheEngines) {
  EXPECT_EQ(mode(facts(own, false, false)), "private");
  EXPECT_EQ(mode(facts(host, true, true)), "host");
  EXPECT_EQ(mode(facts(own, false, true)), "private-host-shm");
  EXPECT_EQ(mode(facts(own, false, std::nullopt, false)), "none");
}

TEST(IpcMode, OneProofAloneIsNotEnough) {
  EXPECT_EQ(mode(facts(host, false, true)), "unknown");
  EXPECT_EQ(mode(facts(host, std::nullopt, true)), "unknown");
  EXPECT_EQ(mode(facts(own, true, true)), "unknown");
  EXPECT_EQ(mode(IpcFacts{}), "unknown");
}

TEST(IpcMode, SaysWhy) {
  const auto why = [](const IpcFacts& of, std::optional<unsigned long> host_inode = host) {
    IpcCanary canary;
    canary.host_inode = host_inode;
    return ipc_mode(of, canary).why;
  };
  const std::string at_host = "the host's namespace 4026531839, ";
  const std::string separate = "a separate namespace 4026532500";
  EXPECT_EQ(why(IpcFacts{}), "cannot read /proc/self/ns/ipc");
  EXPECT_EQ(why(facts(host, true, true)), at_host + "and its SysV segment was read");
  EXPECT_EQ(why(facts(host, std::nullopt, true)), at_host + "but no SysV segment was provided to prove it");
  EXPECT_EQ(why(facts(host, false, true)),
            "the namespace reads 4026531839 like the host's, but the host's SysV segment is missing");
  EXPECT_EQ(why(facts(own, true, true)), "the host's SysV segment was read in a namespace that is not the host's");
  EXPECT_EQ(why(facts(host, true, true), std::nullopt), "the initial namespace 4026531839; not compared with the host");
  EXPECT_EQ(why(facts(own, false, std::nullopt, false)), separate + ", without /dev/shm");
  EXPECT_EQ(why(facts(own, false, true)), separate + ", with the host's /dev/shm");
  EXPECT_EQ(why(facts(own, false, false)), "the namespace 4026532500 is not the host's");
}

TEST(IpcMode, SandboxIsNotBelieved) {
  auto sandboxed = facts(host, true, true);
  sandboxed.sandboxed = true;
  EXPECT_EQ(mode(sandboxed), "unknown");
  EXPECT_TRUE(is_gvisor("4.19.0-gvisor", ""));
  EXPECT_TRUE(is_gvisor("4.4.0", "<6>[    0.000000] Starting gVisor...\n"));
  EXPECT_FALSE(is_gvisor("6.8.0-48-generic", "<5>[    0.000000] Linux version 6.8.0-48-generic\n"));
}

TEST(IpcMode, WithoutTheHostsWordTheConstantDecides) {
  EXPECT_EQ(mode(facts(host, std::nullopt, std::nullopt), std::nullopt), "host");
  EXPECT_EQ(mode(facts(own, std::nullopt, std::nullopt), std::nullopt), "private");
}

TEST(IpcFacts, OfThisMachine) {
  struct stat of_namespace {};
  struct stat shm {};
  struct stat dev {};
  struct statvfs space {};
  ASSERT_EQ(::stat("/proc/self/ns/ipc", &of_namespace), 0);
  if (::stat("/dev/shm", &shm) != 0 || ::stat("/dev", &dev) != 0) GTEST_SKIP() << "no /dev/shm here";
  ASSERT_EQ(::statvfs("/dev/shm", &space), 0);
  auto json = to_json(ipc_facts({}));
  EXPECT_LE(json.at("shm_free_bytes").get<unsigned long long>(), json.at("shm_bytes").get<unsigned long long>());
  EXPECT_GT(json.at("shm_free_bytes").get<unsigned long long>(), 0U);
  json.erase("shm_free_bytes");
  const Json expected{{"inode", of_namespace.st_ino},
                      {"sandboxed", false},
                      {"shm_device", shm.st_dev},
                      {"shm_is_mount", shm.st_dev != dev.st_dev},
                      {"shm_bytes", static_cast<unsigned long long>(space.f_blocks) * space.f_frsize},
                      {"sysv_nonce_read", nullptr},
                      {"posix_nonce_read", nullptr},
                      {"sysv_rest", nullptr},
                      {"posix_rest", nullptr}};
  EXPECT_EQ(json.dump(), expected.dump());
}

TEST(IpcFacts, WhatIsNotThereWasNotRead) {
  IpcCanary canary;
  canary.nonce = "5c0ffee";
  EXPECT_FALSE(ipc_facts(canary).sysv_read || ipc_facts(canary).posix_read);  // nothing was named
  canary.sysv_key = 0x45480000 + static_cast<int>(::getpid() & 0xffff);
  canary.posix_name = "envgen-test-nothing";
  const auto facts = ipc_facts(canary);
  EXPECT_EQ(facts.sysv_read, false);
  EXPECT_EQ(facts.posix_read, false);
}

}  // namespace
}  // namespace envgen::bench
