#pragma once

#include <span>
#include <string>

#include "files/options.hpp"
#include "matrix/matrix.hpp"
#include "model/error.hpp"
#include "model/request.hpp"
#include "model/say.hpp"
#include "project/outputs_json.hpp"

namespace envgen::api {

/// The request over that of a preset (empty: none). Errors: an unknown preset (usage); one that fixes no field (bad_input).
Expected<Request> with_preset(Request request, const std::string& preset, const matrix::Matrix& matrix);

/// The request with what the outputs `made` (their names) add to it: devel, where something that is to be installed compiles with
/// nvcc, which `say` is told; podman, where the options generate for it; no engine, where none of them has a container and an
/// image could have a say in the driver.
/// Errors (usage): something compiles, and the request asks for runtime.
Expected<Request> with_outputs(Request request, const files::Options& options, std::span<const std::string> made,
                               const matrix::Matrix& matrix, const Say& say);
/// The same of all outputs of a project.
Expected<Request> with_outputs(Request request, const project::WrittenOutputs& outputs, const matrix::Matrix& matrix,
                               const Say& say);

}  // namespace envgen::api
