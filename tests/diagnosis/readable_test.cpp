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
