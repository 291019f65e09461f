#pragma once

#include <string>
#include <vector>

#include "files/options.hpp"

/// A registry may give a tag to another image tomorrow; a digest names one.
namespace envgen::files {

/// The image with the digest that the lock has for it, `debian:12-slim@sha256:...`; as it is where the lock has none.
std::string with_digest(const Environment& environment, const std::string& image);

/// The images without a digest of their own that the files name: what Dockerfiles start from, and what the jobs of a workflow run
/// in.
std::vector<std::string> images_by_tag(const Inputs& inputs);

}  // namespace envgen::files
