#pragma once

#include <span>
#include <string_view>

#include "files/file.hpp"
#include "files/options.hpp"

namespace envgen::files {

/// One kind of output. Commands, their help and the reader of envgen.json go by this table.
struct Output {
  std::string_view name;
  std::string_view what;  ///< for help
  Expected<Files> (*render)(const Inputs& inputs);
  std::string_view installer = {};  ///< the only one whose environment it is made of; empty: any
  bool container = false;           ///< builds or starts one
};
std::span<const Output> outputs();

/// Null: there is none of that name, in whatever letters.
const Output* find_output(std::string_view name);

/// False of a system without apt, for which no Dockerfile is made.
bool has_apt(const Environment& environment);

/// The files of one output. Errors: those of `check_environment`, and what this output cannot be made of.
Expected<Files> make(const Output& output, const Inputs& inputs);

/// Looks at every value that some file holds without quotes, or that decides what is written. A lock may come from anybody, and
/// so may a layer of the matrix; texts that stand in quotes and comments alone (names of GPUs, reasons) may say anything.
/// Errors (bad_input): the value, with its JSON pointer in the lock as the origin.
Expected<void> check_environment(const Environment& environment);

}  // namespace envgen::files
