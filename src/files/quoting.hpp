#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Quoting, one function a format (that of a shell is model/shell_word.hpp). Every text that a user, a lock or the matrix gave
/// goes through one of them on its way into a file. None of them can hold a NUL or a newline: `grammar.hpp` refuses those by name
/// before.
namespace envgen::files {

/// The value of an ENV, LABEL or ARG instruction, in double quotes: `$` starts no variable in it.
std::string dockerfile_value(std::string_view text);

/// A double-quoted YAML scalar. What it writes is JSON, which YAML 1.2 holds.
std::string yaml_text(std::string_view text);

/// The same of each. A basic string of TOML is one of JSON, too.
std::vector<std::string> yaml_texts(std::vector<std::string> texts);

/// A Python string literal in double quotes, without any single quote, so that it may stand inside a single-quoted word of a
/// shell; what is not plain is escaped as \xNN.
std::string python_text(std::string_view text);

}  // namespace envgen::files
