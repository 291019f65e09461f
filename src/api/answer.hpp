#pragma once

#include <functional>
#include <optional>
#include <string>

#include "answers/answer_text.hpp"
#include "model/environment.hpp"
#include "resolver/resolver.hpp"

/// What a program asks envgen for, and gets as a value: an answer to a request, and the files that are made of it. Nothing here
/// reads or writes a file, starts a process or throws.
namespace envgen::api {

/// What became of a request: an environment that the independent check confirms, or why there is none.
struct Answer {
  Request request;
  resolver::Query query;
  resolver::Resolution found;
  std::optional<Environment> environment;  ///< of the solution that was found

  /// No environment exists. False without an environment: a fact is missing.
  bool is_proof() const { return std::holds_alternative<resolver::Conflict>(found); }
};

/// Errors: a value of the request that is not understood (usage), an environment that the check refuses (internal).
Expected<Answer> answer(const matrix::Matrix& matrix, Request request);

/// The object of the JSON contract; `indent` 0 writes one line. `explain`: with what each requested value ruled out.
std::string json(const matrix::Matrix& matrix, const Answer& answer, int indent, bool explain = false);
/// The same for people.
std::string text(const matrix::Matrix& matrix, const Answer& answer, const util::Terminal& terminal, answers::Detail detail = {});
/// The object of one of several environments for a request; one line.
std::string json(const matrix::Matrix& matrix, const Request& request, const Environment& environment);

/// Every environment that fits, best first, each confirmed by the check; ends when `visit` returns false. False: there is none,
/// and `answer` says why. Errors: those of `answer`.
Expected<bool> each_environment(const matrix::Matrix& matrix, const Request& request,
                                const std::function<bool(const Environment&)>& visit);

/// A request as it is understood. Errors (usage): a value that is not.
Expected<resolver::Query> understood(const matrix::Matrix& matrix, const Request& request);

/// The environment of a solution, once the independent check has found nothing against it.
/// Errors (internal): what the check holds against it, by the facts that it breaks.
Expected<Environment> verified(const matrix::Matrix& matrix, const Request& request, const resolver::Query& query,
                               const resolver::Solution& solution);

/// The same for an environment that was materialized already.
Expected<void> verify(const matrix::Matrix& matrix, const Request& request, const Environment& environment);

}  // namespace envgen::api
