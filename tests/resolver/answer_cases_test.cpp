#include <gtest/gtest.h>

#include "answers/headline.hpp"
#include "check/check.hpp"
#include "resolver/changed.hpp"
#include "resolver/materialize.hpp"
#include "support/answer_lines.hpp"
#include "support/case_facts.hpp"
#include "support/case_file.hpp"
#include "support/request_text.hpp"

/// Requests and the whole of their answers: tests/data/answers/*.txt. `matrix` lines take a small matrix in place of the
/// shipped one, `explain` adds what each value ruled out, `all` lists every environment instead, and `brief` says no more of one
/// than a list does.
namespace envgen::test {
namespace {

Lines error_lines(const Error& error) {
  Lines lines{"error " + error.origin + ": " + error.message};
  for (const auto& hint : error.hints) lines.push_back("  " + hint);
  return lines;
}

Lines all_lines(const matrix::Matrix& matrix, const resolver::Query& query) {
  Lines lines;
  resolver::each_solution(matrix, query, [&](const resolver::Solution& solution) {
    lines.push_back(answers::environment_line(resolver::materialize(matrix, query, solution)));
    return true;
  });
  return lines;
}

Lines brief_lines(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Resolution& answer) {
  const auto* solution = std::get_if<resolver::Solution>(&answer);
  if (solution == nullptr) return answer_lines(matrix, query, answer);
  return {answers::environment_line(resolver::materialize(matrix, query, *solution))};
}

/// What is proposed instead is a real answer to the changed request; and there is something, unless the facts hold no
/// environment.
void hold_nearest(const matrix::Matrix& matrix, const Request& request, const std::string& text,
                  const resolver::Resolution& answer) {
  const auto all = resolver::nearest_of(answer);
  const auto anything = resolver::interpret(matrix, Request());
  const bool dead_end = all.empty() && !std::holds_alternative<resolver::Solution>(answer);
  EXPECT_FALSE(dead_end && resolver::find_best(matrix, *anything)) << text << ": a dead end";
  for (const auto& nearest : all) {
    const auto next = resolver::changed(request, nearest.changes);
    ASSERT_TRUE(next) << text;
    const auto again = resolver::interpret(matrix, *next);
    const auto solution = again ? resolver::find_best(matrix, *again) : std::nullopt;
    ASSERT_TRUE(solution) << "nearest of " << text << ", " << text_of(*next) << ": is none";
    for (const auto& wrong : check::violations(matrix, *next, resolver::materialize(matrix, *again, *solution)))
      ADD_FAILURE() << "nearest of " << text << ", " << text_of(*next) << ": " << wrong;
  }
}

Lines answer_of(const Lines& given) {
  CaseFacts facts;
  bool explain = false;
  bool all = false;
  bool brief = false;
  std::string text;
  for (const auto& line : given) {
    if (facts.take(line)) continue;
    if (line == "explain") {
      explain = true;
    } else if (line == "all") {
      all = true;
    } else if (line == "brief") {
      brief = true;
    } else if (line != "nothing") {
      text = line;
    }
  }
  const auto matrix = facts.matrix();
  const auto request = request_of(text);
  const auto query = resolver::interpret(matrix, request);
  if (!query) return error_lines(query.error());
  if (all) return all_lines(matrix, *query);
  const auto answer = resolver::resolve(matrix, *query);
  auto lines = brief ? brief_lines(matrix, *query, answer) : answer_lines(matrix, *query, answer);
  if (const auto* solution = std::get_if<resolver::Solution>(&answer)) {
    for (const auto& wrong : check::violations(matrix, request, resolver::materialize(matrix, *query, *solution)))
      ADD_FAILURE() << text << ": " << wrong;
  }
  hold_nearest(matrix, request, text, answer);
  if (explain) {
    for (auto& line : removal_lines(*query, resolver::explain(matrix, *query))) lines.push_back(std::move(line));
  }
  return lines;
}

class AnswerCases : public testing::TestWithParam<std::string> {};

TEST_P(AnswerCases, EachIsAnsweredAsItWasRead) { play_cases(GetParam(), answer_of); }

INSTANTIATE_TEST_SUITE_P(Files, AnswerCases, testing::ValuesIn(case_files(ENVGEN_TEST_DATA "/answers")), name_of_case_file);

}  // namespace
}  // namespace envgen::test
