#pragma once

#include <string>

#include "resolver/resolver.hpp"
#include "util/table.hpp"

namespace envgen::answers {

/// An environment as a table: each value with its reason and its source, then pins and warnings.
std::string environment_text(const Environment& environment, const util::Terminal& terminal);
/// One line: what tells environments apart in a list.
std::string environment_line(const Environment& environment);
/// The proof, its facts, and the nearest environments.
std::string conflict_text(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Conflict& conflict,
                          const util::Terminal& terminal);
std::string unknown_text(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Unknown& unknown,
                         const util::Terminal& terminal);
/// One paragraph where the facts of the user were used: which layers, and how old they are. Else nothing.
std::string layers_text(const matrix::Matrix& matrix, const util::Terminal& terminal);
/// `--explain`: what each requested value removed.
std::string removals_text(const resolver::Query& query, const std::vector<resolver::Removal>& removals,
                          const util::Terminal& terminal);

}  // namespace envgen::answers
