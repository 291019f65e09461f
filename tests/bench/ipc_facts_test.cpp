#include "ipc_facts.hpp"

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

}  // namespace
}  // namespace envgen::bench
