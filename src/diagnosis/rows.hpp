#pragma once

#include <span>

#include "diagnosis/diagnosis.hpp"

namespace envgen::diagnosis {

/// What diagnoses/ holds, in the order of its subjects and of their files. The build makes it (pack/), so that nothing is read
/// when envgen starts.
std::span<const Diagnosis> rows();

}  // namespace envgen::diagnosis
