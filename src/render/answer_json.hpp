#pragma once

#include <string>

#include "resolver/resolver.hpp"
#include "util/json_writer.hpp"

/// The JSON contract (ARCHITECTURE.md, "The JSON contract"): additions are free, a change of meaning raises schema_version.
namespace envgen::render {

inline constexpr int schema_version = 1;

/// One answer as one object. `indent` 0 writes one line, for streams.
/// `removals`: what `--explain` adds as the member "explain"; may be null.
std::string answer_json(const matrix::Matrix& matrix, const Request& request, const resolver::Query& query,
                        const resolver::Answer& answer, int indent, const std::vector<resolver::Removal>* removals = nullptr);

/// The answer for an environment that was materialized already.
std::string environment_json(const matrix::Matrix& matrix, const Request& request, const Environment& environment, int indent);

void write_environment(util::JsonWriter& json, const Environment& environment);
void write_request(util::JsonWriter& json, const Request& request);
/// Pins, variables, warnings and reasons, as members of the answer.
void write_advice(util::JsonWriter& json, const Environment& environment);

/// An error as the object of the contract.
std::string error_json(const Error& error, int indent);

}  // namespace envgen::render
