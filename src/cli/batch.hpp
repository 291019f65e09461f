#pragma once

#include <string>

#include "cli/commands.hpp"

namespace envgen::cli {

/// Answers a stream: each line of `file` (`-`: standard input) is a request object, as the member "request" of an answer
/// has it, and gets one answer object on one line, in the same order. Empty lines are passed over. A line that cannot be
/// read, or whose values cannot be understood, gets an error object that names the line; the others are answered all the
/// same, and the exit status is then 2. Errors: the file cannot be read (bad_input).
Expected<Exit> answer_batch(const std::string& file, const matrix::Matrix& matrix);

}  // namespace envgen::cli
