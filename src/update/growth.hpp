#pragma once

#include <string_view>

#include "update/source.hpp"

namespace envgen::update {

/// Whether a value that is known may become the one that a source states: some fields tell what was published so far, and grow as
/// more is published. `path`: the field, or `field.member`. Values that are not of that kind are no growth.
bool may_become(const matrix::Table& table, std::string_view path, const Json& known, const Json& stated);

}  // namespace envgen::update
