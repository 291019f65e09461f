#pragma once

#include <vector>

#include "resolver/predicates.hpp"
#include "resolver/query.hpp"
#include "resolver/solution.hpp"

namespace envgen::resolver {

/// Whether a build can be an answer, before it is put anywhere.
struct Verdict {
  matrix::Answer answer = matrix::Answer::yes;
  std::uint8_t carried_by = 0;
  DriverVersion minimum;
  bool forward = false;
};

/// True when the build belongs to what the request chooses from: what the defaults leave out was never asked for.
bool in_domain(const Query& query, const matrix::Build& build);

/// Judges a build against every value of the request. Without `findings` it stops at the first "no"; with them, it collects
/// every reason for a "no" and every missing fact.
Verdict judge(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build, bool allow_forward,
              std::vector<Finding>* findings);

/// The companions of a build that the request allows, and the Pythons that are left.
struct Companions {
  const matrix::Companion* torchvision = nullptr;
  const matrix::Companion* torchaudio = nullptr;
  PythonSet pythons;  ///< empty: nothing fits
};
Companions choose_companions(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build);

/// The oldest driver that this request needs for the build on a machine, and what it must be able to do.
bool needs_jit(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build, const Machine& machine);

}  // namespace envgen::resolver
