#pragma once

#include "matrix/matrix.hpp"
#include "model/say.hpp"
#include "output/file.hpp"
#include "project/lock.hpp"
#include "project/project_file.hpp"

namespace envgen::api {

/// The options with the extensions and the tools that are known.
output::Options with_packages(output::Options options, const matrix::Matrix& matrix);

/// ... and with what the mirror that they name has, where nothing else was said.
/// Errors (usage): there is no such mirror.
Expected<output::Options> with_facts(output::Options options, const matrix::Matrix& matrix);

/// The same for the options of a project file, which is what is wrong then (bad_input).
Expected<output::Options> project_options(const project::WrittenProject& project, const matrix::Matrix& matrix);

/// Tells what the mirror that was named lacks for this environment.
void say_what_is_not_mirrored(const output::Subject& subject, const Say& say);

/// All files that a project asks for, made from its lock. `options`: the project's, with what the facts say (`project_options`).
/// Errors (bad_input): an output that cannot be made of the environment, at its place in the project file; a tool that
/// the facts lack.
Expected<output::Files> files_of(const project::WrittenProject& project, const output::Options& options,
                                 const project::Lock& lock);

}  // namespace envgen::api
