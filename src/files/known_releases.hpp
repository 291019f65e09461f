#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/options.hpp"
#include "model/version.hpp"

/// Packages of pip whose releases are known, with what each requires: rows of extensions.json.
namespace envgen::files {

/// Errors (usage): no release that a requirement allows fits this environment, by what its metadata requires. pip would find no
/// solution, or replace the framework.
Expected<void> check_known_releases(const Inputs& inputs);

/// The same where it is open: nothing is known of the releases that a requirement allows, or a later one may fit. A line each,
/// for the head of a file.
std::vector<std::string> known_releases_notes(const Inputs& inputs);

/// The releases of a package that fit this environment, the newest first, as pip writes them. None: its releases are not known.
std::optional<std::vector<std::string>> releases_that_fit(const Inputs& inputs, const std::string& package);

/// The newest release that a requirement allows and that fits this environment, as `release_number` has it; none: none is known.
Version newest_that_fits(const Inputs& inputs, std::string_view requirement);

}  // namespace envgen::files
