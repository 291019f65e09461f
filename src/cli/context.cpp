#include "cli/context.hpp"

#include <sys/stat.h>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "answers/answer_json.hpp"
#include "cli/message.hpp"
#include "matrix/user_layer.hpp"
#include "model/printable.hpp"
#include "model/spelling.hpp"
#include "util/interrupt.hpp"
#include "util/table.hpp"

namespace envgen::cli {
namespace {

Exit exit_for_signal(int signal) {
  switch (signal) {
    case SIGHUP:
      return Exit::hung_up;
    case SIGTERM:
      return Exit::terminated;
    default:
      return Exit::interrupted;
  }
}

}  // namespace

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
      return exit_for_signal(util::interrupting_signal());
    case ErrorCode::differs:
      return Exit::differs;
  }
  return Exit::internal;
}

namespace {

/// The folder of the user's facts; empty: they are not asked for, or there are none. One that cannot be reached is not "none":
/// reading it says why. Every start asks this, so it is one look.
std::string existing_user_layer(const Context& context) {
  auto folder = context.user_layer();
  struct ::stat there {};
  if (folder.empty() || (::stat(folder.c_str(), &there) != 0 && (errno == ENOENT || errno == ENOTDIR))) folder.clear();
  return folder;
}

/// The error with how to go on without the layer that it is in.
Error without_layer(Error error, const std::string& folder) {
  error.hints.push_back(fmt::format("--built-in runs without the data in {}", in_quotes(folder)));
  error.hints.emplace_back("to remove that data, delete the folder");
  return error;
}

}  // namespace

std::string Context::user_layer() const { return built_in_alone ? std::string() : matrix::user_layer_folder(); }

Expected<matrix::Matrix> Context::matrix() {
  if (matrix_folders.empty()) {
    if (!std::exchange(looked_for_user_layer_, true)) {
      const auto folder = existing_user_layer(*this);
      if (folder.empty()) return embedded;
      auto packed = matrix::packed_with_user_layer(built_in, folder, matrix::user_layer_cache());
      if (!packed && packed.error().code == ErrorCode::interrupted) return tl::unexpected(packed.error());
      if (!packed) return tl::unexpected(without_layer(packed.error(), folder));
      loaded_ = std::move(*packed);
    }
    return loaded_ ? loaded_->matrix() : embedded;
  }
  if (!loaded_) {
    auto block = matrix::block_of(matrix::load({matrix_folders.begin(), matrix_folders.end()}));
    if (!block) return tl::unexpected(block.error());
    loaded_ = std::move(*block);
  }
  return loaded_->matrix();
}

Expected<matrix::Documents> Context::documents() const {
  if (!matrix_folders.empty()) return matrix::Documents::read({matrix_folders.begin(), matrix_folders.end()});
  const auto folder = existing_user_layer(*this);
  if (folder.empty() || !matrix::holds_matrix_files(folder)) return matrix::Documents::built_in(built_in.documents);
  return matrix::with_user_layer(built_in, folder).map_error([&](const Error& error) { return without_layer(error, folder); });
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
  print(message_text(text, util::Terminal::of_stderr().width), stderr);
}

}  // namespace envgen::cli
