#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {

std::span<const Diagnosis> hardware_failures() { return {}; }

}  // namespace envgen::diagnosis
