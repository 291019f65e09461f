// Where reports go: `-o` of 'envgen validate', the summary of a step on GitHub, a baseline, and 'envgen report' on a saved one.
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_tool.hpp"
#include "support/engine_double.hpp"

namespace envgen {
namespace {

namespace fs = std::filesystem;
using test::EngineDouble;
using test::run_tool;
using testing::HasSubstr;
using testing::StartsWith;

class Reports : public testing::Test {
 protected:
  Reports() {
    docker_.all_well();
    docker_.answer("start", R"({"python": "3.11.2", "framework": "", "error": ""})");
    set_speed("1e12");
    std::ofstream(folder_ / "envgen-bench") << "a double";
    fs::permissions(folder_ / "envgen-bench", fs::perms::all);
  }
  ~Reports() override { ::unsetenv("GITHUB_STEP_SUMMARY"); }

  void set_speed(const std::string& value) const {
    docker_.answer("start.1", R"({"schema_version": 1, "program": {"name": "envgen-bench"}, "interrupted": false,
      "touched": {"path": "/envgen-mount/written", "error": "Permission denied"},
      "gpu": {"present": true, "absent": false}, "gpus": [{"ordinal": 0, "name": "Example GPU"}],
      "summary": {"pass": 3, "warn": 0, "fail": 0, "skip": 0, "unknown": 0},
      "tests": [{"id": "probe", "status": "pass", "message": "1 GPU"},
        {"id": "d2d", "device": 0, "status": "pass", "message": "whole \u001b[31m", "evidence": {"bytes": 1024}},
        {"id": "d2d.speed", "device": 0, "status": "pass", "message": "fast", "evidence": {"value": )" +
                                  value + R"(, "unit": "B/s"}}]})");
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::string content(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  test::Outcome validate(std::vector<std::string> more) const {
    fs::remove(folder_ / "calls");  // by which the double knows its first start
    std::vector<std::string> words{"validate", "mine", "--gpus", "all", "--bench", file("envgen-bench")};
    words.insert(words.end(), more.begin(), more.end());
    return run_tool(words);
  }

  EngineDouble docker_;
  fs::path folder_ = docker_.folder();
};

TEST_F(Reports, EveryFileHasTheFormatOfItsName) {
  const auto outcome =
      validate({"-o", file("r.json"), "-o", file("r.xml"), "-o", file("r.html"), "-o", file("r.md"), "-o", file("r.txt")});
  EXPECT_EQ(outcome.exit, 5);  // the double writes nothing into the mount: files are written all the same
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, StartsWith("wrote " + file("r.json") + ": "));
  EXPECT_THAT(content("r.json"), StartsWith("{\n  \"schema_version\": 1,"));
  EXPECT_THAT(content("r.xml"), StartsWith("<?xml "));
  EXPECT_THAT(content("r.html"), StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(content("r.md"), StartsWith("## envgen validate: mine\n"));
  EXPECT_THAT(content("r.txt"), StartsWith("mine: "));
}

TEST_F(Reports, ASavedReportGivesTheSameBytes) {
  validate({"-o", file("r.json"), "-o", file("r.xml"), "-o", file("r.html"), "-o", file("r.md"), "-o", file("r.txt")});
  for (const auto& [view, name] :
       {std::pair{"junit", "r.xml"}, std::pair{"html", "r.html"}, std::pair{"markdown", "r.md"}, std::pair{"text", "r.txt"}}) {
    const auto again = run_tool({"report", view, file("r.json"), "-o", file("again")});
    EXPECT_EQ(again.exit, 0) << view;
    EXPECT_THAT(again.out, StartsWith("wrote " + file("again") + ": "));
    EXPECT_EQ(content("again"), content(name)) << view;
  }
}

TEST_F(Reports, FormatSaysWhatStandardOutputGets) {
  const auto both = validate({"--format", "github", "-o", file("r.json")});
  EXPECT_THAT(both.out, HasSubstr("::error title=mine%3A mount-owner::"));
  EXPECT_THAT(both.err, StartsWith("wrote " + file("r.json")));
  EXPECT_THAT(content("r.json"), StartsWith("{"));
  const auto named = validate({"--format", "junit", "-o", file("report")});
  EXPECT_THAT(named.out, StartsWith("wrote " + file("report")));
  EXPECT_THAT(content("report"), StartsWith("<?xml "));
  const auto shown = validate({"-o", "-", "-o", file("r.html")});
  EXPECT_THAT(shown.out, StartsWith("mine: "));
  EXPECT_THAT(shown.err, StartsWith("wrote " + file("r.html")));
}

TEST_F(Reports, TheReportItselfIsNotReplaced) {
  validate({"-o", file("r.json")});
  const auto outcome =
      run_tool({"report", "html", file("r.json"), "-o",
                file("../") + "/" + std::filesystem::path(file("")).parent_path().filename().string() + "/r.json"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err, "envgen: --output: this is the report itself, which would be overwritten\n");
  EXPECT_THAT(content("r.json"), StartsWith("{"));
}

TEST_F(Reports, NoEngineIsAskedWhereAFileCannotBeWritten) {
  const auto outcome = validate({"-o", file("no/r.json"), "-o", file("r.html"), "-o", file("r.txt")});
  EXPECT_EQ(outcome.exit, 4);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "envgen: " + file("no/r.json") + ": cannot write the file (No such file or directory)\n");
  ASSERT_EQ(::mkfifo(file("device.txt").c_str(), 0600), 0);
  fs::create_symlink(folder_ / "nothing", folder_ / "link.md");
  const auto others = validate({"-o", file("device.txt"), "-o", file("link.md")});
  EXPECT_EQ(others.exit, 4);
  EXPECT_EQ(others.err, "envgen: " + file("device.txt") + ": not a regular file; not replaced\n  " + file("link.md") +
                            ": a dangling link, which would be replaced by a file\n");
  EXPECT_TRUE(docker_.calls().empty());
}

/// As long as one lives, no file gets larger: what a full disk does, to this process alone.
class FullDisk {
 public:
  explicit FullDisk(::rlim_t bytes) : before_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    const ::rlimit less{bytes, limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &less);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    ::signal(SIGXFSZ, before_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  ::rlimit limit_{};
  ::sighandler_t before_;
};

TEST_F(Reports, AFileThatCannotBeWrittenLeavesTheOthers) {
  validate({"-o", file("page.html")});
  const FullDisk disk(content("page.html").size() - 100);  // its times differ
  const auto outcome = validate({"-o", file("r.html"), "-o", file("r.md"), "-o", file("s.html")});
  EXPECT_EQ(outcome.exit, 4);
  EXPECT_THAT(outcome.out, StartsWith("mine: "));  // a job's log says what failed
  EXPECT_THAT(content("r.md"), StartsWith("## envgen validate: mine\n"));
  EXPECT_THAT(outcome.err, StartsWith("wrote " + file("r.md")));
  EXPECT_EQ(outcome.err.substr(outcome.err.find('\n') + 1), "envgen: " + file("r.html") +
                                                                ": cannot write the file (File too large)\n  " + file("s.html") +
                                                                ": cannot write the file (File too large)\n");
}

TEST_F(Reports, WhatCannotBeWrittenIsOnStandardOutput) {
  validate({"-o", file("r.html")});
  const auto page = content("r.html");
  const FullDisk disk(page.size() - 100);  // its times differ
  // The capture of standard output is a file, too, which takes no more than the beginning.
  EXPECT_THAT(validate({"--format", "html", "-o", file("r.html")}).out, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(validate({"--format", "junit", "-o", file("r.xml"), "-o", file("s.html")}).out, StartsWith("wrote "));
  EXPECT_EQ(content("r.html"), page);
}

TEST_F(Reports, NoEngineIsAskedForAFormatThatIsNotKnown) {
  EXPECT_EQ(validate({"-o", file("r.pdf"), "-o", file("r.html")}).exit, 2);
  EXPECT_EQ(validate({"--format", "html", "-o", file("r.pdf"), "-o", file("r.html")}).exit, 2);
  EXPECT_TRUE(docker_.calls().empty());
}

TEST_F(Reports, TheSummaryOfAStep) {
  ::setenv("GITHUB_STEP_SUMMARY", file("summary").c_str(), 1);
  std::ofstream(file("summary")) << "before\n";
  validate({"--format", "github"});
  EXPECT_THAT(content("summary"), StartsWith("before\n## envgen validate: mine\n"));
  ::setenv("GITHUB_STEP_SUMMARY", file("no/summary").c_str(), 1);
  const auto outcome = validate({"--format", "github"});
  EXPECT_EQ(outcome.exit, 4);
  EXPECT_THAT(outcome.out, HasSubstr("::error "));
  EXPECT_EQ(outcome.err, "envgen: GITHUB_STEP_SUMMARY: cannot append to '" + file("no/summary") + "'\n");
  EXPECT_EQ(validate({}).exit, 5);  // no other format writes it
}

TEST_F(Reports, ABaseline) {
  validate({"-o", file("old.json")});
  const auto same = validate({"--baseline", file("old.json")});
  EXPECT_THAT(same.out, HasSubstr("1 speeds are within 10% of"));
  set_speed("0.8e12");
  const auto slower = validate({"--baseline", file("old.json")});
  EXPECT_EQ(slower.exit, 5);
  EXPECT_THAT(slower.out, HasSubstr("fail    baseline/0"));
  EXPECT_THAT(validate({"--baseline", file("old.json"), "--tolerance", "25"}).out, HasSubstr("pass    baseline"));
  EXPECT_THAT(validate({}).out, HasSubstr("no --baseline was given: baseline\n"));
}

TEST_F(Reports, ABaselineThatIsRequired) {
  EXPECT_THAT(validate({"--require", "baseline"}).out,
              HasSubstr("fail    baseline         --require baseline: not proven: no --baseline was given\n"));
  validate({"-o", file("old.json")});
  EXPECT_THAT(validate({"--require", "baseline", "--baseline", file("old.json")}).out, HasSubstr("pass    baseline"));
  auto other = nlohmann::json::parse(content("old.json"));
  other["machine"]["gpus"][0]["name"] = "Other GPU";
  std::ofstream(file("other.json")) << other;
  const auto unproven = validate({"--require", "baseline", "--baseline", file("other.json")});
  EXPECT_EQ(unproven.exit, 5);
  EXPECT_THAT(unproven.out, HasSubstr("fail    baseline         --require baseline: not proven: "));
  std::ofstream(file("cut.json")) << content("old.json").substr(0, 300);
  const auto cut = validate({"--baseline", file("cut.json")});
  EXPECT_EQ(cut.exit, 4);
  EXPECT_THAT(cut.err, HasSubstr("cut.json"));
}

TEST_F(Reports, Differences) {
  validate({"-o", file("a.json")});
  set_speed("0.8e12");
  validate({"-o", file("b.json")});
  EXPECT_EQ(run_tool({"report", "diff", file("a.json"), file("a.json")}).exit, 0);
  const auto slower = run_tool({"report", "diff", file("a.json"), file("b.json")});
  EXPECT_EQ(slower.exit, 9);
  EXPECT_THAT(slower.out, HasSubstr("0.80  slower\n"));
  EXPECT_EQ(run_tool({"report", "diff", file("a.json"), file("b.json"), "--tolerance", "25"}).exit, 0);
  EXPECT_EQ(
      run_tool({"report", "diff", file("a.json"), file("b.json"), "--format", "json"}).json().at("speeds").at(0).at("beyond"),
      true);
  EXPECT_EQ(run_tool({"report", "diff", file("a.json"), file("b.json"), "--tolerance", "100"}).exit, 2);
  const auto alone = run_tool({"report", "diff", file("a.json")});
  EXPECT_EQ(alone.exit, 2);
  EXPECT_EQ(alone.err,
            "envgen: 'envgen report diff' needs two FILEs\n  for example: envgen report diff monday.json today.json\n"
            "  see 'envgen report diff --help'\n");
  const auto refusal = [](std::vector<std::string> words) {
    words.insert(words.begin(), "report");
    const auto outcome = run_tool(words);
    EXPECT_EQ(outcome.exit, 2);
    return outcome.err;
  };
  EXPECT_EQ(refusal({"diff", "a", "b", "c"}), "envgen: unexpected argument 'c'\n");
  EXPECT_EQ(refusal({"html", "a", "b"}), "envgen: unexpected argument 'b'\n");
  EXPECT_EQ(refusal({"text", ""}), "envgen: report: the value is empty\n  see 'envgen report text --help'\n");
}

}  // namespace
}  // namespace envgen
