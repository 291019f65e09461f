#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "matrix/embedded/embedded.hpp"

namespace envgen::test {

struct Outcome {
  int exit = 0;
  std::string out;
  std::string err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

/// `envgen WORDS...` with the built-in matrix, or with other facts for it, in this process.
inline Outcome run_tool(std::vector<std::string> words, const matrix::BuiltIn& facts = matrix::embedded_with_documents()) {
  ::setenv("ENVGEN_BUILT_IN", "1", 1);  // whoever runs the tests may have facts of their own
  words.insert(words.begin(), "envgen");
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.exit = cli::run(arguments, facts);
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

}  // namespace envgen::test
