#include "matrix/written.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "matrix/documents.hpp"
#include "support/updating.hpp"
#include "util/json_text.hpp"

/// How the files of matrix/ are written, and that their rows stand in order. ENVGEN_UPDATE_GOLDEN=1 writes those that are not so.
namespace envgen::matrix {
namespace {

using test::expect_current;
using test::text_of_file;

Json parsed(const std::string& text, const std::string& file) {
  auto json = util::parse_json(text, file);
  EXPECT_TRUE(json) << file;
  return json.value_or(Json::object());
}

std::string rewritten(const std::string& text) { return written(parsed(text, "facts.json")); }

TEST(Written, TheFilesOfTheMatrixAre) {
  const std::filesystem::path folder = ENVGEN_MATRIX_FOLDER;
  const auto documents = Documents::read({folder});
  ASSERT_TRUE(documents) << documents.error().origin << ": " << documents.error().message;
  for (const auto& file : file_names()) expect_current(folder / file, written(documents->merged(file)));
  const std::string forms = folder / "schema/forms.json";
  expect_current(forms, written(parsed(text_of_file(forms), forms)));
}

TEST(Written, WhatFitsIsOneLine) {
  EXPECT_EQ(rewritten("{}"), "{}\n");
  EXPECT_EQ(rewritten("{\"b\": [ ],\n\"a\":{ \"x\":null , \"y\": [true,\"z\"] }}"),
            "{\"b\": [], \"a\": {\"x\": null, \"y\": [true, \"z\"]}}\n");
}

/// `{"a": "xxx"}` of that width.
std::string line_of(std::size_t width) { return "{\"a\": \"" + std::string(width - 9, 'x') + "\"}"; }

TEST(Written, TheLastColumnIs120) {
  EXPECT_EQ(rewritten(line_of(120)), line_of(120) + "\n");
  EXPECT_EQ(rewritten(line_of(121)), "{\n  \"a\": \"" + std::string(112, 'x') + "\"\n}\n");
}

TEST(Written, ARowIsALineUpToThere) {
  const auto text = [](const std::string& row) { return "{\n  \"rows\": [\n    " + row + ",\n    " + row + "\n  ]\n}\n"; };
  const auto fits = line_of(114);  // four before it, and a comma and an end behind it
  EXPECT_EQ(rewritten(text(fits)), text(fits));
  const std::string what(60, 'x');
  EXPECT_EQ(rewritten(text(R"({"name": ")" + what + R"(", "what": ")" + what + R"("})")),
            text(R"({"name": ")" + what + "\",\n     \"what\": \"" + what + "\"}"));
}

/// The members of a row that is wrapped share lines as long as they fit, and one that does not is wrapped itself.
TEST(Written, AListInARowIsWrappedInItself) {
  std::string hashes;
  for (const char c : {'a', 'b', 'c'}) hashes += (hashes.empty() ? "\"" : ", \"") + std::string(60, c) + '"';
  EXPECT_EQ(rewritten(R"({"tools": [{"name": "uv", "platform": null, "hashes": [)" + hashes + R"(], "source": "index"}]})"),
            "{\n  \"tools\": [\n    {\"name\": \"uv\", \"platform\": null,\n     \"hashes\": [\"" + std::string(60, 'a') +
                "\",\n                \"" + std::string(60, 'b') + "\",\n                \"" + std::string(60, 'c') +
                "\"],\n     \"source\": \"index\"}\n  ]\n}\n");
}

TEST(Written, LettersAreCountedAndKept) {
  std::string what;
  for (int i = 0; i < 90; ++i) what += "é";
  EXPECT_EQ(
      rewritten(R"({"rows": [{"name": "A100", "figures": [1.5, 2000, 7e30], "what": ")" + what + R"("}, {"name": "H100"}]})"),
      "{\n  \"rows\": [\n    {\"name\": \"A100\", \"figures\": [1.5, 2000, 7e+30],\n     \"what\": \"" + what +
          "\"},\n    {\"name\": \"H100\"}\n  ]\n}\n");
  EXPECT_EQ(rewritten(R"({"a": "é\u00e9\u0001\n\"\/"})"), "{\"a\": \"éé\\u0001\\n\\\"/\"}\n");
}

TEST(Written, ALongTextAloneIsNotBroken) {
  const std::string what(200, 'x');
  EXPECT_EQ(rewritten(R"({"sources": {"a": {"what": ")" + what + R"(", "read": "2026-11-21"}}})"),
            "{\n  \"sources\": {\n    \"a\": {\"what\": \"" + what + "\",\n          \"read\": \"2026-11-21\"}\n  }\n}\n");
}

TEST(Written, BytesThatAreNoTextAreReplaced) { EXPECT_EQ(written({{"a", "x\xFFy"}}), "{\"a\": \"x\xEF\xBF\xBDy\"}\n"); }

}  // namespace
}  // namespace envgen::matrix
