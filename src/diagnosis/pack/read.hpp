#pragma once

#include <filesystem>
#include <vector>

#include "diagnosis/pack/row.hpp"
#include "util/json_cell.hpp"

namespace envgen::diagnosis::pack {

/// The rows of a folder such as diagnoses/: subjects.json names the subjects in their order, and each has a file of its own. What
/// is not as diagnoses/schema says is told, and so is a file that no subject names.
std::vector<Row> read(const std::filesystem::path& folder, util::Problems& problems);

}  // namespace envgen::diagnosis::pack
