// The way to the GPUs, each step of it broken once.
#include "validate/gpu_access.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/literals.hpp"

namespace envgen::validate {
namespace {

BenchReport all_well() {
  BenchReport bench;
  bench.gpu_present = true;
  bench.gpus = {{"A100", Capability{8, 0}}};
  bench.driver = DriverFacts{DriverVersion::parse("550.54.14").value(),
                             "/usr/lib/libcuda.so.550.54.14",
                             "",
                             DriverVersion::parse("550.54.14").value(),
                             Version(12, 4),
                             false,
                             {{"/dev/nvidia-uvm", ""}, {"/dev/nvidia0", ""}, {"/dev/nvidiactl", ""}}};
  return bench;
}

Environment locked(const char* minimum, std::optional<DriverVersion> last, const char* cuda = "12.1") {
  Environment lock;
  lock.torch = Environment::FrameworkBuild();
  lock.torch->cuda = Version::parse(cuda).value();
  lock.driver = Environment::Driver();
  lock.driver->machines.push_back({{"A100"}, std::nullopt, {DriverVersion::parse(minimum).value(), last}, {}});
  return lock;
}

/// `status message [diagnosis]` of one check.
std::string judged(const BenchReport& bench, std::string_view check, const Environment* lock = nullptr,
                   const diagnosis::Diagnosis* failure = nullptr) {
  files::GpuSelection all;
  all.all = true;
  const std::string text = "all";
  Result probe{"probe", failure == nullptr ? Status::pass : Status::fail, "1 GPU"};
  probe.diagnosis = failure;
  for (const auto& result : judge_gpu_access(probe, bench, {all, text}, lock)) {
    if (result.check == check)
      return std::string(name_of(result.status)) + " " + result.message +
             (result.diagnosis == nullptr ? "" : " [" + std::string(result.diagnosis->id) + "]");
  }
  return "no result";
}

TEST(GpuAccess, AllWell) {
  const auto bench = all_well();
  EXPECT_EQ(judged(bench, "device-nodes"), "pass opened: /dev/nvidia-uvm, /dev/nvidia0, /dev/nvidiactl");
  EXPECT_EQ(judged(bench, "libcuda"), "pass /usr/lib/libcuda.so.550.54.14");
  EXPECT_EQ(judged(bench, "driver"), "pass 550.54.14; it reports CUDA 12.4");
  EXPECT_EQ(judged(bench, "gpu"), "pass 1 GPU");
}

TEST(GpuAccess, TheEndsOfTheLockedRangeBelongToIt) {
  const auto verdict = [](const Environment& lock) { return judged(all_well(), "driver", &lock).substr(0, 4); };
  EXPECT_EQ(verdict(locked("550.54.14", std::nullopt)), "pass");
  EXPECT_EQ(verdict(locked("550.54.15", std::nullopt)), "fail");
  EXPECT_EQ(verdict(locked("535.54.03", "550"_driver)), "pass");
  EXPECT_EQ(verdict(locked("535.54.03", "545"_driver)), "fail");
}

TEST(GpuAccess, AnAskedDriverBelowTheRangeIsAnException) {
  auto lock = locked("560.28.03", std::nullopt);
  lock.driver->asked = "550.54.14";
  EXPECT_EQ(judged(all_well(), "driver", &lock), "pass 550.54.14, as locked");
  lock.driver->asked = "545.23.06";
  EXPECT_THAT(judged(all_well(), "driver", &lock), testing::StartsWith("fail 550.54.14, but "));
}

/// Each machine of a lock has its own asked driver; those of all stand in one text beside them.
TEST(GpuAccess, AnAskedDriverIsThatOfAMachine) {
  auto lock = locked("470.42.01", "470"_driver);
  lock.driver->asked = "470, 550";
  lock.driver->machines.front().asked = "470";
  lock.driver->machines.push_back({{"Tesla T4"}, "550", {"560.28.03"_driver, std::nullopt}, {}});
  EXPECT_EQ(judged(all_well(), "driver", &lock), "pass 550.54.14, as locked");
  for (const auto* asked : {"R550", "nvidia-driver-550", "==550.*", "550.54"}) {
    lock.driver->machines.back().asked = asked;
    EXPECT_EQ(judged(all_well(), "driver", &lock), "pass 550.54.14, as locked") << asked;
  }
  lock.driver->machines.back().asked = "545";
  EXPECT_EQ(judged(all_well(), "driver", &lock),
            "fail 550.54.14, but >=470.42.01,<471 or >=560.28.03 is locked [cuda-35-old-driver]");
}

/// Some release of an asked range works; which one is in no lock.
TEST(GpuAccess, AnAskedRangeIsNoPromiseOfEachReleaseInIt) {
  auto lock = locked("560.28.03", std::nullopt);
  lock.driver->machines.front().asked = lock.driver->asked = ">=535,<551";
  EXPECT_EQ(
      judged(all_well(), "driver", &lock),
      "warn 550.54.14, but >=560.28.03 is locked; it is in the requested range, where the image's NVIDIA_REQUIRE_CUDA allows "
      "only some branches");
  lock.driver->machines.front().asked = lock.driver->asked = ">=535";
  EXPECT_EQ(judged(all_well(), "driver", &lock), "fail 550.54.14, but >=560.28.03 is locked [cuda-35-old-driver]");
  lock.driver->machines.front().asked = lock.driver->asked = ">=560,<570";
  EXPECT_EQ(judged(all_well(), "driver", &lock), "fail 550.54.14, but >=560.28.03 is locked [cuda-35-old-driver]");
}

TEST(GpuAccess, DeviceNodes) {
  auto bench = all_well();
  bench.driver->nodes = {{"/dev/nvidia0", ""}, {"/dev/nvidiactl", ""}};
  EXPECT_EQ(judged(bench, "device-nodes"), "warn missing: /dev/nvidia-uvm; CUDA sees GPUs nevertheless");
  bench.gpu_present = false;
  EXPECT_EQ(judged(bench, "device-nodes"), "fail missing: /dev/nvidia-uvm [cuda-999]");
  const auto* const unknown = diagnosis::find("cuda-999");
  EXPECT_EQ(judged(bench, "gpu", nullptr, unknown), "fail --gpus all was requested, but CUDA sees no GPU: 1 GPU [cuda-999]");
  bench.driver->nodes = {};
  EXPECT_EQ(judged(bench, "device-nodes"),
            "fail missing: /dev/nvidiactl, /dev/nvidia-uvm, /dev/nvidia0 or higher [cuda-35-no-driver]");
  bench.driver->nodes = all_well().driver->nodes;
  EXPECT_EQ(
      judged(bench, "gpu", nullptr, unknown),
      "fail --gpus all was requested, but CUDA sees no GPU: 1 GPU; /dev/nvidia-uvm can be opened, so see also 'envgen explain "
      "cuinit-unknown' [cuda-999]");
  bench.driver->nodes = {{"/dev/dxg", ""}};  // WSL 2
  EXPECT_EQ(judged(bench, "device-nodes"), "pass opened: /dev/dxg");
  bench.driver->nodes = {{"/dev/nvidia-uvm", ""}, {"/dev/nvidia0", "Operation not permitted"}, {"/dev/nvidiactl", ""}};
  EXPECT_EQ(judged(bench, "device-nodes"), "fail cannot be opened: /dev/nvidia0: Operation not permitted [nvml-unknown]");
}

TEST(GpuAccess, EachNodeHasItsOwnFailure) {
  auto bench = all_well();
  const auto with = [&](std::vector<DeviceNode> nodes, bool works = false) {
    bench.driver->nodes = std::move(nodes);
    bench.gpu_present = works;
    return judged(bench, "device-nodes");
  };
  EXPECT_EQ(with({{"/dev/nvidiactl", ""}, {"/dev/nvidia-uvm", ""}}), "fail missing: /dev/nvidia0 or higher");
  EXPECT_EQ(with({{"/dev/nvidiactl", ""}, {"/dev/nvidia-uvm", ""}, {"/dev/nvidia7", ""}}),
            "pass opened: /dev/nvidiactl, /dev/nvidia-uvm, /dev/nvidia7");
  EXPECT_EQ(with({{"/dev/nvidia0", ""}}), "fail missing: /dev/nvidiactl, /dev/nvidia-uvm");
  EXPECT_EQ(with({}, true), "warn missing: /dev/nvidiactl, /dev/nvidia-uvm, /dev/nvidia0 or higher; CUDA sees GPUs nevertheless");
  // What is no GPU: its own name, another device of the driver.
  for (const auto* other : {"/dev/nvidia", "/dev/nvidia-modeset", "/dev/nvidia-caps/nvidia-cap1", "/dev/xnvidia0"})
    EXPECT_EQ(with({{"/dev/nvidiactl", ""}, {"/dev/nvidia-uvm", ""}, {other, "closed"}}), "fail missing: /dev/nvidia0 or higher")
        << other;
  EXPECT_EQ(
      with({{"/dev/nvidia0", "Permission denied"}, {"/dev/nvidiactl", "Operation not permitted"}, {"/dev/nvidia-uvm", "x"}}),
      "fail cannot be opened: /dev/nvidia0: Permission denied, /dev/nvidiactl: Operation not permitted, /dev/nvidia-uvm: x "
      "[nvml-unknown]");
  EXPECT_EQ(with({{"/dev/nvidia0", "Permission denied"}, {"/dev/nvidiactl", ""}, {"/dev/nvidia-uvm", ""}}),
            "fail cannot be opened: /dev/nvidia0: Permission denied");
  EXPECT_EQ(with({{"/dev/dxg", "Permission denied"}}), "fail cannot be opened: /dev/dxg: Permission denied");
}

TEST(GpuAccess, ItsEvidenceIsWhatTheContainerTold) {
  auto bench = all_well();
  bench.driver->nodes = {{"/dev/nvidia0", "Operation not permitted"}, {"/dev/nvidiactl", ""}};
  const auto evidence = [&](std::string_view check) {
    files::GpuSelection all;
    all.all = true;
    Result probe{"probe", Status::pass, "1 GPU"};
    probe.evidence = {{"visible_devices", "all"}};
    for (const auto& result : judge_gpu_access(probe, bench, {all, "all"}, nullptr)) {
      if (result.check == check) return result.evidence.dump();
    }
    return std::string("no result");
  };
  EXPECT_EQ(evidence("device-nodes"),
            R"({"nodes":[{"path":"/dev/nvidia0","error":"Operation not permitted"},{"path":"/dev/nvidiactl","error":null}]})");
  EXPECT_EQ(evidence("libcuda"), R"({"path":"/usr/lib/libcuda.so.550.54.14","compat":false,"stub":false})");
  EXPECT_EQ(evidence("driver"), R"({"kernel_module":"550.54.14","libcuda_release":"550.54.14","cuda":"12.4"})");
  EXPECT_EQ(evidence("gpu"), R"({"visible_devices":"all","injected_by":"hook"})");
  bench.driver->libcuda = "/x/stubs/libcuda.so";
  bench.driver->kernel_module.reset();
  bench.driver->cuda.reset();
  bench.gpu_present = false;
  EXPECT_EQ(evidence("libcuda"), R"({"path":"/x/stubs/libcuda.so","compat":false,"stub":true})");
  EXPECT_EQ(evidence("driver"), R"({"kernel_module":null,"libcuda_release":"550.54.14","cuda":null})");
  EXPECT_EQ(evidence("gpu"), R"({"visible_devices":"all","injected_by":null})");
  bench.driver.reset();
  EXPECT_EQ(evidence("driver"), "no result");
}

TEST(GpuAccess, AsManyGpusAsWereAskedFor) {
  const auto counted = [](files::GpuSelection selection, std::size_t there, Status status = Status::pass) {
    auto bench = all_well();
    bench.gpus.resize(there, {"A100", Capability{8, 0}});
    bench.gpu_present = there > 0;
    const auto results = judge_gpu_access({"probe", status, "said"}, bench, {selection, "X"}, nullptr);
    return std::string(name_of(results.back().status)) + " " + results.back().message;
  };
  const files::GpuSelection two{false, 2, {}};
  const files::GpuSelection named{false, std::nullopt, {"0", "3"}};
  const files::GpuSelection all{true, std::nullopt, {}};
  for (const auto& selection : {two, named}) {
    EXPECT_EQ(counted(selection, 2), "pass said");
    EXPECT_EQ(counted(selection, 1), "fail --gpus X was requested, but CUDA sees 1");
    EXPECT_EQ(counted(selection, 3), "fail --gpus X was requested, but CUDA sees 3");
    EXPECT_EQ(counted(selection, 1, Status::warn), "warn said");
    EXPECT_EQ(counted(selection, 0), "fail --gpus X was requested, but CUDA sees no GPU: said");
  }
  EXPECT_EQ(counted(all, 5), "pass said");
}

TEST(GpuAccess, ALockOfSeveralMachinesHoldsForEach) {
  auto lock = locked("570.26", std::nullopt);
  lock.driver->machines.push_back({{"T4"}, std::nullopt, {"525.60.13"_driver, "560"_driver}, {}});
  lock.driver->machines.push_back({{"T4"}, std::nullopt, {"525.60.13"_driver, "560"_driver}, {}});
  lock.driver->machines.push_back({{"any"}, std::nullopt, {std::nullopt, std::nullopt}, {}});
  EXPECT_EQ(judged(all_well(), "driver", &lock),
            "pass 550.54.14, within the locked range (>=570.26 or >=525.60.13,<561); it reports CUDA 12.4, native for 12.1");
  lock.driver->machines = {{{"any"}, std::nullopt, {std::nullopt, std::nullopt}, {}}};
  EXPECT_EQ(judged(all_well(), "driver", &lock), "pass 550.54.14; it reports CUDA 12.4, native for 12.1");
  lock.driver->machines.clear();
  lock.driver->range = {"570.26"_driver, std::nullopt};
  EXPECT_EQ(judged(all_well(), "driver", &lock), "fail 550.54.14, but >=570.26 is locked [cuda-35-old-driver]");
  lock.driver.reset();
  EXPECT_EQ(judged(all_well(), "driver", &lock), "pass 550.54.14; it reports CUDA 12.4, native for 12.1");
}

TEST(GpuAccess, AWindowsDriverIsJudgedByItsCuda) {
  auto lock = locked("525.60.13", std::nullopt);
  lock.driver->machines.front().range.windows_cuda = Version(12, 0);
  auto bench = all_well();
  bench.driver->release.reset();
  bench.driver->kernel_module.reset();
  EXPECT_EQ(judged(bench, "driver", &lock),
            "pass it reports CUDA 12.4, as locked (for Windows: 525 or newer (CUDA 12.0 in nvidia-smi))");
  bench.driver->cuda = Version(11, 8);
  EXPECT_EQ(judged(bench, "driver", &lock),
            "fail it reports CUDA 11.8, but a driver for Windows: 525 or newer (CUDA 12.0 in nvidia-smi) is locked "
            "[cuda-35-old-driver]");
  bench.driver->cuda.reset();
  EXPECT_EQ(judged(bench, "driver", &lock), "unknown it does not report its CUDA version");
}

TEST(GpuAccess, ABranchThatNoLongerKnowsTheBoardsIsNoOldDriver) {
  auto lock = locked("450.80.02", "470"_driver);
  lock.driver->machines.push_back({{"H100"}, std::nullopt, {"560.28.03"_driver, std::nullopt}, {}});
  EXPECT_EQ(judged(all_well(), "driver", &lock),
            "fail 550.54.14, but >=450.80.02,<471 or >=560.28.03 is locked [cuda-35-old-driver]");
}

TEST(GpuAccess, WhatTheDriverReportsOfCuda) {
  auto bench = all_well();
  auto lock = locked("525.60.13", std::nullopt, "12.4");
  const std::string fits = "pass 550.54.14, within the locked range (>=525.60.13)";
  EXPECT_EQ(judged(bench, "driver", &lock), fits + "; it reports CUDA 12.4, native for 12.4");
  lock.torch->cuda = "12.5"_version;
  EXPECT_EQ(judged(bench, "driver", &lock),
            fits + "; it reports CUDA 12.4, and 12.5 runs only through minor-version compatibility");
  lock.torch->cuda.reset();
  EXPECT_EQ(judged(bench, "driver", &lock), fits + "; it reports CUDA 12.4");
  bench.driver->cuda.reset();
  EXPECT_EQ(judged(bench, "driver", &lock), fits);
}

TEST(GpuAccess, OneAskedDriverOfSeveralIsEnough) {
  auto lock = locked("560.28.03", std::nullopt);
  lock.driver->machines.front().asked = "550";
  lock.driver->machines.push_back({{"T4"}, "545", {"560.28.03"_driver, std::nullopt}, {}});
  EXPECT_EQ(judged(all_well(), "driver", &lock), "pass 550.54.14, as locked");
  lock.driver->machines.front().asked = ">=535,<551";
  EXPECT_EQ(judged(all_well(), "driver", &lock).substr(0, 4), "warn");
  lock.driver->machines.front().asked = "auto";
  EXPECT_EQ(judged(all_well(), "driver", &lock).substr(0, 4), "fail");
}

TEST(GpuAccess, TheLibraryAloneTellsARelease) {
  auto bench = all_well();
  bench.driver->kernel_module.reset();
  EXPECT_EQ(judged(bench, "driver"), "pass 550.54.14; it reports CUDA 12.4");
  bench.driver->compat = true;  // that of cuda-compat is no driver's
  EXPECT_EQ(judged(bench, "driver"),
            "unknown unknown version: neither /proc/driver/nvidia/version nor the file name of libcuda shows it");
  bench.driver->compat = false;
  EXPECT_EQ(judged(bench, "driver", nullptr, diagnosis::find("cuda-803")),
            "fail libcuda belongs to driver 550.54.14, the kernel module to unknown [cuda-803]");
}

TEST(GpuAccess, WhyThereIsNoLibcuda) {
  auto bench = all_well();
  bench.driver->libcuda.clear();
  EXPECT_EQ(judged(bench, "libcuda"), "fail not found [cuda-35-no-driver]");
  EXPECT_EQ(judged(bench, "libcuda", nullptr, diagnosis::find("cuda-100")), "fail not found [cuda-100]");
  EXPECT_EQ(judged(bench, "driver"), "pass 550.54.14; it reports CUDA 12.4") << "its kernel module is there";
  bench = all_well();
  EXPECT_EQ(judged(bench, "libcuda", nullptr, diagnosis::find("cuda-34")),
            "fail /usr/lib/libcuda.so.550.54.14 is a toolkit's stub [cuda-34]");
}

TEST(GpuAccess, Libcuda) {
  auto bench = all_well();
  bench.driver->libcuda = "/usr/local/cuda-12.4/compat/libcuda.so.560.35.05";
  bench.driver->compat = true;
  EXPECT_EQ(judged(bench, "libcuda"),
            "pass /usr/local/cuda-12.4/compat/libcuda.so.560.35.05: from cuda-compat, for an older kernel module");
  bench.driver->libcuda = "/usr/local/cuda/lib64/stubs/libcuda.so";
  EXPECT_EQ(judged(bench, "libcuda"), "fail /usr/local/cuda/lib64/stubs/libcuda.so is a toolkit's stub [cuda-34]");
  bench.driver->libcuda.clear();
  bench.driver->problem = "no driver library: libcuda was not found (1 place tried)";
  EXPECT_EQ(judged(bench, "libcuda"), "fail no driver library: libcuda was not found (1 place tried) [cuda-35-no-driver]");
  bench.driver->kernel_module.reset();
  EXPECT_EQ(judged(bench, "driver"), "skip there is no driver");
}

TEST(GpuAccess, DriverAndItsLibrary) {
  auto bench = all_well();
  bench.driver->kernel_module = DriverVersion::parse("550.40.07").value();
  EXPECT_EQ(judged(bench, "driver"),
            "fail libcuda belongs to driver 550.54.14, the kernel module to 550.40.07 [driver-library-mismatch]");
  bench.driver->compat = true;
  EXPECT_EQ(judged(bench, "driver"), "pass 550.40.07; it reports CUDA 12.4");
  EXPECT_EQ(judged(bench, "driver", nullptr, diagnosis::find("cuda-803")),
            "fail libcuda belongs to driver 550.54.14, the kernel module to 550.40.07 [cuda-803]");
  bench.driver->compat = false;
  bench.driver->kernel_module.reset();
  bench.driver->release.reset();
  EXPECT_EQ(judged(bench, "driver"),
            "unknown unknown version: neither /proc/driver/nvidia/version nor the file name of libcuda shows it");
}

TEST(GpuAccess, DriverOfTheLock) {
  const auto bench = all_well();
  auto lock = locked("525.60.13", std::nullopt);
  EXPECT_EQ(judged(bench, "driver", &lock),
            "pass 550.54.14, within the locked range (>=525.60.13); it reports CUDA 12.4, native for 12.1");
  lock = locked("525.60.13", std::nullopt, "12.8");
  EXPECT_EQ(judged(bench, "driver", &lock),
            "pass 550.54.14, within the locked range (>=525.60.13); it reports CUDA 12.4, and 12.8 runs only through "
            "minor-version compatibility");
  lock = locked("570.26", std::nullopt);
  EXPECT_EQ(judged(bench, "driver", &lock), "fail 550.54.14, but >=570.26 is locked [cuda-35-old-driver]");
  lock = locked("450.80.02", "470"_driver);
  EXPECT_EQ(judged(bench, "driver", &lock), "fail 550.54.14, but >=450.80.02,<471 is locked");
}

}  // namespace
}  // namespace envgen::validate
