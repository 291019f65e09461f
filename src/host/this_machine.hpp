#pragma once

#include <functional>

#include "host/probe.hpp"
#include "matrix/matrix.hpp"
#include "model/error.hpp"
#include "model/request.hpp"

namespace envgen::host {

/// Replaces every `auto` that this machine has to answer by what it has. `probe` asks the machine, and is called only if the
/// request says so. Errors: missing, with what was tried; usage, where a part of a host is `auto`.
Expected<Request> ask_this_machine(Request request, const matrix::Matrix& matrix, const std::function<Report()>& probe);

}  // namespace envgen::host
