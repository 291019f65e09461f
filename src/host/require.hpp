#pragma once

#include <string>
#include <vector>

#include "host/probe.hpp"
#include "model/error.hpp"

namespace envgen::host {

/// The value that `--driver auto` stands for. Error (missing): this machine has none; the message lists what was tried.
/// `where`: what asked for it, for the error to name.
Expected<DriverVersion> require_driver(const Report& report, const std::string& where);

/// The values that `--gpu auto` stands for, never empty. Error (missing): as above.
Expected<std::vector<Gpu>> require_gpus(const Report& report, const std::string& where);

}  // namespace envgen::host
