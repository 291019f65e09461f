// IPC and shared memory: what was asked for, and what the container has.
#include "validate/sharing.hpp"

#include <gtest/gtest.h>

#include "diagnosis/diagnosis.hpp"

namespace envgen::validate {
namespace {

Result seen(const char* mode) {
  Result row{"ipc", Status::pass, "seen"};
  row.evidence = {{"inode", 7}, {"mode", mode}, {"why", "why"}, {"shm_bytes", 67108864}};
  return row;
}

TEST(Ipc, ModesAreToldApart) {
  const auto judged = [](const char* asked, const char* mode, const char* engine = "") {
    return judge_ipc(seen(mode), {asked, ""}, {true, "", std::nullopt, engine});
  };
  EXPECT_EQ(judged("host", "host").message, "host: why");
  EXPECT_EQ(judged("host", "private").status, Status::fail);
  EXPECT_EQ(judged("host", "private").message, "--ipc=host gives private: why");
  EXPECT_EQ(judged("private", "host").status, Status::fail);
  EXPECT_EQ(judged("", "private").status, Status::pass);
  EXPECT_EQ(judged("shareable", "private", "shareable").message, "shareable: why");
  EXPECT_EQ(judged("shareable", "private", "private").status, Status::fail);
  // What podman 4.3 tells of a container that was asked to be private, and that nobody can join.
  EXPECT_EQ(judged("private", "private", "shareable").message, "private: why");
  EXPECT_EQ(judged("private", "private", "shareable").status, Status::pass);
  EXPECT_EQ(judged("none", "none").status, Status::pass);
  EXPECT_EQ(judged("host", "unknown").status, Status::unknown);
}

TEST(Ipc, AMountOfTheHostsShmLeavesTheNamespacePrivate) {
  const auto judged = [](const char* asked) {
    return judge_ipc(seen("private-host-shm"), {asked, ""}, {true, "", std::nullopt, ""});
  };
  EXPECT_EQ(judged("").status, Status::pass);
  EXPECT_EQ(judged("private").status, Status::pass);
  EXPECT_EQ(judged("private").message, "private-host-shm: why");
  EXPECT_EQ(judged("host").status, Status::fail);
}

TEST(Ipc, OnlyWhoReadTheHostsMemoryProvesIt) {
  auto row = seen("host");
  const auto judged = [&] { return judge_ipc(row, {"host", ""}, {true, "c0ffee", std::nullopt, ""}); };
  EXPECT_EQ(judged().status, Status::fail);
  EXPECT_EQ(judged().message, "the report says host but does not return what the host's memory holds: it was forged");
  row.evidence["posix_rest"] = "c0ffee";
  EXPECT_EQ(judged().status, Status::fail);
  row.evidence["sysv_rest"] = "c0ffee";
  EXPECT_EQ(judged().status, Status::pass);
  row.evidence["mode"] = "private-host-shm";
  EXPECT_EQ(judge_ipc(row, {}, {true, "c0ffee", std::nullopt, ""}).status, Status::pass);
  row.evidence["posix_rest"] = nullptr;
  EXPECT_EQ(judge_ipc(row, {}, {true, "c0ffee", std::nullopt, ""}).status, Status::fail);
}

TEST(Ipc, OfARemoteEngineIsUnknown) {
  const auto result = judge_ipc(seen("host"), {"host", ""}, {false, "", std::nullopt, "host"});
  EXPECT_EQ(result.status, Status::unknown);
  EXPECT_EQ(result.message, "the engine is not on this machine, so the namespace cannot be identified");
}

TEST(Ipc, OfAnotherContainer) {
  const SharingFlags flags{"container:x", ""};
  EXPECT_EQ(judge_ipc(seen("private"), flags, {true, "", 7, ""}).status, Status::pass);
  EXPECT_EQ(judge_ipc(seen("private"), flags, {true, "", 8, ""}).status, Status::fail);
  EXPECT_EQ(judge_ipc(seen("private"), flags, {true, "", std::nullopt, ""}).status, Status::unknown);
}

TEST(Ipc, OfAnotherContainerSaysWhich) {
  const SharingFlags flags{"container:x", ""};
  const auto judged = [&](const Result& row, std::optional<unsigned long> donor) {
    const auto result = judge_ipc(row, flags, {true, "", donor, ""});
    return result.message + " (" + result.evidence.value("mode", "") + ")";
  };
  EXPECT_EQ(judged(seen("private"), 7), "container: the namespace 7 is the other container's (container)");
  EXPECT_EQ(judged(seen("private"), 8), "the namespace 7 is not the other container's, 8 (private)");
  const std::string unseen = "the namespace cannot be identified: the other container's cannot be read";
  EXPECT_EQ(judged(seen("private"), std::nullopt), unseen + " (private)");
  auto row = seen("unknown");
  row.evidence["inode"] = nullptr;
  EXPECT_EQ(judged(row, 7), unseen + " (unknown)");
}

TEST(Ipc, ItsEvidenceIsWhatWasAskedForAndWhatTheEngineMadeOfIt) {
  EXPECT_EQ(judge_ipc(seen("private"), {"shareable", ""}, {true, "", std::nullopt, "shareable"}).evidence.dump(),
            R"({"inode":7,"mode":"shareable","why":"why","shm_bytes":67108864,"asked":"shareable","engine_mode":"shareable"})");
  EXPECT_EQ(judge_ipc(seen("host"), {}, {false, "", std::nullopt, ""}).evidence.dump(),
            R"({"inode":7,"mode":"unknown","why":"why","shm_bytes":67108864,"asked":null,"engine_mode":null})");
}

TEST(Ipc, OneThatIsUnknownSaysWhy) {
  EXPECT_EQ(judge_ipc(seen("unknown"), {}, {true, "", std::nullopt, ""}).message, "why");
  Result silent{"ipc", Status::skip, "it was not examined"};
  const auto result = judge_ipc(silent, {"host", ""}, {true, "", std::nullopt, ""});
  EXPECT_EQ(result.status, Status::unknown);
  EXPECT_EQ(result.message, "it was not examined");
}

TEST(Ipc, AContainerWithoutShmProvesItselfEvenOnARemoteEngine) {
  const auto result = judge_ipc(seen("none"), {"none", ""}, {false, "", std::nullopt, ""});
  EXPECT_EQ(result.status, Status::pass);
  EXPECT_EQ(result.message, "none: why");
}

TEST(Ipc, Here) {
  const auto judged = [](const Result& row) {
    const auto result = judge_ipc_here(row);
    return std::string(name_of(result.status)) + " " + result.message + " (" + result.evidence.value("mode", "") + ")";
  };
  EXPECT_EQ(judged(seen("host")), "pass the machine's own namespace, 7; more cannot be proven from inside (host)");
  EXPECT_EQ(judged(seen("private")), "pass the namespace 7 of a container (container)");
  EXPECT_EQ(judged(seen("none")), "pass the namespace 7 of a container, without /dev/shm (container)");
  EXPECT_EQ(judged(seen("unknown")), "unknown why (unknown)");
  auto row = seen("host");
  row.evidence.erase("inode");
  EXPECT_EQ(judged(row), "unknown why (host)");
}

TEST(SharedMemory, UnitsAreThoseOfTheEngine) {
  for (const auto* kilo : {"2k", "2K", "2kb", "2KB", "2Kb"}) EXPECT_EQ(bytes_of(kilo), 2048) << kilo;
  for (const auto* mega : {"3m", "3M", "3mb", "3MB"}) EXPECT_EQ(bytes_of(mega), 3 * 1024 * 1024) << mega;
  for (const auto* giga : {"1g", "1G", "1gb", "1GB"}) EXPECT_EQ(bytes_of(giga), 1024 * 1024 * 1024) << giga;
  for (const auto* plain : {"1234567890", "1234567890b", "1234567890B"}) EXPECT_EQ(bytes_of(plain), 1234567890) << plain;
}

TEST(SharedMemory, SaysWhatThereIsAndWhatWasAskedFor) {
  const auto judged = [](const Result& row, const SharingFlags& flags) {
    const auto result = judge_shm_size(row, flags);
    return std::string(name_of(result.status)) + " " + result.message;
  };
  EXPECT_EQ(judged(seen("private"), {}), "skip no --shm-size was requested; /dev/shm has 64 MiB");
  EXPECT_EQ(judged(seen("private"), {"", "64m"}), "pass /dev/shm has 64 MiB, as requested");
  EXPECT_EQ(judged(seen("host"), {"host", "1g"}),
            "warn --ipc=host overrides --shm-size: /dev/shm is this machine's, with 64 MiB");
  auto row = seen("none");
  row.evidence["shm_bytes"] = 0;
  EXPECT_EQ(judged(row, {}), "skip no --shm-size was requested");
  row.evidence["shm_bytes"] = 1;
  EXPECT_EQ(judged(row, {}), "skip no --shm-size was requested; /dev/shm has 0 MiB");
  row.evidence.erase("shm_bytes");
  EXPECT_EQ(judged(row, {}), "skip no --shm-size was requested");
  EXPECT_EQ(judged(row, {"", "1g"}), "unknown the size of /dev/shm was not reported");
}

TEST(SharedMemory, Sizes) {
  EXPECT_EQ(bytes_of("8g"), 8LL << 30);
  EXPECT_EQ(bytes_of("64M"), 64LL << 20);
  EXPECT_EQ(bytes_of("1kb"), 1024);
  EXPECT_EQ(bytes_of("100"), 100);
  for (const auto* wrong : {"", "g", "8t", "-1", "8g8", "99999999999"}) EXPECT_EQ(bytes_of(wrong), std::nullopt) << wrong;
  EXPECT_EQ(judge_shm_size(seen("private"), {"", "64m"}).status, Status::pass);
  EXPECT_EQ(judge_shm_size(seen("private"), {"", "1g"}).message, "/dev/shm has 64 MiB, but --shm-size=1g was requested");
  EXPECT_EQ(judge_shm_size(seen("host"), {"host", "1g"}).status, Status::warn);
  EXPECT_EQ(judge_shm_size(seen("private"), {}).status, Status::skip);
}

TEST(SharedMemory, MoreThanWasAskedForIsNotWhatWasAskedFor) {
  EXPECT_EQ(judge_shm_size(seen("private"), {"", "32m"}).message, "/dev/shm has 64 MiB, but --shm-size=32m was requested");
  const auto asked = [](long long bytes) { return judge_shm_size(seen("private"), {"", std::to_string(bytes)}).status; };
  EXPECT_EQ(asked(67108864), Status::pass);
  EXPECT_EQ(asked(67108865), Status::fail);
  EXPECT_EQ(asked(67108864 - (1 << 20) + 1), Status::pass);  // the kernel rounds up to its pages
  EXPECT_EQ(asked(67108864 - (1 << 20)), Status::fail);
}

TEST(SharedMemory, TooLittleIsAFailureWhereRoomWasAsked) {
  Result full{"shm", Status::fail, "full"};
  EXPECT_EQ(judge_shm(full, {}).status, Status::fail);  // for another reason than its size
  full.diagnosis = diagnosis::find("shm-bus-error");
  EXPECT_EQ(judge_shm(full, {}).status, Status::warn);
  EXPECT_EQ(judge_shm(full, {"host", ""}).status, Status::fail);
  EXPECT_EQ(judge_shm(full, {"", "64m"}).status, Status::fail);
}

}  // namespace
}  // namespace envgen::validate
