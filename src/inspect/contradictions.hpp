#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inspect/inspected.hpp"

namespace envgen::inspect {

/// Whether two texts name one version as PEP 440 reads them: `2.9.1` and `2.9.1+cu128` do, since one may leave the local part
/// out; `2.9.1+cu118` and `2.9.1+cu128` do not.
bool is_one_version(std::string_view a, std::string_view b);

/// What the file name of a wheel and its METADATA say differently, in words.
std::vector<std::string> contradictions_of_name(const std::string& origin, const Metadata& metadata);
/// What METADATA of torch and its version.py say differently, and what version.py says against itself.
std::vector<std::string> contradictions_of(const Inspected& inspected, const std::vector<TorchBuild>& builds);

}  // namespace envgen::inspect
