#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/options.hpp"
#include "model/version_spec.hpp"

namespace envgen::files {

/// A package whose releases an environment limits, and how that is said: `torch 2.6.0` `pins` `triton 3.2`.
struct Limit {
  std::string package;  ///< as PEP 503 normalises it; `python` for Python
  VersionSpec spec;
  std::string who;
  std::string_view does;
  std::string what;
};

/// The framework and the Python, what the environment needs and what `--pip` asks for, and what the framework's wheel requires.
/// conda has packages of its own, of which no wheel says anything.
std::vector<Limit> limits(const Inputs& inputs);

/// Whether no release satisfies both; false where only pip could say.
bool exclude_each_other(const VersionSpec& one, const VersionSpec& other);

/// Whether every release that satisfies the first is newer than all that satisfy the other.
bool is_newer(const VersionSpec& one, const VersionSpec& other);

/// What each clause of a requirement asks for, but those of another scheme, which pip understands (`2.0.0rc1`).
std::vector<VersionSpec> clauses_of(std::string_view requirement);

}  // namespace envgen::files
