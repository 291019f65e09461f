#pragma once

#include <string>

#include "inspect/inspected.hpp"
#include "util/table.hpp"

namespace envgen::inspect {

std::string inspected_text(const Inspected& inspected, const util::Terminal& terminal);
std::string inspected_json(const Inspected& inspected);

}  // namespace envgen::inspect
