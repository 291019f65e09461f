// What the libraries of an image, and NVML, say of themselves and of the GPUs.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "program.hpp"

namespace envgen::bench {
namespace {

/// The probe's report with these faults of the doubles.
Json report(const std::map<std::string, std::string>& environment, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"--tests=ipc"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_bench(on_doubles(arguments), environment).json();
}

Json library(const Json& report, const std::string& name) {
  for (const auto& each : report.at("libraries")) {
    if (each.at("name") == name) return each;
  }
  return {};
}

std::string version_and_problem(const Json& library) { return library.at("version").dump() + " " + library.at("problem").dump(); }

TEST(Libraries, SayTheirVersions) {
  const auto all = report({});
  for (const auto& [name, version] : std::map<std::string, std::string>{{"libcuda", "13.0"},
                                                                        {"libnvidia-ml", "13.580.65.06"},
                                                                        {"libcudart", "12.4"},
                                                                        {"libcublasLt", "120405"},
                                                                        {"libcublas", "12.4.5"},
                                                                        {"libnccl", "2.20.5"}})
    EXPECT_EQ(version_and_problem(library(all, name)), "\"" + version + "\" null") << name;
  EXPECT_EQ(library(report({{"ENVGEN_DOUBLE_NCCL", "2708"}}), "libnccl").at("version"), "2.7.8");
  EXPECT_EQ(library(report({{"ENVGEN_DOUBLE_NCCL", "2804"}}), "libnccl").at("version"), "2.8.4");
  EXPECT_EQ(library(report({{"ENVGEN_DOUBLE_NCCL", "20916"}}), "libnccl").at("version"), "2.9.16");
  EXPECT_EQ(library(report({{"ENVGEN_DOUBLE_NCCL", "10000"}}), "libnccl").at("version"), "1.0.0");
}

TEST(Libraries, WhatCannotBeAskedHasNoVersion) {
  const auto all = report({{"ENVGEN_DOUBLE_FAULTS",
                            "cudaRuntimeGetVersion=35,cublasGetProperty=13,ncclGetVersion=3,nvmlSystemGetNVMLVersion=999,"
                            "nvmlSystemGetDriverVersion=999"}});
  for (const char* name : {"libcudart", "libcublas", "libnccl"})
    EXPECT_EQ(version_and_problem(library(all, name)), "null null") << name;
  EXPECT_EQ(library(all, "libnvidia-ml").at("version"), "");
  EXPECT_TRUE(all.at("driver").at("nvml").is_null());
}

TEST(Libraries, WhatIsWrongWithThemIsTold) {
  const std::string wrong = BENCH_DOUBLES "/libnccl.so.2";
  const auto all =
      report({}, {"--library=libcudart=" + wrong, "--library=libcublas=/nonexistent/a", "--library=libnvidia-ml=" + wrong});
  EXPECT_EQ(version_and_problem(library(all, "libcudart")), "null \"" + wrong + " has no cudaGetDeviceCount\"");
  EXPECT_EQ(version_and_problem(library(all, "libcublas")), "null \"the image has no cuBLAS\"");
  EXPECT_EQ(version_and_problem(library(all, "libcublasLt")), "null \"the image has no cuBLAS\"");
  EXPECT_EQ(version_and_problem(library(all, "libnvidia-ml")), "null \"" + wrong + " has no nvmlInit_v2\"");
  EXPECT_TRUE(all.at("gpus").at(0).at("state").is_null());
  EXPECT_EQ(library(report({}, {"--library=libnvidia-ml=/nonexistent/b"}), "libnvidia-ml").at("problem"),
            "libnvidia-ml was not found (1 place tried)");
}

TEST(NvmlState, OfEachGpu) {
  const auto gpus =
      report({{"ENVGEN_DOUBLE_DEVICES", "2"}, {"ENVGEN_DOUBLE_THROTTLE", "4"}, {"ENVGEN_DOUBLE_PROCESSES", "3"}}).at("gpus");
  EXPECT_EQ(
      gpus.at(0).at("state").dump(),
      R"({"temperature_c":41,"power_w":98.5,"power_limit_w":350.0,"sm_clock_mhz":1200,"sm_clock_max_mhz":1980,)"
      R"("memory_clock_mhz":2500,"memory_clock_max_mhz":2619,"throttle_reasons":["SwPowerCap"],"compute_processes":3,"mig":false})");
  EXPECT_EQ(gpus.at(1).at("state").at("temperature_c"), 42);
}

TEST(NvmlState, WhatABoardDoesNotSayIsNull) {
  std::string all;
  for (const char* call : {"Temperature", "PowerUsage", "EnforcedPowerLimit", "ClockInfo", "MaxClockInfo",
                           "CurrentClocksThrottleReasons", "ComputeRunningProcesses", "MigMode"})
    all += (all.empty() ? "nvmlDeviceGet" : ",nvmlDeviceGet") + std::string(call) + "=3";
  for (const auto& faults : {all, std::string("nvmlDeviceGetHandleByPciBusId_v2=6")}) {
    const auto state = report({{"ENVGEN_DOUBLE_FAULTS", faults}}).at("gpus").at(0).at("state");
    EXPECT_EQ(state.size(), 10U);
    for (const auto& [name, value] : state.items()) EXPECT_TRUE(value.is_null()) << name;
  }
}

TEST(Nvml, ThatDoesNotStartIsNotUsed) {
  const auto all = report({{"ENVGEN_DOUBLE_FAULTS", "nvmlInit_v2=18,nvmlShutdown=exit"}});
  EXPECT_EQ(version_and_problem(library(all, "libnvidia-ml")),
            "null \"nvmlInit_v2: Driver/library version mismatch (error 18)\"");
  EXPECT_TRUE(all.at("gpus").at(0).at("state").is_null());
  EXPECT_TRUE(all.at("driver").at("nvml").is_null());
}

TEST(Nvml, IsShutDownWhenItWasAsked) {
  const auto row = run_bench(on_doubles({"--tests=ipc"}), {{"ENVGEN_DOUBLE_FAULTS", "nvmlShutdown=exit"}}).row("probe");
  EXPECT_EQ(row.at("message"), "a library exited the test's process with status 3");
}

TEST(DeviceFacts, OfEachGpu) {
  const auto gpus = report({{"ENVGEN_DOUBLE_DEVICES", "2"}}).at("gpus");
  ASSERT_EQ(gpus.size(), 2U);
  auto gpu = gpus.at(1);
  gpu.erase("state");
  EXPECT_EQ(
      gpu.dump(),
      R"({"ordinal":1,"name":"Simulated GPU","uuid":"GPU-f1f2f3f4-f5f6-f7f8-f9fa-fbfcfdfeff00","pci_bus_id":"0000:02:00.0",)"
      R"("capability":"9.0","memory_bytes":8589934592,"multiprocessors":2,"clock_khz":1000000,)"
      R"("memory_clock_khz":1000,"memory_bus_bits":64,"l2_bytes":1048576})");
}

}  // namespace
}  // namespace envgen::bench
