#include "host/smi.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_machine.hpp"

namespace envgen::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(SmiRows, TwoGpus) {
  const auto answer =
      parse_smi("NVIDIA GeForce RTX 4090, 550.54.14, 8.9, 0x268410DE\nNVIDIA H100 80GB HBM3, 550.54.14, 9.0, 0x233010DE\n", true,
                "nvidia-smi");
  ASSERT_TRUE(answer.driver);
  EXPECT_EQ(answer.driver->to_string(), "550.54.14");
  EXPECT_EQ(answer.driver_origin, "nvidia-smi");
  ASSERT_THAT(answer.gpus, SizeIs(2));
  EXPECT_EQ(answer.gpus[0].name, "NVIDIA GeForce RTX 4090");
  EXPECT_EQ(answer.gpus[0].capability, (Capability{8, 9}));
  EXPECT_EQ(answer.gpus[0].pci_id, "10de:2684");
  EXPECT_EQ(answer.gpus[0].origin, "nvidia-smi");
  EXPECT_EQ(answer.gpus[1].pci_id, "10de:2330");
  EXPECT_THAT(answer.notes, IsEmpty());
}

TEST(SmiRows, ValuesThatAreNotThere) {
  const auto answer =
      parse_smi("NVIDIA, the odd one, 560.94, [N/A], [N/A]\r\n[Unknown Error], [N/A], [N/A], [N/A]\n\n", true, "nvidia-smi");
  EXPECT_EQ(answer.driver->to_string(), "560.94");
  ASSERT_THAT(answer.gpus, SizeIs(1));
  EXPECT_EQ(answer.gpus[0].name, "NVIDIA, the odd one");
  EXPECT_FALSE(answer.gpus[0].capability);
  EXPECT_EQ(answer.gpus[0].pci_id, "");
  EXPECT_THAT(answer.notes, IsEmpty());
}

TEST(SmiRows, Garbage) {
  const auto answer = parse_smi("No devices were found\nA\x1b[2J\x07, x, y, z\n", true, "nvidia-smi");
  EXPECT_FALSE(answer.driver);
  ASSERT_THAT(answer.gpus, SizeIs(1));
  EXPECT_EQ(answer.gpus[0].name, "A [2J");
  EXPECT_THAT(answer.notes, ElementsAre("nvidia-smi: a line that is not understood: 'No devices were found'",
                                        "nvidia-smi: 'x' is no driver version", "nvidia-smi: 'y' is no compute capability"));
}

/// Answers as the nvidia-smi of driver 470 does, which does not know compute_cap.
constexpr const char* smi_470 = R"(case "$1" in
  *compute_cap*) echo 'Field "compute_cap" is not a valid field to query.'; echo; exit 2;;
  --query-gpu=name,driver_version,pci.device_id) echo 'NVIDIA GeForce RTX 3090, 470.256.02, 0x220410DE';;
esac
)";

TEST(Smi, AsksForAllFieldsAtOnce) {
  const FakeRoot root;
  const auto program =
      root.script("nvidia-smi", R"([ $# = 2 ] && [ "$1" = --query-gpu=name,driver_version,compute_cap,pci.device_id ] &&
  [ "$2" = --format=csv,noheader ] && echo 'NVIDIA L4, 550.54.14, 8.9, 0x27B810DE')");
  const auto answer = ask_smi(program);
  EXPECT_EQ(answer.driver->to_string(), "550.54.14");
  ASSERT_THAT(answer.gpus, SizeIs(1));
  EXPECT_EQ(answer.gpus[0].capability, (Capability{8, 9}));
  EXPECT_THAT(answer.notes, ElementsAre(program + ": driver 550.54.14, 1 GPU"));
}

TEST(Smi, AnOldOneIsAskedWithoutCapability) {
  const FakeRoot root;
  const auto program = root.script("nvidia-smi", smi_470);
  const auto answer = ask_smi(program);
  EXPECT_EQ(answer.driver->to_string(), "470.256.02");
  ASSERT_THAT(answer.gpus, SizeIs(1));
  EXPECT_EQ(answer.gpus[0].name, "NVIDIA GeForce RTX 3090");
  EXPECT_FALSE(answer.gpus[0].capability);
  EXPECT_EQ(answer.gpus[0].pci_id, "10de:2204");
  EXPECT_THAT(answer.notes, ElementsAre(program + ": driver 470.256.02, 1 GPU (too old to tell compute capabilities)"));
}

TEST(Smi, ADriverThatIsNotLoaded) {
  const FakeRoot root;
  const auto program =
      root.script("nvidia-smi", R"(echo "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. \
Make sure that the latest NVIDIA driver is installed and running."; echo; exit 9)");
  EXPECT_THAT(
      ask_smi(program).notes,
      ElementsAre(program + ": exit status 9: NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. "
                            "Make sure that the latest NVIDIA driver is installed and running."));
}

TEST(Smi, OtherFailures) {
  const FakeRoot root;
  const auto silent = root.script("silent", "exit 6");
  EXPECT_THAT(ask_smi(silent).notes, ElementsAre(silent + ": exit status 6"));
  const auto linker = root.script("linker", "echo 'nvidia-smi: error while loading shared libraries' >&2; exit 127");
  EXPECT_THAT(ask_smi(linker).notes, ElementsAre(linker + ": exit status 127: nvidia-smi: error while loading shared libraries"));
  const auto killed = root.script("killed", "kill -9 $$");
  EXPECT_THAT(ask_smi(killed).notes, ElementsAre(killed + ": killed by signal 9"));
  const auto empty = root.script("empty", "exit 0");
  EXPECT_THAT(ask_smi(empty).notes, ElementsAre(empty + ": no driver version, no GPU"));
  EXPECT_THAT(ask_smi("envgen-no-such-program").notes,
              ElementsAre("envgen-no-such-program: cannot start 'envgen-no-such-program': No such file or directory"));
}

TEST(Smi, OneThatHangsIsStopped) {
  const FakeRoot root;
  const auto program = root.script("nvidia-smi", "echo half; sleep 60");
  EXPECT_THAT(ask_smi(program, std::chrono::milliseconds(200)).notes, ElementsAre(program + ": no end after 0.2 s: half"));
}

TEST(Smi, AnEndlessAnswerIsCut) {
  const FakeRoot root;
  const auto program = root.script("nvidia-smi", "yes 'NVIDIA L4, 550.54.14, 8.9, 0x27B810DE' | head -n 100000");
  EXPECT_THAT(ask_smi(program).gpus, SizeIs(256));
}

}  // namespace
}  // namespace envgen::host
