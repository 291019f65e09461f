#pragma once

#include <string_view>
#include <vector>

#include "model/environment.hpp"
#include "model/error.hpp"

namespace envgen::project {

/// Reads what `uv pip compile --generate-hashes --no-header --no-annotate` prints: a package a line, `numpy==2.2.6`, and a line
/// for each hash; https://docs.astral.sh/uv/pip/compile/. Errors (bad_input), with the number of the line: another kind of
/// requirement, a package without a hash, the same package twice, none at all.
Expected<std::vector<Environment::Frozen::Package>> parse_tree(std::string_view text);

}  // namespace envgen::project
