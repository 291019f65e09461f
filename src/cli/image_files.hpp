#pragma once

#include <array>
#include <string>
#include <string_view>

#include "inspect/inspected.hpp"
#include "model/error.hpp"

namespace envgen::cli {

/// Whose image is meant, for `--engine`: `auto` is docker, else podman.
inline constexpr std::array<std::string_view, 3> image_engines{"auto", "docker", "podman"};

/// `registry:5000/name:tag@sha256:...`, or an id. What begins with `-` would be an option of the engine.
bool is_image_name(const std::string& text);

/// What an image holds. No container of it is started: one is made, so that the engine hands out its files, and removed.
/// Errors: usage; missing (no engine, no such image); bad_input; interrupted.
Expected<inspect::Inspected> inspect_image(const std::string& name, std::string_view engine);

}  // namespace envgen::cli
