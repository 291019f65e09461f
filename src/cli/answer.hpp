#pragma once

#include <cstdio>
#include <variant>

#include "api/lock.hpp"
#include "cli/context.hpp"

namespace envgen::cli {

/// How an answer is shown.
struct AnswerOptions {
  answers::Detail detail = {.has_flags = false};
  std::FILE* to = stdout;  ///< stderr, where stdout is for a file
};

/// Prints an answer: exit 0 with an environment, 3 with a proof, 8 where a fact is missing.
Expected<Exit> show(const api::Answer& answer, const AnswerOptions& options, const matrix::Matrix& matrix,
                    const Context& context);

/// Prints every environment that fits, best first, one a line; the answer where there is none.
Expected<Exit> show_all(const Request& request, const matrix::Matrix& matrix, const Context& context);

/// A request as the lock that it would be given. Where there is no environment, the proof or the missing facts are shown
/// (`refusal_to`) and the exit status says so. `project`: the file that the request came from; empty: none.
Expected<std::variant<project::Lock, Exit>> fresh_lock(Request request, const std::string& project, const matrix::Matrix& matrix,
                                                       const Context& context, std::FILE* refusal_to = stdout);

}  // namespace envgen::cli
