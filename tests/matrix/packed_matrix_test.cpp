#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/matrix_folder.hpp"
#include "util/files.hpp"
#include "util/process.hpp"

/// The block that the build embeds: whoever packs the same facts makes the same bytes.
namespace envgen::matrix {
namespace {

constexpr std::size_t largest_block = std::size_t{64} << 20;

/// A folder inside another whose name is of that length: what a process holds in its memory differs with it.
std::filesystem::path facts_in(const test::MatrixFolder& folder, std::size_t length) {
  auto copy = folder.path() / std::string(length, 'm');
  std::filesystem::copy(ENVGEN_MATRIX_FOLDER, copy, std::filesystem::copy_options::recursive);
  return copy;
}

std::string packed(const std::filesystem::path& facts) {
  const auto block = facts / "block";
  const auto ran = util::run_process({ENVGEN_PACK, facts.string(), block.string()}, {});
  EXPECT_TRUE(ran && ran->ok()) << (ran ? ran->err : ran.error().message);
  const auto bytes = util::read_file(block, largest_block);
  EXPECT_TRUE(bytes);
  return bytes.value_or("");
}

TEST(PackedMatrix, IsTheSameBytesInEveryRunAndFolder) {
  const test::MatrixFolder folder;
  const auto first = packed(facts_in(folder, 1));
  ASSERT_GT(first.size(), std::size_t{1} << 19);
  for (const std::size_t length : {1U, 40U, 200U}) {
    const test::MatrixFolder other;
    // EXPECT_EQ would print both.
    EXPECT_TRUE(packed(facts_in(other, length)) == first) << "in a folder whose name has " << length << " letters";
  }
}

TEST(PackedMatrix, NamesNoPlaceOfTheMachineThatPackedIt) {
  const test::MatrixFolder folder;
  const auto facts = facts_in(folder, 8);
  EXPECT_EQ(packed(facts).find(folder.path().string()), std::string::npos);
}

}  // namespace
}  // namespace envgen::matrix
