#include "util/json_text.hpp"

#include <gtest/gtest.h>

#include "support/error_text.hpp"

namespace envgen::util {
namespace {

using test::text_of;
using Json = nlohmann::ordered_json;

std::string error_of(const std::string& text, const JsonRules& rules = {}) {
  const auto parsed = parse_json(text, "f.json", rules);
  return parsed ? "parsed" : text_of(parsed.error());
}

JsonRules commented() {
  JsonRules rules;
  rules.commented = true;
  return rules;
}

TEST(JsonText, ADocumentIsReadAsItStands) {
  const std::string text = R"({"b":[1,-2,2.5,null,true,"x\"y\u00e9"],"a":{"c":{}}})";
  const auto parsed = parse_json(text, "f.json");
  ASSERT_TRUE(parsed) << text_of(parsed.error());
  EXPECT_EQ(*parsed, Json::parse(text));
  EXPECT_EQ(parsed->begin().key(), "b");
}

TEST(JsonText, SyntaxErrorsNameLineAndColumn) {
  EXPECT_EQ(error_of("{\n  \"a\": 1,\n  }"), "bad_input | f.json | not JSON (line 3, column 3) | ");
  EXPECT_EQ(error_of("nope"), "bad_input | f.json | not JSON (line 1, column 2) | ");
  EXPECT_EQ(error_of("{} {}"), "bad_input | f.json | not JSON (line 1, column 4) | ");
  EXPECT_EQ(error_of("{\"a\": \"x\ny\"}"), "bad_input | f.json | not JSON (line 1, column 9) | ");
  EXPECT_EQ(error_of("{\"a\": 1} // no"), "bad_input | f.json | not JSON (line 1, column 10) | ");
  EXPECT_EQ(error_of("[1e999]"), "bad_input | f.json | not JSON (line 1, column 6) | ");
}

TEST(JsonText, CutShort) {
  EXPECT_EQ(error_of("{\"a\": [1,\n 2"), "bad_input | f.json | the file is truncated (line 2, column 3) | ");
  EXPECT_EQ(error_of("{\"a\": \"b"), "bad_input | f.json | the file is truncated (line 1, column 9) | ");
  EXPECT_EQ(error_of("{} /* open", commented()), "bad_input | f.json | the file is truncated (line 1, column 11) | ");
}

TEST(JsonText, Empty) {
  EXPECT_EQ(error_of(""), "bad_input | f.json | the file is empty | ");
  EXPECT_EQ(error_of(" \r\n\t"), "bad_input | f.json | the file is empty | ");
}

TEST(JsonText, ANulByteDoesNotHideWhatFollows) {
  EXPECT_EQ(error_of(std::string("{}\n\0garbage", 11)),
            "bad_input | f.json | the text contains a NUL byte (line 2, column 1) | ");
}

TEST(JsonText, WhatIsNotUtf8SaysSo) {
  EXPECT_EQ(error_of("{\"a\":\n \"\xff\"}"), "bad_input | f.json | not UTF-8 (byte 9: line 2, column 3) | save it as UTF-8");
  EXPECT_EQ(error_of("{\"a\": \"\xc3(\"}"), "bad_input | f.json | not UTF-8 (byte 8: line 1, column 8) | save it as UTF-8");
  EXPECT_EQ(error_of("[\"\xe2\x82"), "bad_input | f.json | not UTF-8 (byte 3: line 1, column 3) | save it as UTF-8");
  EXPECT_EQ(error_of(std::string("\xff\xfe{\0}\0", 6)),
            "bad_input | f.json | not UTF-8 (byte 1: line 1, column 1) | save it as UTF-8")
      << "UTF-16";
  EXPECT_EQ(error_of("nope \xff"), "bad_input | f.json | not JSON (line 1, column 2) | ") << "what comes first is told";
}

TEST(JsonText, ANameStandsOnce) {
  EXPECT_EQ(error_of(R"({"a": 1, "b": [{}, {"x/y": 1, "z": {"q": 1}, "x/y": 2}]})"),
            "bad_input | f.json#/b/1/x~1y | the name appears twice in one object | keep one of the two");
  EXPECT_EQ(error_of(R"({"a": {"a": {"a": 1}}, "b": [1, 2]})"), "parsed");
  EXPECT_EQ(error_of(R"({"a": [1], "a": 1})"),
            "bad_input | f.json#/a | the name appears twice in one object | keep one of the two");
}

TEST(JsonText, NestingHasAnEnd) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_EQ(error_of(nested(32)), "parsed");
  EXPECT_EQ(error_of(nested(33)), "bad_input | f.json | nested deeper than 32 levels | ");
  EXPECT_EQ(error_of(std::string(1000000, '[')), "bad_input | f.json | nested deeper than 32 levels | ");
}

TEST(JsonText, ManyMembersTakeNoLongerThanTheirText) {
  std::string text = "{";
  for (int i = 0; i < 200000; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  const auto parsed = parse_json(text + "}", "f.json");  // seconds, were each name compared with all before it
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->size(), 200000u);
}

TEST(JsonText, CommentsAndLastCommas) {
  const auto parsed = parse_json("// a, }\n{ /* , */ \"a\": \"// no \\\" comment, }\", // b ]\n \"b\": [1, 2, /* x */ ],\n}",
                                 "f.json", commented());
  ASSERT_TRUE(parsed) << text_of(parsed.error());
  EXPECT_EQ(*parsed, (Json{{"a", "// no \" comment, }"}, {"b", {1, 2}}}));
  EXPECT_EQ(error_of("{,}", commented()), "bad_input | f.json | not JSON (line 1, column 2) | ");
  EXPECT_EQ(error_of("[1,,]", commented()), "bad_input | f.json | not JSON (line 1, column 4) | ");
  EXPECT_EQ(error_of("[,]", commented()), "bad_input | f.json | not JSON (line 1, column 2) | ");
  EXPECT_EQ(error_of("{\"a\": 1,\n\"b\" 2,}", commented()), "bad_input | f.json | not JSON (line 2, column 5) | ");
  EXPECT_EQ(error_of("{\"a\\", commented()), "bad_input | f.json | the file is truncated (line 1, column 5) | ");
}

TEST(JsonText, PointerSteps) {
  EXPECT_EQ(pointer_step("a~b/c\n"), "a~0b~1c\\x0a");
  EXPECT_EQ(pointer_step(std::string(1000, 'x')), std::string(60, 'x') + "...");
}

}  // namespace
}  // namespace envgen::util
