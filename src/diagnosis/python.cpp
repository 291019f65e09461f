#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {

std::span<const Diagnosis> python_failures() { return {}; }

}  // namespace envgen::diagnosis
