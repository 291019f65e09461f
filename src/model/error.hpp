#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace envgen {

/// What went wrong, in the classes that programs tell apart. `exit_status()` maps them to exit statuses.
enum class ErrorCode {
  internal,     ///< a defect of envgen itself
  usage,        ///< a flag or a value that cannot be understood
  bad_input,    ///< a matrix, project file, lock or template that cannot be read
  missing,      ///< something this machine lacks (no GPU found, no engine)
  network,      ///< a source could not be reached
  differs,      ///< files differ: stale, edited by hand, or lint findings
  interrupted,  ///< by a signal; what was begun is ended
};

/// One failure: the fact, where it comes from, and what fixes it.
struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;
  std::string origin;              ///< a flag (`--torch`), or a file with a JSON pointer (`envgen.json#/request/torch`)
  std::vector<std::string> hints;  ///< commands or values that fix it, most likely first
};

template <class T>
using Expected = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string origin = {},
                                  std::vector<std::string> hints = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(origin), std::move(hints)});
}

}  // namespace envgen
