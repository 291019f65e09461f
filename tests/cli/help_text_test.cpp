#include "cli/help_formatter.hpp"

#include <gtest/gtest.h>

namespace envgen::cli {
namespace {

const std::string help =
    "Usage: envgen [OPTIONS]\n"
    "\n"
    "  --matrix DIR            A folder of matrix files instead of the built-in facts\n";

TEST(HelpText, IsLeftAsItIsWhereThereIsRoom) {
  EXPECT_EQ(help_text(help, 0), help);
  EXPECT_EQ(help_text(help, 80), help);
}

TEST(HelpText, GoesOnBelowTheDescription) {
  EXPECT_EQ(help_text(help, 61),
            "Usage: envgen [OPTIONS]\n"
            "\n"
            "  --matrix DIR            A folder of matrix files instead of\n"
            "                          the built-in facts\n");
}

TEST(HelpText, GoesOnBelowTheOptionWhereTheDescriptionWouldBeNarrow) {
  EXPECT_EQ(help_text(help, 40),
            "Usage: envgen [OPTIONS]\n"
            "\n"
            "  --matrix DIR\n"
            "      A folder of matrix files instead\n"
            "      of the built-in facts\n");
}

TEST(HelpText, OfALineWithoutADescriptionGoesOnIndented) {
  EXPECT_EQ(help_text("Usage: envgen render [OPTIONS] dockerfile ...\n", 40),
            "Usage: envgen render [OPTIONS]\n"
            "      dockerfile ...\n");
}

TEST(HelpText, KeepsExamplesWhole) {
  constexpr auto examples = "Examples:\n  envgen render dockerfile --torch 2.6 --gpu A100 --pip flash-attn -o ./\n";
  EXPECT_EQ(help_text(examples, 40), examples);
}

}  // namespace
}  // namespace envgen::cli
