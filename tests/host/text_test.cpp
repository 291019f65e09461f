#include "host/text.hpp"

#include <cerrno>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fake_machine.hpp"
#include "host/machine.hpp"
#include "host/source_report.hpp"

namespace envgen::host {
namespace {

using testing::ElementsAre;

TEST(Printable, KeepsWhatIsHarmless) {
  EXPECT_EQ(printable("NVIDIA GeForce RTX 4090"), "NVIDIA GeForce RTX 4090");
  EXPECT_EQ(printable("  a \t\r\n b\x7f\x01"
                      "c  "),
            "a b c");
  EXPECT_EQ(printable("\x1b[31mred\xe2\x80\xae"), "[31mred???");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a b");
  EXPECT_EQ(printable(std::string(500, 'x'), 10), std::string(10, 'x'));
  EXPECT_EQ(printable("abc def", 4), "abc");
  EXPECT_EQ(printable(""), "");
}

TEST(Lines, WithAndWithoutALastEnd) {
  EXPECT_THAT(lines_of("a\n\nb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(lines_of("a\n"), ElementsAre("a"));
  EXPECT_THAT(lines_of(""), ElementsAre());
}

TEST(Hex, NumbersOfUpToEightDigits) {
  EXPECT_EQ(parse_hex("0x10de"), 0x10deu);
  EXPECT_EQ(parse_hex("0X268410DE"), 0x268410deu);
  EXPECT_EQ(parse_hex("ff"), 0xffu);
  for (const auto* bad : {"", "0x", "123456789", "000000001", "0x 1", "-1", "+1", "g"}) EXPECT_FALSE(parse_hex(bad)) << bad;
}

TEST(PciAddress, AsLinuxWritesIt) {
  EXPECT_EQ(PciAddress::parse("0000:0a:1f.7"), (PciAddress{0, 10, 31, 7}));
  EXPECT_EQ(PciAddress::parse("10000:01:00.0"), (PciAddress{0x10000, 1, 0, 0}));
  for (const auto* bad :
       {"", ":", "::.", "0000:01:00", "01:00.0", "0000:001:00.0", "0000:01:00.10", "0x00:01:00.0", "0000:01:00.0/.."}) {
    EXPECT_FALSE(PciAddress::parse(bad)) << bad;
  }
  EXPECT_THAT(in_bus_order({"10000:01:00.0", "..", "0000:02:00.0", "0000:01:00.1", "0000:01:00.0"}),
              ElementsAre("0000:01:00.0", "0000:01:00.1", "0000:02:00.0", "10000:01:00.0"));
}

TEST(ReadText, LimitsAndErrors) {
  const FakeRoot root;
  root.write("a/b", std::string(10000, 'x'));
  EXPECT_EQ(read_text(root.path(), "/a/b").value().size(), 10000u);
  EXPECT_EQ(read_text(root.path(), "/a/b", 5000).value().size(), 5000u);
  EXPECT_EQ(read_text(root.path(), "/a/b", 4096).value().size(), 4096u);
  EXPECT_EQ(read_text(root.path(), "/a/b", 0).value(), "");
  root.write("large", std::string(70000, 'x'));
  EXPECT_EQ(read_text(root.path(), "/large").value().size(), 65536u);
  EXPECT_EQ(read_text(root.path(), "/a").error().message, "/a: not a regular file");
  EXPECT_EQ(read_text(root.path(), "/c").error().message, "/c: No such file or directory");
  EXPECT_EQ(read_text(root.path(), "/c").error().code, ErrorCode::missing);
  // A pipe that nobody writes to would hold the caller up for ever.
  ASSERT_EQ(::mkfifo((root.path() / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(read_text(root.path(), "/pipe").error().message, "/pipe: not a regular file");
  EXPECT_EQ(read_text("/", "/dev/zero").error().message, "/dev/zero: not a regular file");
}

/// `errno` holds what an earlier call left there; only that of a call that failed says anything.
TEST(ReadText, AnErrorOfAnEarlierCallIsNone) {
  const FakeRoot root;
  root.write("file", "text");
  errno = EINTR;
  EXPECT_EQ(read_text(root.path(), "/file").value(), "text");
}

TEST(NamesIn, SortedOrAnError) {
  const FakeRoot root;
  root.write("d/b", "");
  root.write("d/a", "");
  EXPECT_THAT(names_in(root.path(), "/d").value(), ElementsAre("a", "b"));
  EXPECT_EQ(names_in(root.path(), "/e").error().message, "/e: No such file or directory");
}

/// Every parser of this room on bytes that resemble its format: run under the sanitizers, this is what "never crashes" means.
TEST(Parsers, SurviveGarbage) {
  const std::vector<std::string> pieces = {"NVRM version: ",
                                           "Kernel Module ",
                                           "550.54.14",
                                           "Model:",
                                           "GPU Excluded:",
                                           "Yes",
                                           "ID=",
                                           "VERSION_ID=",
                                           "\"",
                                           "'",
                                           "\\",
                                           ", ",
                                           "\n",
                                           "\t",
                                           "0x268410DE",
                                           "[N/A]",
                                           "8.9",
                                           ".",
                                           std::string(1, '\0'),
                                           "\xff",
                                           "65536",
                                           "0000:01:00.0"};
  std::mt19937 random(20261121);
  std::uniform_int_distribution<std::size_t> length(0, 12);
  std::uniform_int_distribution<std::size_t> choice(0, pieces.size() - 1);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (auto left = length(random); left > 0; --left) text += pieces[choice(random)];
    (void)parse_kernel_module(text);
    (void)parse_proc_gpu(text);
    (void)parse_os_release(text);
    for (const auto& gpu : parse_smi(text, round % 2 == 0, "nvidia-smi").gpus) {
      EXPECT_EQ(gpu.name.find_first_of(std::string_view("\n\t\0\xff", 4)), std::string::npos);
    }
    (void)PciAddress::parse(text);
    (void)printable(text, 5);
  }
}

}  // namespace
}  // namespace envgen::host
