#include <map>
#include <stdexcept>

#include <gtest/gtest.h>

#include "answers/answer_json.hpp"
#include "check/check.hpp"
#include "project/lock.hpp"
#include "resolver/materialize.hpp"
#include "support/case_facts.hpp"
#include "support/case_file.hpp"
#include "support/request_text.hpp"

/// Answers that are changed in one place, or held against another request, and all that the check finds then:
/// tests/data/check/*.txt.
///
///     torch=2.3.1 gpu=4090
///     asked torch=2.3.1 gpu=3090
///     /environment/gpus/0/name="GeForce RTX 3090"
///       gpus.capability: 3090 has 8.6, the answer says 8.9
namespace envgen::test {
namespace {

using Json = nlohmann::ordered_json;

Json made_answer(const matrix::Matrix& matrix, const std::string& text) {
  const auto request = request_of(text);
  const auto query = resolver::interpret(matrix, request);
  if (!query) throw std::runtime_error(text + ": " + query.error().message);
  const auto solution = resolver::find_best(matrix, *query);
  if (!solution) throw std::runtime_error(text + ": there is no environment");
  return Json::parse(answers::environment_json(matrix, request, resolver::materialize(matrix, *query, *solution), {}, 0));
}

/// Of the shipped matrix each answer is made once.
Json answer_to(const matrix::Matrix& matrix, const std::string& text, bool shipped) {
  static std::map<std::string, Json> made;
  if (!shipped) return made_answer(matrix, text);
  const auto known = made.find(text);
  return known != made.end() ? known->second : made.emplace(text, made_answer(matrix, text)).first->second;
}

/// `/environment/python="3.9"`; without `=` the member is left out.
void change(Json& answer, const std::string& line) {
  const auto equals = line.find('=');
  const Json::json_pointer pointer(line.substr(0, equals));
  if (equals != std::string::npos) {
    answer[pointer] = Json::parse(line.substr(equals + 1));
    return;
  }
  auto& parent = answer.at(pointer.parent_pointer());
  if (parent.is_array()) {
    parent.erase(std::stoul(pointer.back()));
  } else {
    parent.erase(pointer.back());
  }
}

Lines violations_of(const Lines& given) {
  CaseFacts facts;
  std::string answered;
  std::string asked;
  Lines changes;
  for (const auto& line : given) {
    if (facts.take(line)) continue;
    if (line.starts_with("asked ")) {
      asked = line.substr(6);
    } else if (line.starts_with('/')) {
      changes.push_back(line);
    } else {
      answered = line;
    }
  }
  const auto matrix = facts.matrix();
  auto answer = answer_to(matrix, answered, facts.shipped());
  for (const auto& line : changes) change(answer, line);
  util::Problems problems;
  const auto environment = project::read_environment(util::JsonCell(&answer, "", problems));
  Lines found;
  for (const auto& problem : problems) found.push_back("unreadable: " + problem.origin + ": " + problem.message);
  for (const auto& text : check::violations(matrix, request_of(asked.empty() ? answered : asked), environment))
    found.push_back(text);
  return found;
}

class CheckCases : public testing::TestWithParam<std::string> {};

TEST_P(CheckCases, EachFindsWhatItMustAndNothingElse) { play_cases(GetParam(), violations_of); }

INSTANTIATE_TEST_SUITE_P(Files, CheckCases, testing::ValuesIn(case_files(ENVGEN_TEST_DATA "/check")), name_of_case_file);

}  // namespace
}  // namespace envgen::test
