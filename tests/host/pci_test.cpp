#include "host/pci.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_machine.hpp"

namespace envgen::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Pci, DisplayControllersOfNvidiaInTheOrderOfTheBus) {
  const FakeRoot root;
  root.pci("10000:01:00.0", "0x10de", "0x20b5", "0x030200");  // a domain of five digits sorts last, not between
  root.pci("0000:41:00.0", "0x10de", "0x2330", "0x030200");
  root.pci("0000:01:00.0", "0x10de", "0x2684", "0x030000");
  root.pci("0000:01:00.1", "0x10de", "0x22ba", "0x040300");  // its audio
  root.pci("0000:02:00.2", "0x10de", "0x1ad8", "0x0c0330");  // a USB controller
  root.pci("0000:00:02.0", "0x8086", "0x4680", "0x030000");  // another maker
  root.pci("0000:03:00.0", "0x1002", "0x73bf", "0x030000");
  const auto answer = ask_pci(root.path());
  ASSERT_THAT(answer.gpus, SizeIs(3));
  EXPECT_EQ(answer.gpus[0].pci_id, "10de:2684");
  EXPECT_EQ(answer.gpus[0].origin, "/sys/bus/pci/devices/0000:01:00.0");
  EXPECT_EQ(answer.gpus[0].name, "");
  EXPECT_FALSE(answer.gpus[0].capability);
  EXPECT_EQ(answer.gpus[1].pci_id, "10de:2330");
  EXPECT_EQ(answer.gpus[2].pci_id, "10de:20b5");
  EXPECT_FALSE(answer.driver);
  EXPECT_THAT(answer.notes, ElementsAre("/sys/bus/pci/devices: 3 GPUs of NVIDIA"));
}

TEST(Pci, NoBus) {
  const FakeRoot root;
  EXPECT_THAT(ask_pci(root.path()).notes, ElementsAre("/sys/bus/pci/devices: No such file or directory"));
  root.write("sys/bus/pci/devices", "");
  EXPECT_THAT(ask_pci(root.path()).notes, ElementsAre("/sys/bus/pci/devices: Not a directory"));
}

TEST(Pci, Garbage) {
  const FakeRoot root;
  root.pci("0000:01:00.0", "0x10de", "what", "0x030000");
  root.pci("0000:02:00.0", "0x10de", "0x123456", "0x030000");
  root.pci("0000:03:00.0", "0x10de", "0x2684", "\xff\xfe");
  root.pci("0000:04:00.0", "", "0x2684", "0x030000");
  root.pci("not an address", "0x10de", "0x2684", "0x030000");
  root.pci("..:..:...0", "0x10de", "0x2684", "0x030000");
  const auto answer = ask_pci(root.path());
  EXPECT_THAT(answer.gpus, IsEmpty());
  EXPECT_THAT(answer.notes, ElementsAre("/sys/bus/pci/devices/0000:01:00.0: an NVIDIA GPU without a readable device id",
                                        "/sys/bus/pci/devices/0000:02:00.0: an NVIDIA GPU without a readable device id",
                                        "/sys/bus/pci/devices: no GPU of NVIDIA"));
}

}  // namespace
}  // namespace envgen::host
