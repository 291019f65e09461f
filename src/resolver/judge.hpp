#pragma once

#include <vector>

#include "resolver/predicates.hpp"
#include "resolver/query.hpp"
#include "resolver/solution.hpp"

namespace envgen::resolver {

/// Whether a build can be an answer, before it is put anywhere.
struct Verdict {
  matrix::Tribool answer = matrix::Tribool::yes;
  DriverVersion minimum;
  bool jit = false;      ///< a board has no machine code: the driver compiles PTX for it
  bool forward = false;  ///< cuda-compat is needed
};

/// True when the build belongs to what the request chooses from: what the defaults leave out was never asked for.
bool in_domain(const Query& query, const matrix::Build& build);
/// The same, whichever framework it is a build of.
bool in_domain_of_any_framework(const Query& query, const matrix::Build& build);

/// Judges a build against every value of the request. Without `objections` it stops at the first "no"; with them, it collects
/// every reason for a "no" and every missing fact.
Verdict judge(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build, bool allow_forward,
              std::vector<Objection>* objections);

/// True when the driver of a machine has to compile PTX: because of `--ptx`, or because a board has no machine code.
bool needs_jit(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build, const AskedMachine& machine);

/// The Pythons that a build may be used with: those asked for; else the regular ones, or what there is.
PythonSet wanted_pythons(const Query& query, const matrix::Build& build);
/// The same, had no Python been asked for.
PythonSet default_pythons(const matrix::Build& build);

/// The Pythons for which a build and the wheel of its companion are on the same index.
PythonSet pythons_of(const matrix::Companion& row, const matrix::Build& build);

/// The newest of these whose wheel asks for the build's torch and fits its CUDA so; none: there is none.
const matrix::Companion* newest_companion(const matrix::List<matrix::Companion>& rows, const matrix::Build& build,
                                          const VersionSpec& among, matrix::Tribool fitting = matrix::Tribool::yes);

/// The torchvision (or torchaudio) that goes with a build: the release's own, or, where the request asks for another, the
/// newest one that declares this torch. Null: there is none, or its row is missing.
const matrix::Companion* torchvision_of(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build);
const matrix::Companion* torchaudio_of(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build);

/// The companions of a build that the request allows, and which of `pythons` are left with them.
struct Companions {
  const matrix::Companion* torchvision = nullptr;
  const matrix::Companion* torchaudio = nullptr;
  PythonSet pythons;  ///< empty: nothing fits
};
Companions choose_companions(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build, PythonSet pythons);

}  // namespace envgen::resolver
