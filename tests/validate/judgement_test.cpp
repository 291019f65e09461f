// What is made of what was seen: the image's demand, shared memory, the image's own report, what is required.
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/shm.h>

#include "diagnosis/diagnosis.hpp"
#include "util/process.hpp"
#include "util/temporary_folder.hpp"
#include "validate/canary.hpp"
#include "validate/image_gate.hpp"
#include "validate/mount_owner.hpp"
#include "validate/report.hpp"
#include "validate/self_report.hpp"
#include "validate/sharing.hpp"

namespace envgen::validate {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

HostDriver driver(const char* release, std::optional<Version> cuda) { return {*DriverVersion::parse(release), cuda, false}; }

TEST(ImageGate, AlternativesAndConditions) {
  const std::string gate = "cuda>=12.1 brand=tesla,driver>=470,driver<471 driver>=525,driver<526";
  EXPECT_EQ(passes(gate, driver("530.30.02", Version(12, 1))), true);
  EXPECT_EQ(passes(gate, driver("525.60.13", Version(12, 0))), true);
  EXPECT_EQ(passes(gate, driver("515.43.04", Version(11, 7))), false);
  EXPECT_EQ(passes(gate, driver("470.57.02", Version(11, 4))), std::nullopt);  // a Tesla passes
  EXPECT_EQ(passes(gate, driver("530.30.02", std::nullopt)), std::nullopt);
  EXPECT_EQ(passes("cuda>=", driver("530.30.02", Version(12, 1))), std::nullopt);
}

TEST(ImageGate, IsJudgedBeforeAnythingStarts) {
  container::Image image;
  EXPECT_EQ(judge_image_gate(image, std::nullopt).status, Status::skip);
  image.environment["NVIDIA_REQUIRE_CUDA"] = "cuda>=12.8";
  EXPECT_EQ(judge_image_gate(image, std::nullopt).status, Status::skip);
  const auto old = judge_image_gate(image, driver("535.54.03", Version(12, 2)));
  EXPECT_EQ(old.status, Status::fail);
  EXPECT_EQ(old.message, "driver 535.54.03 does not pass NVIDIA_REQUIRE_CUDA='cuda>=12.8'");
  ASSERT_NE(old.diagnosis, nullptr);
  EXPECT_EQ(old.diagnosis->id, "image-needs-newer-driver");
  const auto good = judge_image_gate(image, driver("570.26", Version(12, 8)));
  EXPECT_EQ(good.status, Status::pass);
  EXPECT_EQ(good.message, "driver 570.26 passes NVIDIA_REQUIRE_CUDA='cuda>=12.8'");
  EXPECT_EQ(good.diagnosis, nullptr);
  image.environment["NVIDIA_DISABLE_REQUIRE"] = "1";
  EXPECT_EQ(judge_image_gate(image, driver("535.54.03", Version(12, 2))).status, Status::skip);
}

TEST(ImageGate, EachSign) {
  const auto here = driver("535.54.03", Version(12, 2));
  for (const auto* open : {"driver=535", "driver==535", "driver>=535.54.03", "driver<=535.54.03", "driver>535", "driver<536",
                           "driver!=536", "cuda=12.2", "cuda=12"})
    EXPECT_EQ(passes(open, here), true) << open;
  for (const auto* shut : {"driver=536", "driver>535.54.03", "driver<535.54.03", "driver>=535.54.04", "driver<=535.54.02",
                           "driver!=535.54.03", "cuda=12.1"})
    EXPECT_EQ(passes(shut, here), false) << shut;
  EXPECT_EQ(passes("driver<>535", here), std::nullopt);
  auto jetson = here;
  jetson.tegra = true;  // its driver has numbers of its own
  EXPECT_EQ(passes("driver>=535", jetson), std::nullopt);
}

TEST(ImageGate, IsSwitchedOffByOneAndTrueAlone) {
  container::Image image;
  image.environment["NVIDIA_REQUIRE_CUDA"] = "cuda>=12.8";
  for (const auto& [value, status] :
       {std::pair("1", Status::skip), {"true", Status::skip}, {"0", Status::fail}, {"", Status::fail}}) {
    image.environment["NVIDIA_DISABLE_REQUIRE"] = value;
    EXPECT_EQ(judge_image_gate(image, driver("535.54.03", Version(12, 2))).status, status) << value;
  }
}

TEST(ImageGate, IsUnknownWhereTheBrandDecides) {
  container::Image image;
  image.environment["NVIDIA_REQUIRE_CUDA"] = "cuda>=12.8 brand=tesla,driver>=535,driver<536";
  const auto result = judge_image_gate(image, driver("535.54.03", Version(12, 2)));
  EXPECT_EQ(result.status, Status::unknown);
  EXPECT_EQ(result.message,
            "whether driver 535.54.03 passes NVIDIA_REQUIRE_CUDA='cuda>=12.8 brand=tesla,driver>=535,driver<536' hangs on the "
            "brand of the GPU");
}

TEST(ImageGate, IsUnknownWhereTheDriversCudaIs) {
  container::Image image;
  image.environment["NVIDIA_REQUIRE_CUDA"] = "cuda>=12.8";
  const auto result = judge_image_gate(image, driver("535.54.03", std::nullopt));
  EXPECT_EQ(result.status, Status::unknown);
  EXPECT_EQ(
      result.message,
      "whether driver 535.54.03 passes NVIDIA_REQUIRE_CUDA='cuda>=12.8' hangs on the CUDA version that it reports, which is "
      "not known");
}

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
  EXPECT_EQ(judged().message, "the report says host, and does not bring back what the host's memory holds: it was forged");
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
  EXPECT_EQ(result.message, "the engine is not on this machine, so whose namespace it is cannot be proven");
}

TEST(Ipc, OfAnotherContainer) {
  const SharingFlags flags{"container:x", ""};
  EXPECT_EQ(judge_ipc(seen("private"), flags, {true, "", 7, ""}).status, Status::pass);
  EXPECT_EQ(judge_ipc(seen("private"), flags, {true, "", 8, ""}).status, Status::fail);
  EXPECT_EQ(judge_ipc(seen("private"), flags, {true, "", std::nullopt, ""}).status, Status::unknown);
}

TEST(SharedMemory, Sizes) {
  EXPECT_EQ(bytes_of("8g"), 8LL << 30);
  EXPECT_EQ(bytes_of("64M"), 64LL << 20);
  EXPECT_EQ(bytes_of("1kb"), 1024);
  EXPECT_EQ(bytes_of("100"), 100);
  for (const auto* wrong : {"", "g", "8t", "-1", "8g8", "99999999999"}) EXPECT_EQ(bytes_of(wrong), std::nullopt) << wrong;
  EXPECT_EQ(judge_shm_size(seen("private"), {"", "64m"}).status, Status::pass);
  EXPECT_EQ(judge_shm_size(seen("private"), {"", "1g"}).message, "/dev/shm has 64 MiB, and --shm-size=1g was asked for");
  EXPECT_EQ(judge_shm_size(seen("host"), {"host", "1g"}).status, Status::warn);
  EXPECT_EQ(judge_shm_size(seen("private"), {}).status, Status::skip);
}

TEST(SharedMemory, MoreThanWasAskedForIsNotWhatWasAskedFor) {
  EXPECT_EQ(judge_shm_size(seen("private"), {"", "32m"}).message, "/dev/shm has 64 MiB, and --shm-size=32m was asked for");
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

Environment locked() {
  Environment environment;
  environment.torch.emplace();
  environment.torch->version = "2.6.0";
  environment.torch->cuda = "12.4";
  environment.torch->nccl = "2.21.5";
  environment.torch->archs = {{"8.6", "9.0a"}};
  environment.torch->ptx = {{"9.0"}};
  environment.cudnn = Environment::Cudnn{"9.1.0.70", 9, "wheel"};
  environment.python = "3.12";
  environment.variant = "devel";
  return environment;
}

SelfReport as_locked() {
  SelfReport report;
  report.python = "3.12.3";
  report.framework = "torch";
  report.version = "2.6.0";
  report.cuda = "12.4";
  report.cudnn = 90100;
  report.nccl = "2.21.5";
  report.archs = {"compute_90", "sm_86", "sm_90a"};
  report.sees_gpu = true;
  report.gpus = 1;
  report.products = {{0, "", 1e-7}};
  report.nvcc = "12.4";
  return report;
}

/// `check status message` of each.
std::string judged(const SelfReport& report, const Environment* lock, bool gpu_asked = false) {
  std::string text;
  for (const auto& result : judge_self_report(report, {.lock = lock}, gpu_asked))
    text += result.check + " " + std::string(name_of(result.status)) + " " + result.message + "\n";
  return text;
}

TEST(SelfReport, AsLocked) {
  const auto lock = locked();
  EXPECT_EQ(judged(as_locked(), &lock, true),
            "python pass Python 3.12.3, as locked\n"
            "framework pass installed is torch 2.6.0, as locked\n"
            "framework-cuda pass torch is built for 12.4, as locked\n"
            "cudnn pass cuDNN 90100, as locked\n"
            "nccl-version pass NCCL 2.21.5, as locked\n"
            "archs pass compiled for compute_90 sm_86 sm_90a, as locked\n"
            "framework-gpu pass torch's product is that of the CPU\n"
            "nvcc pass nvcc 12.4, and torch is built for CUDA 12.4\n");
}

TEST(SelfReport, TheLockOfACpuBuildHasNoArchitectures) {
  auto lock = locked();
  lock.torch->cuda = std::nullopt;
  lock.torch->archs.emplace();
  lock.torch->ptx.emplace();
  EXPECT_THAT(judged(as_locked(), &lock, false),
              HasSubstr("archs unknown compiled for compute_90 sm_86 sm_90a, and the lock tells of none\n"));
}

TEST(SelfReport, OtherThanLocked) {
  const auto lock = locked();
  auto report = as_locked();
  report.python = "3.11.2";
  report.version = "2.6.1";
  report.cuda = "12.6";
  report.cudnn = 90200;
  report.nccl = "2.22.3";
  report.archs = {"sm_86"};
  report.sees_gpu = false;
  report.nvcc = std::nullopt;
  EXPECT_EQ(judged(report, &lock, true),
            "python fail Python 3.11.2, and 3.12 is locked\n"
            "framework fail installed is torch 2.6.1, and torch 2.6.0 is locked\n"
            "framework-cuda fail torch is built for 12.6, and 12.4 is locked\n"
            "cudnn fail cuDNN 90200, and 90100 (9.1.0.70) is locked\n"
            "nccl-version fail NCCL 2.22.3, and 2.21.5 is locked\n"
            "archs fail compiled for sm_86, and compute_90 sm_86 sm_90a is locked\n"
            "framework-gpu fail a GPU was asked for, and torch falls back to the CPU, although it is built for CUDA\n"
            "nvcc fail the variant devel is locked, and there is no nvcc\n");
}

TEST(SelfReport, OfABuildForTheCpu) {
  SelfReport report;
  report.python = "3.11.2";
  report.framework = "torch";
  report.version = "2.6.0";
  report.sees_gpu = false;
  EXPECT_THAT(judged(report, nullptr), AllOf(HasSubstr("framework-cuda skip torch is built for cpu;"),
                                             HasSubstr("\ncudnn skip a build for the CPU has none\n")));
  EXPECT_THAT(judged(report, nullptr, true),
              HasSubstr("framework-gpu fail a GPU was asked for, and torch falls back to the CPU, for it is a CPU build\n"));
}

TEST(SelfReport, NvccOfAnotherCudaAndInARuntimeImage) {
  auto lock = locked();
  auto report = as_locked();
  report.nvcc = "12.8";
  EXPECT_THAT(judged(report, &lock), HasSubstr("nvcc fail nvcc 12.8, and torch is built for CUDA 12.4\n"));
  EXPECT_THAT(judged(report, nullptr), HasSubstr("nvcc warn nvcc 12.8, and torch is built for CUDA 12.4\n"));
  lock.variant = "runtime";
  EXPECT_THAT(judged(report, &lock), HasSubstr("nvcc fail nvcc 12.8 is in a runtime image\n"));
  report.nvcc = std::nullopt;
  EXPECT_THAT(judged(report, &lock), HasSubstr("nvcc pass the image has no nvcc\n"));
  EXPECT_THAT(judged(report, nullptr), HasSubstr("nvcc skip the image has no nvcc\n"));
}

TEST(SelfReport, WithoutALockItIsToldAndNotJudged) {
  EXPECT_THAT(judged(as_locked(), nullptr),
              HasSubstr("framework skip installed is torch 2.6.0; nothing to compare with (--lock FILE, --torch VERSION ...)\n"));
  SelfReport plain;
  plain.python = "3.11.2";
  EXPECT_THAT(judged(plain, nullptr), HasSubstr("framework skip Python has neither torch nor TensorFlow\n"));
  const auto lock = locked();
  EXPECT_THAT(judged(plain, &lock), HasSubstr("framework fail torch 2.6.0 is locked, and not installed\n"));
}

TEST(SelfReport, AnImportThatFailsIsDiagnosed) {
  SelfReport report;
  report.python = "3.11.2";
  report.framework = "torch";
  report.error = "libtorch_cuda.so: undefined symbol: cublasLtGetStatusString, version libcublasLt.so.11";
  const auto results = judge_self_report(report, {}, false);
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[1].message, "torch cannot be imported: " + report.error);
  ASSERT_NE(results[1].diagnosis, nullptr);
  EXPECT_EQ(results[1].diagnosis->id, "cublaslt-mixed");
}

TEST(SelfReport, AProductMayBeOffAsFp16Is) {
  SelfReport report;
  report.python = "3.11.2";
  report.framework = "torch";
  report.sees_gpu = true;
  const auto status = [&](std::optional<double> off) {
    report.products = {{0, "", off}};
    for (const auto& result : judge_self_report(report, {}, true)) {
      if (result.check == "framework-gpu") return result.status;
    }
    return Status::skip;
  };
  EXPECT_EQ(status(0.0), Status::pass);
  EXPECT_EQ(status(0.01), Status::pass);
  EXPECT_EQ(status(0.011), Status::fail);
  EXPECT_EQ(status(0.1), Status::fail);
  EXPECT_EQ(status(std::nullopt), Status::fail);
}

TEST(SelfReport, SomethingElseWasPrinted) {
  EXPECT_FALSE(parse_self_report("Traceback", "n0"));
  EXPECT_EQ(parse_self_report("{}", "n0").error().message, "it does not tell its version");
}

TEST(MountOwner, IsTheCallerOrToldHowToBecomeIt) {
  const auto text = [](uid_t uid, uid_t caller) {
    const auto result = judge_mount_owner(uid, 100, caller);
    return std::string(name_of(result.status)) + " " + result.message;
  };
  EXPECT_EQ(text(1000, 1000), "pass what it writes into a mount belongs to 1000:100, as what you write");
  EXPECT_EQ(text(0, 0), "pass what it writes into a mount belongs to 0:100, as what you write");
  EXPECT_EQ(text(1234, 0), "pass what it writes into a mount belongs to 1234:100, which you, as root, can change");
  for (const uid_t uid : {0U, 1234U}) {
    EXPECT_EQ(text(uid, 1000), "warn what it writes into a mount belongs to " + std::to_string(uid) +
                                   ":100, and you are 1000: build the image with --build-arg USER_UID=1000, as those of envgen "
                                   "take it, or start it with --user 1000");
  }
}

TEST(Require, MakesAFailureOfWhatWasNotProven) {
  Report report;
  report.add("ipc", Status::pass, "private: x").evidence = {{"mode", "private"}};
  report.add("gpu", Status::skip, "no GPU was asked for");
  report.add("shm", Status::warn, "small");
  report.require({"ipc-host", "gpu", "shm"});
  EXPECT_EQ(report.results[0].message, "--require ipc-host, and it is not so: private: x");
  EXPECT_EQ(report.results[1].message, "--require gpu, and it was not proven: no GPU was asked for");
  EXPECT_EQ(report.results[2].message, "--require shm, and it was not proven: small");
  EXPECT_EQ(report.count(Status::fail), 3U);
}

TEST(Checks, EachDiagnosisIsKnownAndEachIdStandsOnce) {
  for (const auto& check : checks()) {
    EXPECT_EQ(find_check(check.id), &check);
    for (const auto id : diagnosis::parts(check.diagnoses, ' ')) EXPECT_NE(diagnosis::find(id), nullptr) << id;
  }
}

TEST(Checks, HoldEveryTestOfTheBench) {
  const auto listed = util::run_process({ENVGEN_BENCH_TOOL, "--list"});
  ASSERT_TRUE(listed && listed->ok());
  std::istringstream lines(listed->out);
  std::size_t tests = 0;
  for (std::string line; std::getline(lines, line); ++tests) {
    const auto id = line.substr(0, line.find(' '));
    const auto* name = id == "probe" ? "gpu" : id.c_str();
    if (id == "storage" || id == "image-files") continue;  // of a folder that is named; driver-files judges the latter
    EXPECT_NE(find_check(name), nullptr) << id;
  }
  EXPECT_GT(tests, 10U);
}

}  // namespace
}  // namespace envgen::validate
