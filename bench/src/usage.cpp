#include "usage.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <CLI/CLI.hpp>

namespace envgen::bench {
namespace {

std::string in_quotes(const std::string& text) { return "'" + text + "'"; }

/// The first of what nothing takes, in the order of the command line, which is not CLI11's.
std::string not_expected(const CLI::App& app, const std::vector<std::string>& words) {
  const auto left = app.remaining(true);
  const auto first = std::find_if(words.begin(), words.end(),
                                  [&](const auto& word) { return std::find(left.begin(), left.end(), word) != left.end(); });
  if (first == words.end()) return "unexpected argument";
  if (first->rfind("--gpu", 0) == 0) return "unknown option " + in_quotes(*first) + " (--device N tests only that GPU)";
  return (first->front() == '-' ? "unknown option " : "unexpected argument ") + in_quotes(*first);
}

std::string text_of(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", number);
  return text.data();
}

}  // namespace

std::string usage_error(const CLI::ParseError& error, const CLI::App& app, const std::vector<std::string>& words) {
  const std::string message = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return not_expected(app, words) + "; see --help";
  const auto needed = message.find(": 1 required ");
  return needed == std::string::npos ? message : message.substr(0, needed) + " needs a value; see --help";
}

CLI::Validator number_within(double least, double most) {
  return {[least, most](std::string& text) -> std::string {
            char* end = nullptr;
            const double value = std::strtod(text.c_str(), &end);
            const bool plain = !text.empty() && *end == 0 && text.find_first_not_of("0123456789.") == std::string::npos;
            if (plain && value >= least && value <= most) return {};
            return in_quotes(text) + " is not a number from " + text_of(least) + " to " + text_of(most);
          },
          ""};
}

CLI::Validator folder() {
  return {[](std::string& path) -> std::string {
            std::error_code ignored;
            return std::filesystem::is_directory(path, ignored) ? std::string() : "there is no folder " + in_quotes(path);
          },
          ""};
}

}  // namespace envgen::bench
