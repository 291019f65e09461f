#pragma once

#include <functional>
#include <istream>
#include <string>

#include "matrix/matrix.hpp"
#include "model/error.hpp"

namespace envgen::api {

/// A line of a stream, answered: one object of JSON on one line.
struct LineAnswer {
  std::string json;
  bool understood = false;  ///< else it is an error, which names the line
};

/// `line` is a request object, as the member "request" of an answer has it; `where` is its place.
LineAnswer answer_line(const std::string& line, const std::string& where, const matrix::Matrix& matrix);

/// Each line of `input` gets its answer in the same order, several at a time. Empty lines are passed over. False: some line was
/// not understood; the others are answered all the same. `name`: of the stream, in errors.
/// Errors: those of `write`; the stream cannot be read to its end (bad_input).
Expected<bool> answer_stream(std::istream& input, const std::string& name, const matrix::Matrix& matrix,
                             const std::function<Expected<void>(const std::string&)>& write);

}  // namespace envgen::api
