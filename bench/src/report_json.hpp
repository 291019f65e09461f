#pragma once

#include "json.hpp"
#include "options.hpp"
#include "runner.hpp"

namespace envgen::bench {

/// The report as schema/bench.schema.json describes it.
Json report_json(const Report& report, const Options& options);

}  // namespace envgen::bench
