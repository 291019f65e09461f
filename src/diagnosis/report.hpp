#pragma once

#include <string>
#include <vector>

#include "diagnosis/recognise.hpp"
#include "util/json_writer.hpp"
#include "util/table.hpp"

namespace envgen::diagnosis {

/// For people: what was found, each with the line that shows it (where a log does), its cause, its fix, what to run, and where it
/// is known from. In the commands stands what the log names (GPU, TORCH, DRIVER).
std::string findings_text(const std::vector<Finding>& findings, const util::Terminal& terminal, const Seen& seen = {});

/// One object; `evidence` is null where no log showed it.
void write_finding(util::JsonWriter& json, const Finding& finding, const Seen& seen = {});

/// What a log names, null where it names nothing or two different things.
void write_seen(util::JsonWriter& json, const Seen& seen);

}  // namespace envgen::diagnosis
