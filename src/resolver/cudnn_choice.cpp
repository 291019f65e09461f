#include "resolver/cudnn_choice.hpp"

#include <algorithm>
#include <bit>

namespace envgen::resolver {

using matrix::Build;
using matrix::Cudnn;
using matrix::Matrix;
using matrix::Tribool;

namespace {

/// One thing that is asked of the cuDNN, and the value that asks it.
struct Condition {
  ValueSet value;
  std::int16_t board;  ///< -1: it is not about a board
  std::function<Tribool(const Cudnn&)> holds;
};

Tribool known(bool answer) { return answer ? Tribool::yes : Tribool::no; }

Condition loads_on(const matrix::Os* os, int value) {
  return {set_of(value), -1, [os](const Cudnn& cudnn) { return os->glibc ? known(cudnn.glibc <= os->glibc) : Tribool::unknown; }};
}

std::vector<Condition> conditions_of(const Matrix& matrix, const Query& query, const Build& build) {
  std::vector<Condition> result;
  if (query.cudnn.value != no_value) {
    result.push_back(
        {set_of(query.cudnn.value), -1, [&](const Cudnn& cudnn) { return known(query.cudnn.spec.matches(cudnn.version)); }});
  }
  for (std::size_t b = 0; b < query.boards.size(); ++b) {
    const auto& board = query.boards[b];
    const auto path = code_path(matrix, build, board.capability);
    if (path.runs == Runs::no) continue;  // it falls by that, whichever the cuDNN
    result.push_back({set_of(board.value), static_cast<std::int16_t>(b), [&matrix, &build, &board, path](const Cudnn& cudnn) {
                        return release_serves(matrix, cudnn, build, board.capability, path);
                      }});
  }
  return result;
}

Tribool all_hold(const std::vector<Condition>& conditions, const Cudnn& cudnn) {
  auto result = Tribool::yes;
  for (const auto& condition : conditions) {
    const auto one = condition.holds(cudnn);
    if (one == Tribool::no) return one;
    if (one == Tribool::unknown) result = one;
  }
  return result;
}

/// The best that any release of the choice makes of the conditions.
Tribool best(const Matrix& matrix, const Build& build, const std::vector<Condition>& conditions) {
  auto result = Tribool::no;
  for (const auto row : build.cudnn_choices) {
    const auto one = all_hold(conditions, matrix->cudnns[row]);
    if (one == Tribool::yes) return one;
    if (one == Tribool::unknown) result = one;
  }
  return result;
}

}  // namespace

bool chooses_cudnn(const Query& query, const Build& build) {
  const bool from_official_image = query.base_value != no_value && query.base == Base::tensorflow;
  return !build.cudnn_choices.empty() && !from_official_image;
}

const Cudnn* chosen_cudnn(const Matrix& matrix, const Query& query, const Build& build, const matrix::Os* os) {
  auto conditions = conditions_of(matrix, query, build);
  if (os != nullptr) conditions.push_back(loads_on(os, no_value));
  const Cudnn* newest = nullptr;
  for (const auto row : build.cudnn_choices) {
    if (all_hold(conditions, matrix->cudnns[row]) == Tribool::yes) newest = &matrix->cudnns[row];
  }
  return newest;
}

Version least_glibc_of_choice(const Matrix& matrix, const Query& query, const Build& build) {
  const auto conditions = conditions_of(matrix, query, build);
  const auto wanted = best(matrix, build, conditions);
  Version least;
  for (const auto row : build.cudnn_choices) {
    const auto& cudnn = matrix->cudnns[row];
    const bool fits = wanted != Tribool::no && all_hold(conditions, cudnn) == wanted;
    if (fits && (!least || cudnn.glibc < least)) least = cudnn.glibc;
  }
  return least;
}

void each_choice_objection(const Matrix& matrix, const Query& query, const Build& build, const ChoiceObjection& object) {
  auto conditions = conditions_of(matrix, query, build);
  if (query.os != nullptr) conditions.push_back(loads_on(query.os, query.os_value));
  if (best(matrix, build, conditions) == Tribool::yes) return;
  struct Found {
    Tribool answer;
    ValueSet values;
  };
  std::vector<Found> found;
  // Smaller sets first; a set that holds one that falls as far says nothing new. Larger sets than these fall by one of them, but
  // for releases that were made so that no three of the conditions show it: then all of them are to blame together.
  const auto examine = [&](const std::vector<Condition>& some) {
    ValueSet values = 0;
    std::int16_t board = -1;
    for (const auto& condition : some) {
      values |= condition.value;
      if (condition.board >= 0) board = condition.board;
    }
    const auto answer = best(matrix, build, some);
    const bool told = std::any_of(found.begin(), found.end(), [&](const Found& other) {
      return (other.values & ~values) == 0 && (other.answer == Tribool::no || answer == Tribool::unknown);
    });
    if (answer == Tribool::yes || told) return;
    found.push_back({answer, values});
    object(answer, values, board);
  };
  const auto n = conditions.size();
  for (std::size_t a = 0; a < n; ++a) examine({conditions[a]});
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b) examine({conditions[a], conditions[b]});
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b)
      for (std::size_t c = b + 1; c < n; ++c) examine({conditions[a], conditions[b], conditions[c]});
  examine(conditions);
}

Tribool some_cudnn_serves(const Matrix& matrix, const Build& build, Capability capability, const CodePath& path) {
  if (build.cudnn_choices.empty()) return cudnn_serves(matrix, build, nullptr, capability, path);
  return best(matrix, build,
              {{0, -1, [&](const Cudnn& cudnn) { return release_serves(matrix, cudnn, build, capability, path); }}});
}

}  // namespace envgen::resolver
