#pragma once

#include <functional>

#include "resolver/predicates.hpp"
#include "resolver/query.hpp"

/// The cuDNN of a build that leaves pip a range of it: `tensorflow[and-cuda]` from 2.20 on asks for `<10.0,>=9.3.0.75`. pip alone
/// takes the newest, which may have dropped the GPU (9.11 and later begin at 7.5); so the release is chosen here and pinned.
namespace envgen::resolver {

/// True when the request leaves that choice: a build that has one, and not as an official image, which brings its own cuDNN.
bool chooses_cudnn(const Query& query, const matrix::Build& build);

/// The newest release of the choice that is what was asked for, loads on `os` (null: on any) and serves each board. None: there
/// is none that is known to.
const matrix::Cudnn* chosen_cudnn(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build,
                                  const matrix::Os* os);

/// The least glibc that a release of the choice needs which fits the request; none: there is no such release.
Version least_glibc_of_choice(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build);

/// Each smallest set of requested values (cuDNN, system, boards) that no release of the choice satisfies, with the answer (no or
/// unknown) and the index of one of its boards (-1: none).
using ChoiceObjection = std::function<void(matrix::Tribool answer, ValueSet values, std::int16_t board)>;
void each_choice_objection(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build,
                           const ChoiceObjection& object);

/// Whether some cuDNN that the build may have serves the GPU, whatever the system.
matrix::Tribool some_cudnn_serves(const matrix::Matrix& matrix, const matrix::Build& build, Capability capability,
                                  const CodePath& path);

}  // namespace envgen::resolver
