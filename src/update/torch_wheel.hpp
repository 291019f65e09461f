#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "inspect/metadata.hpp"
#include "model/version.hpp"
#include "update/source.hpp"

namespace envgen::update {

/// What the METADATA of a wheel of torch says of its build, as members of its row.
struct TorchBuild {
  std::string tag;  ///< `cu132`, `cpu`
  std::optional<std::string> cuda;
  Json row = Json::object();  ///< torch, tag, platform, cuda, and of the others those that it says
  Version triton_below;       ///< the Python from which on it asks for no Triton; none: it asks for it on all
  std::string triton;         ///< what it asks of Triton, as a specifier; empty: it asks for none
};

/// Whether a requirement holds on Linux on this platform, in some Python; what extras ask for does not.
bool holds_on(const inspect::Requirement& requirement, std::string_view platform);

/// The version of `==9.26.0.51`, without what follows the release number. nullopt: it is no such pin.
std::optional<std::string> pinned(std::string_view specifier);

/// Errors (network): it pins a library in a way that is not known, or another version stands in it than in its name.
Expected<TorchBuild> torch_build(const inspect::Metadata& metadata, const std::string& version, const std::string& platform,
                                 const std::string& origin);

}  // namespace envgen::update
