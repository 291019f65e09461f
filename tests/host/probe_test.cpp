#include "host/probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_machine.hpp"

namespace envgen::host {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const std::string nvml_double = ENVGEN_NVML_DOUBLE;
const std::string double_source = "NVML (" + nvml_double.substr(0, 100) + ")";

class Probe : public testing::Test {
 protected:
  Probe() {
    sources_.root = root_.path();
    sources_.nvml_libraries = {"libnvidia-ml-absent.so.1", "/usr/lib/wsl/lib/libnvidia-ml-absent.so.1"};
    sources_.nvidia_smi = "envgen-no-nvidia-smi";
    sources_.machine = "x86_64";
    root_.write("etc/os-release", "ID=ubuntu\nVERSION_ID=\"22.04\"\n");
  }

  FakeRoot root_;
  Environment environment_;
  Sources sources_;
};

const char* const no_nvml = "NVML (libnvidia-ml-absent.so.1): cannot open shared object file: No such file or directory";
const char* const no_proc = "/proc/driver/nvidia/version: No such file or directory";
const char* const no_smi = "envgen-no-nvidia-smi: cannot start 'envgen-no-nvidia-smi': No such file or directory";
const char* const no_pci = "/sys/bus/pci/devices: No such file or directory";

TEST_F(Probe, NvmlAnswersForAll) {
  sources_.nvml_libraries.emplace_back(nvml_double);
  root_.write("proc/driver/nvidia/version", open_module_version);  // names another driver, which is not asked for
  const auto report = probe(sources_);
  EXPECT_EQ(report.driver->to_string(), "550.54.14");
  EXPECT_EQ(report.driver_origin, double_source);
  EXPECT_EQ(report.kernel_module, "open");
  EXPECT_THAT(report.gpus, SizeIs(2));
  EXPECT_FALSE(report.wsl);
  EXPECT_FALSE(report.tegra);
  EXPECT_EQ(report.platform, Platform::linux_x86_64);
  EXPECT_EQ(report.os_id, "ubuntu22.04");
  EXPECT_THAT(report.tried, ElementsAre(no_nvml, double_source + ": driver 550.54.14, 2 GPUs"));
  EXPECT_EQ(require_driver(report, "--driver auto").value().to_string(), "550.54.14");
  EXPECT_THAT(require_gpus(report, "--gpu auto").value(), SizeIs(2));
}

TEST_F(Probe, SameMachineSameReport) {
  sources_.nvml_libraries = {nvml_double};
  EXPECT_EQ(probe(sources_).tried, probe(sources_).tried);
}

TEST_F(Probe, AMismatchedLibraryLeavesTheQuestionToProc) {
  environment_.set("ENVGEN_NVML_DOUBLE_FAIL", "nvmlInit_v2=18");
  sources_.nvml_libraries = {nvml_double};
  root_.write("proc/driver/nvidia/version", open_module_version);
  root_.write("proc/driver/nvidia/gpus/0000:70:00.0/information", l4_information);
  const auto report = probe(sources_);
  EXPECT_EQ(report.driver->to_string(), "565.57.01");
  EXPECT_EQ(report.driver_origin, "/proc/driver/nvidia/version");
  ASSERT_THAT(report.gpus, SizeIs(1));
  EXPECT_EQ(report.gpus[0].name, "NVIDIA L4");
  EXPECT_THAT(report.tried, ElementsAre(double_source + ": nvmlInit_v2: Driver/library version mismatch (error 18)",
                                        "/proc/driver/nvidia/version: driver 565.57.01 (open kernel module)",
                                        "/proc/driver/nvidia/gpus: 1 GPU"));
}

TEST_F(Probe, SmiAddsTheGpusThatProcHides) {
  root_.write("proc/driver/nvidia/version", proprietary_module_version);
  sources_.nvidia_smi = root_.script("bin/nvidia-smi", "echo 'NVIDIA L4, 550.54.14, 8.9, 0x27B810DE'");
  const auto report = probe(sources_);
  EXPECT_EQ(report.driver->to_string(), "515.65.01");
  EXPECT_EQ(report.driver_origin, "/proc/driver/nvidia/version");
  EXPECT_EQ(report.kernel_module, "proprietary");
  ASSERT_THAT(report.gpus, SizeIs(1));
  EXPECT_EQ(report.gpus[0].origin, sources_.nvidia_smi);
  EXPECT_THAT(report.tried, ElementsAre(no_nvml, "/proc/driver/nvidia/version: driver 515.65.01 (proprietary kernel module)",
                                        "/proc/driver/nvidia/gpus: No such file or directory",
                                        sources_.nvidia_smi + ": driver 550.54.14, 1 GPU"));
}

TEST_F(Probe, WhatASourceToldIsNotReplacedByALaterOne) {
  environment_.set("ENVGEN_NVML_DOUBLE_FAIL", "nvmlSystemGetDriverVersion=999");
  sources_.nvml_libraries = {nvml_double};
  root_.write("proc/driver/nvidia/version", open_module_version);
  root_.write("proc/driver/nvidia/gpus/0000:70:00.0/information", l4_information);
  root_.pci("0000:01:00.0", "0x10de", "0x2684", "0x030000");
  const auto report = probe(sources_);
  EXPECT_EQ(report.driver->to_string(), "565.57.01");
  EXPECT_EQ(report.driver_origin, "/proc/driver/nvidia/version");
  ASSERT_THAT(report.gpus, SizeIs(2));
  EXPECT_EQ(report.gpus[0].name, "NVIDIA GeForce RTX 4090");
  EXPECT_EQ(report.gpus[0].origin, double_source);
}

TEST_F(Probe, GpusOnTheBusBeforeThereIsADriver) {
  root_.pci("0000:01:00.0", "0x10de", "0x2684", "0x030000");
  const auto report = probe(sources_);
  EXPECT_FALSE(report.driver);
  ASSERT_THAT(require_gpus(report, "--gpu auto").value(), SizeIs(1));
  EXPECT_EQ(report.gpus[0].pci_id, "10de:2684");
  const auto error = require_driver(report, "--driver auto").error();
  EXPECT_EQ(error.code, ErrorCode::missing);
  EXPECT_EQ(error.origin, "--driver auto");
  EXPECT_EQ(error.message, std::string("no NVIDIA driver found on this machine, although it has a GPU: 10de:2684 "
                                       "(/sys/bus/pci/devices/0000:01:00.0); tried:\n  ") +
                               no_nvml + "\n  " + no_proc + "\n  " + no_smi + "\n  /sys/bus/pci/devices: 1 GPU from NVIDIA");
  EXPECT_THAT(error.hints,
              ElementsAre("name the driver of the machine that will run this, as in --driver 550.54.14",
                          "install the driver: https://docs.nvidia.com/datacenter/tesla/driver-installation-guide/"));
}

TEST_F(Probe, ADriverWithoutGpus) {
  environment_.set("ENVGEN_NVML_DOUBLE_COUNT", "0");
  sources_.nvml_libraries = {nvml_double};
  sources_.nvidia_smi.clear();
  const auto report = probe(sources_);
  EXPECT_EQ(report.driver->to_string(), "550.54.14");
  EXPECT_EQ(require_gpus(report, "--gpu auto").error().message,
            "no NVIDIA GPU found on this machine, although it has driver 550.54.14 (" + double_source + "); tried:\n  " +
                double_source + ": driver 550.54.14, no GPU\n  " + no_proc + "\n  " + no_pci);
}

TEST_F(Probe, NothingFoundSaysWhatWasTried) {
  const auto report = probe(sources_);
  EXPECT_THAT(report.tried, ElementsAre(no_nvml, no_proc, no_smi, no_pci));
  const auto tried = std::string("; tried:\n  ") + no_nvml + "\n  " + no_proc + "\n  " + no_smi + "\n  " + no_pci;
  EXPECT_EQ(require_driver(report, "--driver auto").error().message, "no NVIDIA driver found on this machine" + tried);
  const auto error = require_gpus(report, "--gpu auto").error();
  EXPECT_EQ(error.message, "no NVIDIA GPU found on this machine" + tried);
  EXPECT_EQ(error.code, ErrorCode::missing);
  EXPECT_EQ(error.origin, "--gpu auto");
  EXPECT_THAT(
      error.hints,
      ElementsAre("name the GPU of the machine that will run this, as in --gpu 'RTX 4090' ('envgen list gpus' shows the names)"));
  EXPECT_EQ(require_gpus(Report{}, "--gpu auto").error().message,
            "no NVIDIA GPU found on this machine; there was nothing to query");
}

TEST_F(Probe, Wsl2HasTheDriverOfWindows) {
  root_.write("proc/sys/kernel/osrelease", "5.15.146.1-microsoft-standard-WSL2\n");
  root_.write("dev/dxg", "");
  environment_.set("ENVGEN_NVML_DOUBLE_DRIVER", "560.94");
  sources_.nvml_libraries = {"/usr/lib/wsl/lib/libnvidia-ml-absent.so.1", nvml_double};
  const auto report = probe(sources_);
  EXPECT_TRUE(report.wsl);
  EXPECT_EQ(report.driver->to_string(), "560.94");
  EXPECT_EQ(report.driver_origin, double_source + ", the Windows driver that WSL 2 shares");
  EXPECT_THAT(report.tried,
              ElementsAre("NVML (/usr/lib/wsl/lib/libnvidia-ml-absent.so.1): cannot open shared object file: No such file "
                          "or directory",
                          double_source + ": driver 560.94, 2 GPUs"));
}

TEST_F(Probe, Wsl2HasItsOwnNvidiaSmi) {
  root_.write("proc/sys/kernel/osrelease", "6.6.87.2-microsoft-standard-WSL2\n");
  root_.write("dev/dxg", "");
  const auto program = root_.script("usr/lib/wsl/lib/nvidia-smi", "echo 'NVIDIA GeForce RTX 4070, 560.94, 8.9, 0x278610DE'");
  sources_.nvml_libraries.clear();
  const auto report = probe(sources_);
  EXPECT_EQ(report.driver_origin, program + ", the Windows driver that WSL 2 shares");
  EXPECT_THAT(report.tried, ElementsAre(no_proc, no_smi, program + ": driver 560.94, 1 GPU"));
}

TEST_F(Probe, Wsl2WithoutAGpu) {
  root_.write("proc/sys/kernel/osrelease", "5.15.146.1-microsoft-standard-WSL2\n");
  sources_.nvml_libraries.clear();
  const auto report = probe(sources_);
  EXPECT_THAT(report.tried,
              ElementsAre("/dev/dxg: not found, so Windows shares no GPU with this WSL 2", no_proc, no_smi, no_pci));
  EXPECT_THAT(require_driver(report, "--driver auto").error().hints,
              ElementsAre("name the driver of the machine that will run this, as in --driver 550.54.14",
                          "install the NVIDIA driver in Windows, never a Linux driver inside WSL 2"));
  EXPECT_EQ(report.driver_origin, "") << "there is none to say anything of";
}

TEST_F(Probe, TheNvidiaSmiOfWslIsAskedOnlyWhereTheOneOnPathDoesNotAnswer) {
  const auto program = root_.script("usr/lib/wsl/lib/nvidia-smi", "echo 'NVIDIA GeForce RTX 4070, 560.94, 8.9, 0x278610DE'");
  sources_.nvml_libraries.clear();
  EXPECT_THAT(probe(sources_).tried, ElementsAre(no_proc, no_smi, no_pci)) << "no WSL";
  root_.write("proc/sys/kernel/osrelease", "6.6.87.2-microsoft-standard-WSL2\n");
  root_.write("dev/dxg", "");
  sources_.nvidia_smi = root_.script("named/nvidia-smi", "exit 6");
  EXPECT_THAT(probe(sources_).tried, ElementsAre(no_proc, sources_.nvidia_smi + ": exit status 6", no_pci)) << "one was named";
  const auto path = std::string(std::getenv("PATH"));
  environment_.set("PATH", (root_.path() / "named").string() + ":" + path);
  root_.script("named/envgen-a-nvidia-smi", "echo 'NVIDIA L4, 550.54.14, 8.9, 0x27B810DE'");
  sources_.nvidia_smi = "envgen-a-nvidia-smi";
  EXPECT_THAT(probe(sources_).tried, ElementsAre(no_proc, "envgen-a-nvidia-smi: driver 550.54.14, 1 GPU")) << "it answers";
  ::setenv("PATH", path.c_str(), 1);
}

TEST_F(Probe, AJetsonWithoutADriverSaysNothingOfOne) {
  root_.write("etc/nv_tegra_release", "# R36\n");
  const auto report = probe(sources_);
  EXPECT_TRUE(report.tegra);
  EXPECT_EQ(report.driver_origin, "");
}

TEST_F(Probe, AnotherBoardWithADeviceTreeIsNoJetson) {
  root_.write("proc/device-tree/compatible", std::string_view("raspberrypi,5-model-b\0brcm,bcm2712\0", 36));
  EXPECT_FALSE(probe(sources_).tegra);
}

TEST_F(Probe, TheLibraryOfWslIsNotLookedForElsewhere) {
  sources_.nvml_libraries = {"/usr/lib/wsl/lib/libnvidia-ml-absent.so.1"};
  EXPECT_THAT(probe(sources_).tried, ElementsAre(no_proc, no_smi, no_pci));
}

TEST_F(Probe, GpusWithoutADriverEndTheSearchForALibrary) {
  environment_.set("ENVGEN_NVML_DOUBLE_FAIL", "nvmlSystemGetDriverVersion=999");
  sources_.nvml_libraries = {nvml_double, "libnvidia-ml-absent.so.1"};
  EXPECT_THAT(probe(sources_).tried, testing::Not(testing::Contains(no_nvml)));
}

TEST_F(Probe, Wsl1HasNone) {
  root_.write("proc/sys/kernel/osrelease", "4.4.0-19041-Microsoft\n");
  sources_.nvml_libraries.clear();
  const auto report = probe(sources_);
  EXPECT_FALSE(report.wsl);
  EXPECT_THAT(report.tried,
              ElementsAre("/proc/sys/kernel/osrelease: WSL 1, which has no GPU support; WSL 2 has it", no_proc, no_smi, no_pci));
}

TEST_F(Probe, AJetsonSaysSo) {
  root_.write("proc/device-tree/compatible", std::string_view("nvidia,p3768-0000+p3767-0005\0nvidia,tegra234\0", 46));
  root_.write(
      "proc/driver/nvidia/version",
      "NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  540.4.0  Release Build  (buildbrain@mobile-u64-6336-d8000)\n");
  sources_.machine = "aarch64";
  const auto report = probe(sources_);
  EXPECT_TRUE(report.tegra);
  EXPECT_EQ(report.platform, Platform::linux_aarch64);
  EXPECT_EQ(report.driver_origin,
            "/proc/driver/nvidia/version, a Tegra driver: its version is comparable only with those of other Tegra drivers");
}

TEST_F(Probe, OtherMachinesAndBrokenOsRelease) {
  sources_.machine = "riscv64";
  sources_.nvml_libraries.clear();
  root_.write("etc/os-release", "ID=$(reboot)\n");
  auto report = probe(sources_);
  EXPECT_FALSE(report.platform);
  EXPECT_EQ(report.os_id, "");
  EXPECT_THAT(report.tried, ElementsAre("machine 'riscv64': neither x86_64 nor aarch64",
                                        "/etc/os-release: ID '$(reboot)' is not well-formed", no_proc, no_smi, no_pci));
  std::filesystem::remove(root_.path() / "etc/os-release");
  report = probe(sources_);
  EXPECT_THAT(report.tried,
              ElementsAre("machine 'riscv64': neither x86_64 nor aarch64", "/etc/os-release: No such file or directory",
                          "/usr/lib/os-release: No such file or directory", no_proc, no_smi, no_pci));
  root_.write("usr/lib/os-release", "ID=debian\nVERSION_ID=12\n");
  EXPECT_EQ(probe(sources_).os_id, "debian12");
}

/// On whatever runs this test: it must end, and keep its promises.
TEST(ProbeHere, RealMachine) {
  const auto report = probe(Sources{});
  EXPECT_EQ(report.driver.has_value(), !report.driver_origin.empty());
  for (const auto& gpu : report.gpus) {
    EXPECT_FALSE(gpu.origin.empty());
    EXPECT_TRUE(!gpu.name.empty() || gpu.capability || !gpu.pci_id.empty());
  }
  EXPECT_THAT(report.tried, testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace envgen::host
