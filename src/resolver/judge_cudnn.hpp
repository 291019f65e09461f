#pragma once

#include "resolver/court.hpp"
#include "resolver/predicates.hpp"

/// What a request makes of a build's cuDNN. Each returns true when the judge may stop.
namespace envgen::resolver {

/// The cuDNN that was asked for; and where the build has a choice of it, whether one release serves the boards on the system.
bool judge_cudnn(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build, Court& court);

/// Whether the cuDNN that the build states serves the board. `path`: how the board runs the build.
bool judge_cudnn_of_board(const matrix::Matrix& matrix, const Query& query, const matrix::Build& build, std::size_t board,
                          const CodePath& path, Court& court);

}  // namespace envgen::resolver
