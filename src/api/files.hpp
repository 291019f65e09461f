#pragma once

#include "files/file.hpp"
#include "matrix/matrix.hpp"
#include "model/say.hpp"
#include "project/lock.hpp"
#include "project/project_file.hpp"

namespace envgen::api {

/// The options with the extensions, the tools and the systems that are known.
files::Options with_packages(files::Options options, const matrix::Matrix& matrix);

/// ... and with what the mirror that they name has, where nothing else was said.
/// Errors (usage): there is no such mirror.
Expected<files::Options> with_facts(files::Options options, const matrix::Matrix& matrix);

/// The same for the options of a project file, which is what is wrong then (bad_input).
Expected<files::Options> project_options(const project::WrittenProject& project, const matrix::Matrix& matrix);

/// Tells what the mirror that was named lacks for this environment.
void say_what_is_not_mirrored(const files::Inputs& inputs, const Say& say);

/// What the files of a lock are made from. `options`: with what the facts say (`with_facts`); the lock and they must outlive it.
files::Inputs inputs_of(const project::Lock& lock, const files::Options& options, const project::WrittenProject& project,
                        const matrix::Matrix& matrix);

/// All files that a project asks for.
/// Errors (bad_input): an output that cannot be made of the environment, at its place in the project file; a tool that
/// the facts lack.
Expected<files::Files> files_of(const project::WrittenProject& project, const files::Inputs& inputs);

}  // namespace envgen::api
