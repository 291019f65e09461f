#pragma once

#include <functional>
#include <vector>

#include "resolver/query.hpp"

namespace envgen::resolver {

/// Builds that fall for the same reasons and may be put in the same places: what is true of one is true of all, so a proof over
/// many builds thinks about each kind once.
struct Kind {
  std::vector<const matrix::Build*> builds;  ///< in the order of preference, at least one
  std::vector<Objection> objections;         ///< what the judge has against each of them
};

/// The builds that `considered` lets through, judged (`allow_forward`: as `judge` has it) and sorted into kinds. The kinds come
/// in the order of their first builds.
std::vector<Kind> kinds_of(const matrix::Matrix& matrix, const Query& query, bool allow_forward,
                           const std::function<bool(const matrix::Build&)>& considered);

}  // namespace envgen::resolver
