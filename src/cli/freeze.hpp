#pragma once

#include "output/options.hpp"

namespace envgen::cli {

/// The whole dependency tree of an environment and of what the options ask for of pip, for any machine with its Python and
/// platform: `uv pip compile` finds it. It asks the package index that the options name, else the one that uv is configured with,
/// else pip's. Errors: usage (the environment is not pip's or uv's), missing (no uv here), bad_input (uv finds no tree, and its
/// words; or one that is not understood).
Expected<Environment::Frozen> freeze(const Environment& environment, const output::Options& options);

/// The images that the files name, each with the digest that a client of registries tells (container::find_digest); where none
/// can, that is said on standard error, and the files go by the tag. `made`: the names of the outputs that the project makes.
/// Errors: interrupted.
Expected<std::vector<Environment::Frozen::Image>> freeze_images(const output::Subject& subject);

/// Those of them whose digest an older lock has; the others go by their tags, which is said. None where that lock has none.
std::vector<Environment::Frozen::Image> kept_images(const Environment::Frozen& old, const output::Subject& subject);

/// True when a tree that was frozen for `old` serves `fresh`, too.
bool still_frozen(const Environment& old, const Environment& fresh, const output::Options& options);

}  // namespace envgen::cli
