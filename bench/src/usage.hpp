#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
class ParseError;
class Validator;
}  // namespace CLI

namespace envgen::bench {

/// What CLI11 found wrong with the command line, in our words: its own speak of its types, and differ from release to release.
/// `words`: the command line.
std::string usage_error(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& words);

/// A number from `least` to `most`.
CLI::Validator number_within(double least, double most);
/// A folder that is there.
CLI::Validator folder();

}  // namespace envgen::bench
