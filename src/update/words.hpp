#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "update/merge.hpp"

namespace envgen::update {

/// What people call a row: `torch 2.15.0 cu132 linux-x86_64`, `cuDNN 9.28.1.4`. What others wrote of it is made visible.
std::string name_of_row(const matrix::Table& table, const Json& row);

/// What people call a field: `NCCL`, `Python on the package index` of `package_index.pythons`.
std::string label_of(std::string_view path);

/// A value as people read it: `3.11, 3.12`, `null`, `yes`. Long ones are cut.
std::string value_text(const Json& value);

/// The changes in lines: `torch 2.16.0: new, CUDA 13.0 (default), 13.2; Python 3.11 to 3.15`. What happens to both platforms
/// alike, or to many rows of a table, is one line.
std::vector<std::string> lines_of(std::span<const Change> changes);

}  // namespace envgen::update
