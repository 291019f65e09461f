#pragma once

#include "resolver/resolver.hpp"
#include "support/case_file.hpp"

namespace envgen::test {

/// An answer as lines for a file of cases: all that the resolver decides, with the ids of the sources that it names.
Lines answer_lines(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Resolution& answer);

/// What each value of a request removed, one a line.
Lines removal_lines(const resolver::Query& query, const std::vector<resolver::Removal>& removals);

}  // namespace envgen::test
