#include "render/facts_sheet.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "render/facts.hpp"

namespace envgen::render {
namespace {

std::string written(const Cell& cell) {
  util::JsonWriter json;
  cell.write(json);
  return json.take();
}

struct Case {
  Cell cell;
  const char* shown;
  const char* written;
};

TEST(Cell, IsShownToPeopleAndWrittenForPrograms) {
  const std::vector<Case> cases{{Cell::unknown(), "?", "null"},
                                {Cell::none(), "-", "null"},
                                {Cell::text("a"), "a", "\"a\""},
                                {Cell::text_or_unknown(""), "?", "null"},
                                {Cell::text_or_none(""), "-", "null"},
                                {Cell::text_or_none("a"), "a", "\"a\""},
                                {Cell::number(24, "GB"), "24 GB", "24"},
                                {Cell::number(1.5), "1.5", "1.5"},
                                {Cell::number(std::numeric_limits<double>::quiet_NaN(), "GB"), "?", "null"},
                                {Cell::flag(true), "yes", "true"},
                                {Cell::answer(matrix::Answer::no), "no", "false"},
                                {Cell::answer(matrix::Answer::unknown), "?", "null"},
                                {Cell::list({}), "-", "[]"},
                                {Cell::list({"a", "b"}), "a b", "[\"a\",\"b\"]"},
                                {Cell::list({"a", "b"}, "a-b"), "a-b", "[\"a\",\"b\"]"},
                                {Cell::text("a").shown_as("A"), "A", "\"a\""}};
  for (const auto& one : cases) {
    EXPECT_EQ(one.cell.shown(), one.shown);
    EXPECT_EQ(written(one.cell), one.written);
  }
}

TEST(Sheet, HasColumnsForProgramsAlone) {
  const Sheet sheet{
      {{"Name", "name"}, {"", "id"}, {"GB", "memory", true}},
      {{Cell::text("A100"), Cell::text("a"), Cell::number(80)}, {Cell::text("T4"), Cell::text("t"), Cell::unknown()}}};
  EXPECT_EQ(sheet_text(sheet, {}), "Name  GB\nA100  80\nT4     ?\n");
  EXPECT_EQ(sheet_json(sheet),
            "[\n{\"name\":\"A100\",\"id\":\"a\",\"memory\":80},\n{\"name\":\"T4\",\"id\":\"t\",\"memory\":null}\n]\n");
}

TEST(Sheet, WithoutRowsIsAnEmptyArray) { EXPECT_EQ(sheet_json({{{"Name", "name"}}, {}}), "[]\n"); }

TEST(Pythons, AreShownAsRuns) {
  PythonSet pythons;
  EXPECT_EQ(python_runs(pythons), "");
  for (const auto* text : {"3.9", "3.10", "3.11", "3.13", "3.13t"}) pythons.add(PythonVersion::parse(text).value());
  EXPECT_EQ(python_runs(pythons), "3.9-3.11, 3.13, 3.13t");
}

}  // namespace
}  // namespace envgen::render
