#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/environment.hpp"
#include "resolver/solution.hpp"

/// Constraints, search, preference, and the proof of a conflict as data. No input, no output, no clock.
namespace envgen::resolver {

/// A step of a proof: a group of candidates, and the values and facts that rule them out.
struct Step {
  Reason reason = Reason::version;
  ValueSet values = 0;
  std::int16_t subject = -1;                 ///< board or machine
  std::vector<const matrix::Build*> builds;  ///< what it rules out; empty: it rules out everything
};

/// A changed value of a request: what it was, and what it would have to be (empty: left out).
struct Change {
  Field field = Field::torch;
  std::string from;
  std::string to;
};

struct Nearest {
  std::vector<Change> changes;
  Environment environment;
};

/// A default that the request left as it is, and another choice of it under which an environment exists (yes) or may (unknown).
struct BeyondDefault {
  Field field = Field::platform;
  std::string usual;
  std::string other;
  matrix::Answer found = matrix::Answer::unknown;
};

/// A proof that no environment exists: a smallest set of requested values that cannot hold together.
struct Conflict {
  std::vector<int> values;  ///< indexes into Query::values, ascending
  /// The builds that the selecting values of the conflict (torch, cuda, python, ...) leave; each step rules some of them out.
  std::vector<const matrix::Build*> scope;
  std::vector<Step> steps;
  std::vector<std::uint16_t> sources;  ///< the facts that carry it: indexes into Root::sources
  std::vector<Nearest> nearest;
  std::vector<BeyondDefault> beyond_defaults;  ///< which the proof does not speak of
};

/// No environment is proven to exist or not: these facts are missing.
struct Unknown {
  std::vector<std::string> missing;
  std::string message;
};

using Answer = std::variant<Solution, Conflict, Unknown>;

/// The best environment for a request, or why there is none.
Answer resolve(const matrix::Matrix& matrix, const Query& query);

/// The best environment only: what `resolve` does when there is one. None otherwise.
std::optional<Solution> find_best(const matrix::Matrix& matrix, const Query& query);

/// Whether one exists (yes), is proven not to (no), or facts are missing (unknown), without the words.
matrix::Answer find_outcome(const matrix::Matrix& matrix, const Query& query);

/// Every environment that fits, best first: each build on each place with each Python. Ends when `visit` returns false.
void each_solution(const matrix::Matrix& matrix, const Query& query, const std::function<bool(const Solution&)>& visit);

/// The proof that a request has no environment. The request must have none. It holds for what lies outside the matrix, too.
Conflict prove_conflict(const matrix::Matrix& matrix, const Query& query);

/// What one requested value took away, in the order of the request.
struct Removal {
  int value = no_value;
  std::size_t before = 0;  ///< builds that were left before it
  std::size_t after = 0;
  std::vector<const matrix::Build*> removed;
};
std::vector<Removal> explain(const matrix::Matrix& matrix, const Query& query);

}  // namespace envgen::resolver
