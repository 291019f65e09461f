#pragma once

#include <string_view>

#include "model/version.hpp"

namespace envgen::check {

enum class Relation { prefix, equal, unequal, less, at_most, greater, at_least, compatible };
struct Clause {
  Relation relation = Relation::prefix;
  bool wildcard = false;
  Version version;  ///< none: the clause is malformed
};

/// Cuts the text before `separator` off the front of `rest`; all of it where there is none. No spaces are left around it.
std::string_view cut(std::string_view& rest, char separator);

/// Cuts the first clause off the front of a specifier as it is written (`2.3`, `>=2.3,<2.5`, `==2.3.*`, `~=2.3.1`).
Clause cut_clause(std::string_view& specifier);

/// Whether a version satisfies a specifier by PEP 440; a bare version is a prefix. `least`: 0 compares whole versions; else each
/// clause sees only as many parts as it names itself, and at least so many: CUDA `>12.4` is a minor after 12.4. A malformed
/// specifier is satisfied by nothing.
bool satisfies(std::string_view specifier, Version version, int least = 0);

/// Whether every version that begins with `stated` satisfies it: a package that states cuDNN `8` brings one of them.
bool satisfied_by_all_under(std::string_view specifier, Version stated);

/// The largest number of parts that a clause names: 3 for `>=12.1.1,<13`.
int longest_clause(std::string_view specifier);

}  // namespace envgen::check
