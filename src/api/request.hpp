#pragma once

#include "files/options.hpp"
#include "matrix/matrix.hpp"
#include "model/error.hpp"
#include "model/request.hpp"
#include "model/say.hpp"

namespace envgen::api {

/// The request over that of a preset (empty: none). Errors: an unknown preset (usage); one that fixes no field (bad_input).
Expected<Request> with_preset(Request request, const std::string& preset, const matrix::Matrix& matrix);

/// The request, which asks for devel where something that is to be installed compiles with nvcc, and `say` is told so.
/// Errors (usage): it asks for runtime.
Expected<Request> with_compiler(Request request, const files::Options& options, const matrix::Matrix& matrix, const Say& say);

}  // namespace envgen::api
