#pragma once

#include <memory>

#include "matrix/loader.hpp"

namespace envgen::bench {

/// The matrix of the repository with `builds` synthetic torch builds in place of the real ones, loaded through a temporary
/// folder. Every hundredth of them has code for capability 12.0.
std::unique_ptr<matrix::Block> large_matrix(int builds);

}  // namespace envgen::bench
