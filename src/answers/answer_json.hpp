#pragma once

#include <string>

#include "resolver/resolver.hpp"
#include "util/json_writer.hpp"

/// The JSON contract (ARCHITECTURE.md, "The JSON contract"): additions are free, a change of meaning raises schema_version.
namespace envgen::answers {

inline constexpr int schema_version = 1;

/// What `--explain` adds to an answer, as the member "explain".
struct Explanation {
  const resolver::Query& query;
  std::vector<resolver::Removal> removals;
};

/// The answer that is an environment, as one object. `install`: the arguments of each command that installs it. `indent` 0 writes
/// one line, for streams. `explanation` may be null.
std::string environment_json(const matrix::Matrix& matrix, const Request& request, const Environment& environment,
                             const std::vector<std::vector<std::string>>& install, int indent,
                             const Explanation* explanation = nullptr);

/// The answer that is none: a conflict or what is unknown. `answer` holds no solution.
std::string refusal_json(const matrix::Matrix& matrix, const Request& request, const resolver::Query& query,
                         const resolver::Resolution& answer, int indent, const Explanation* explanation = nullptr);

/// What every answer begins with, in an object that is open: the version of the contract, and the facts that were used.
void write_head(util::JsonWriter& json, const matrix::Matrix& matrix);

/// An error as the object of the contract.
std::string error_json(const Error& error, int indent);

}  // namespace envgen::answers
