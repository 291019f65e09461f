#include "reports/escape.hpp"

#include <gtest/gtest.h>

namespace envgen::reports {
namespace {

TEST(Escape, Markup) {
  EXPECT_EQ(escape_markup("a <b> & \"c\" 'd'"), "a &lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(escape_markup("tab\tline\n\r°é✓𝄞"), "tab\tline\n\r°é✓𝄞");
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
  EXPECT_EQ(escape_markup("\xe0\x80\xbc"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // the same in three bytes
  EXPECT_EQ(escape_markup("\xf0\x80\x80\xbc"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
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
  EXPECT_EQ(escape_markdown("a\r\nb"), "a  b");
  EXPECT_EQ(escape_markdown("https://x.y www.z.a"), "https\\://x.y www\\.z.a");
}

}  // namespace
}  // namespace envgen::reports
