#include "util/json_writer.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace envgen::util {
namespace {

/// A text as the writer writes it, without the quotes around it.
std::string escaped(std::string_view text) {
  auto written = JsonWriter().value(text).take();
  EXPECT_GE(written.size(), 2U);
  EXPECT_EQ(written.front(), '"');
  EXPECT_EQ(written.back(), '"');
  return written.substr(1, written.size() - 2);
}

template <class T>
std::string written(const T& value) {
  return JsonWriter().value(value).take();
}

constexpr auto replacement = "\xEF\xBF\xBD";

/// What one byte becomes that is no part of a longer sequence.
std::string expected_of(int byte) {
  switch (byte) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      if (byte < 0x20 || byte == 0x7F) return fmt::format("\\u{:04x}", byte);
      return byte < 0x80 ? std::string(1, static_cast<char>(byte)) : replacement;
  }
}

// ---- texts

/// A terminal obeys U+009B as it obeys ESC [.
TEST(JsonText, WhatSteersATerminalIsEscaped) {
  EXPECT_EQ(escaped("a\xC2\x80\xC2\x9B\xC2\x9F\xC2\xA0z"), "a\\u0080\\u009b\\u009f\xC2\xA0z");
  EXPECT_EQ(escaped("\xC3\x9B"), "\xC3\x9B");
  EXPECT_EQ(nlohmann::json::parse(written("\xC2\x9B[2J")), "\xC2\x9B[2J");
}

TEST(JsonText, PlainTextStandsAsItIs) {
  EXPECT_EQ(written(""), R"("")");
  EXPECT_EQ(written("torch 2.3.1+cu121 / '~' <>&"), R"("torch 2.3.1+cu121 / '~' <>&")");
}

TEST(JsonText, EveryByteAloneIsWrittenAsItMustBe) {
  for (int byte = 0; byte < 256; ++byte)
    EXPECT_EQ(escaped(std::string(1, static_cast<char>(byte))), expected_of(byte)) << "byte " << byte;
}

TEST(JsonText, EveryByteAtEveryPlaceIsWrittenAsItMustBe) {
  // Eight bytes are looked at at once: whatever stands before and behind, none may slip through.
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t before = 0; before <= 20; ++before) {
      for (const std::size_t behind : {0U, 1U, 7U, 8U, 20U}) {
        const auto text = std::string(before, 'a') + static_cast<char>(byte) + std::string(behind, 'z');
        ASSERT_EQ(escaped(text), std::string(before, 'a') + expected_of(byte) + std::string(behind, 'z'))
            << "byte " << byte << " behind " << before << ", before " << behind;
      }
    }
  }
}

TEST(JsonText, NeighboursOfASpecialByteAreNotMistakenForIt) {
  // Borrows between the bytes of a word may only cost time.
  for (int first = 0x20; first < 0x7F; ++first) {
    for (const int second : {0x00, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7E, 0x7F}) {
      const std::string pair{static_cast<char>(first), static_cast<char>(second)};
      ASSERT_EQ(escaped("abc" + pair + "defghijk"), "abc" + expected_of(first) + expected_of(second) + "defghijk")
          << first << " " << second;
    }
  }
}

TEST(JsonText, SpecialBytesInARowAreAllEscaped) {
  EXPECT_EQ(escaped(std::string(17, '"')), [] {
    std::string all;
    for (int i = 0; i < 17; ++i) all += "\\\"";
    return all;
  }());
  EXPECT_EQ(escaped("a\n\"b\\\t\r\x01\x7f"), R"(a\n\"b\\\t\r\u0001\u007f)");
}

TEST(JsonText, ANulByteDoesNotEndIt) { EXPECT_EQ(escaped(std::string_view("a\0b", 3)), R"(a\u0000b)"); }

TEST(JsonText, Utf8StandsAsItIs) {
  for (const auto* text : {"\xC2\xA0", "ß", "\xDF\xBF", "\xE0\xA0\x80", "显卡", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF",
                           "\xF0\x90\x80\x80", "😀", "\xF4\x8F\xBF\xBF"}) {
    for (std::size_t before = 0; before <= 20; ++before) {
      const auto whole = std::string(before, 'a') + text + "b";
      ASSERT_EQ(escaped(whole), whole);
    }
  }
}

TEST(JsonText, ALoneContinuationIsReplaced) {
  EXPECT_EQ(escaped("a\x80z"), std::string("a") + replacement + "z");
  EXPECT_EQ(escaped("\xBF"), replacement);
  EXPECT_EQ(escaped("ß\xBF"), std::string("ß") + replacement);
}

TEST(JsonText, ASequenceThatBreaksOffIsReplacedAndWhatFollowsIsKept) {
  const auto cut = [](std::string_view sequence, std::size_t replaced) {
    std::string expected;
    for (std::size_t i = 0; i < replaced; ++i) expected += replacement;
    EXPECT_EQ(escaped(sequence), expected);
    EXPECT_EQ(escaped(std::string(sequence) + "z"), expected + "z");
    EXPECT_EQ(escaped(std::string(sequence) + "\""), expected + "\\\"");
  };
  cut("\xC3", 1);
  cut("\xE2\x82", 2);
  cut("\xE2", 1);
  cut("\xF0\x9F\x98", 3);
  cut("\xF0", 1);
}

TEST(JsonText, OverlongFormsAreReplaced) {
  EXPECT_EQ(escaped("\xC0\xAF"), std::string(replacement) + replacement);  // a slash in two bytes
  EXPECT_EQ(escaped("\xC1\xBF"), std::string(replacement) + replacement);
  EXPECT_EQ(escaped("\xE0\x80\xAF"), std::string(replacement) + replacement + replacement);
  EXPECT_EQ(escaped("\xE0\x9F\xBF"), std::string(replacement) + replacement + replacement);
  EXPECT_EQ(escaped("\xF0\x8F\xBF\xBF"), std::string(replacement) + replacement + replacement + replacement);
}

TEST(JsonText, SurrogatesAreReplaced) {
  EXPECT_EQ(escaped("\xED\xA0\x80"), std::string(replacement) + replacement + replacement);  // U+D800
  EXPECT_EQ(escaped("\xED\xBF\xBF"), std::string(replacement) + replacement + replacement);  // U+DFFF
}

TEST(JsonText, WhatLiesBeyondUnicodeIsReplaced) {
  EXPECT_EQ(escaped("\xF4\x90\x80\x80"), std::string(replacement) + replacement + replacement + replacement);
  for (const auto* byte : {"\xF5", "\xF8", "\xFC", "\xFE", "\xFF"}) EXPECT_EQ(escaped(byte), replacement);
}

TEST(JsonText, NamesAreEscapedToo) {
  EXPECT_EQ(JsonWriter().begin_object().key("a\"b\n").value(1).end_object().take(), R"({"a\"b\n":1})");
}

// ---- numbers and the like

TEST(JsonNumber, WholeNumbersAreWrittenInFull) {
  EXPECT_EQ(written(0), "0");
  EXPECT_EQ(written(-1), "-1");
  EXPECT_EQ(written(std::numeric_limits<long long>::max()), "9223372036854775807");
  EXPECT_EQ(written(std::numeric_limits<long long>::min()), "-9223372036854775808");
  EXPECT_EQ(written(std::size_t{42}), "42");
}

TEST(JsonNumber, BrokenNumbersAreWrittenAsShortAsTheyReadBack) {
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(written(82.6), "82.6");
  EXPECT_EQ(written(-1.5), "-1.5");
  EXPECT_EQ(std::stod(written(1.0 / 3)), 1.0 / 3);
  EXPECT_EQ(std::stod(written(std::numeric_limits<double>::max())), std::numeric_limits<double>::max());
  EXPECT_EQ(std::stod(written(std::numeric_limits<double>::min())), std::numeric_limits<double>::min());
}

TEST(JsonNumber, WhatIsNoNumberIsNull) {
  EXPECT_EQ(written(std::nan("")), "null");
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(written(-std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(JsonWriter().begin_array().value(1).value(std::nan("")).value(2).end_array().take(), "[1,null,2]");
}

TEST(JsonValue, TruthNullAndWhatMayBeMissing) {
  EXPECT_EQ(written(true), "true");
  EXPECT_EQ(written(false), "false");
  EXPECT_EQ(JsonWriter().null().take(), "null");
  EXPECT_EQ(written(std::optional<std::string>()), "null");
  EXPECT_EQ(written(std::optional<std::string>("x")), R"("x")");
  EXPECT_EQ(written(std::optional<std::vector<std::string>>()), "null");
  EXPECT_EQ(written(std::optional<std::vector<std::string>>(std::vector<std::string>())), "[]");
  EXPECT_EQ(written(std::vector<std::string>{"a", "b"}), R"(["a","b"])");
}

// ---- nesting

std::string nested(int indent) {
  JsonWriter json(indent);
  json.begin_object().member("a", 1);
  json.key("b").begin_array().value("x").begin_object().end_object().begin_array().value(2).end_array().end_array();
  json.key("c").begin_object().member("d", true).end_object();
  json.key("e").null();
  return json.end_object().take();
}

TEST(JsonNesting, OnOneLineHasNoSpaces) { EXPECT_EQ(nested(0), R"({"a":1,"b":["x",{},[2]],"c":{"d":true},"e":null})"); }

TEST(JsonNesting, IndentedHasOneValueALine) {
  EXPECT_EQ(nested(2), R"({
  "a": 1,
  "b": [
    "x",
    {},
    [
      2
    ]
  ],
  "c": {
    "d": true
  },
  "e": null
})");
}

TEST(JsonNesting, IndentsByAsManySpacesAsAsked) {
  EXPECT_EQ(JsonWriter(4).begin_array().begin_array().value(1).end_array().end_array().take(), "[\n    [\n        1\n    ]\n]");
}

TEST(JsonNesting, EmptyContainersStayOnTheirLine) {
  EXPECT_EQ(JsonWriter(2).begin_object().end_object().take(), "{}");
  EXPECT_EQ(JsonWriter(2).begin_array().end_array().take(), "[]");
}

TEST(JsonNesting, AContainerBehindAnEmptyOneHasItsComma) {
  EXPECT_EQ(JsonWriter().begin_array().begin_array().end_array().begin_array().end_array().end_array().take(), "[[],[]]");
  EXPECT_EQ(
      JsonWriter().begin_object().key("a").begin_array().end_array().key("b").begin_object().end_object().end_object().take(),
      R"({"a":[],"b":{}})");
}

TEST(JsonNesting, ManyLevelsCloseAsTheyWereOpened) {
  constexpr int levels = 1000;
  JsonWriter json;
  for (int i = 0; i < levels; ++i) json.begin_array();
  for (int i = 0; i < levels; ++i) json.end_array();
  EXPECT_EQ(json.text(), std::string(levels, '[') + std::string(levels, ']'));
}

}  // namespace
}  // namespace envgen::util
