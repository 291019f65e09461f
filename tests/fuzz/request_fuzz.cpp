// A request from anybody: one value a line, `torch 2.3`. Every answer to it is verified, printed and read back.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "answers/answer_json.hpp"
#include "answers/answer_text.hpp"
#include "answers/proof.hpp"
#include "check/check.hpp"
#include "fuzz/fuzz.hpp"
#include "matrix/embedded/embedded.hpp"
#include "resolver/materialize.hpp"
#include "support/answer_json.hpp"

namespace {

using namespace envgen;
using fuzz::require;

Request request_of(std::string_view text) {
  Request request;
  for (const auto line : fuzz::split(text, "\n")) {
    const auto space = line.find(' ');
    const auto field = field_named(line.substr(0, space));
    if (!field || space == std::string_view::npos) continue;
    const auto which = *field;
    if (which != Field::gpu && which != Field::host && request.find(which) != nullptr)
      continue;  // at most once, says model/request.hpp
    request.values.push_back({which, std::string(line.substr(space + 1)), Origin::flag, "--" + std::string(name_of(which))});
  }
  return request;
}

void check_solution(const matrix::Matrix& matrix, const Request& request, const resolver::Query& query,
                    const resolver::Solution& solution) {
  const auto environment = resolver::materialize(matrix, query, solution);
  const auto wrong = check::violations(matrix, request, environment);
  for (const auto& line : wrong) std::fprintf(stderr, "%s\n", line.c_str());
  require(wrong.empty(), "an independent check confirms the answer");
  require(!answers::environment_text(environment, {}, {}, {}).empty(), "an environment can be shown");
  require(nlohmann::json::accept(answers::environment_json(matrix, request, environment, {}, 0)), "an environment is JSON");
}

void check_conflict(const matrix::Matrix& matrix, const Request& request, const resolver::Query& query,
                    const resolver::Conflict& conflict) {
  require(!conflict.values.empty() || request.values.empty(), "a conflict names values");
  require(!answers::conflict_text(matrix, query, conflict, {}, {}, {}).empty(), "a proof can be shown");
  require(conflict.nearest.size() <= 3, "at most three nearest environments");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto matrix = matrix::embedded();
  const auto request = request_of(fuzz::text_of(data, size));
  const auto query = resolver::interpret(matrix, request);
  if (!query) {
    require(query.error().code == ErrorCode::usage && !query.error().message.empty(),
            "a value that cannot be understood is an error of usage");
    require(nlohmann::json::accept(answers::error_json(query.error(), 0)), "an error is JSON");
    return 0;
  }
  const auto answer = resolver::resolve(matrix, *query);
  require(nlohmann::json::accept(test::answer_json(matrix, request, *query, answer, 2)), "an answer is JSON");
  if (const auto* solution = std::get_if<resolver::Solution>(&answer)) check_solution(matrix, request, *query, *solution);
  if (const auto* conflict = std::get_if<resolver::Conflict>(&answer)) check_conflict(matrix, request, *query, *conflict);
  if (const auto* unknown = std::get_if<resolver::Unknown>(&answer))
    require(!answers::missing_of(matrix, *query, *unknown).facts.empty(), "an unknown names what is missing");
  return 0;
}
