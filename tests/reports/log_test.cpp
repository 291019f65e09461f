// No line of any view is a command to the CI system whose log it goes into, whatever an image, a driver or a file says.
#include <array>
#include <random>
#include <sstream>

#include <gmock/gmock.h>

#include "model/printable.hpp"
#include "reports/view.hpp"
#include "saved.hpp"
#include "support/log_commands.hpp"

namespace envgen::reports {
namespace {

using envgen::test::command_in;
using test::check_of;
using test::Json;
using test::parsed;
using test::saved;

constexpr std::array formats{Format::text, Format::json, Format::junit, Format::github, Format::markdown, Format::html};

/// A report that says `text` wherever others have a say.
Json saying(const std::string& text) {
  auto json = saved("two-gpus.json");
  for (const auto* member : {"image", "engine", "lock", "gpus", "program", "started", "profile"}) json[member] = text;
  json["doubles"] = {text};
  json["machine"]["driver"] = text;
  for (auto& gpu : json["machine"]["gpus"]) gpu["name"] = text;
  json["machine"]["libraries"] = Json{{text, text}};
  for (auto& check : json.at("checks")) {
    check["message"] = text;
    if (check["evidence"].contains("basis")) check["evidence"]["basis"] = text;
  }
  return json;
}

/// The annotations of GitHub are commands of ours: each line begins with one, but the last, and none hides a second one.
void expect_annotations(const std::string& text) {
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line); last = line) {
    if (!last.empty()) {
      EXPECT_THAT(last, testing::ContainsRegex("^::(error|warning|notice) title=[^:]*::"));
    }
  }
  EXPECT_EQ(command_in(last), "");
  EXPECT_EQ(text.find('\r'), text.npos);
}

void expect_no_command(const Json& json) {
  const auto report = parsed(json);
  for (const auto format : formats) {
    const auto shown = view(report, format, {});
    if (format == Format::github) {
      expect_annotations(shown);
    } else {
      EXPECT_EQ(command_in(shown), "") << format_names.at(static_cast<std::size_t>(format));
    }
  }
  for (std::size_t width = 20; width < 130; width += 3)
    EXPECT_EQ(command_in(view(report, Format::text, {width, false})), "") << width;
}

TEST(Log, AFailingImportStopsNoCommands) {
  // The text view wraps the message, and its second line begins with what the image wrote.
  auto json = saved("two-gpus.json");
  check_of(json, "kernel", 1)["message"] = "torch cannot be imported: " + std::string(70, 'x') + "  ::stop-commands::envgen";
  const auto shown = view(parsed(json), Format::text, {});
  EXPECT_THAT(shown, testing::HasSubstr("\n                           \\x3a:stop-commands::envgen"));
  expect_no_command(json);
}

TEST(Log, NoFormatHoldsACommand) {
  for (const auto* text : {"::stop-commands::t", "   ::add-mask::t", "x ##[stop-commands]t", "##[add-matcher]/m.json",
                           "##vso[task.setvariable variable=a]b", "\n::error::t", "\r\n::error::t", "\xc2\x85::error::t",
                           "\xe2\x80\x83::error::t", "<b>\n::error::t</b>", "| ::error::t |"})
    expect_no_command(saying(text));
}

TEST(Log, TheJsonSaysTheSame) {
  const auto report = parsed(saying("##[stop-commands]t"));
  const auto shown = view(report, Format::json, {});
  EXPECT_EQ(Json::parse(shown), Json::parse(json(report)));
  EXPECT_EQ(Json::parse(shown).at("image"), "##[stop-commands]t");
}

TEST(Log, WhateverTextsAreMadeOf) {
  constexpr std::array pieces{
      "::",       "::stop-commands::t", ":",    "#",   "##[",   "##vso[a.b]", "]",   " ", "  ", "\t", "\n", "\r", "\v",
      "\xc2\xa0", "\xe3\x80\x80",       "word", "<i>", "&#58;", "\\:",        "\xff"};
  std::mt19937 random(18);
  for (int round = 0; round < 150; ++round) {
    std::string text;
    const auto length = 1 + random() % 30;
    for (std::size_t i = 0; i < length; ++i) text += pieces.at(random() % pieces.size());
    for (const auto notation : {Notation::text, Notation::json, Notation::markup})
      EXPECT_EQ(command_in(without_commands(text, notation)), "") << testing::PrintToString(text);
    const auto valid = text.find('\xff') == text.npos;
    if (round % 15 == 0 && valid) expect_no_command(saying(text));
    if (testing::Test::HasFailure()) FAIL() << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace envgen::reports
