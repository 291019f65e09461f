// Runs the tool as a black box: each file of cases/ and sessions/ is a transcript (transcript.hpp) of commands that are played in
// this folder, where the files are that they name. cases/ are about the facts that are shipped, and most are one command; those
// of sessions/ are several, about the facts of matrix/, so that nothing there changes with the shipped ones.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "support/updating.hpp"
#include "transcript.hpp"

namespace envgen::golden {
namespace {

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// $ENVGEN_GOLDEN_TOOL, where it is another one than that of this build.
std::string tool() {
  const char* other = std::getenv("ENVGEN_GOLDEN_TOOL");
  return other != nullptr ? other : ENVGEN_BINARY;
}

/// The transcripts of a folder, as they are named from GOLDEN_FOLDER.
std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(GOLDEN_FOLDER) / folder))
    files.push_back(folder + "/" + entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

util::ProcessLimits limits_of(const std::string& file) {
  util::ProcessLimits limits;
  limits.environment = {"ENVGEN_BUILT_IN=1"};  // whoever runs the tests may have facts of their own
  if (file.starts_with("sessions/")) limits.environment = {"ENVGEN_MATRIX=matrix"};
  return limits;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, ShowsWhatItMust) {
  const bool updating = test::updating_goldens();
  std::filesystem::current_path(GOLDEN_FOLDER);
  const auto text = read(GetParam());
  auto played = transcript_of(text);
  ASSERT_FALSE(played.steps.empty()) << GetParam() << " has no line `$ envgen ...`";
  for (auto& step : played.steps) {
    const auto words = words_of(step.arguments);
    ASSERT_TRUE(words) << "$ envgen" << step.arguments << ": " << words.error().message;
    auto command = *words;
    command.insert(command.begin(), tool());
    const auto result = util::run_process(command, limits_of(GetParam()));
    ASSERT_TRUE(result) << result.error().message;
    ASSERT_FALSE(result->out_cut || result->err_cut) << "$ envgen" << step.arguments << " prints too much";
    const auto expected = step.shown;
    step.shown = shown(*result) + (&step == &played.steps.back() ? "" : "\n");
    if (!updating) {
      EXPECT_EQ(expected, step.shown) << "of $ envgen" << step.arguments;
    }
  }
  if (updating) {
    std::ofstream(GetParam(), std::ios::binary) << text_of(played);
  } else if (!HasFailure()) {
    EXPECT_EQ(text, text_of(played));  // the end of the last line
  }
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  auto name = std::filesystem::path(info.param).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(files_of("cases")), name_of);
INSTANTIATE_TEST_SUITE_P(Sessions, Golden, testing::ValuesIn(files_of("sessions")), name_of);

}  // namespace
}  // namespace envgen::golden
