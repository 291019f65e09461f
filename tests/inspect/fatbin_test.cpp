#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspect/elf_maker.hpp"
#include "inspect/fatbin.hpp"

namespace envgen::inspect {
namespace {

using test::Code;
using test::fatbin_of;
using test::overwrite;
using ::testing::ElementsAre;

/// What is found in `bytes`, in pieces of `piece` bytes; or the problem.
std::vector<std::string> found(const std::string& bytes, std::size_t piece) {
  FatbinFinder finder(bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    if (!finder.feed(bytes_of(std::string_view(bytes).substr(at, piece)))) break;
  }
  if (finder.problem()) return {*finder.problem()};
  std::vector<std::string> lines;
  for (const auto& fatbin : finder.found()) lines.push_back(std::to_string(fatbin.offset) + ": " + fatbin.targets.to_string());
  return lines;
}

TEST(Fatbins, AreFoundInPiecesOfAnySize) {
  const auto first = fatbin_of({{2, 70}, {2, 90, 0x100011}, {2, 100, 0x1200011, 112, 3}, {1, 120, 0x8011, 80}, {2, 70}});
  const auto bytes = std::string(64, 'x') + first + std::string(16 - first.size() % 8, 'y') + fatbin_of({{2, 75}}) + "tail";
  const auto expected = std::vector<std::string>{"64: sm_70 sm_90a sm_100f compute_120",
                                                 std::to_string(64 + first.size() + 16 - first.size() % 8) + ": sm_75"};
  for (const std::size_t piece : {1U, 3U, 7U, 8U, 13U, 64U, 4096U}) EXPECT_EQ(found(bytes, piece), expected) << piece;
}

TEST(Fatbins, LieAtMultiplesOfEight) { EXPECT_THAT(found("xxxx" + fatbin_of({{2, 70}}) + "xxxx", 4096), ElementsAre()); }

TEST(Fatbins, OfOtherCodeAndPaddingAreNoTargets) {
  EXPECT_THAT(found(fatbin_of({{8, 75}, {64, 75}}), 4096), ElementsAre());
  auto padded = fatbin_of({{2, 70}, {2, 75}});
  for (std::size_t i = 16 + 104; i < padded.size(); ++i) padded[i] = '\0';
  EXPECT_THAT(found(padded, 4096), ElementsAre("0: sm_70"));
}

TEST(Fatbins, ThatClaimMoreThanTheFile) {
  auto bytes = fatbin_of({{2, 70}});
  overwrite(bytes, 8, 105, 8);
  EXPECT_THAT(found(bytes, 4096), ElementsAre("the fat binary at 0x0 claims 105 bytes, but only 104 follow it"));
  overwrite(bytes, 8, UINT64_MAX, 8);
  EXPECT_THAT(found(bytes, 4096), ElementsAre("the fat binary at 0x0 claims 18446744073709551615 bytes, but only 104 follow it"));
}

TEST(Fatbins, TheirMarkAsAnOperandIsCode) {
  // movabs $mark, %rax, as in libcudnn_engines_tensor_ir.so.9 of cuDNN 9.25.1; what follows is code, whatever it would say as a
  // header
  const auto mark = fatbin_of({{2, 70}}).substr(0, 8);
  const auto entry = fatbin_of({{2, 70}});
  for (const auto* opcode : {"\x48\xb8", "\x49\xbf"}) {
    const auto before = std::string(6, 'x') + opcode;
    auto reaching_out = before + entry;
    overwrite(reaching_out, 8 + 16 + 4, 63, 4);
    const auto real = fatbin_of({{2, 75}});
    for (const std::size_t piece : {1U, 7U, 8U, 4096U}) {
      EXPECT_THAT(found(before + mark + std::string(104, '\xff') + real, piece), ElementsAre("120: sm_75")) << piece;
      EXPECT_THAT(found(reaching_out + real, piece), ElementsAre(std::to_string(reaching_out.size()) + ": sm_75")) << piece;
      EXPECT_THAT(found(before + real, piece), ElementsAre("8: sm_75")) << piece;
    }
  }
  const auto other = std::string(6, 'x') + "\x48\x89" + mark + std::string(104, '\xff');
  EXPECT_THAT(found(other, 4096), ElementsAre("the fat binary at 0x8 claims 18446744073709551615 bytes, but only 96 follow it"));
}

TEST(Fatbins, WhoseEntriesReachOut) {
  auto bytes = fatbin_of({{2, 70}});
  overwrite(bytes, 16 + 8, 41, 8);
  EXPECT_THAT(found(bytes, 4096), ElementsAre("an entry of the fat binary at 0x0 exceeds its bounds: 41 bytes at 0x10"));
  overwrite(bytes, 16 + 8, 40, 8);
  overwrite(bytes, 16 + 4, 63, 4);
  EXPECT_THAT(found(bytes, 4096), ElementsAre("an entry of the fat binary at 0x0 exceeds its bounds: 40 bytes at 0x10"));
}

TEST(Fatbins, ForNoGpu) {
  EXPECT_THAT(found(fatbin_of({{2, 1000}}), 4096),
              ElementsAre("an entry of the fat binary at 0x0 is for an unknown architecture: 1000"));
  EXPECT_THAT(found(fatbin_of({{1, 9}}), 4096),
              ElementsAre("an entry of the fat binary at 0x0 is for an unknown architecture: 9"));
}

TEST(Targets, AreReadAsTorchWritesThem) {
  const auto targets = parse_targets("sm_90a sm_75 compute_120 sm_75");
  ASSERT_TRUE(targets);
  EXPECT_EQ(targets->to_string(), "sm_75 sm_90a compute_120");
  const auto other = parse_targets("sm_75 gfx90a");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "'gfx90a' is neither sm_XY nor compute_XY");
  EXPECT_FALSE(parse_targets("7.5"));
}

}  // namespace
}  // namespace envgen::inspect
