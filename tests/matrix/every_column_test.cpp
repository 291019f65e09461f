#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/loader.hpp"
#include "matrix/matrix_dump.hpp"
#include "support/updating.hpp"

/// A small matrix in which every member has a value of its own (tests/data/every_column), and what the loader made of it
/// (every_column.txt). ENVGEN_UPDATE_GOLDEN=1 writes that file: read it against the JSON.
namespace envgen::matrix {
namespace {

TEST(EveryColumn, IsLoadedIntoTheMemberOfItsName) {
  const std::string file = ENVGEN_TEST_DATA "/every_column.txt";
  const auto loaded = load({ENVGEN_TEST_DATA "/every_column"});
  for (const auto& problem : loaded.problems) ADD_FAILURE() << problem.origin << ": " << problem.message;
  ASSERT_NE(loaded.block, nullptr);
  const auto found = test::dump(loaded.block->matrix());
  if (test::updating_goldens()) {
    std::ofstream(file, std::ios::binary) << found;
    return;
  }
  std::ostringstream expected;
  expected << std::ifstream(file, std::ios::binary).rdbuf();
  EXPECT_EQ(found, expected.str());
}

}  // namespace
}  // namespace envgen::matrix
