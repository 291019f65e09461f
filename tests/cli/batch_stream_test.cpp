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
