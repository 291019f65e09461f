#pragma once

#include <string>
#include <vector>

#include "diagnosis/recognise.hpp"
#include "util/json_writer.hpp"
#include "util/table.hpp"

namespace envgen::diagnosis {

/// For people: what was found, each with the line that shows it (where a log does), its cause, its fix, what to run, and where it
/// is known from.
std::string findings_text(const std::vector<Finding>& findings, const util::Terminal& terminal);

/// One object; `evidence` is null where no log showed it.
void write_finding(util::JsonWriter& json, const Finding& finding);

}  // namespace envgen::diagnosis
