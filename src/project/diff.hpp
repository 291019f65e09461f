#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "project/lock.hpp"
#include "util/json_writer.hpp"

namespace envgen::project {

/// One thing that two locks say differently.
struct Difference {
  std::string field;  ///< its path in the lock, list items by their name: `environment.driver.minimum`, `pins.setuptools`
  std::optional<std::string> from, to;  ///< none: not there
  std::string text;                     ///< the sentence for a reader
  /// False where the environment is the same all the same: the facts' revision, the wording of a reason.
  bool matters = true;
};

/// What changed from `before` to `after`: the request first, then the environment, last what does not matter.
/// Empty: they hold the same. The order of lists is no difference.
std::vector<Difference> differences(const Lock& before, const Lock& after);

/// True when one of them matters.
bool any_matters(std::span<const Difference> differences);

/// A list of `{"field", "from", "to", "matters", "text"}`.
void write_differences(util::JsonWriter& json, std::span<const Difference> differences);

}  // namespace envgen::project
