#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/file.hpp"
#include "files/options.hpp"

/// A dependency tree that `envgen lock --freeze` fixed, every package by version and by the hashes of its
/// files, every image by its digest: a registry may give a tag to another image tomorrow.
namespace envgen::files {

/// The file with the tree, beside the one that installs it.
inline constexpr std::string_view frozen_file = "requirements.frozen.txt";

/// Errors (usage): a tree of such an environment cannot be frozen, for it is not pip's or uv's alone.
Expected<void> check_freezable(const Environment& environment);

/// What a tree is made for: the framework, the pins, and what was asked for of pip besides. What compiles when it is installed
/// has no files to know in advance, and stays out.
std::vector<std::string> frozen_requirements(const Inputs& inputs);

/// Errors (differs): the environment's tree was made for other requirements.
Expected<void> check_frozen(const Inputs& inputs);

/// A line for pip: `numpy==2.2.6 --hash=sha256:...`, one for each package; and the file of them.
std::vector<std::string> frozen_lines(const Environment::Frozen& frozen);
Expected<File> frozen_requirements_file(const Inputs& inputs);

/// The image with the digest that the lock has for it, `debian:12-slim@sha256:...`; as it is where the lock has none.
std::string with_digest(const Environment& environment, const std::string& image);

/// The images without a digest that the files name: what Dockerfiles start from, and what jobs of a workflow run in.
std::vector<std::string> images_by_tag(const Inputs& inputs);

}  // namespace envgen::files
