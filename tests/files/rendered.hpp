#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_tool.hpp"
#include "files/file.hpp"

namespace envgen::test {

using Words = std::vector<std::string>;

/// `envgen render WORDS...`.
inline Outcome render(Words words) {
  words.insert(words.begin(), "render");
  return run_tool(words);
}

/// The file that it prints, which nobody changed.
inline std::string rendered(const Words& words) {
  const auto outcome = render(words);
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(files::state_of(outcome.out), files::State::untouched);
  return outcome.out;
}

/// ... of one kind, without a word beside it.
inline std::string rendered(const std::string& kind, Words words) {
  words.insert(words.begin(), kind);
  const auto outcome = render(words);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(files::state_of(outcome.out), files::State::untouched);
  return outcome.out;
}

/// What it says where it prints none.
inline std::string render_refusal(const Words& words) {
  const auto outcome = render(words);
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.out, "");
  return outcome.err;
}

}  // namespace envgen::test
