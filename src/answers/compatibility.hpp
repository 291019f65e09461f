#pragma once

#include <string>

#include "matrix/matrix.hpp"

namespace envgen::answers {

/// The page for people who look up what fits what, as Markdown: the wheels of PyTorch, GPUs by capability, CUDA and drivers.
std::string compatibility_page(const matrix::Matrix& matrix);

}  // namespace envgen::answers
