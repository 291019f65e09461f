#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "host/probe.hpp"
#include "model/error.hpp"
#include "model/request.hpp"

namespace envgen::host {

/// What the facts know of what a machine may have.
struct Known {
  std::function<bool(std::string_view name)> board;  ///< whether a GPU has this name
  std::vector<std::uint16_t> branches;               ///< of drivers: 535
};

/// Replaces every `auto` that this machine has to answer by what it has. `probe` asks the machine, and is called only if the
/// request says so. Errors: missing, with what was tried; usage, where a part of a host is `auto`.
Expected<Request> ask_this_machine(Request request, const Known& known, const std::function<Report()>& probe);

}  // namespace envgen::host
