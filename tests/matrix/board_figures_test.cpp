#include <fstream>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

/// What the figures of a board rest on, in the file that people read.
namespace envgen::matrix {
namespace {

using Json = nlohmann::ordered_json;

const Json& file() {
  static const auto json = Json::parse(std::ifstream(ENVGEN_MATRIX_FOLDER "/gpus.json"));
  return json;
}

/// `visit(board, field, source)` for each figure that a data sheet would have, known or not.
template <typename Visit>
void for_each_figure(Visit visit) {
  for (const auto& board : file().at("gpus")) {
    for (const std::string field : {"memory_gb", "memory_type", "bandwidth_gbs", "fp32_tflops", "pcie_gen", "pcie_lanes",
                                    "power_w", "mig", "sms", "boost_mhz"}) {
      visit(board, field, board.at("field_sources").value(field, board.at("source").get<std::string>()));
    }
  }
}

bool has_address(const std::string& source) { return !file().at("sources").at(source).at("url").is_null(); }

/// That a board exists, and what it is, was read for every one of them.
TEST(BoardFigures, AreOfBoardsThatSomebodyRead) {
  for (const auto& board : file().at("gpus")) EXPECT_TRUE(has_address(board.at("source"))) << board.at("name");
}

/// Nobody looked up a figure of these, apart from NVLink, whose absence few tables state.
TEST(BoardFigures, LeanOnMemoryForTheBoardsThatNoPublicTableHas) {
  std::set<std::string> recalled;
  for_each_figure([&](const Json& board, const std::string& field, const std::string& source) {
    if (source == "unverified" && field != "nvlink_gbs") recalled.insert(board.at("name"));
  });
  EXPECT_THAT(recalled, testing::UnorderedElementsAre("A800 40GB Active", "B300 SXM6 AC", "GB200", "GB300", "GH200 144G HBM3e",
                                                      "GH200 480GB", "H20", "H20-3e"));
}

/// A figure that a public source contradicts is not called confirmed, and has no address that would seem to vouch for it.
TEST(BoardFigures, ThatAPublicSourceContradictsAreNotCalledConfirmed) {
  std::size_t contradicted = 0;
  for_each_figure([&](const Json& board, const std::string& field, const std::string& source) {
    if (!source.starts_with("conflict-")) return;
    ++contradicted;
    EXPECT_FALSE(has_address(source)) << source;
    EXPECT_THAT(board.at("verified"), testing::Not(testing::Contains(field))) << board.at("name");
  });
  EXPECT_GT(contradicted, 0U);
}

/// Of a hundred figures at most five have no public source.
TEST(BoardFigures, HaveAPublicSource) {
  std::size_t all = 0;
  std::size_t without = 0;
  for_each_figure([&](const Json& board, const std::string& field, const std::string& source) {
    if (board.at(field).is_null()) return;
    ++all;
    if (!has_address(source)) ++without;
  });
  EXPECT_LE(without * 100, all * 5) << fmt::format("{} of {}", without, all);
}

}  // namespace
}  // namespace envgen::matrix
