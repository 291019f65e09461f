#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/options.hpp"
#include "util/json_cell.hpp"

namespace envgen::project {

/// The member that says what a flag of the command line says (`gpu_required` of `--require-gpu`); empty: none does.
std::string_view output_member_of(std::string_view flag);

/// The member that names the outputs to make.
inline constexpr std::string_view files_member = "files";

/// The `outputs` of a project: what `envgen generate` makes, and the options that are behind all of it.
struct WrittenOutputs {
  std::vector<files::GivenText> files;  ///< names of outputs
  files::Options options;
};

/// The names alone, as Inputs have them.
std::vector<std::string> names_of(const std::vector<files::GivenText>& files);

/// Reads an `outputs` object. Problems: an unknown member or output (with the nearest name), a wrong type, a value that does not
/// fit its grammar.
WrittenOutputs read_outputs(const util::JsonCell::Json& object, const std::string& where, util::Problems& problems);

}  // namespace envgen::project
