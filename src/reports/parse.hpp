#pragma once

#include <string>

#include "model/error.hpp"
#include "validate/report.hpp"

namespace envgen::reports {

/// A saved report: what `json` wrote, or envgen-bench (its tests are then the results). `name` is the file, for messages. Nothing
/// of it is believed unseen: texts are bounded, and lose what a terminal would obey.
/// Errors (bad_input), each saying what is wrong: no JSON or cut short, of another program, a newer version's, a member that is
/// missing or of a wrong type, results that contradict the summary.
Expected<validate::Report> parse_report(const std::string& text, const std::string& name);
/// The same of a file. Errors (bad_input): it cannot be read, or is larger than 64 MiB.
Expected<validate::Report> read_report(const std::string& file);

}  // namespace envgen::reports
