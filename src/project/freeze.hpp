#pragma once

#include <string_view>
#include <vector>

#include "files/options.hpp"
#include "model/environment.hpp"
#include "model/error.hpp"
#include "model/say.hpp"

namespace envgen::project {

/// The whole dependency tree of an environment and of what the options ask for of pip, for any machine with its Python and
/// platform: `uv pip compile` finds it. It asks the package index that the options name, else the one that uv is configured with,
/// else pip's. Errors: usage (the environment is not pip's or uv's), missing (no uv here), bad_input (uv finds no tree, and its
/// words; or one that is not understood). `say` is told what takes a while.
Expected<Environment::Frozen> freeze(const Environment& environment, const files::Options& options, const Say& say);

/// The images that the files name with the digests that an older lock has of them; the others go by their tags, which `say` is
/// told. None where that lock has none.
std::vector<Environment::Frozen::Image> kept_images(const Environment::Frozen& old, const files::Inputs& inputs, const Say& say);

/// True when a tree that was frozen for `old` serves `fresh`, too.
bool still_frozen(const Environment& old, const Environment& fresh, const files::Options& options);

/// Reads what `uv pip compile --generate-hashes --no-header --no-annotate` prints: a package a line, `numpy==2.2.6`, and a line
/// for each hash; https://docs.astral.sh/uv/pip/compile/. Errors (bad_input), with the number of the line: another kind of
/// requirement, a package without a hash, the same package twice, none at all.
Expected<std::vector<Environment::Frozen::Package>> parse_tree(std::string_view text);

}  // namespace envgen::project
