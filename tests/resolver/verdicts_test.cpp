#include <fstream>

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/answers.hpp"
#include "support/request_text.hpp"

/// Requests that were answered wrongly once, or lie at the edge of a fact, each with its right answer: tests/data/verdicts.txt.
namespace envgen::test {
namespace {

std::string verdict_of(const std::string& request) {
  if (!resolver::interpret(matrix::embedded(), request_of(request))) return "error";
  const auto said = summary(request);
  return said.starts_with("conflict") ? "no" : said.starts_with("unknown") ? "unknown" : "yes";
}

TEST(Verdicts, AreRight) {
  std::size_t asked = 0;
  std::ifstream file(ENVGEN_TEST_DATA "/verdicts.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const auto blank = line.find(' ');
    ASSERT_NE(blank, std::string::npos) << line;
    const auto request = line.substr(line.find_first_not_of(' ', blank));
    const auto verdict = verdict_of(request);
    EXPECT_EQ(verdict, line.substr(0, blank)) << request;
    ++asked;
    if (verdict != "yes") continue;
    if (const auto environment = environment_of(request); environment) {
      for (const auto& wrong : check::violations(matrix::embedded(), request_of(request), *environment))
        ADD_FAILURE() << request << ": " << wrong;
    }
  }
  EXPECT_GT(asked, 100U);
}

}  // namespace
}  // namespace envgen::test
