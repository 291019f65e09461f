#include "update/pip.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/ranges.h>

namespace envgen::update {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Programs by their command lines; what is not among them is not there.
Expected<PipSettings> settings_of(std::map<std::string, std::string> outputs) {
  return pip_settings([&](const std::vector<std::string>& argv) -> Expected<util::ProcessResult> {
    const auto it = outputs.find(fmt::format("{}", fmt::join(argv, " ")));
    if (it == outputs.end()) return fail(ErrorCode::missing, "not there", argv.front());
    util::ProcessResult result;
    result.out = it->second;
    return result;
  });
}

const std::string help =
    "  -i, --index-url <url>   Base URL of the Python Package Index (default\n"
    "                          https://index.example/simple). This should point to a\n";

TEST(PipSettings, TheDefaultIsWhatPipSays) {
  const auto settings = settings_of({{"pip config list", ""}, {"pip install --help", help}});
  ASSERT_TRUE(settings);
  EXPECT_THAT(settings->indexes, ElementsAre("https://index.example/simple"));
  EXPECT_THAT(settings->notes, IsEmpty());
}

TEST(PipSettings, WhatIsConfiguredStandsOverIt) {
  const auto settings =
      settings_of({{"pip config list",
                    ":env:.index-url='https://env.example/simple/'\nglobal.index-url='https://global.example/simple'\n"
                    "global.cert='/etc/ca.pem'\nglobal.proxy='http://proxy:3128'\n"
                    "install.extra-index-url='https://a.example/simple file:///srv/simple\\nhttps://b.example'\n"}});
  ASSERT_TRUE(settings);
  EXPECT_THAT(settings->indexes, ElementsAre("https://env.example/simple", "https://a.example/simple", "https://b.example"));
  EXPECT_EQ(settings->ca_bundle, "/etc/ca.pem");
  EXPECT_EQ(settings->proxy, "http://proxy:3128");
  EXPECT_THAT(settings->notes, ElementsAre("pip's index 'file:///srv/simple' is not read: it is not an http or https URL"));
}

TEST(PipSettings, PythonHasAPipToo) {
  const auto settings = settings_of({{"python3 -m pip config list", ""}, {"python3 -m pip install --help", help}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->indexes.size(), 1U);
}

TEST(PipSettings, NoPipIsAnError) {
  const auto settings = settings_of({});
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().code, ErrorCode::missing);
  EXPECT_EQ(settings.error().message, "pip does not run here, so its configured index is unknown");
  EXPECT_THAT(settings.error().hints, ElementsAre("install pip, or name the other sources with --source"));
}

TEST(PipSettings, NoIndexBehindHttpIsAnError) {
  for (const auto* url : {"htps://index.example/simple", "file:///srv/simple", "index.example/simple"}) {
    const auto settings = settings_of({{"pip config list", std::string("global.index-url='") + url + "'\n"}});
    ASSERT_FALSE(settings) << url;
    EXPECT_EQ(settings.error().code, ErrorCode::bad_input);
    EXPECT_EQ(settings.error().message, "pip is configured with no http or https index");
    EXPECT_THAT(settings.error().hints, ElementsAre("pip config set global.index-url URL"));
  }
}

TEST(PipSettings, HelpThatNamesNoIndexIsAnError) {
  const auto settings = settings_of({{"pip config list", ""}, {"pip install --help", "usage"}});
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().code, ErrorCode::bad_input);
  EXPECT_EQ(settings.error().message, "pip does not say which index it uses if none is configured");
}

}  // namespace
}  // namespace envgen::update
