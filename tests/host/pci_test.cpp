#include "host/source_report.hpp"

#include <fmt/format.h>
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
  EXPECT_THAT(answer.notes, ElementsAre("/sys/bus/pci/devices: 3 GPUs from NVIDIA"));
}

TEST(Pci, NoBus) {
  const FakeRoot root;
  EXPECT_THAT(ask_pci(root.path()).notes, ElementsAre("/sys/bus/pci/devices: No such file or directory"));
  root.write("sys/bus/pci/devices", "");
  EXPECT_THAT(ask_pci(root.path()).notes, ElementsAre("/sys/bus/pci/devices: Not a directory"));
}

TEST(Pci, AnIdIsTwoNumbersOfSixteenBits) {
  const FakeRoot root;
  const auto id = [&](const char* vendor, const char* device) {
    root.pci("0000:01:00.0", vendor, device, "0x030000");
    return pci_id_at(root.path(), "0000:01:00.0");
  };
  EXPECT_EQ(id("0xffff", "0xffff"), "ffff:ffff");
  EXPECT_EQ(id("0x0", "0x0"), "0000:0000");
  EXPECT_EQ(id("0x10000", "0x2684"), "");
  EXPECT_EQ(id("0x10de", "0x10000"), "");
  EXPECT_EQ(id("x", "0x2684"), "");
  EXPECT_EQ(id("0x10de", "x"), "");
  EXPECT_EQ(pci_id_at(root.path(), "0000:02:00.0"), "");
}

TEST(Pci, AGpuIsADisplayControllerOrAnother3dController) {
  const FakeRoot root;
  const auto gpus = [&](const char* device_class) {
    root.pci("0000:01:00.0", "0x10de", "0x2684", device_class);
    return ask_pci(root.path()).gpus.size();
  };
  for (const auto* gpu : {"0x030000", "0x0300ff", "0x030200"}) EXPECT_EQ(gpus(gpu), 1U) << gpu;
  for (const auto* other : {"0x030100", "0x030300", "0x038000", "0x040300", "0x000302", "0x0300", "x"})
    EXPECT_EQ(gpus(other), 0U) << other;
}

TEST(Pci, AtMost256GpusAreListed) {
  const FakeRoot root;
  for (int i = 0; i < 260; ++i) root.pci(fmt::format("0000:{:02x}:{:02x}.0", i / 32, i % 32), "0x10de", "0x2684", "0x030000");
  EXPECT_THAT(ask_pci(root.path()).gpus, SizeIs(256));
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
                                        "/sys/bus/pci/devices: no GPU from NVIDIA"));
}

}  // namespace
}  // namespace envgen::host
