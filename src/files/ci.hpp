#pragma once

#include "files/file.hpp"
#include "files/options.hpp"

namespace envgen::files {

/// A workflow: the lock and the files are current, the image builds, and validates; beside it the same on a runner with GPUs,
/// where a variable says that there is one. A project without a Dockerfile proves what its setup.sh makes.
///
/// github: `.github/workflows/envgen.yml`. The GPU's runner has the labels `self-hosted` and `gpu` where none are named.
/// gitlab: `.gitlab/envgen.gitlab-ci.yml`, which a project's own `.gitlab-ci.yml` includes; where there is none, it is proposed.
/// The GPU's runner has the tag `gpu` where none is named.
///
/// Errors (usage): no service is named; the project makes neither a Dockerfile nor a setup.sh.
Expected<Files> ci(const Inputs& inputs);

/// The images that the jobs run in, as they are named without a digest; those of GitHub run in none.
std::vector<std::string> ci_images(const Inputs& inputs);

}  // namespace envgen::files
