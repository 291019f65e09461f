// What people type, files hold and other programs say comes out without what is secret in it, and without what a terminal or a CI
// system would obey: tried in every option of every command and in every member of envgen.json.
#include "hostile_words.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spelling.hpp"
#include "model/utf8.hpp"
#include "run_tool.hpp"
#include "support/engine_double.hpp"
#include "support/log_commands.hpp"
#include "util/temporary_folder.hpp"

namespace envgen {
namespace {

namespace fs = std::filesystem;
using test::marker;
using test::run_tool;
using test::Words;
using testing::HasSubstr;
using testing::Not;

/// The facts of these commands, of which few are written where files of them are asked for: the commands are thousands.
const matrix::BuiltIn& facts() {
  static const auto few = *matrix::pack_documents(ENVGEN_FEW_FACTS, {});
  static const matrix::BuiltIn built_in{matrix::embedded(), few};
  return built_in;
}

std::string bytes_of(const fs::path& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// A folder that the commands run in, with what their options may name.
class HostileWords : public testing::Test {
 protected:
  HostileWords() {
    fs::current_path(folder_.path());
    ::unsetenv("GITHUB_STEP_SUMMARY");
    EXPECT_EQ(run_tool({"lock", "--cuda=12.6"}).exit, 0);
    EXPECT_NE(run_tool({"validate", "no-such-image", "-o", "report.json"}).exit, 0);
    // Such a path can be written to where somebody made its folders.
    fs::create_directories("https:/user:" + marker + "@host.example");
  }
  ~HostileWords() override { fs::current_path(before_); }

  /// What a file says that the run made or changed; "": it says nothing secret.
  std::string secret_on_disk() const {
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
      if (entry.is_regular_file() && entry.path().filename() != "envgen.json" &&
          bytes_of(entry.path()).find(marker) != std::string::npos)
        return entry.path();
    }
    return {};
  }
  void expect_no_secret(const Words& words) {
    const auto outcome = run_tool(words, facts());
    const auto said = outcome.out + outcome.err;
    const auto file = secret_on_disk();
    EXPECT_EQ(said.find(marker), std::string::npos) << testing::PrintToString(words) << "\n" << said;
    EXPECT_EQ(file, "") << testing::PrintToString(words);
    if (!file.empty()) fs::remove(file);
  }
  static void expect_printable(const Words& words) {
    const auto outcome = run_tool(words, facts());
    for (const auto& said : {outcome.out, outcome.err}) {
      EXPECT_EQ(test::command_in(said), "") << testing::PrintToString(words) << "\n" << said;
      EXPECT_EQ(test::unprintable(said), "") << testing::PrintToString(words) << "\n" << said;
    }
  }
  /// A program that the tool finds on PATH.
  void add_program(const std::string& name, const std::string& script) const {
    const auto file = no_engine_.folder() / "bin" / name;
    std::ofstream(file) << "#!/bin/sh\n" << script;
    fs::permissions(file, fs::perms::owner_all);
  }
  static void write_project(const nlohmann::json& project) { std::ofstream("envgen.json") << project.dump(2); }

 private:
  util::TemporaryFolder folder_ = *util::TemporaryFolder::make("envgen-hostile");
  fs::path before_ = fs::current_path();
  test::EngineDouble no_engine_ = test::EngineDouble(Words{});
};

TEST_F(HostileWords, ASecretOnTheCommandLineIsNotShown) {
  test::each_due(test::secret_texts(), test::lines_saying, [&](const Words& words) { expect_no_secret(words); });
}

TEST_F(HostileWords, WhatATerminalObeysIsNotShownAsItCame) {
  test::each_due(test::hostile_texts(), test::lines_saying, [](const Words& words) { expect_printable(words); });
}

/// What reads a project file.
const std::vector<Words> readers{
    {"lock"}, {"generate"}, {"render", "dockerfile"}, {"resolve", "--project=envgen.json", "--format=json"}};

TEST_F(HostileWords, ASecretInAProjectIsNotShown) {
  test::each_due(test::secret_texts(), test::projects_saying, [&](const nlohmann::json& project) {
    write_project(project);
    for (const auto& words : readers) expect_no_secret(words);
  });
}

TEST_F(HostileWords, OfAProjectWhatATerminalObeysIsNotShownAsItCame) {
  auto texts = test::hostile_texts();
  std::erase_if(texts, [](const std::string& text) { return utf8_length(text.substr(1)) == 0; });  // no text of JSON
  test::each_due(texts, test::projects_saying, [&](const nlohmann::json& project) {
    write_project(project);
    for (const auto& words : readers) expect_printable(words);
  });
}

TEST_F(HostileWords, ASecretInALogIsNotShown) {
  const std::string message = "no kernel image is available for execution on the device";
  for (std::size_t between = 0; between < 400; between += 7) {
    const auto url = "https://user:" + marker + "@host.example/x";
    for (const auto& line : {url + std::string(between, 'x') + " " + message, message + std::string(between, ' ') + url,
                             url + std::string(between, '-') + " " + message + std::string(2000, 'x')}) {
      std::ofstream("log") << "CUDA error: " << line << "\n";
      const auto text = run_tool({"explain", "log"});
      EXPECT_THAT(text.out, HasSubstr("cuda-209"));
      EXPECT_THAT(text.out + run_tool({"explain", "log", "--format=json"}).out, Not(HasSubstr(marker))) << line;
    }
  }
  fs::remove("log");
}

TEST_F(HostileWords, ASecretBehindABrokenByteOfALogIsNotShown) {
  for (const auto* login : {"us\xe9r:", "u:\xe9", "u:pw\xe9"}) {
    std::ofstream("log") << "CUDA error: no kernel image is available for execution on the device https://" << login << marker
                         << "@h/x\n";
    const auto text = run_tool({"explain", "log"});
    EXPECT_THAT(text.out, HasSubstr("cuda-209"));
    EXPECT_THAT(text.out + run_tool({"explain", "log", "--format=json"}).out, Not(HasSubstr(marker))) << login;
  }
  fs::remove("log");
}

TEST_F(HostileWords, ASecretInTheAddressOfTheEngineIsInNoReport) {
  const test::EngineDouble docker;
  docker.all_well();
  ::setenv("DOCKER_HOST", ("tcp://user:" + marker + "@host.example:2375").c_str(), 1);
  const Words files{"--output=r.json", "--output=r.txt", "--output=r.xml", "--output=r.md", "--output=r.html"};
  for (const auto* format : {"text", "json", "junit", "markdown", "github", "html"}) {
    Words words{"validate", "mine", "--profile=build", std::string("--format=") + format};
    words.insert(words.end(), files.begin(), files.end());
    expect_no_secret(words);
  }
  EXPECT_THAT(bytes_of("r.json"), HasSubstr("\"address\": \"tcp://***@host.example:2375\""));
}

TEST_F(HostileWords, ASecretInASavedReportIsNotShown) {
  auto report = nlohmann::json::parse(bytes_of("report.json"));
  const auto url = "https://user:" + marker + "@host.example/x";
  for (const auto* member : {"image", "engine", "gpus", "lock", "program", "started"}) report[member] = url;
  for (auto& check : report["checks"]) {
    check["message"] = "it says " + url;
    check["evidence"] = {{"basis", url}, {url, {url, 1}}};
  }
  std::ofstream("saved.json") << report.dump();
  for (const auto* view : {"html", "junit", "markdown", "github", "text"}) {
    const auto outcome = run_tool({"report", view, "saved.json"});
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr(marker))) << view;
  }
  const auto outcome = run_tool({"report", "diff", "saved.json", "report.json", "--format=json"});
  EXPECT_THAT(outcome.out, testing::AllOf(HasSubstr("https://***@host.example/x"), Not(HasSubstr(marker))));
  fs::remove("saved.json");
}

TEST_F(HostileWords, ASecretThatUvSaysIsNotShown) {
  const auto url = "https://user:" + marker + "@host.example/simple";
  add_program("uv",
              "[ \"$1\" != --version ] || { echo 'uv 0.13.9 (x)'; exit 0; }\n"
              "echo 'error: Failed to fetch: `" +
                  url + "/numpy/`' >&2\nexit 2\n");
  const auto outcome = run_tool({"lock", "--freeze", "--cuda=12.6"});
  EXPECT_EQ(outcome.exit, 4);
  EXPECT_THAT(outcome.err, HasSubstr("  error: Failed to fetch: `https://***@host.example/simple/numpy/`\n"));
  expect_no_secret({"lock", "--freeze", "--cuda=12.6", "--format=json"});
  add_program("uv", "echo 'uv " + url + "'\n");
  expect_no_secret({"lock", "--freeze", "--cuda=12.6"});
}

TEST_F(HostileWords, OfAVariableNeitherASecretNorWhatATerminalObeysIsShown) {
  for (const auto* name : {"ENVGEN_MATRIX", "ENVGEN_BENCH", "GITHUB_STEP_SUMMARY", "DOCKER_HOST"}) {
    auto texts = test::secret_texts();
    const auto hostile = test::hostile_texts();
    texts.insert(texts.end(), hostile.begin(), hostile.end());
    for (const auto& text : texts) {
      ::setenv(name, (text + "/x").c_str(), 1);
      for (const auto& words : {Words{"resolve"}, Words{"validate", "mine"}}) {
        expect_no_secret(words);
        expect_printable(words);
      }
      const auto annotated = run_tool({"report", "github", "report.json"});
      EXPECT_EQ(test::unprintable(annotated.out + annotated.err), "") << annotated.err;
      EXPECT_EQ(test::command_in(annotated.err), "");
      EXPECT_THAT(annotated.out + annotated.err, Not(HasSubstr(marker)));
      ::unsetenv(name);
    }
  }
}

TEST_F(HostileWords, AnIndexWithAQueryIsRefused) {
  for (const auto* option : {"--pip-index", "--apt-mirror", "--conda-mirror", "--torch-mirror", "--envgen-url"}) {
    for (const auto* rest : {"?x="
                             "S3CRET-MARK",
                             "#S3CRET-MARK", "?S3CRET-MARK#x"}) {
      const auto outcome =
          run_tool({"render", "dockerfile", "--cuda=12.6", std::string(option) + "=https://host.example/simple" + rest});
      EXPECT_EQ(outcome.exit, 2) << option;
      EXPECT_THAT(outcome.err,
                  HasSubstr(std::string(": 'https://host.example/simple") + rest[0] + "***' is not an http, https or file URL"));
      EXPECT_EQ(outcome.out, "");
    }
  }
}

}  // namespace
}  // namespace envgen
