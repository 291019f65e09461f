#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {

std::span<const Diagnosis> image_failures() { return {}; }

}  // namespace envgen::diagnosis
