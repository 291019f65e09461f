#pragma once

#include <string>
#include <vector>

#include "validate/report.hpp"
#include "validate/seen.hpp"

/// The report of what a run saw: by that and by what was asked for alone, without an engine and without a file.
namespace envgen::validate {

/// Of an image. `left`: the containers of the run that the engine did not remove.
Report judge_image(const Options& options, const ImageSeen& seen, const std::vector<container::Left>& left);
/// Of the environment that envgen itself is in.
Report judge_here(const Options& options, const ProgramsSeen& seen);

/// What both have: the report with what envgen-bench and Python told. `locked`: what it is compared with; null: nothing.
/// `outside`: what is known of the container from outside; null: there is none.
Report judge_programs(const Options& options, const ProgramsSeen& seen, const LockedTo* locked, const OutsideIpc* outside);

/// More than GPUs was asked for, in place of a lock.
bool asks_for_versions(const Options& options);

/// Why a check that has no result was not made.
std::string why_not_made(const Options& options, const ImageSeen& seen, const Check& check);
std::string why_not_made_here(const Options& options, const ProgramsSeen& seen, const Check& check);

}  // namespace envgen::validate
