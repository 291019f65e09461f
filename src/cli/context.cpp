#include "cli/context.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "answers/answer_json.hpp"
#include "model/printable.hpp"
#include "model/spelling.hpp"
#include "util/table.hpp"

namespace envgen::cli {
Exit exit_for(ErrorCode code) {
  switch (code) {
    case ErrorCode::internal:
      return Exit::internal;
    case ErrorCode::usage:
      return Exit::usage;
    case ErrorCode::bad_input:
      return Exit::bad_input;
    case ErrorCode::missing:
      return Exit::missing;
    case ErrorCode::network:
      return Exit::network;
    case ErrorCode::interrupted:
      return Exit::interrupted;
    case ErrorCode::differs:
      return Exit::differs;
  }
  return Exit::internal;
}

Expected<matrix::Matrix> Context::matrix() {
  if (matrix_folders.empty()) return embedded;
  if (!loaded_) {
    auto loaded = matrix::load({matrix_folders.begin(), matrix_folders.end()});
    if (!loaded.block) {
      auto error = loaded.problems.front();
      if (loaded.problems.size() > 1)
        error.hints.push_back(fmt::format("and {} more: see 'envgen matrix lint'", loaded.problems.size() - 1));
      return tl::unexpected(std::move(error));
    }
    loaded_ = std::move(loaded.block);
  }
  return loaded_->matrix();
}

bool print(std::string_view text, std::FILE* to) {
  // All that is printed for programs is an object of JSON, and nothing for people begins with a brace.
  const auto notation = text.starts_with('{') ? Notation::json : Notation::text;
  const bool coloured = to == stdout && util::Terminal::of_stdout().colour;
  return print_as_it_is(printable(text, notation, coloured), to);
}

bool print_as_it_is(std::string_view text, std::FILE* to) {
  return std::fwrite(text.data(), 1, text.size(), to) == text.size() && std::fflush(to) == 0;
}

void print_error(const Error& error, const Context& context) {
  if (context.json) {
    if (print(answers::error_json(error, 0) + "\n")) return;
    // Standard output takes no more: the error, which may be just that, goes where it can be seen.
  }
  // A path, or another program's words, may hold anything; the lines of a message are ours.
  constexpr auto whole = std::string::npos;
  std::string text = "envgen: ";
  if (!error.origin.empty()) text += in_one_line(error.origin) + ": ";
  text += error.message + "\n";
  for (const auto& hint : error.hints) text += "  " + visible(hint, whole) + "\n";
  print(text, stderr);
}

}  // namespace envgen::cli
