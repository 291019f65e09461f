#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/error.hpp"
#include "model/version_spec.hpp"

/// Requirements of pip, such as `Flash_Attn[extra]>=2,<3`.
namespace envgen::files {

/// The name of a requirement as PEP 503 normalises it: `Flash_Attn>=2` is `flash-attn`.
std::string requirement_name(std::string_view requirement);
/// What it asks of the release: `>=2`; empty: nothing.
std::string_view requirement_spec(std::string_view requirement);
/// The clauses of that, without the spaces around each.
std::vector<std::string_view> requirement_clauses(std::string_view requirement);
/// The same as a range of the numbers below. Errors: it has what no such number has (`rc1`, a local version).
Expected<VersionSpec> requirement_range(std::string_view requirement);
/// `0.0.29.post1` as a number that stands after 0.0.29: 0.0.29.1. None: it is no release.
Version release_number(std::string_view release);

/// Whether a range holds for some number from one on and before the other; none: no end.
bool reaches(const VersionSpec& range, Version from, Version end);

/// One requirement of each package, where the package is first named: pip before 20.3 refuses two ("Double requirement given").
std::vector<std::string> one_each(std::vector<std::string> requirements);

}  // namespace envgen::files
