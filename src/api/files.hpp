#pragma once

#include "output/file.hpp"
#include "project/lock.hpp"
#include "project/project_file.hpp"

namespace envgen::api {

/// All files that a project asks for, made from its lock. `options`: the project's, with what its mirror has (`project_options`).
/// Errors (bad_input): an output that cannot be made of the environment, at its place in the project file.
Expected<output::Files> files_of(const project::WrittenProject& project, const output::Options& options,
                                 const project::Lock& lock);

}  // namespace envgen::api
