#pragma once

#include <string>
#include <vector>

#include "diagnosis/pack/row.hpp"

namespace envgen::diagnosis::pack {

/// The C++ that defines `diagnosis::all()`.
std::string cpp_of(const std::vector<Row>& rows);

}  // namespace envgen::diagnosis::pack
