#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/documents.hpp"
#include "support/matrix_folder.hpp"
#include "util/files.hpp"
#include "util/process.hpp"

/// What the build embeds, the block and the documents: whoever packs the same facts makes the same bytes.
namespace envgen::matrix {
namespace {

constexpr std::size_t largest_block = std::size_t{64} << 20;

/// A folder inside another whose name is of that length: what a process holds in its memory differs with it.
std::filesystem::path facts_in(const test::MatrixFolder& folder, std::size_t length) {
  auto copy = folder.path() / std::string(length, 'm');
  std::filesystem::copy(ENVGEN_MATRIX_FOLDER, copy, std::filesystem::copy_options::recursive);
  return copy;
}

/// The block, and the documents behind it.
std::string packed(const std::filesystem::path& facts) {
  const auto block = facts / "block";
  const auto documents = facts / "documents";
  const auto ran = util::run_process({ENVGEN_PACK, facts.string(), block.string(), documents.string()}, {});
  EXPECT_TRUE(ran && ran->ok()) << (ran ? ran->err : ran.error().message);
  std::string all;
  for (const auto& file : {block, documents}) {
    const auto bytes = util::read_file(file, largest_block);
    EXPECT_TRUE(bytes);
    all += bytes.value_or("");
  }
  return all;
}

std::size_t documents_of(const std::filesystem::path& facts) { return std::filesystem::file_size(facts / "documents"); }

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

/// Every start of envgen maps it, and every package carries it.
TEST(PackedMatrix, StaysUnderThreeMegabytes) {
  const test::MatrixFolder folder;
  EXPECT_LT(packed(facts_in(folder, 1)).size(), 3'000'000U);
}

TEST(PackedMatrix, NamesNoPlaceOfTheMachineThatPackedIt) {
  const test::MatrixFolder folder;
  const auto facts = facts_in(folder, 8);
  const auto bytes = packed(facts);
  EXPECT_EQ(bytes.find(folder.path().string()), std::string::npos);
  const auto documents = Documents::built_in(std::string_view(bytes).substr(bytes.size() - documents_of(facts)));
  ASSERT_TRUE(documents) << documents.error().message;
  for (const auto& file : file_names())
    EXPECT_EQ(documents->merged(file).dump().find(folder.path().string()), std::string::npos) << file;
}

}  // namespace
}  // namespace envgen::matrix
