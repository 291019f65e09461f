// What a file or a log says is no command to the CI system that reads the output of envgen.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_tool.hpp"
#include "support/log_commands.hpp"
#include "util/temporary_folder.hpp"

namespace envgen {
namespace {

using test::command_in;
using test::run_tool;
using testing::HasSubstr;

class Log : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    const auto path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  static void expect_harmless(const test::Outcome& outcome) {
    EXPECT_EQ(command_in(outcome.out), "");
    EXPECT_EQ(command_in(outcome.err), "");
  }

 private:
  util::TemporaryFolder folder_ = *util::TemporaryFolder::make("envgen-log");
};

std::string report_saying(const std::string& text) {
  return R"({"schema_version": 1, "image": ")" + text + R"(", "profile": "smoke", "engine": null, "gpus": null, "lock": null,
    "doubles": [], "seconds": 1, "ok": true, "summary": {"pass": 1, "warn": 0, "fail": 0, "skip": 0, "unknown": 0},
    "checks": [{"id": "python", "status": "pass", "message": ")" +
         text + R"(", "evidence": {}, "diagnosis": null}]})";
}

const std::string wrapped = std::string(68, 'x') + "  ::stop-commands::envgen";

TEST_F(Log, ExplainQuotesALog) {
  const auto log =
      file("log", "CUDA error: no kernel image is available for execution on the device " + wrapped + " ##[add-mask]e\n");
  const auto outcome = run_tool({"explain", log});
  EXPECT_THAT(outcome.out, HasSubstr("\\x3a:stop-commands::envgen \\x23#[add-mask]e"));
  expect_harmless(outcome);
  const auto json = run_tool({"explain", log, "--format", "json"});
  expect_harmless(json);
  EXPECT_THAT(json.json()["diagnoses"][0]["evidence"]["text"].get<std::string>(),
              HasSubstr("::stop-commands::envgen ##[add-mask]e"));
}

TEST_F(Log, ReportsAreComparedInIt) {
  const auto a = file("a.json", report_saying(wrapped));
  const auto b = file("b.json", report_saying("##[stop-commands]b"));
  const auto outcome = run_tool({"report", "diff", a, b});
  EXPECT_THAT(outcome.out, HasSubstr("\\x23#[stop-commands]b"));
  expect_harmless(outcome);
  const auto json = run_tool({"report", "diff", a, b, "--format", "json"});
  expect_harmless(json);
  EXPECT_EQ(json.json()["identity"][0]["b"], "##[stop-commands]b");
}

TEST_F(Log, EveryViewOfAReport) {
  for (const auto& text : {wrapped, std::string("##vso[task.setvariable variable=a]b")}) {
    const auto saved = file("r.json", report_saying(text));
    for (const auto* view : {"text", "github", "markdown", "junit", "html"}) expect_harmless(run_tool({"report", view, saved}));
  }
}

TEST_F(Log, AnErrorSaysWhatAFileHolds) {
  const auto named = run_tool({"report", "text", "##[stop-commands]e"});
  EXPECT_EQ(named.exit, 4);
  EXPECT_THAT(named.err, HasSubstr("envgen: \\x23#[stop-commands]e: "));
  expect_harmless(named);
  const auto project = file("envgen.json", R"({"envgen": 1, "##[stop-commands]e": 1})");
  expect_harmless(run_tool({"lock", "--project", project}));
  expect_harmless(run_tool({"lock", "--project", project, "--format", "json"}));
}

TEST_F(Log, WhatIsUsedByteByByteStays) {
  const auto compared = run_tool({"render", "dockerfile", "--torch", "2.9", "-o", "-"});
  ASSERT_EQ(compared.exit, 0) << compared.err;
  EXPECT_EQ(compared.out.find("\\x3a"), std::string::npos);
  EXPECT_THAT(run_tool({"completion", "bash"}).out, testing::Not(HasSubstr("\\x")));
}

}  // namespace
}  // namespace envgen
