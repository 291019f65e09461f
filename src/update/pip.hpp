#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/error.hpp"
#include "util/process.hpp"

namespace envgen::update {

/// From where, and how, pip fetches packages on this machine.
struct PipSettings {
  std::vector<std::string> indexes;  ///< http(s) URLs, without a slash at the end; they may hold a login
  std::string ca_bundle;             ///< empty: none is configured
  std::string proxy;                 ///< likewise
  std::vector<std::string> notes;    ///< what pip would look at besides, and envgen does not
};

using RunProgram = std::function<Expected<util::ProcessResult>(const std::vector<std::string>& argv)>;

/// Asks pip itself: its files, its variables, and the index that it takes where none is configured.
/// Errors (missing): no pip runs here; (bad_input): what it prints is not understood.
Expected<PipSettings> pip_settings(const RunProgram& run);

/// The same of this machine.
Expected<PipSettings> pip_settings();

}  // namespace envgen::update
