#include "answers/facts_sheet.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "answers/facts.hpp"

namespace envgen::answers {
namespace {

std::string written(const SheetCell& cell) {
  util::JsonWriter json;
  cell.write(json);
  return json.take();
}

struct Case {
  SheetCell cell;
  const char* shown;
  const char* written;
};

TEST(SheetCell, IsShownToPeopleAndWrittenForPrograms) {
  const std::vector<Case> cases{{SheetCell::unknown(), "?", "null"},
                                {SheetCell::none(), "-", "null"},
                                {SheetCell::text("a"), "a", "\"a\""},
                                {SheetCell::text_or_unknown(""), "?", "null"},
                                {SheetCell::text_or_none(""), "-", "null"},
                                {SheetCell::text_or_none("a"), "a", "\"a\""},
                                {SheetCell::number(24, "GB"), "24 GB", "24"},
                                {SheetCell::number(1.5), "1.5", "1.5"},
                                {SheetCell::number(std::numeric_limits<double>::quiet_NaN(), "GB"), "?", "null"},
                                {SheetCell::flag(true), "yes", "true"},
                                {SheetCell::tribool(matrix::Tribool::no), "no", "false"},
                                {SheetCell::tribool(matrix::Tribool::unknown), "?", "null"},
                                {SheetCell::list({}), "-", "[]"},
                                {SheetCell::list({"a", "b"}), "a b", "[\"a\",\"b\"]"},
                                {SheetCell::list({"a", "b"}, "a-b"), "a-b", "[\"a\",\"b\"]"},
                                {SheetCell::text("a").shown_as("A"), "A", "\"a\""}};
  for (const auto& one : cases) {
    EXPECT_EQ(one.cell.shown(), one.shown);
    EXPECT_EQ(written(one.cell), one.written);
  }
}

TEST(Sheet, HasColumnsForProgramsAlone) {
  const Sheet sheet{{{"Name", "name"}, {"", "id"}, {"GB", "memory", true}},
                    {{SheetCell::text("A100"), SheetCell::text("a"), SheetCell::number(80)},
                     {SheetCell::text("T4"), SheetCell::text("t"), SheetCell::unknown()}}};
  EXPECT_EQ(sheet_text(sheet, {}), "Name  GB\nA100  80\nT4     ?\n");
  EXPECT_EQ(sheet_json(sheet),
            "[\n{\"name\":\"A100\",\"id\":\"a\",\"memory\":80},\n{\"name\":\"T4\",\"id\":\"t\",\"memory\":null}\n]\n");
}

TEST(Sheet, LeavesSpareColumnsOutWhereItWouldNotFit) {
  const Sheet sheet{{{"image", "image"}, {"CUDA", "cuda", false, true}, {"status", "status"}},
                    {{SheetCell::text("nvidia/cuda:12.4.1-devel"), SheetCell::text("12.4.1"), SheetCell::text("living")}}};
  EXPECT_EQ(sheet_text(sheet, {40, false}),
            "image                     CUDA    status\nnvidia/cuda:12.4.1-devel  12.4.1  living\n");
  EXPECT_EQ(sheet_text(sheet, {34, false}), "image                     status\nnvidia/cuda:12.4.1-devel  living\n");
}

TEST(Sheet, WithoutRowsIsAnEmptyArray) { EXPECT_EQ(sheet_json({{{"Name", "name"}}, {}}), "[]\n"); }

TEST(Pythons, AreShownAsRuns) {
  PythonSet pythons;
  EXPECT_EQ(python_runs(pythons), "");
  for (const auto* text : {"3.9", "3.10", "3.11", "3.13", "3.13t"}) pythons.add(PythonVersion::parse(text).value());
  EXPECT_EQ(python_runs(pythons), "3.9-3.11, 3.13, 3.13t");
}

}  // namespace
}  // namespace envgen::answers
