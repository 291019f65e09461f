#include <sys/resource.h>

#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "util/process.hpp"

/// `--batch -` in a process of its own: what it reads from standard input cannot be given back to this one.
namespace envgen::cli {
namespace {

/// A line of shell in which "$0" is the tool.
util::ProcessResult shell(const std::string& line) {
  auto result = util::run_process({"sh", "-c", line, ENVGEN_TOOL});
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : util::ProcessResult{};
}

std::vector<nlohmann::json> answers_in(const std::string& text) {
  std::istringstream stream(text);
  std::vector<nlohmann::json> answers;
  for (std::string line; std::getline(stream, line);) answers.push_back(nlohmann::json::parse(line));
  return answers;
}

TEST(BatchStream, StandardInputIsNamedInErrors) {
  const auto result = shell(R"(printf '%s\n' '{"torch": "2.3.1"}' '' '{"torch": "2.x"}' '{}' | "$0" resolve --batch -)");
  EXPECT_EQ(result.exit_status, 2);
  EXPECT_EQ(result.err, "");
  const auto answers = answers_in(result.out);
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(answers[0]["environment"]["torch"]["version"], "2.3.1");
  EXPECT_EQ(answers[1]["error"]["origin"], "standard input:3#/torch");
  EXPECT_TRUE(answers[2].contains("environment"));
}

TEST(BatchStream, AnEmptyStreamHasNoAnswer) {
  const auto result = shell(R"("$0" resolve --batch - < /dev/null)");
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.out + result.err, "");
}

TEST(BatchStream, ALineIsAnsweredBeforeTheNextIsWritten) {
  // The second request is made of the first answer: were that held back, neither side would go on.
  const auto result = util::run_process({"bash", "-c",
                                         R"(coproc tool { "$0" resolve --batch -; }
          printf '%s\n' '{"torch": "2.3.1"}' >&"${tool[1]}"
          read -r first <&"${tool[0]}"
          request=${first#*'"request":'} request=${request%%'}'*}'}'
          printf '%s\n' "$request" >&"${tool[1]}"
          read -r second <&"${tool[0]}"
          [[ "$first" == "$second" ]] && printf '%s\n' "$request")",
                                         ENVGEN_TOOL},
                                        {.timeout = std::chrono::seconds(60)});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_FALSE(result->timed_out);
  EXPECT_EQ(result->exit_status, 0) << result->err;
  EXPECT_EQ(result->out, "{\"torch\":\"2.3.1\"}\n");
}

TEST(BatchStream, ALineThatIsTooLongIsNotHeldAndTheNextIsAnswered) {
  // 600 MB without an end of line, then two requests, of which the last has no end of line.
  const auto result = shell(
      R"({ printf '%s\n' '{"torch": "x"}'; head -c 600000000 /dev/zero | tr '\0' x; printf '\n%s\n\n%s' '{"torch": "y"}' '{"torch": "z"}'; } |
        "$0" resolve --batch -)");
  EXPECT_EQ(result.exit_status, 2);
  const auto answers = answers_in(result.out);
  ASSERT_EQ(answers.size(), 4U);
  EXPECT_EQ(answers[0]["error"]["origin"], "standard input:1#/torch");
  EXPECT_EQ(answers[1]["error"], (nlohmann::json{{"code", "usage"},
                                                 {"message", "the line is longer than 1 MiB"},
                                                 {"origin", "standard input:2"},
                                                 {"hints", nlohmann::json::array()}}));
  EXPECT_EQ(answers[2]["error"]["origin"], "standard input:3#/torch");
  EXPECT_EQ(answers[3]["error"]["origin"], "standard input:5#/torch");
  struct ::rusage used {};
  ASSERT_EQ(::getrusage(RUSAGE_CHILDREN, &used), 0);
  EXPECT_LT(used.ru_maxrss, 400'000) << "kB, of the largest process";
}

TEST(BatchStream, ALineOfTheLargestSizeIsRead) {
  // {"torch": "x"} with blanks up to 1 MiB, then one blank more; with and without \r.
  for (const std::string end : {"\\n", "\\r\\n"}) {
    const auto result = shell(R"(for more in 0 1; do printf '{"torch": "x"}%*s)" + end + R"(' $((1048562 + more)) ''; done |
        "$0" resolve --batch -)");
    const auto answers = answers_in(result.out);
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[0]["error"]["origin"], "standard input:1#/torch");
    EXPECT_EQ(answers[1]["error"]["message"], "the line is longer than 1 MiB");
    EXPECT_EQ(answers[1]["error"]["origin"], "standard input:2");
  }
}

TEST(BatchStream, ManyLongLinesAreHeldAFewAtATime) {
  // 400 lines of nearly 1 MiB, in a file: all of it waits there. AddressSanitizer keeps what was let go of unless it is told not
  // to.
  const auto result = shell(
      R"(export ASAN_OPTIONS=quarantine_size_mb=1; lines=$(mktemp) && { printf x; head -c 1000000 /dev/zero | tr '\0' ' '; echo; } > "$lines.one"
      for i in $(seq 400); do cat "$lines.one"; done > "$lines"
      "$0" resolve --batch "$lines" | wc -l; rm "$lines" "$lines.one")");
  EXPECT_EQ(result.out, "400\n");
  struct ::rusage used {};
  ASSERT_EQ(::getrusage(RUSAGE_CHILDREN, &used), 0);
  EXPECT_LT(used.ru_maxrss, 300'000) << "kB, of the largest process";
}

TEST(BatchStream, AReaderThatGoesAwayEndsIt) {
  // Far more answers than a pipe holds, of which one is read.
  const auto result = util::run_process({"bash", "-c",
                                         R"(awk 'BEGIN { for (i = 0; i < 20000; ++i) print "{\"torch\": \"x\"}" }' |
          "$0" resolve --batch - 2>&1 | head -n 1 > /dev/null; printf '%s' "${PIPESTATUS[1]}")",
                                         ENVGEN_TOOL},
                                        {.timeout = std::chrono::seconds(60)});
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(result->out, testing::AnyOf("141", "1"));  // by SIGPIPE, or by the failed write where that is ignored
}

}  // namespace
}  // namespace envgen::cli
