#pragma once

#include <string_view>

#include "model/version_spec.hpp"

namespace envgen::matrix {

/// What a wheel asks of a version, as wheels write it: `==2.0.0+cu117` and `==8.6.1.post1` are read without what follows the
/// release number. Errors: those of VersionSpec.
Expected<VersionSpec> wheel_spec(std::string_view text);

}  // namespace envgen::matrix
