#pragma once

#include <string>
#include <vector>

#include "matrix/matrix.hpp"
#include "model/environment.hpp"
#include "model/request.hpp"

/// A second opinion on every answer. It shares no code with the resolver: it reads the texts of the request and of the
/// environment itself, looks each value up in the facts, and holds no notion of how a choice is made.
namespace envgen::check {

/// What is wrong with an answer, one line of prose each, naming the fact; empty: it holds.
/// The environment must be what the resolver made of the request from this matrix.
std::vector<std::string> violations(const matrix::Matrix& matrix, const Request& request, const Environment& environment);

}  // namespace envgen::check
