#pragma once

#include <string>
#include <vector>

#include "resolver/resolver.hpp"

namespace envgen::render {

/// A conflict in prose, one sentence a line: "Because ... and ..., ...".
std::vector<std::string> proof_lines(const matrix::Matrix& matrix, const resolver::Query& query,
                                     const resolver::Conflict& conflict);

/// `with torch 2.7.0 instead of 2.4.1 and without gpu 5090`.
std::string changes_text(const std::vector<resolver::Change>& changes);

/// The name of a build as people say it: `torch 2.3.1+cu121`.
std::string build_label(const matrix::Build& build);

}  // namespace envgen::render
