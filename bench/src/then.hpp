#pragma once

#include "json.hpp"
#include "options.hpp"
#include "time_budget.hpp"

namespace envgen::bench {

/// Runs what the options name to run after the tests (`Options::then`): the first of the programs that PATH has, with their
/// arguments, under the time limit of a test; where less than that is left it is not started. Null: nothing was asked for. `end`
/// is `not-there`, `exited`, `killed`, `timed-out` or `not-started`; of its output the first MiB is kept, of its error output the
/// last 4 KiB.
Json run_then(const Options& options, const TimeBudget& budget);

/// Makes the file that the options name (`Options::touch`), with nothing in it. Null: none was asked for.
Json touch(const Options& options);

}  // namespace envgen::bench
