#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/error.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
class ParseError;
class Validator;
}  // namespace CLI

namespace envgen::cli {

/// What CLI11 found wrong with a command line, in the words of all other messages: CLI11's own differ from release to release,
/// and speak of its types. `words`: the command line; `command`: the name of the command, empty where none was named.
Error usage_error(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& words,
                  std::string_view command);

/// Adds that a command line has quotes that an editor made typographic, where a value was not understood.
void hint_at_quotes(Error& error, const std::vector<std::string>& words);

/// For those who ask for JAX.
inline constexpr const char* jax_hint =
    "envgen covers PyTorch and TensorFlow; for JAX, see https://docs.jax.dev/en/latest/installation.html";

/// A number from `least` to `most`; the refusal says both. `whole`: it has no fraction.
CLI::Validator number_within(double least, double most, bool whole);

}  // namespace envgen::cli
