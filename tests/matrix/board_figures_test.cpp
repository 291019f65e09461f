#include <fstream>
#include <set>
#include <string>
#include <vector>

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

const std::vector<std::string>& figures() {
  static const std::vector<std::string> names{"memory_gb",  "memory_type", "bandwidth_gbs", "fp32_tflops", "pcie_gen",
                                              "pcie_lanes", "power_w",     "mig",           "sms",         "boost_mhz"};
  return names;
}

std::string source_of(const Json& board, const std::string& field) {
  return board.at("field_sources").value(field, board.at("source").get<std::string>());
}

/// These have no page that was read; every other board has.
TEST(BoardFigures, LeanOnMemoryForTheBoardsThatNoPublicTableHas) {
  std::set<std::string> recalled;
  for (const auto& board : file().at("gpus")) {
    if (board.at("source") == "board-recalled") recalled.insert(board.at("name"));
  }
  EXPECT_THAT(recalled, testing::UnorderedElementsAre("A800 40GB Active", "B200", "B300 SXM6 AC", "GB200", "GB300",
                                                      "GH200 144G HBM3e", "GH200 480GB", "GeForce GT 720", "H20", "H20-3e"));
}

/// A figure that a public source contradicts is not called confirmed, and has no address that would seem to vouch for it.
TEST(BoardFigures, ThatAPublicSourceContradictsAreNotCalledConfirmed) {
  std::size_t contradicted = 0;
  for (const auto& board : file().at("gpus")) {
    for (const auto& field : figures()) {
      const auto source = source_of(board, field);
      if (!source.starts_with("conflict-")) continue;
      ++contradicted;
      EXPECT_TRUE(file().at("sources").at(source).at("url").is_null()) << source;
      EXPECT_THAT(board.at("verified"), testing::Not(testing::Contains(field))) << board.at("name");
    }
  }
  EXPECT_GT(contradicted, 0U);
}

/// Of a hundred figures that a data sheet would have, at most five have no public source.
TEST(BoardFigures, HaveAPublicSource) {
  std::size_t all = 0;
  std::vector<std::string> without;
  for (const auto& board : file().at("gpus")) {
    for (const auto& field : figures()) {
      if (board.at(field).is_null()) continue;
      ++all;
      if (file().at("sources").at(source_of(board, field)).at("url").is_null())
        without.push_back(fmt::format("{}: {}", board.at("name").get<std::string>(), field));
    }
  }
  EXPECT_LE(without.size() * 100, all * 5) << fmt::format("{} of {}", without.size(), all);
}

}  // namespace
}  // namespace envgen::matrix
