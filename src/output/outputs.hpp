#pragma once

#include <span>
#include <string_view>

#include "output/file.hpp"
#include "output/options.hpp"

namespace envgen::output {

/// One kind of output. Commands, their help and the reader of envgen.json go by this table.
struct Output {
  std::string_view name;
  std::string_view what;  ///< for help
  Expected<Files> (*render)(const Subject& subject);
};
std::span<const Output> outputs();

/// Null: there is none of that name.
const Output* find_output(std::string_view name);

/// The files of one output. Errors: those of the environment (`well_formed.hpp`), and what this output cannot be made of.
Expected<Files> make(const Output& output, const Subject& subject);

}  // namespace envgen::output
