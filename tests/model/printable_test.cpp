#include "model/printable.hpp"

#include <gtest/gtest.h>

namespace envgen {
namespace {

TEST(Printable, ALoginIsMaskedWhole) {
  EXPECT_EQ(without_secrets("https://user:secret@host/x"), "https://***@host/x");
  EXPECT_EQ(without_secrets("https://secret@host"), "https://***@host");
  EXPECT_EQ(without_secrets("tcp://user:secret@host:2375"), "tcp://***@host:2375");
  EXPECT_EQ(without_secrets("git+ssh://user:secret@[::1]:22/x"), "git+ssh://***@[::1]:22/x");
  EXPECT_EQ(without_secrets("a https://b:c@d/ and 'https://e:f@g', h"), "a https://***@d/ and 'https://***@g', h");
  EXPECT_EQ(without_secrets("https://proxy/https://user:secret@host"), "https://proxy/https://***@host");
  EXPECT_EQ(without_secrets("https://user:secret@"), "https://***@");
}

TEST(Printable, APasswordThatWasNotEncodedIsMaskedWhole) {
  EXPECT_EQ(without_secrets("https://user:sec@ret@host/x"), "https://***@host/x");
  EXPECT_EQ(without_secrets("https://user:sec/ret@host/x"), "https://***@host/x");
  EXPECT_EQ(without_secrets("https://user:sec?r#e/t@host/x"), "https://***@host/x");
  EXPECT_EQ(without_secrets("https://user:sec ret@host/x"), "https://***@host/x");
  EXPECT_EQ(without_secrets("https://user:sec\"ret@host/x"), "https://***@host/x");
  EXPECT_EQ(without_secrets("https://us$er/secret@host/x"), "https://***@host/x");
  EXPECT_EQ(without_secrets("https://us$/secret@host/x"), "https://***@host/x");
  EXPECT_EQ(without_secrets("https://user:one two\nthree@host"), "https://user:one two\nthree@host");  // another line
}

TEST(Printable, APasswordThatBeginsLikeAQueryIsMaskedWhole) {
  EXPECT_EQ(without_secrets("https://u:?hunter2@h/x"), "https://***@h/x");
  EXPECT_EQ(without_secrets("https://u:#hunter2@h/x"), "https://***@h/x");
  EXPECT_EQ(without_secrets("https://u:/hunter2@h/x"), "https://***@h/x");
  EXPECT_EQ(without_secrets("https://host:8080/a@1"), "https://host:8080/a@1");
}

TEST(Printable, APathHasLostASlash) {
  EXPECT_EQ(without_secrets("/tmp/https:/user:secret@host/x"), "/tmp/https:/***@host/x");
  EXPECT_EQ(without_secrets("http:/user:secret@host"), "http:/***@host");
  EXPECT_EQ(without_secrets("https:///user:secret@host"), "https:///***@host");
  EXPECT_EQ(without_secrets("http:/token@host"), "http:/***@host");
  EXPECT_EQ(without_secrets("http:///token@host"), "http:///***@host");
  EXPECT_EQ(without_secrets("name:/data@1"), "name:/data@1");
  EXPECT_EQ(without_secrets("tcp:/user:p@h"), "tcp:/***@h");
  EXPECT_EQ(without_secrets("a:/b:1@c a:/b@c"), "a:/b:1@c a:/b@c");
}

TEST(Printable, WhatIsNoLoginStays) {
  for (const auto* text : {"https://host/x@1",
                           "https://host:80/a@b",
                           "file:///a@b",
                           "https://host, me@host",
                           "https://host: me@host",
                           "(see https://host). me@host",
                           "https://host:80; a@b",
                           "a@b",
                           "://a@b",
                           "x ://a@b",
                           "foo @ https://host/x",
                           "https://",
                           "image@sha256:0123",
                           "'https://host' me@host",
                           "https://[::1]:80/a b@c",
                           "tcp://host:80 a@b",
                           "https://host: b@c",
                           "a@b name:/data@1",
                           "a@b x:/y",
                           "~://a:b@c",
                           "{://a:b@c"})
    EXPECT_EQ(without_secrets(text), text);
}

TEST(Printable, AParameterThatIsCalledASecretIsMasked) {
  EXPECT_EQ(without_secrets("https://host/simple?token=abc"), "https://host/simple?token=***");
  EXPECT_EQ(without_secrets("https://h/x?a=1&X-Amz-Signature=ab/c%2F&b=2#d"), "https://h/x?a=1&X-Amz-Signature=***&b=2#d");
  EXPECT_EQ(without_secrets("'https://h/?sig=ab' (https://h/#ACCESS_TOKEN=cd)"),
            "'https://h/?sig=***' (https://h/#ACCESS_TOKEN=***)");
  EXPECT_EQ(without_secrets("https://h/?a=b&amp;password=c\n&api_key=d"), "https://h/?a=b&amp;password=***\n&api_key=***");
  EXPECT_EQ(without_secrets("?token=abc&a=b"), "?token=***&a=b");
  EXPECT_EQ(without_secrets("https://h/?token2=abc&x.token-3=d"), "https://h/?token2=***&x.token-3=***");
  for (const auto* text : {"https://h/?page=1", "https://h/?design=1", "token=abc", "a token=b", "https://h/?token=", "?token= x",
                           "https://h/x#egg=key", "https://h/x#sha256=ab"})
    EXPECT_EQ(without_secrets(text), text);
}

TEST(Printable, ASecretInJsonEndsWithItsText) {
  const auto safe = [](std::string_view text) { return without_secrets(text, Notation::json); };
  EXPECT_EQ(safe(R"({"a":"https://b:c@d","e":"f@g"})"), R"({"a":"https://***@d","e":"f@g"})");
  EXPECT_EQ(safe(R"({"a":"https://b:c","e":"f@g"})"), R"({"a":"https://b:c","e":"f@g"})");
  EXPECT_EQ(safe(R"({"a":"https://b:c\"d\\@e"})"), R"({"a":"https://***@e"})");
  EXPECT_EQ(safe(R"({"a":"https://b:c\nd@e"})"), R"({"a":"https://b:c\nd@e"})");
  EXPECT_EQ(safe(R"({"a":"https://b?token=c","d":1})"), R"({"a":"https://b?token=***","d":1})");
}

TEST(Printable, ASecretInMarkupEndsWithItsElement) {
  const auto safe = [](std::string_view text) { return without_secrets(text, Notation::markup); };
  EXPECT_EQ(safe("<a href=\"https://b:c@d\">e@f</a>"), "<a href=\"https://***@d\">e@f</a>");
  EXPECT_EQ(safe("<p>https://b:c</p><p>d@e</p>"), "<p>https://b:c</p><p>d@e</p>");
}

TEST(Printable, ATextOfManyUrlsTakesNoLonger) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += "a://b:c";
  EXPECT_EQ(without_secrets(text + "@d"), "a://***@d");
  text += " x";
  EXPECT_EQ(without_secrets(text), text);
}

TEST(Printable, WhatATerminalObeysIsSpelled) {
  const auto safe = [](std::string_view text) { return without_controls(text, Notation::text); };
  EXPECT_EQ(safe("a\x1b[2Jb\r\b\x7f"), "a\\x1b[2Jb\\x0d\\x08\\x7f");
  EXPECT_EQ(safe(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(safe("a\x9b"
                 "2J"),
            "a\\x9b2J");
  EXPECT_EQ(safe("\xc2\x9b|\xe2\x80\xae|\xe2\x81\xa6|\xe2\x80\xa8"),
            "\\xc2\\x9b|\\xe2\\x80\\xae|\\xe2\\x81\\xa6|\\xe2\\x80\\xa8");
  EXPECT_EQ(safe("caf\xe9"), "caf\\xe9");  // Latin-1
  EXPECT_EQ(safe("line\n\ttab °é✓𝄞"), "line\n\ttab °é✓𝄞");
}

TEST(Printable, WhatATerminalObeysInEachNotation) {
  EXPECT_EQ(without_controls("{\"a\":\"\x7f\xc2\x9b\xe2\x80\xae\xff\"}\n", Notation::json),
            "{\"a\":\"\\u007f\\u009b\\u202e\xef\xbf\xbd\"}\n");
  EXPECT_EQ(without_controls("<a>\x1b\xc2\x9b\xe2\x80\xae\xff", Notation::markup),
            "<a>\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Printable, OurOwnColoursStayWhereTheyAreWelcome) {
  const std::string text = "\x1b[1mbold\x1b[0m \x1b[2mdim\x1b[0m \x1b[3m\x1b[1";
  EXPECT_EQ(without_controls(text, Notation::text, true), "\x1b[1mbold\x1b[0m \x1b[2mdim\x1b[0m \\x1b[3m\\x1b[1");
  EXPECT_EQ(without_controls("\x1b[1mbold", Notation::text), "\\x1b[1mbold");
}

TEST(Printable, IsAllOfIt) {
  EXPECT_EQ(printable("\x1b[2J::a\n::b https://c:d@e", Notation::text), "\\x1b[2J::a\n\\x3a:b https://***@e");
  EXPECT_EQ(printable("\x1b[2mdim", Notation::text, true), "\x1b[2mdim");
}

TEST(Printable, ACommandOfGithubBehindAnyWhiteSpace) {
  const auto safe = [](std::string_view text) { return without_commands(text, Notation::text); };
  EXPECT_EQ(safe("::stop-commands::t"), "\\x3a:stop-commands::t");
  EXPECT_EQ(safe("a\n  \t::error::b\n"), "a\n  \t\\x3a:error::b\n");
  EXPECT_EQ(safe("a\r::error::b"), "a\r\\x3a:error::b");
  EXPECT_EQ(safe("\xc2\xa0\xe2\x80\x83::error::b"), "\xc2\xa0\xe2\x80\x83\\x3a:error::b");  // U+00A0, U+2003
  EXPECT_EQ(safe(":::error::b"), "\\x3a::error::b");
  EXPECT_EQ(safe("\x7f::error::b"), "\x7f\\x3a:error::b");
  EXPECT_EQ(safe("torch::jit: a::b\n : :c"), "torch::jit: a::b\n : :c");
}

TEST(Printable, ACommandInBracketsAnywhere) {
  const auto safe = [](std::string_view text) { return without_commands(text, Notation::text); };
  EXPECT_EQ(safe("pass  ##[stop-commands]t"), "pass  \\x23#[stop-commands]t");
  EXPECT_EQ(safe("a ##vso[task.setvariable variable=b]c"), "a \\x23#vso[task.setvariable variable=b]c");
  EXPECT_EQ(safe("##TeamCity[x]"), "\\x23#TeamCity[x]");
  EXPECT_EQ(safe("####[x]"), "##\\x23#[x]");
  EXPECT_EQ(safe("## [x] #[y] ##z ##"), "## [x] #[y] ##z ##");
}

TEST(Printable, ACommandInEachNotation) {
  EXPECT_EQ(without_commands("{\"a\":\"##[b]\"}", Notation::json), "{\"a\":\"\\u0023#[b]\"}");
  EXPECT_EQ(without_commands("<a>##[b]\n::c", Notation::markup), "<a>&#35;#[b]\n&#58;:c");
}

}  // namespace
}  // namespace envgen
