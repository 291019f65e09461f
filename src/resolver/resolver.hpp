#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/environment.hpp"
#include "resolver/kinds.hpp"
#include "resolver/outside.hpp"
#include "resolver/solution.hpp"

/// Constraints, search, preference, and what makes the proof of a conflict. No input, no output, no clock.
namespace envgen::resolver {

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
  std::string usual;  ///< empty of a GPU, where the default is that none is named
  std::string other;
  matrix::Tribool found = matrix::Tribool::unknown;
};

/// A kind of build in one place, and what the request says against it there.
struct Candidate {
  std::size_t kind = 0;  ///< index into Conflict::kinds
  std::vector<Objection> objections;
};

/// A proof that no environment exists: a smallest set of requested values that are incompatible.
struct Conflict {
  std::vector<int> values;  ///< indexes into Query::values, ascending
  std::vector<Kind> kinds;  ///< of all builds that the request, or a part of it, chooses from
  std::vector<Candidate> candidates;
  std::vector<Nearest> nearest;
  std::vector<BeyondDefault> beyond_defaults;  ///< which the proof does not speak of
};

/// What is not known of a build that nothing else keeps from being an answer.
struct MissingFact {
  const matrix::Build* build = nullptr;
  Reason reason = Reason::code;
  std::int16_t subject = -1;  ///< board or machine, where the reason is about one
  DriverVersion driver;       ///< driver_in_part: the release that would do
};

/// Listed builds of a release that may have others, and what they fall by.
struct Fallen {
  Objection by;
  std::vector<const matrix::Build*> builds;
};

/// No environment is proven to exist or not: these facts are missing.
struct Unknown {
  std::vector<MissingFact> missing;  ///< of the builds in their order of preference
  std::optional<Outside> outside;    ///< or it is this value, of which the matrix knows nothing
  bool conda_has_one = false;        ///< with --installer conda, which was not asked for, there is an environment
  std::vector<Nearest> nearest;      ///< what is known to exist, whatever these facts are
  std::vector<Fallen> fallen = {};   ///< of the first release whose CUDA tags alone are missing
};

using Resolution = std::variant<Solution, Conflict, Unknown>;

/// The best environment for a request, or why there is none.
Resolution resolve(const matrix::Matrix& matrix, const Query& query);

/// The best environment only: what `resolve` does when there is one. None otherwise.
std::optional<Solution> find_best(const matrix::Matrix& matrix, const Query& query);

/// Whether one exists (yes), is proven not to (no), or facts are missing (unknown), without the words.
matrix::Tribool find_outcome(const matrix::Matrix& matrix, const Query& query);

/// Every environment that fits, best first: each build on each place with each Python. Ends when `visit` returns false.
void each_solution(const matrix::Matrix& matrix, const Query& query, const std::function<bool(const Solution&)>& visit);

/// The proof that a request has no environment. The request must have none. It holds for what lies outside the matrix, too.
Conflict prove_conflict(const matrix::Matrix& matrix, const Query& query);

/// What is missing for a request that some build of the matrix may serve.
Unknown missing_facts(const matrix::Matrix& matrix, const Query& query);

/// What one requested value took away, in the order of the request.
struct Removal {
  int value = no_value;
  std::size_t before = 0;  ///< builds that were left before it
  std::size_t after = 0;
  std::vector<const matrix::Build*> removed;
};
std::vector<Removal> explain(const matrix::Matrix& matrix, const Query& query);

}  // namespace envgen::resolver
