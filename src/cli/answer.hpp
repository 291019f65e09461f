#pragma once

#include <cstdio>

#include "cli/commands.hpp"
#include "model/request.hpp"

namespace envgen::cli {

/// How an answer is shown.
struct AnswerOptions {
  bool all = false;        ///< every environment that fits, one a line
  bool explain = false;    ///< what each requested value removed, too
  std::FILE* to = stdout;  ///< stderr, where stdout is for a file
};

/// Resolves a request and prints the answer: exit 0 with an environment, 3 with a proof, 8 where a fact is missing.
/// Each environment is verified by the independent check first; an answer that it refuses is an internal error.
Expected<Exit> answer_request(const Request& request, const AnswerOptions& options, const matrix::Matrix& matrix,
                              const Context& context);

}  // namespace envgen::cli
