#include "matrix/row_order.hpp"

#include <gtest/gtest.h>

namespace envgen::matrix {
namespace {

/// `keys` are the fields of the key, as JSON.
Json row(const Table& table, const std::vector<Json>& keys) {
  Json result = Json::object();
  std::size_t next = 0;
  for (const auto& field : table.fields) {
    if (field.is_key()) result[std::string(field.name)] = keys.at(next++);
  }
  return result;
}

void expect_order(const Table& table, const std::vector<std::vector<Json>>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j)
      EXPECT_EQ(stands_before(table, row(table, rows[i]), row(table, rows[j])), i < j)
          << Json(rows[i]).dump() << " and " << Json(rows[j]).dump();
  }
}

TEST(RowOrder, NumbersCountInVersionsAndTags) {
  expect_order(tables::torch_releases, {{"1.9.1"}, {"1.13.0"}, {"2.0"}, {"2.0.1"}, {"2.10.0"}, {"2.10.00"}});
  expect_order(tables::wheel_builds, {{"2.3.0", "cpu", "linux-aarch64"},
                                      {"2.3.0", "cpu", "linux-x86_64"},
                                      {"2.3.0", "cu92", "linux-x86_64"},
                                      {"2.3.0", "cu101", "linux-x86_64"},
                                      {"2.12.0", "cpu", "linux-x86_64"}});
  expect_order(tables::cuda_images, {{"11.8.0-base-ubuntu22.04"}, {"11.8.0-cudnn8-devel-ubi9"}, {"12.1.0-base-ubi8"}});
}

TEST(RowOrder, NullIsFirst) {
  expect_order(tables::tools,
               {{"pip", nullptr, nullptr}, {"pip", nullptr, "3.7"}, {"pip", nullptr, "3.10"}, {"uv", nullptr, nullptr}});
}

TEST(RowOrder, NamesGoByTheirLetters) {
  expect_order(tables::gpus, {{"A100-SXM4-80GB"}, {"A10G"}, {"A2"}, {"GeForce RTX 4090"}, {"GeForce RTX 4090 D"}, {"T4"}});
}

TEST(RowOrder, ARowGoesToItsPlaceAndReplacesItsLike) {
  Json list = Json::array();
  for (const auto* version : {"2.9.0", "2.10.0", "1.13.0", "2.9.0"})
    insert_row(list, tables::torch_releases, {{"version", version}, {"torchvision", list.size()}});
  EXPECT_EQ(list.dump(), R"([{"version":"1.13.0","torchvision":2},{"version":"2.9.0","torchvision":3},)"
                         R"({"version":"2.10.0","torchvision":1}])");
}

}  // namespace
}  // namespace envgen::matrix
