#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/error.hpp"

namespace envgen::inspect {

/// One `Requires-Dist` (PEP 508): `nvidia-cudnn-cu12==9.10.2.21; platform_system == "Linux"`.
struct Requirement {
  std::string name;     ///< small letters, words joined by `-` (PEP 503)
  std::string extras;   ///< `cudart,nvrtc`; empty: none
  std::string version;  ///< PEP 440 clauses without spaces, `==9.10.2.21`, or `@ URL`; empty: any
  std::string marker;   ///< as it is written, `platform_system == "Linux"`; empty: always

  friend bool operator==(const Requirement&, const Requirement&) = default;
};

/// What a package says of itself (core metadata: METADATA of a wheel).
struct Metadata {
  std::string name;     ///< as it is written: `torch`
  std::string version;  ///< with its local part: `2.9.1+cu128`
  std::string requires_python;
  std::vector<Requirement> requires_dist;

  /// What it asks of `name`, a normalised name; none where it does not name it.
  const Requirement* requirement(std::string_view wanted) const;
};

/// PEP 503: `Nvidia_cuDNN.cu12` is `nvidia-cudnn-cu12`.
std::string normalised_name(std::string_view name);

/// Errors (bad_input): a line that is none of PEP 508.
Expected<Requirement> parse_requirement(std::string_view text, const std::string& origin);

/// `origin` names the text in errors. Errors (bad_input): no name or no version, or one that is none; a requirement that cannot
/// be read; a control character.
Expected<Metadata> parse_metadata(std::string_view text, const std::string& origin);

/// The values of each `field: value` line before the first blank one, folded lines joined, in their order.
std::vector<std::string> header_values(std::string_view text, std::string_view field);

}  // namespace envgen::inspect
