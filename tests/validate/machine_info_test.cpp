// What a report says of the machine: read from envgen-bench, written, and read back.
#include "validate/machine_info.hpp"

#include <gtest/gtest.h>

namespace envgen::validate {
namespace {

using Json = nlohmann::ordered_json;

Json bench() {
  return Json::parse(R"({
    "driver": {"kernel_module": "550.54.14", "libcuda_release": "560.35.05", "nvml": "1", "cuda": "12.4"},
    "libraries": [{"name": "libcudart", "version": "12.4"}, {"name": "libcublas"}, {"name": "libnccl", "version": "2.21.5"}],
    "gpus": [{"ordinal": 1, "name": "A100", "capability": "8.0", "memory_bytes": 42949672960, "uuid": "GPU-1",
              "state": {"temperature_c": 40, "power_w": 61.5, "power_limit_w": 400, "sm_clock_mhz": 1095, "sm_clock_max_mhz": 1410,
                        "memory_clock_mhz": 1215, "memory_clock_max_mhz": 1593, "mig": false, "throttle_reasons": ["idle"]}},
             {"name": "B"}]})");
}

const std::string as_json =
    R"({"driver":"550.54.14","cuda":"12.4","libraries":{"libcudart":"12.4","libnccl":"2.21.5"},"gpus":[)"
    R"({"ordinal":1,"name":"A100","capability":"8.0","memory_bytes":42949672960,"state":{"temperature_c":40,"power_w":61.5,)"
    R"("power_limit_w":400,"sm_clock_mhz":1095,"sm_clock_max_mhz":1410,"memory_clock_mhz":1215,"memory_clock_max_mhz":1593,)"
    R"("throttle_reasons":["idle"],"mig":false}},)"
    R"({"ordinal":0,"name":"B","capability":null,"memory_bytes":null,"state":{"temperature_c":null,"power_w":null,)"
    R"("power_limit_w":null,"sm_clock_mhz":null,"sm_clock_max_mhz":null,"memory_clock_mhz":null,"memory_clock_max_mhz":null,)"
    R"("throttle_reasons":null,"mig":null}}]})";

TEST(MachineInfo, IsWrittenAsEnvgenBenchTellsIt) { EXPECT_EQ(to_json(machine_of_bench(bench())).dump(), as_json); }

TEST(MachineInfo, IsReadBack) { EXPECT_EQ(to_json(machine_from_json(Json::parse(as_json))).dump(), as_json); }

TEST(MachineInfo, OfNothingIsEmpty) {
  const std::string empty = R"({"driver":null,"cuda":null,"libraries":{},"gpus":[]})";
  EXPECT_EQ(to_json(machine_of_bench(Json::object())).dump(), empty);
  EXPECT_EQ(to_json(machine_from_json(Json::parse(empty))).dump(), empty);
  const auto wrong = Json::parse(R"({"driver": 7, "cuda": [], "libraries": "x", "gpus": {"name": "A"}})");
  EXPECT_EQ(to_json(machine_of_bench(wrong)).dump(), empty);
  EXPECT_EQ(to_json(machine_from_json(wrong)).dump(), empty);
}

TEST(MachineInfo, ItsDriverIsThatOfTheKernelElseThatOfTheLibrary) {
  auto json = bench();
  json["driver"].erase("kernel_module");
  EXPECT_EQ(machine_of_bench(json).driver, "560.35.05");
  json["driver"].erase("libcuda_release");
  EXPECT_EQ(machine_of_bench(json).driver, "1");
}

TEST(MachineInfo, FiguresOfAnotherTypeAreNotKnown) {
  auto json = bench();
  json["gpus"][0]["memory_bytes"] = "42949672960";
  json["gpus"][0]["state"]["throttle_reasons"] = "idle";
  json["gpus"][0]["state"]["mig"] = 1;
  auto gpu = machine_of_bench(json).gpus.at(0);
  EXPECT_EQ(gpu.memory_bytes, std::nullopt);
  EXPECT_EQ(gpu.throttle_reasons, std::nullopt);
  EXPECT_EQ(gpu.mig, std::nullopt);
  EXPECT_EQ(gpu.power_w, 61.5);
  json["gpus"][0]["state"] = Json::array();
  gpu = machine_of_bench(json).gpus.at(0);
  EXPECT_EQ(gpu.power_w, std::nullopt);
  EXPECT_EQ(gpu.name, "A100");
}

TEST(MachineInfo, WholeNumbersAreWrittenAsSuchAsFarAsTheyAreExact) {
  auto json = bench();
  const auto written = [&](double bytes) {
    json["gpus"][0]["memory_bytes"] = bytes;
    return to_json(machine_of_bench(json))["gpus"][0]["memory_bytes"].dump();
  };
  EXPECT_EQ(written(9007199254740991), "9007199254740991");
  EXPECT_EQ(written(9007199254740992), "9.007199254740992e+15");
  EXPECT_EQ(written(-9007199254740992), "-9.007199254740992e+15");
  EXPECT_EQ(written(0.5), "0.5");
  MachineInfo machine = machine_of_bench(json);
  machine.gpus[0].memory_bytes = std::nullopt;
  EXPECT_EQ(to_json(machine)["gpus"][0]["memory_bytes"].dump(), "null");
}

TEST(MachineInfo, AFlatteringReportIsCut) {
  auto json = bench();
  const std::string many(1000, 'x');
  json["driver"]["kernel_module"] = json["driver"]["cuda"] = json["gpus"][0]["name"] = many;
  json["gpus"][0]["state"]["throttle_reasons"] = Json(std::vector<std::string>(100, many));
  for (int i = 0; i < 300; ++i) {
    json["gpus"].push_back({{"name", "C"}});
    json["libraries"].push_back({{"name", "lib" + std::to_string(i)}, {"version", many}});
  }
  const auto machine = machine_of_bench(json);
  EXPECT_EQ(machine.gpus.size(), 256U);
  EXPECT_EQ(machine.libraries.size(), 64U);
  EXPECT_EQ(machine.gpus[0].throttle_reasons->size(), 64U);
  for (const auto& text : {machine.driver, machine.cuda, machine.gpus[0].name, machine.libraries.back().second,
                           machine.gpus[0].throttle_reasons->at(0)})
    EXPECT_EQ(text.size(), 200U);
  auto saved = Json::parse(as_json);
  for (int i = 0; i < 300; ++i) saved["libraries"][many + std::to_string(i)] = many;
  for (int i = 0; i < 300; ++i) saved["libraries"]["n" + std::to_string(i)] = i;
  EXPECT_EQ(machine_from_json(saved).libraries.size(), 64U);
  EXPECT_EQ(machine_from_json(saved).libraries.at(63).second.size(), 200U);
}

TEST(MachineInfo, NamesAGpuByItsNumber) {
  const auto machine = machine_of_bench(bench());
  EXPECT_EQ(machine.name_of(1), "A100");
  EXPECT_EQ(machine.name_of(0), "B");
  EXPECT_EQ(machine.name_of(2), "");
  EXPECT_EQ(machine.name_of(std::nullopt), "");
}

}  // namespace
}  // namespace envgen::validate
