// A transcript loses nothing of what a command was given, printed and ended with.
#include "transcript.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace envgen::golden {
namespace {

using testing::ElementsAre;

std::string shown_of(std::string out, std::string err = {}, int status = 0) {
  util::ProcessResult result;
  result.out = std::move(out);
  result.err = std::move(err);
  result.exit_status = status;
  return shown(result);
}

TEST(Transcript, ShowsOutputMessagesAndStatus) {
  EXPECT_EQ(shown_of("", ""), "");
  EXPECT_EQ(shown_of("a\n\nb  \n", "c\n\n", 3), "a\n\nb  \n2> c\n2> \n[exit 3]\n");
  EXPECT_EQ(shown_of("\n"), "\n");
}

TEST(Transcript, ShowsALineWithoutAnEnd) {
  EXPECT_EQ(shown_of("a\nb"), "a\nb\n[no end of the line]\n");
  EXPECT_EQ(shown_of("", "a"), "2> a\n[no end of the line]\n");
  EXPECT_EQ(shown_of("a", "b\n", 1), "a\n[no end of the line]\n2> b\n[exit 1]\n");
}

TEST(Transcript, KeepsWhatLooksLikeItsOwnLinesApart) {
  EXPECT_EQ(shown_of("2> a\n"), "1> 2> a\n");
  EXPECT_EQ(shown_of("1> a\n"), "1> 1> a\n");
  EXPECT_EQ(shown_of("[exit 2]\n"), "1> [exit 2]\n");
  EXPECT_EQ(shown_of("[killed by signal 9]\n"), "1> [killed by signal 9]\n");
  EXPECT_EQ(shown_of("[no end of the line]\n"), "1> [no end of the line]\n");
  EXPECT_EQ(shown_of("a\n$ envgen why\n"), "a\n1> $ envgen why\n");
  EXPECT_EQ(shown_of("", "$ envgen why\n[exit 2]\n"), "2> $ envgen why\n2> [exit 2]\n");
  EXPECT_EQ(shown_of(" 2> a\n$ docker run\n[1] notes\n"), " 2> a\n$ docker run\n[1] notes\n");
}

TEST(Transcript, KeepsOddBytes) {
  const std::string odd("a\0b\r\x1b[0m\xff\t\r\n", 12);
  EXPECT_EQ(shown_of(odd), odd);
  EXPECT_EQ(shown_of("", odd), "2> " + odd);
  const auto text = "$ envgen\n" + odd;
  EXPECT_EQ(transcript_of(text).steps.at(0).shown, odd);
  EXPECT_EQ(text_of(transcript_of(text)), text);
}

TEST(Transcript, SaysThatACommandWasKilled) {
  util::ProcessResult result;
  result.signal = 11;
  EXPECT_EQ(shown(result), "[killed by signal 11]\n");
}

TEST(Transcript, IsAHeadAndSteps) {
  const std::string text = "For this.\n\n$ envgen why a\n\n2> b\n\n$ envgen\n";
  const auto transcript = transcript_of(text);
  EXPECT_EQ(transcript.head, "For this.\n\n");
  ASSERT_EQ(transcript.steps.size(), 2U);
  EXPECT_EQ(transcript.steps[0].arguments, " why a");
  EXPECT_EQ(transcript.steps[0].shown, "\n2> b\n\n");
  EXPECT_EQ(transcript.steps[1].arguments, "");
  EXPECT_EQ(transcript.steps[1].shown, "");
  EXPECT_EQ(text_of(transcript), text);
  EXPECT_TRUE(transcript_of("no command\n").steps.empty());
}

TEST(Transcript, ReadsWordsAsBashDoes) {
  EXPECT_THAT(*words_of(""), ElementsAre());
  EXPECT_THAT(*words_of("  why  torch=2.6 "), ElementsAre("why", "torch=2.6"));
  EXPECT_THAT(*words_of("'' a'b c'd '\\ \" $(reboot)'"), ElementsAre("", "ab cd", "\\ \" $(reboot)"));
  EXPECT_THAT(*words_of(R"($'it\'s\n\t\\' $'')"), ElementsAre("it's\n\t\\", ""));
}

TEST(Transcript, RefusesWhatBashReadsOtherwise) {
  for (const char* line : {"'a", "$'a", "$'a\\", "$'\\x41'"})
    EXPECT_EQ(words_of(line).error().message, "a quote has no end, or an escape is unknown") << line;
  EXPECT_EQ(words_of("--torch >=2.3").error().message, "bash would not leave > as it stands: write it in '...'");
  for (const char letter : std::string_view("\"\\$`<>|&;()[]{}*?!#~")) EXPECT_FALSE(words_of(std::string(1, letter))) << letter;
}

}  // namespace
}  // namespace envgen::golden
