#pragma once

#include <string>
#include <vector>

#include "model/environment.hpp"
#include "model/error.hpp"
#include "model/say.hpp"

namespace envgen::container {

/// `sha256:...`: what the registry has under this name now, by the client that can tell (docker with buildx, docker alone,
/// skopeo), else what was pulled here under it. No engine has to run for the registry. `architecture`: as images name it,
/// `amd64`; a client that tells the digests of the platforms apart is taken at that one. Errors (missing): no client is here, or
/// none can tell; what each said is a hint. Interrupted.
Expected<std::string> find_digest(const std::string& image, const std::string& architecture);

/// The digests of these images for a platform; an image whose digest no client can tell has none, and `say` is told why its files
/// go by the tag. Errors: interrupted.
Expected<std::vector<Environment::Frozen::Image>> find_digests(const std::vector<std::string>& names, Platform platform,
                                                               const Say& say);

/// Their answers. Errors (missing): it cannot be read, or holds no digest.
Expected<std::string> parse_imagetools(const std::string& text);
Expected<std::string> parse_manifest_inspect(const std::string& text, const std::string& architecture);
Expected<std::string> parse_repo_digests(const std::string& text, const std::string& image);

}  // namespace envgen::container
