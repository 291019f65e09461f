#pragma once

#include <string>

#include "answers/usage.hpp"
#include "resolver/resolver.hpp"
#include "util/table.hpp"

/// Answers for people. The short form of each fits a terminal of 80 columns and 24 lines; what it leaves out is told in its last
/// line, which says how to see it.
namespace envgen::answers {

/// An environment: what it is, the commands that install it, a few rows, the notes that fit, and what to do next. With its
/// reasons or sources: every value as a row of a table, and all notes.
std::string environment_text(const Environment& environment, const Usage& usage, const Detail& detail,
                             const util::Terminal& terminal);
/// What is incompatible, why, and the nearest environments; the facts of the proof with its sources.
std::string conflict_text(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Conflict& conflict,
                          const Usage& usage, const Detail& detail, const util::Terminal& terminal);
std::string unknown_text(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Unknown& unknown,
                         const util::Terminal& terminal);
/// The last lines: the command that comes next, and how to see what the answer left out.
std::string closing_text(const Usage& usage, const Detail& detail, const util::Terminal& terminal);
/// One paragraph where the facts of the user were used: which layers, and how old they are. Else nothing.
std::string layers_text(const matrix::Matrix& matrix, const util::Terminal& terminal);
/// Those that a text shows.
std::vector<resolver::Removal> shown_removals(std::vector<resolver::Removal> removals, const Detail& detail);
/// `--explain`: what each requested value ruled out, of the first `count`.
std::string removals_text(const resolver::Query& query, const std::vector<resolver::Removal>& removals, std::size_t count,
                          const Detail& detail, const util::Terminal& terminal);

}  // namespace envgen::answers
