#include <fstream>

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "matrix/embedded/embedded.hpp"
#include "support/answers.hpp"
#include "support/request_text.hpp"

/// Requests that were answered wrongly once, or lie at the edge of a fact, each with its right answer (tests/data/verdicts.txt),
/// and requests whose answers were written down by somebody who had not seen what envgen answers (verdicts_held_back.txt).
namespace envgen::test {
namespace {

std::string verdict_of(const std::string& request) {
  if (!resolver::interpret(matrix::embedded(), request_of(request))) return "error";
  const auto said = summary(request);
  return said.starts_with("conflict") ? "no" : said.starts_with("unknown") ? "unknown" : "yes";
}

struct Verdict {
  std::string right;
  std::string request;
};

std::vector<Verdict> verdicts_in(const std::string& name) {
  std::vector<Verdict> verdicts;
  std::ifstream file(ENVGEN_TEST_DATA "/" + name);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const auto blank = line.find(' ');
    verdicts.push_back({line.substr(0, blank), line.substr(line.find_first_not_of(' ', blank))});
  }
  return verdicts;
}

/// What is answered, checked by rules of their own.
void check_environment(const std::string& request) {
  const auto environment = environment_of(request);
  if (!environment) return;
  for (const auto& wrong : check::violations(matrix::embedded(), request_of(request), *environment))
    ADD_FAILURE() << request << ": " << wrong;
}

TEST(Verdicts, AreRight) {
  const auto verdicts = verdicts_in("verdicts.txt");
  EXPECT_GT(verdicts.size(), 100U);
  for (const auto& [right, request] : verdicts) {
    const auto verdict = verdict_of(request);
    EXPECT_EQ(verdict, right) << request;
    if (verdict == "yes") check_environment(request);
  }
}

/// None is answered wrongly, and at most one in a hundred is not known.
TEST(Verdicts, ThoseHeldBackAreRight) {
  const auto verdicts = verdicts_in("verdicts_held_back.txt");
  EXPECT_GT(verdicts.size(), 900U);
  std::size_t unknown = 0;
  for (const auto& [right, request] : verdicts) {
    const auto verdict = verdict_of(request);
    if (verdict == "unknown") {
      ++unknown;
      continue;
    }
    EXPECT_EQ(verdict, right) << request;
    if (verdict == "yes") check_environment(request);
  }
  EXPECT_LE(unknown * 100, verdicts.size());
}

}  // namespace
}  // namespace envgen::test
