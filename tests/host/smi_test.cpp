#include "host/source_report.hpp"

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

TEST(SmiRows, ACapabilityBeginsWithOne) {
  const auto capability = [](const std::string& text) {
    const auto answer = parse_smi("A, 550.54.14, " + text + ", 0x268410DE\n", true, "smi");
    return answer.gpus.at(0).capability ? answer.gpus[0].capability->to_string() : answer.notes.empty() ? "" : answer.notes[0];
  };
  EXPECT_EQ(capability("1.3"), "1.3");
  EXPECT_EQ(capability("12.0"), "12.0");
  EXPECT_EQ(capability("0.9"), "smi: '0.9' is not a compute capability");
  EXPECT_EQ(capability("N/A"), "");
  EXPECT_EQ(capability(""), "");
}

TEST(SmiRows, ADriverHasTwoNumbersAndTheFirstCounts) {
  const auto answer = parse_smi("A, 550, 8.9, 0x268410DE\nB, 550.54.14, 8.9, 0x268410DE\nC, 560.28.03, 8.9, 0x1\n", true, "smi");
  EXPECT_EQ(answer.driver->to_string(), "550.54.14");
  EXPECT_THAT(answer.notes, ElementsAre("smi: '550' is not a driver version"));
  EXPECT_EQ(answer.gpus.at(0).pci_id, "10de:2684");
  EXPECT_EQ(answer.gpus.at(2).pci_id, "0001:0000");
}

TEST(SmiRows, ALineThatIsNoneIsNotedAlsoWithoutCapabilities) {
  EXPECT_THAT(parse_smi("one, two\n", false, "smi").notes, ElementsAre("smi: cannot parse the line 'one, two'"));
  EXPECT_THAT(parse_smi("one, 470.256.02, 0x220410DE\n", false, "smi").gpus, SizeIs(1));
  EXPECT_THAT(parse_smi("one, 470.256.02, 0x220410DE\n", true, "smi").notes,
              ElementsAre("smi: cannot parse the line 'one, 470.256.02, 0x220410DE'"));
}

TEST(SmiRows, Garbage) {
  const auto answer = parse_smi("No devices were found\nA\x1b[2J\x07, x, y, z\n", true, "nvidia-smi");
  EXPECT_FALSE(answer.driver);
  ASSERT_THAT(answer.gpus, SizeIs(1));
  EXPECT_EQ(answer.gpus[0].name, "A [2J");
  EXPECT_THAT(answer.notes,
              ElementsAre("nvidia-smi: cannot parse the line 'No devices were found'", "nvidia-smi: 'x' is not a driver version",
                          "nvidia-smi: 'y' is not a compute capability"));
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
  EXPECT_THAT(answer.notes, ElementsAre(program + ": driver 470.256.02, 1 GPU (too old to report compute capabilities)"));
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

TEST(Smi, AnotherFailureIsNotTakenForAnOldOne) {
  const FakeRoot root;
  const auto program = root.script("nvidia-smi", "echo called >>\"$0.calls\"; echo broken; exit 3");
  EXPECT_THAT(ask_smi(program).notes, ElementsAre(program + ": exit status 3: broken"));
  std::ifstream calls(program + ".calls");
  EXPECT_EQ((std::string{std::istreambuf_iterator<char>(calls), {}}), "called\n");
}

TEST(Smi, AComplaintIsCut) {
  const FakeRoot root;
  const auto program = root.script("nvidia-smi", "printf '%0500d'; exit 3");
  EXPECT_THAT(ask_smi(program).notes, ElementsAre(program + ": exit status 3: " + std::string(200, '0')));
}

TEST(Smi, OneThatHangsIsStopped) {
  const FakeRoot root;
  const auto program = root.script("nvidia-smi", "echo half; sleep 60");
  EXPECT_THAT(ask_smi(program, std::chrono::seconds(2)).notes, ElementsAre(program + ": timed out after 2 s: half"));
}

TEST(Smi, AnEndlessAnswerIsCut) {
  const FakeRoot root;
  const auto program = root.script("nvidia-smi", "yes 'NVIDIA L4, 550.54.14, 8.9, 0x27B810DE' | head -n 100000");
  EXPECT_THAT(ask_smi(program).gpus, SizeIs(256));
}

}  // namespace
}  // namespace envgen::host
