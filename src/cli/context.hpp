#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "matrix/built_in.hpp"
#include "matrix/loader.hpp"
#include "matrix/matrix.hpp"
#include "model/error.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace envgen::cli {

/// What every command is given. stdout carries the result, stderr everything else.
struct Context {
  explicit Context(const matrix::BuiltIn& facts) : built_in(facts), embedded(facts.matrix) {}

  matrix::BuiltIn built_in;
  matrix::Matrix embedded;
  std::vector<std::string> matrix_folders;     ///< `--matrix`, else ENVGEN_MATRIX (separated by colons)
  bool folders_of_variable = false;            ///< ENVGEN_MATRIX named them
  bool built_in_alone = false;                 ///< `--built-in`, else ENVGEN_BUILT_IN
  std::vector<std::string> command_arguments;  ///< what stands behind the command's name, as it was given
  bool json = false;                           ///< `--format json`: errors are JSON too

  /// The matrix that this run uses, loaded when first asked for: what `--matrix` names, else the embedded one, with the user's
  /// layer over it where there is one.
  /// Errors (bad_input): the first problem of the folders, with the number of the others.
  Expected<matrix::Matrix> matrix();
  /// The documents that it is made of.
  Expected<matrix::Documents> documents() const;
  /// Where the user's facts lie, or would; empty: they are not asked for, or there is no such place.
  std::string user_layer() const;

 private:
  std::unique_ptr<matrix::Block> loaded_;
  bool looked_for_user_layer_ = false;
};

/// Exit statuses, one table for all commands (ARCHITECTURE.md, "Exit statuses").
enum class Exit : int {
  ok = 0,
  internal = 1,
  usage = 2,
  conflict = 3,
  bad_input = 4,
  validation = 5,  ///< a check failed; nothing of what `explain` read is known
  missing = 6,
  network = 7,
  unknown = 8,
  differs = 9,
  hung_up = 129,  // by SIGHUP, SIGINT and SIGTERM: 128 and the number of the signal, as a shell tells it
  interrupted = 130,
  terminated = 143,
};
Exit exit_for(ErrorCode code);

/// Writes to stdout, or to stderr where stdout is for a file. False when it cannot take it (a closed pipe, a full disk). Whatever
/// others wrote of it: it shows no login of a URL, and neither a terminal nor a CI system obeys it (`printable`).
bool print(std::string_view text, std::FILE* to = stdout);
/// The same for what is used byte by byte: a file, a script, annotations.
bool print_as_it_is(std::string_view text, std::FILE* to = stdout);
/// A message on stderr: `envgen: ` and the error in the house's form (the fact, where, what fixes it).
void print_error(const Error& error, const Context& context);

}  // namespace envgen::cli
