#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "matrix/tables.hpp"

namespace envgen::test {

/// The JSON schema of a matrix file: the fields of its tables, and of `forms` (matrix/schema/forms.json) what these look like.
nlohmann::ordered_json schema_of(std::string_view file, const nlohmann::ordered_json& forms);

/// The fields of all tables as matrix/README.md shows them.
std::string fields_for_people(const nlohmann::ordered_json& forms);

}  // namespace envgen::test
