#pragma once

#include "model/request.hpp"
#include "output/options.hpp"

namespace envgen::cli {

/// The request, which asks for devel where something that is to be installed compiles with nvcc; a remark says so.
/// Errors (usage): it asks for runtime.
Expected<Request> with_compiler(Request request, const output::Options& options);

}  // namespace envgen::cli
