#include "report/escape.hpp"

#include <gtest/gtest.h>

namespace envgen::report {
namespace {

TEST(Escape, Markup) {
  EXPECT_EQ(escape_markup("a <b> & \"c\" 'd'"), "a &lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(escape_markup("tab\tline\n°é✓𝄞"), "tab\tline\n°é✓𝄞");
}

TEST(Escape, WhatXmlForbids) {
  EXPECT_EQ(escape_markup(std::string("a\0b\x1b\x7f", 5)),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd\x7f");
  EXPECT_EQ(escape_markup("\xef\xbf\xbe\xef\xbf\xbf"), "\xef\xbf\xbd\xef\xbf\xbd");  // U+FFFE, U+FFFF
}

TEST(Escape, WhatIsNoUtf8) {
  EXPECT_EQ(escape_markup("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(escape_markup("\xc3"), "\xef\xbf\xbd");                                  // cut
  EXPECT_EQ(escape_markup("\xc0\xbc"), "\xef\xbf\xbd\xef\xbf\xbd");                  // an overlong '<'
  EXPECT_EQ(escape_markup("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a surrogate
  EXPECT_EQ(escape_markup("\xe2\x9c"
                          "x"),
            "\xef\xbf\xbd\xef\xbf\xbd"
            "x");
}

TEST(Escape, Commands) {
  EXPECT_EQ(escape_command("50 %\r\n::error::x"), "50 %25%0D%0A::error::x");
  EXPECT_EQ(escape_property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
}

TEST(Escape, Markdown) {
  EXPECT_EQ(escape_markdown("a|b\n<img> *c* _d_ [e](f) `g`"), "a\\|b &lt;img&gt; \\*c\\* \\_d\\_ \\[e\\](f) \\`g\\`");
  EXPECT_EQ(escape_markdown("https://x.y www.z.a"), "https\\://x.y www\\.z.a");
}

TEST(Escape, ACommandOfGithubBehindAnyWhiteSpace) {
  const auto safe = [](std::string_view text) { return without_commands(text, Notation::text); };
  EXPECT_EQ(safe("::stop-commands::t"), "\\x3a:stop-commands::t");
  EXPECT_EQ(safe("a\n  \t::error::b\n"), "a\n  \t\\x3a:error::b\n");
  EXPECT_EQ(safe("a\r::error::b"), "a\r\\x3a:error::b");
  EXPECT_EQ(safe("\xc2\xa0\xe2\x80\x83::error::b"), "\xc2\xa0\xe2\x80\x83\\x3a:error::b");  // U+00A0, U+2003
  EXPECT_EQ(safe(":::error::b"), "\\x3a::error::b");
  EXPECT_EQ(safe("torch::jit: a::b\n : :c"), "torch::jit: a::b\n : :c");
}

TEST(Escape, ACommandInBracketsAnywhere) {
  const auto safe = [](std::string_view text) { return without_commands(text, Notation::text); };
  EXPECT_EQ(safe("pass  ##[stop-commands]t"), "pass  \\x23#[stop-commands]t");
  EXPECT_EQ(safe("a ##vso[task.setvariable variable=b]c"), "a \\x23#vso[task.setvariable variable=b]c");
  EXPECT_EQ(safe("##TeamCity[x]"), "\\x23#TeamCity[x]");
  EXPECT_EQ(safe("####[x]"), "##\\x23#[x]");
  EXPECT_EQ(safe("## [x] #[y] ##z ##"), "## [x] #[y] ##z ##");
}

TEST(Escape, ACommandInEachNotation) {
  EXPECT_EQ(without_commands("{\"a\":\"##[b]\"}", Notation::json), "{\"a\":\"\\u0023#[b]\"}");
  EXPECT_EQ(without_commands("<a>##[b]\n::c", Notation::markup), "<a>&#35;#[b]\n&#58;:c");
}

}  // namespace
}  // namespace envgen::report
