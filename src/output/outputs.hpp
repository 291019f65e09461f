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
  Expected<Files> (*make)(const Subject& subject);
};
std::span<const Output> outputs();

/// Null: there is none of that name.
const Output* find_output(std::string_view name);

}  // namespace envgen::output
