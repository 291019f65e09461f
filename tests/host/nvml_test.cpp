#include "host/source_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_machine.hpp"

namespace envgen::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const std::string double_library = ENVGEN_NVML_DOUBLE;

/// What stands before each note of the double.
std::string source() { return "NVML (" + double_library.substr(0, 100) + "): "; }

TEST(Nvml, TellsDriverNamesCapabilitiesAndPciIds) {
  const auto answer = ask_nvml(double_library);
  ASSERT_TRUE(answer.driver);
  EXPECT_EQ(answer.driver->to_string(), "550.54.14");
  EXPECT_EQ(answer.driver_origin + ": ", source());
  ASSERT_THAT(answer.gpus, SizeIs(2));
  EXPECT_EQ(answer.gpus[0].name, "NVIDIA GeForce RTX 4090");
  EXPECT_EQ(answer.gpus[0].capability, (Capability{8, 9}));
  EXPECT_EQ(answer.gpus[0].pci_id, "10de:2684");
  EXPECT_EQ(answer.gpus[0].origin + ": ", source());
  EXPECT_EQ(answer.gpus[1].name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(answer.gpus[1].capability, (Capability{9, 0}));
  EXPECT_EQ(answer.gpus[1].pci_id, "10de:2330");
  EXPECT_THAT(answer.notes, ElementsAre(source() + "driver 550.54.14, 2 GPUs"));
}

TEST(Nvml, EachConversationIsEnded) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_OPEN", "0");
  ask_nvml(double_library);
  EXPECT_STREQ(std::getenv("ENVGEN_NVML_DOUBLE_OPEN"), "0");
  environment.set("ENVGEN_NVML_DOUBLE_FAIL", "nvmlDeviceGetCount_v2=4");
  ask_nvml(double_library);
  EXPECT_STREQ(std::getenv("ENVGEN_NVML_DOUBLE_OPEN"), "0");
  environment.set("ENVGEN_NVML_DOUBLE_FAIL", "nvmlInit_v2=9");  // what did not begin is not ended
  ask_nvml(double_library);
  EXPECT_STREQ(std::getenv("ENVGEN_NVML_DOUBLE_OPEN"), "0");
}

TEST(Nvml, ALibraryThatIsNotThere) {
  const auto answer = ask_nvml("libnvidia-ml-absent.so.1");
  EXPECT_FALSE(answer.driver);
  EXPECT_THAT(answer.notes,
              ElementsAre("NVML (libnvidia-ml-absent.so.1): cannot open shared object file: No such file or directory"));
}

TEST(Nvml, ALibraryOfSomethingElse) {
  const auto answer = ask_nvml("libm.so.6");
  EXPECT_FALSE(answer.driver);
  EXPECT_THAT(answer.gpus, IsEmpty());
  EXPECT_THAT(answer.notes, ElementsAre("NVML (libm.so.6): has no function nvmlInit_v2"));
}

TEST(Nvml, AFileThatIsNoLibrary) {
  const FakeRoot root;
  root.write("libnvidia-ml.so.1", "garbage");
  const auto path = (root.path() / "libnvidia-ml.so.1").string();
  EXPECT_THAT(ask_nvml(path).notes, ElementsAre("NVML (" + path + "): file too short"));
}

TEST(Nvml, DriverAndLibraryDoNotFit) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_FAIL", "nvmlInit_v2=18");
  const auto answer = ask_nvml(double_library);
  EXPECT_FALSE(answer.driver);
  EXPECT_THAT(answer.gpus, IsEmpty());
  EXPECT_THAT(answer.notes, ElementsAre(source() + "nvmlInit_v2: Driver/library version mismatch (error 18)"));
}

TEST(Nvml, AnErrorWithoutText) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_FAIL", "nvmlInit_v2=77");
  EXPECT_THAT(ask_nvml(double_library).notes, ElementsAre(source() + "nvmlInit_v2: failed (error 77)"));
}

TEST(Nvml, ADriverWithoutGpus) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_COUNT", "0");
  const auto answer = ask_nvml(double_library);
  EXPECT_TRUE(answer.driver);
  EXPECT_THAT(answer.gpus, IsEmpty());
  EXPECT_THAT(answer.notes, ElementsAre(source() + "driver 550.54.14, no GPU"));
}

TEST(Nvml, AGpuThatMayNotBeSeenIsLeftOutAndNoted) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_FAIL", "nvmlDeviceGetHandleByIndex_v2:1=4");
  const auto answer = ask_nvml(double_library);
  EXPECT_THAT(answer.gpus, SizeIs(1));
  EXPECT_THAT(answer.notes, ElementsAre(source() + "driver 550.54.14, 1 GPU",
                                        source() + "GPU 1: nvmlDeviceGetHandleByIndex_v2: Insufficient Permissions (error 4)"));
}

TEST(Nvml, AGpuKeepsWhatItTells) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_FAIL", "nvmlDeviceGetName:0=15,nvmlDeviceGetCudaComputeCapability:1=999");
  const auto answer = ask_nvml(double_library);
  ASSERT_THAT(answer.gpus, SizeIs(2));
  EXPECT_EQ(answer.gpus[0].name, "");
  EXPECT_EQ(answer.gpus[0].pci_id, "10de:2684");
  EXPECT_FALSE(answer.gpus[1].capability);
  EXPECT_THAT(answer.notes,
              ElementsAre(source() + "driver 550.54.14, 2 GPUs", source() + "GPU 0: nvmlDeviceGetName: GPU is lost (error 15)",
                          source() + "GPU 1: nvmlDeviceGetCudaComputeCapability: Unknown Error (error 999)"));
}

TEST(Nvml, AGpuThatTellsNothingIsNone) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_COUNT", "1");
  environment.set("ENVGEN_NVML_DOUBLE_FAIL",
                  "nvmlDeviceGetName=15,nvmlDeviceGetCudaComputeCapability=15,nvmlDeviceGetPciInfo_v3=15");
  const auto answer = ask_nvml(double_library);
  EXPECT_THAT(answer.gpus, IsEmpty());
  EXPECT_THAT(answer.notes,
              ElementsAre(source() + "driver 550.54.14, no GPU", source() + "GPU 0: nvmlDeviceGetName: GPU is lost (error 15)",
                          source() + "GPU 0: nvmlDeviceGetCudaComputeCapability: GPU is lost (error 15)",
                          source() + "GPU 0: returned no information"));
}

TEST(Nvml, NeitherVersionNorCount) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_FAIL", "nvmlSystemGetDriverVersion=999,nvmlDeviceGetCount_v2=4");
  const auto answer = ask_nvml(double_library);
  EXPECT_FALSE(answer.driver);
  EXPECT_THAT(answer.notes, ElementsAre(source() + "nvmlSystemGetDriverVersion: Unknown Error (error 999)",
                                        source() + "nvmlDeviceGetCount_v2: Insufficient Permissions (error 4)"));
}

TEST(Nvml, ADriverWhoseGpusCannotBeCounted) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_FAIL", "nvmlDeviceGetCount_v2=4");
  EXPECT_THAT(
      ask_nvml(double_library).notes,
      ElementsAre(source() + "driver 550.54.14, no GPU", source() + "nvmlDeviceGetCount_v2: Insufficient Permissions (error 4)"));
}

TEST(Nvml, MigModeIsNoted) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_MIG", "1");
  const auto answer = ask_nvml(double_library);
  EXPECT_EQ(answer.gpus.at(1).capability, (Capability{9, 0}));
  EXPECT_THAT(answer.notes, ElementsAre(source() + "driver 550.54.14, 2 GPUs",
                                        source() + "GPU 1: in MIG mode; its instances have the compute capability of the GPU"));
}

TEST(Nvml, GarbageIsCutCleanedAndNotBelieved) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_DRIVER", "55x\x1b[31m");
  environment.set("ENVGEN_NVML_DOUBLE_NAME", "NVIDIA\n\x1b[2JRTX \xc3\xa9");
  environment.set("ENVGEN_NVML_DOUBLE_MAJOR", "-7");
  const auto answer = ask_nvml(double_library);
  EXPECT_FALSE(answer.driver);
  ASSERT_THAT(answer.gpus, SizeIs(2));
  EXPECT_EQ(answer.gpus[0].name, "NVIDIA [2JRTX ??");
  EXPECT_FALSE(answer.gpus[0].capability);
  EXPECT_THAT(answer.notes,
              ElementsAre(source() + "no driver version, 2 GPUs",
                          source() + "driver version '55x [31m': not a version number (only digits and dots are allowed)",
                          source() + "GPU 0: -7.9 is not a compute capability"));
}

TEST(Nvml, NamesWithoutAnEndStayInTheirBuffer) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_BRIM", "1");
  EXPECT_EQ(ask_nvml(double_library).gpus.at(0).name, std::string(96, 'G'));
}

TEST(Nvml, AsManyGpusAsAreListedAtMost) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_COUNT", "256");
  EXPECT_THAT(ask_nvml(double_library).notes, ElementsAre(source() + "driver 550.54.14, 256 GPUs"));
}

TEST(Nvml, ACapabilityBeginsWithOne) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_MAJOR", "1");
  EXPECT_EQ(ask_nvml(double_library).gpus.at(0).capability, (Capability{1, 9}));
  environment.set("ENVGEN_NVML_DOUBLE_MAJOR", "0");
  EXPECT_FALSE(ask_nvml(double_library).gpus.at(0).capability);
}

TEST(Nvml, AnAbsurdCountIsNotBelieved) {
  Environment environment;
  environment.set("ENVGEN_NVML_DOUBLE_COUNT", "4294967295");
  const auto answer = ask_nvml(double_library);
  EXPECT_THAT(answer.gpus, SizeIs(256));
  EXPECT_THAT(answer.notes, ElementsAre(source() + "driver 550.54.14, 256 GPUs",
                                        source() + "reports 4294967295 GPUs; only the first 256 are queried"));
}

}  // namespace
}  // namespace envgen::host
