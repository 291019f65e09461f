#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "host/probe.hpp"
#include "model/error.hpp"
#include "model/request.hpp"

namespace envgen::host {

/// What the facts know of what a machine may have.
struct Known {
  std::function<bool(std::string_view name)> board;  ///< whether a GPU has this name
};

/// The container engine of this machine.
struct FoundEngine {
  Engine engine = Engine::docker;
  std::string origin;  ///< `docker 29.2.1, with CDI devices nvidia.com/gpu`
};

/// What asks the machine; each is called only if the request says so.
struct Questions {
  std::function<Report()> probe;                  ///< GPUs, driver, system
  std::function<Expected<FoundEngine>()> engine;  ///< errors (missing): there is none
};

/// Replaces every `auto` that this machine has to answer by what it has. Errors: missing, with what was tried; usage, where a
/// part of a host is `auto`; those of the questions.
Expected<Request> ask_this_machine(Request request, const Known& known, const Questions& questions);

}  // namespace envgen::host
