#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "matrix/loader.hpp"
#include "matrix/matrix.hpp"
#include "model/error.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace envgen::cli {

/// What every command is given. stdout carries the result, stderr everything else.
struct Context {
  explicit Context(matrix::Matrix embedded_matrix) : embedded(embedded_matrix) {}

  matrix::Matrix embedded;
  std::vector<std::string> matrix_folders;     ///< `--matrix`, else ENVGEN_MATRIX (separated by colons)
  std::vector<std::string> command_arguments;  ///< what stands behind the command's name, as it was given
  bool json = false;                           ///< `--format json`: errors are JSON too

  /// The matrix that this run uses: the embedded one, or what `--matrix` names, loaded when first asked for.
  /// Errors (bad_input): the first problem of the folders, with the number of the others.
  Expected<matrix::Matrix> matrix();

 private:
  std::unique_ptr<matrix::Block> loaded_;
};

/// Exit statuses, one table for all commands (ARCHITECTURE.md, "Exit statuses").
enum class Exit : int {
  ok = 0,
  internal = 1,
  usage = 2,
  conflict = 3,
  bad_input = 4,
  validation = 5,
  missing = 6,
  network = 7,
  unknown = 8,
  differs = 9,
  interrupted = 130,
};
Exit exit_for(ErrorCode code);

/// Writes to stdout, or to stderr where stdout is for a file. False when it cannot take it (a closed pipe, a full disk). Whatever
/// others wrote of it: it shows no login of a URL, and neither a terminal nor a CI system obeys it (`printable`).
bool print(std::string_view text, std::FILE* to = stdout);
/// The same for what is used byte by byte: a file, a script, annotations.
bool print_as_it_is(std::string_view text, std::FILE* to = stdout);
/// A message on stderr: `envgen: ` and the error in the house's form (the fact, where, what mends it).
void print_error(const Error& error, const Context& context);

}  // namespace envgen::cli
