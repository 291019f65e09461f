#pragma once

#include <string>

#include "options.hpp"
#include "runner.hpp"

namespace envgen::bench {

/// The report for people: what is here, one line a test, and what follows from it.
std::string report_text(const Report& report, const Options& options);

}  // namespace envgen::bench
