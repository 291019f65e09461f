#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {

std::span<const Diagnosis> compiler_failures() { return {}; }

}  // namespace envgen::diagnosis
