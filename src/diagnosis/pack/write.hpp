#pragma once

#include <string>
#include <vector>

#include "diagnosis/pack/row.hpp"

namespace envgen::diagnosis::pack {

/// The C++ that defines `diagnosis::rows()`.
std::string cpp_of(const std::vector<Row>& rows);

}  // namespace envgen::diagnosis::pack
