#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "model/error.hpp"
#include "project/outputs_json.hpp"
#include "project/request_json.hpp"

/// envgen.json and envgen.lock: what a project asks for, what it was given, and what changed between two answers.
namespace envgen::project {

inline constexpr std::string_view project_file_name = "envgen.json";
/// The members of envgen.json.
inline constexpr std::array<std::string_view, 3> project_members{"$schema", "request", "outputs"};

/// What envgen.json says.
struct WrittenProject {
  Request request;
  std::string preset;  ///< empty: none
  WrittenOutputs outputs;
};

/// Reads a project file: JSON with comments. `name` stands before the JSON pointer in messages and in the values' places.
/// Errors (bad_input): not JSON (line and column), larger than 1 MiB, deeper than 32 levels, a name that stands twice, a
/// member that is not known, a wrong type. What the values mean is checked by resolver::interpret.
Expected<WrittenProject> read_project(const std::filesystem::path& path);
Expected<WrittenProject> parse_project(const std::string& text, const std::string& name);

/// A commented project file: what `start` and `outputs` fix is set, every other member stands there as a comment with an example.
/// Without names of outputs it makes a Dockerfile and run.sh.
std::string project_template(const WrittenRequest& start, const WrittenOutputs& outputs = {});

}  // namespace envgen::project
