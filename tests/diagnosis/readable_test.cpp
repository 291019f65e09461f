#include "diagnosis/readable.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnosis/word_finder.hpp"

namespace envgen::diagnosis {
namespace {

using testing::ElementsAre;

std::vector<std::string> lines_of(std::string_view line) {
  std::vector<std::string> lines;
  for_each_readable(line, [&](std::string_view readable) { lines.emplace_back(readable); });
  return lines;
}

TEST(Readable, IsOneLineOrSeveral) {
  EXPECT_THAT(lines_of("plain"), ElementsAre("plain"));
  EXPECT_THAT(lines_of(""), ElementsAre("")) << "a blank line is one";
  EXPECT_THAT(lines_of(" \t "), ElementsAre(""));
  EXPECT_THAT(lines_of("10%\r50%\r100%\r"), ElementsAre("10%", "50%", "100%"));
  EXPECT_THAT(lines_of(R"(one\ntwo\\n\\\\nthree\r\n)"), ElementsAre("one", "two", "three"));
}

TEST(Readable, HasNoEscapes) {
  EXPECT_THAT(lines_of(R"(\"a\" \\\"b\\\" \'c\' \/ \t d)"), ElementsAre(R"("a" "b" 'c' / d)"));
  EXPECT_THAT(lines_of(R"(cuda\u003e=12.8 \u2019s \u00e9)"), ElementsAre("cuda>=12.8 's"));
  EXPECT_THAT(lines_of(R"(C:\dir \u12 \)"), ElementsAre(R"(C:\dir \u12 \)"));
}

TEST(Readable, LeavesTheFoldersOfWindowsAlone) {
  EXPECT_THAT(lines_of(R"(Error loading "C:\nodes\torch\u0041\"x)"), ElementsAre(R"(Error loading "C:\nodes\torch\u0041\"x)"));
  EXPECT_THAT(lines_of(R"({"log":"in C:\\nodes\\torch\nnext"})"), ElementsAre(R"({"log":"in C:\nodes\torch)", R"(next"})"))
      << "one backslash is none of two";
  EXPECT_THAT(lines_of(R"(12:\nodes\torch)"), ElementsAre("12:", "odes orch")) << "no drive";
  EXPECT_THAT(lines_of(R"(C:\a b\nodes)"), ElementsAre(R"(C:\a b)", "odes")) << "of another word";
}

TEST(Readable, HasNoColour) {
  EXPECT_THAT(lines_of("\x1b[1;31mred\x1b[0m \x1b]8;;link\atext\x1b]8;;\x1b\\ end\x1b["), ElementsAre("red text end"));
  EXPECT_THAT(lines_of(R"(\u001b[31mred\x1b[0m \033[1mbold^[[0m)"), ElementsAre("red bold"));
}

TEST(Readable, HasPlainCharacters) {
  EXPECT_THAT(lines_of("\xE2\x80\x9C"
                       "a\xE2\x80\x9D \xE2\x80\x98"
                       "b\xE2\x80\x99 \xE2\x80\x93 c\xC2\xA0"
                       "d\xE2\x80\x8B"),
              ElementsAre("\"a\" 'b' - c d"));
  EXPECT_THAT(lines_of("\xE2\x94\x82 box \xE2\x94\x82"), ElementsAre("box"));
  EXPECT_THAT(lines_of("caf\xC3\xA9 \xF0\x9F\x98\x80 \xFF"), ElementsAre("caf\xC3\xA9 \xF0\x9F\x98\x80 \xEF\xBF\xBD"));
}

std::string utf8(std::uint32_t code) {
  if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
  return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
          static_cast<char>(0x80 | (code & 0x3F))};
}

/// The first and the last of each range of characters that have a plain form, and their neighbours, which have none.
TEST(Readable, EachRangeOfCharactersEndsWhereItDoes) {
  const auto between = [](std::uint32_t code) { return lines_of("a" + utf8(code) + "b").at(0); };
  for (const auto& [plain, codes] : std::vector<std::pair<std::string, std::vector<std::uint32_t>>>{
           {"a'b", {0x2018, 0x2019, 0x201A, 0x2032}},
           {"a\"b", {0x201C, 0x201D, 0x201E, 0x2033}},
           {"a-b", {0x2010, 0x2015}},
           {"a b", {0x80, 0x9F, 0xA0, 0x2000, 0x200A, 0x2028, 0x2029, 0x2500, 0x257F, 0x3000}},
           {"ab", {0x200B, 0x200F, 0xFEFF, 0x202A, 0x202E, 0x2066, 0x2069}}}) {
    for (const auto code : codes) EXPECT_EQ(between(code), plain) << std::hex << code;
  }
  for (const std::uint32_t code : {0xA1U, 0x1FFFU, 0x2016U, 0x201BU, 0x201FU, 0x2027U, 0x202FU, 0x2031U, 0x2034U, 0x2065U,
                                   0x206AU, 0x24FFU, 0x2580U, 0x2FFFU, 0x3001U, 0xFEFEU})
    EXPECT_EQ(between(code), "a" + utf8(code) + "b") << std::hex << code;
}

TEST(Readable, WhatIsNoUtf8IsAMarkAByte) {
  struct Case {
    std::string bytes;
    int marks;
    std::string rest;
  };
  for (const auto& [bytes, marks, rest] : std::vector<Case>{{"\xC1\xBF", 2, ""},
                                                            {"\xC2", 1, ""},
                                                            {"\xC2x", 1, "x"},
                                                            {"\xE0\x9F\xBF", 3, ""},
                                                            {"\xE2\x82", 2, ""},
                                                            {"\xF0\x8F\xBF\xBF", 4, ""},
                                                            {"\xF0\x9F\x98", 3, ""},
                                                            {"\x80", 1, ""},
                                                            {"\xBF", 1, ""}}) {
    std::string shown = "a";
    for (int i = 0; i < marks; ++i) shown += "\xEF\xBF\xBD";
    EXPECT_THAT(lines_of("a" + bytes), ElementsAre(shown + rest));
  }
  for (const auto* whole : {"\xC2\xA1", "\xE0\xA0\x80", "\xF0\x90\x80\x80"})
    EXPECT_THAT(lines_of(std::string("a") + whole), ElementsAre(std::string("a") + whole));
}

TEST(Readable, AControlSequenceEndsWithItsLetter) {
  EXPECT_THAT(lines_of("a\x1b[0@b\x1b[0~c\x1b[0?1md"), ElementsAre("abcd"));
  EXPECT_THAT(lines_of("a\x1b[?25"), ElementsAre("a"));
  EXPECT_THAT(lines_of("a\x1b(b"), ElementsAre("ab"));
  EXPECT_THAT(lines_of("a\x1b]0;title\a b"), ElementsAre("a b"));
  EXPECT_THAT(lines_of("a\x1b]0;title\x1b[1mb"), ElementsAre("ab"));
  EXPECT_THAT(lines_of("a\x1b]0;title"), ElementsAre("a"));
  EXPECT_THAT(lines_of("a^[[31mb^[c"), ElementsAre("ab^[c"));
  EXPECT_THAT(lines_of("a\x7f\x01"
                       "b"),
              ElementsAre("a b"));
}

TEST(Readable, AnEscapedCharacterIsItself) {
  EXPECT_THAT(lines_of(R"(a\u0041b\u005Ac)"), ElementsAre("aAbZc"));
  EXPECT_THAT(lines_of(R"(a\u001B[31mb)"), ElementsAre("ab"));
  EXPECT_THAT(lines_of(R"(a\u0007b\u007fc\u007ed)"), ElementsAre("abc~d"));
  EXPECT_THAT(lines_of(R"(a\u00zzb)"), ElementsAre(R"(a\u00zzb)"));
  EXPECT_THAT(lines_of(R"(a\x1B[31mb\033[31mc)"), ElementsAre("abc"));
}

TEST(Fold, MakesSmallLettersAndOneQuote) {
  std::string folded;
  fold("CUDA \"x\" `y' 9", folded);
  EXPECT_EQ(folded, "cuda 'x' 'y' 9");
}

std::string without_prefix(std::string_view line) { return std::string(line.substr(prefix_length(line))); }

TEST(Prefix, IsWhatLoggersPutBeforeAMessage) {
  for (const auto* prefix :
       {"", "trainer-1 | ", "2026-11-20T09:14:22.123456789Z ", "2026-11-20 09:14:22,123 ", "#12 3.45 ", "#7 ",
        "[rank0]: ", "[pod/train-0/main] ", "2026-11-20T09:14:22.1Z stderr F ", "> ", "web | [2026-11-20 09:14:22] "})
    EXPECT_EQ(without_prefix(std::string(prefix) + "the message"), "the message") << prefix;
}

TEST(Prefix, IsNoPartOfAMessage) {
  for (const auto* message : {"1: cannot open shared object file", "12.8, please update", "so.1 x", "[", "# x", "a|b", "|"})
    EXPECT_EQ(without_prefix(message), message);
}

TEST(Prefix, IsAsLongAsALoggerMakesIt) {
  const std::string name(80, 'n');
  EXPECT_EQ(without_prefix(name + " | the message"), "the message");
  EXPECT_EQ(without_prefix("n" + name + " | the message"), "n" + name + " | the message");
  EXPECT_EQ(without_prefix("[x " + std::string(77, 'n') + "] the message"), "the message");
  EXPECT_EQ(without_prefix("[x " + std::string(78, 'n') + "] the message"), "[x " + std::string(78, 'n') + "] the message");
  for (const auto* message : {"12:30 is a time", "-1:2:3 x", "#7x 3.4 y", "stdout", "P", "[rank0]x", "#7", "10:20:30"})
    EXPECT_EQ(without_prefix(message), message);
  for (const auto* prefix : {"12:30:01 ", "2026/11/20 ", "stdout F ", "stderr P ", "| ", "#7 12.34 > "})
    EXPECT_EQ(without_prefix(std::string(prefix) + "the message"), "the message") << prefix;
  EXPECT_EQ(without_prefix("#7 x"), "x");
  EXPECT_EQ(without_prefix("#7 12.34"), "12.34");
}

TEST(WordFinder, FindsWordsWithinAndBesideOthers) {
  const std::vector<std::string> words{"she", "he", "hers", "his", "e"};
  const WordFinder finder(words);
  std::vector<std::pair<std::size_t, std::string>> found;
  auto state = WordFinder::start;
  const std::string text = "ushers his";
  for (std::size_t i = 0; i < text.size(); ++i) {
    state = finder.next(state, text[i]);
    EXPECT_EQ(finder.any_at(state), !finder.words_at(state).empty());
    for (const auto word : finder.words_at(state)) found.emplace_back(i, words[word]);
  }
  EXPECT_THAT(found, testing::UnorderedElementsAre(std::pair(3U, "she"), std::pair(3U, "he"), std::pair(3U, "e"),
                                                   std::pair(5U, "hers"), std::pair(9U, "his")));
}

}  // namespace
}  // namespace envgen::diagnosis
