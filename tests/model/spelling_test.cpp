#include "model/spelling.hpp"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/choices.hpp"
#include "model/utf8.hpp"

namespace envgen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::array<std::string_view, 6> names{"torch", "torchvision", "torchaudio", "tensorflow", "cuda", "cudnn"};

TEST(NearestSpellings, OneSlipOfEachKindIsFound) {
  for (const auto* slip : {"torc", "torcch", "torvh", "trorch", "otrch", "troch", "tocrh", "TORCH", "Torhc"})
    EXPECT_THAT(nearest_spellings(slip, names, 1), ElementsAre("torch")) << slip;
}

TEST(NearestSpellings, TheNearestComesFirst) {
  EXPECT_THAT(nearest_spellings("cuds", names), ElementsAre("cuda"));
  EXPECT_THAT(nearest_spellings("torchadio", names), ElementsAre("torchaudio"));
  constexpr std::array<std::string_view, 3> boards{"RTX 4070", "RTX 4090", "RTX 3090"};
  EXPECT_THAT(nearest_spellings("rtx 4090", boards), ElementsAre("RTX 4090", "RTX 4070", "RTX 3090"));
  EXPECT_THAT(nearest_spellings("rtx 4090", boards, 2), ElementsAre("RTX 4090", "RTX 4070"));
  EXPECT_THAT(nearest_spellings("rtx 4090", boards, 0), IsEmpty());
}

TEST(NearestSpellings, AThirdOfTheLengthMayDiffer) {
  constexpr std::array<std::string_view, 1> one{"abcdef"};
  EXPECT_THAT(nearest_spellings("abcdxx", one), ElementsAre("abcdef"));
  EXPECT_THAT(nearest_spellings("abcxxx", one), IsEmpty());
  constexpr std::array<std::string_view, 1> short_name{"os"};
  EXPECT_THAT(nearest_spellings("is", short_name), ElementsAre("os"));
  EXPECT_THAT(nearest_spellings("it", short_name), IsEmpty());
}

TEST(NearestSpellings, NeverMoreThanThreeDiffer) {
  constexpr std::array<std::string_view, 1> one{"abcdefghijklmnopqrst"};
  EXPECT_THAT(nearest_spellings("xxxdefghijklmnopqrst", one), ElementsAre("abcdefghijklmnopqrst"));
  EXPECT_THAT(nearest_spellings("xxxxefghijklmnopqrst", one), IsEmpty());
}

TEST(NearestSpellings, ANameThatStandsTwiceIsOfferedOnce) {
  constexpr std::array<std::string_view, 3> twice{"cuda", "cudb", "cuda"};
  EXPECT_THAT(nearest_spellings("cuda", twice), ElementsAre("cuda", "cudb"));
}

TEST(NearestSpellings, NothingIsNearToNothingOrToALongText) {
  EXPECT_THAT(nearest_spellings("", names), IsEmpty());
  EXPECT_THAT(nearest_spellings("unrelated", names), IsEmpty());
  EXPECT_THAT(nearest_spellings("torch", {}), IsEmpty());
  const std::string at_limit(64, 'x');
  const std::string above(65, 'x');
  EXPECT_THAT(nearest_spellings(at_limit, std::array<std::string_view, 1>{at_limit}), ElementsAre(at_limit));
  EXPECT_THAT(nearest_spellings(above, std::array<std::string_view, 1>{above}), IsEmpty());
}

TEST(Quotes, PlainTextStandsAsItIs) {
  EXPECT_EQ(in_quotes(""), "''");
  EXPECT_EQ(in_quotes("RTX 4091"), "'RTX 4091'");
  EXPECT_EQ(in_quotes("$(reboot)\"{{x}}`\\"), "'$(reboot)\"{{x}}`\\'");
}

TEST(Quotes, EveryControlCharacterIsMadeVisible) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (int byte = 0; byte < 0x20; ++byte) {
    const auto high = std::string(1, digits[static_cast<std::size_t>(byte / 16)]);
    const auto low = std::string(1, digits[static_cast<std::size_t>(byte % 16)]);
    EXPECT_EQ(in_quotes(std::string(1, static_cast<char>(byte))), "'\\x" + high + low + "'");
  }
  EXPECT_EQ(in_quotes("a\x7f"
                      "b"),
            "'a\\x7fb'");
  EXPECT_EQ(in_quotes("a\nb\rc\x1b[31m"), "'a\\x0ab\\x0dc\\x1b[31m'");
}

TEST(Quotes, WhatTurnsALineRoundIsShown) {
  EXPECT_EQ(in_quotes("a\u202eb\u2066c"), "'a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6c'");
  EXPECT_EQ(in_quotes("a\u2027b\u202fc\u2065d\u206ae"), "'a\u2027b\u202fc\u2065d\u206ae'");
}

TEST(Quotes, WhatEndsALineForUnicodeIsShown) {
  EXPECT_EQ(in_quotes("a\u0085b\u009fc\u2028d\u2029e"), "'a\\xc2\\x85b\\xc2\\x9fc\\xe2\\x80\\xa8d\\xe2\\x80\\xa9e'");
  for (const auto* text : {"\n", "a\x7f", "\u0080", "a\u2028"}) EXPECT_TRUE(holds_control(text)) << text;
  for (const auto* text : {"", "a b", "\u00a0", "Größe – 显卡 😀", "\u2027\u202f", "\xc2", "\xe9"})
    EXPECT_FALSE(holds_control(text)) << text;
}

/// A terminal that reads single bytes takes 0x9b for the beginning of a control sequence.
TEST(Quotes, AByteOfC1OutsideACharacterIsShown) {
  EXPECT_EQ(in_quotes("a\x9b\x33\x31mb"), "'a\\x9b31mb'");
  EXPECT_EQ(in_quotes("\x80\x9f\xa0"), "'\\x80\\x9f\xa0'");
  EXPECT_EQ(in_quotes("\xe2\x80"), "'\xe2\\x80'") << "of a character that was cut";
  EXPECT_EQ(in_quotes("\xc0\x9b\xed\xa0\x9b\xf4\x90\x80\x80"), "'\xc0\\x9b\xed\xa0\\x9b\xf4\\x90\\x80\\x80'")
      << "of none that is";
  EXPECT_EQ(in_quotes("\u201b\u00db\u6b1b\U0001f49b"), "'\u201b\u00db\u6b1b\U0001f49b'") << "within characters";
  EXPECT_EQ(in_one_line("\x9b"), "\\x9b");
  for (const auto* text : {"\x9b", "a\x80", "\xe2\x80", "\xc3\xa9\x9b"}) EXPECT_TRUE(holds_control(text));
  // What cuts a text before a character does not run back through what is none.
  EXPECT_EQ(visible(std::string(100, '\x9b'), 60).size(), 57U * 4);
}

TEST(Utf8, TheLengthOfACharacterIsThatOfRfc3629) {
  for (const auto& [text, length] : {std::pair{"a", 1U},
                                     {"\xc2\x80", 2U},
                                     {"\xdf\xbf", 2U},
                                     {"\xe0\xa0\x80", 3U},
                                     {"\xed\x9f\xbf", 3U},
                                     {"\xee\x80\x80", 3U},
                                     {"\xf0\x90\x80\x80", 4U},
                                     {"\xf4\x8f\xbf\xbf", 4U}})
    EXPECT_EQ(utf8_length(text), length) << text;
  for (const auto* text : {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2g", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x80",
                           "\xe2\x80g", "\xe2g\x80", "\xf0g\x80\x80", "\xf0\x90g\x80", "\xf0\x90\x80g", "\xf0\x8f\xbf\xbf",
                           "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf0\x90\x80", "\xff"})
    EXPECT_EQ(utf8_length(text), 0U) << in_quotes(text);
}

TEST(Utf8, ACharacterEndsWithItsText) {
  constexpr std::string_view two = "\xc2\x80";
  constexpr std::string_view three = "\xe2\x80\xa8";
  constexpr std::string_view four = "\xf0\x90\x80\x80";
  EXPECT_EQ(utf8_length(two.substr(0, 1)), 0U);
  EXPECT_EQ(utf8_length(three.substr(0, 2)), 0U);
  EXPECT_EQ(utf8_length(four.substr(0, 3)), 0U);
  EXPECT_FALSE(is_control(two.substr(0, 1)));
  EXPECT_FALSE(is_control(three.substr(0, 2)));
}

TEST(Spaces, AroundATextAreLeftOut) {
  for (const auto* text : {"a b", " a b", "a b ", "\t a b \t", "  a b  "}) EXPECT_EQ(without_spaces_around(text), "a b") << text;
  for (const auto* text : {"", " ", "\t \t"}) EXPECT_EQ(without_spaces_around(text), "") << text;
  EXPECT_EQ(without_spaces_around("a\n"), "a\n");
}

TEST(Quotes, SixtyCharactersAreShownAndTheRestIsCounted) {
  EXPECT_EQ(in_quotes(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
  EXPECT_EQ(in_quotes(std::string(61, 'x')), "'" + std::string(60, 'x') + "...' (61 bytes)");
  EXPECT_EQ(in_quotes(std::string(1'000'000, 'x')), "'" + std::string(60, 'x') + "...' (1000000 bytes)");
}

TEST(Quotes, Utf8StandsAsItIs) { EXPECT_EQ(in_quotes("Größe – 显卡 😀"), "'Größe – 显卡 😀'"); }

TEST(Choices, ANameIsItsValue) {
  EXPECT_EQ(parse_choice<Installer>("uv"), Installer::uv);
  EXPECT_EQ(parse_choice<Platform>("linux-aarch64"), Platform::linux_aarch64);
  EXPECT_EQ(name_of(Prefer::widest), "widest");
}

TEST(Choices, AnythingElseListsThemWithTheOneThatWasMeant) {
  const auto error = parse_choice<Variant>("devle").error();
  EXPECT_EQ(error.message, "'devle' is not one of runtime, devel");
  EXPECT_THAT(error.hints, ElementsAre("did you mean devel?"));
  EXPECT_THAT(parse_choice<Variant>("x").error().hints, IsEmpty());
  EXPECT_EQ(parse_choice<Installer>("").error().message, "'' is not one of pip, uv, conda");
  EXPECT_EQ(parse_choice<Installer>("PIP").error().message, "'PIP' is not one of pip, uv, conda");
}

}  // namespace
}  // namespace envgen
