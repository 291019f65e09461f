#pragma once

#include <string>

#include "model/environment.hpp"

namespace envgen {

/// The drivers of an asked range that work, as `--driver` takes them: what is asked where it is narrower than the environment's
/// own range, else that one's bounds. A branch or a release by itself works as it was asked for.
std::string working_drivers(const std::string& asked, const Environment::DriverRange& range);

/// Every driver that was asked for works: none of the branch or range is older than the minimum, or later than the last branch.
bool works_as_asked(const std::string& asked, const Environment::DriverRange& range);

/// A release or a branch that works as an exception: its branch is older than that of the minimum, and the gate of the image
/// names it.
bool below_minimum(const std::string& asked, const Environment::DriverRange& range);

/// Of Windows, whose releases have numbers of their own, by branches: `525 or newer`, `525 to branch 580`. There must be a
/// minimum.
std::string windows_branches(const Environment::DriverRange& range);

}  // namespace envgen
