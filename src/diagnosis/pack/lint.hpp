#pragma once

#include <vector>

#include "diagnosis/pack/row.hpp"
#include "util/json_cell.hpp"

namespace envgen::diagnosis::pack {

/// What is wrong with rows whose shape is right: their ids, what they say of each other, and their patterns.
void lint(const std::vector<Row>& rows, util::Problems& problems);

}  // namespace envgen::diagnosis::pack
