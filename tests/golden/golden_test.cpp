// tests/golden/cases/NAME/{args,stdout,stderr,exit}: the arguments one a line, and what must come of them. $ENVGEN_GOLDEN_TOOL is
// the tool, where it is another one than that of this build. ENVGEN_UPDATE_GOLDEN=1 writes what comes instead; never under CI,
// where a change must have been read by a person.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "util/process.hpp"

namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(GOLDEN_CASES)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string tool() {
  const char* other = std::getenv("ENVGEN_GOLDEN_TOOL");
  return other != nullptr ? other : ENVGEN_BINARY;
}

bool updating() {
  const char* update = std::getenv("ENVGEN_UPDATE_GOLDEN");
  return update != nullptr && std::string_view(update) == "1";
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, PrintsWhatItMust) {
  const auto folder = std::filesystem::path(GOLDEN_CASES) / GetParam();
  std::vector<std::string> command{tool()};
  std::istringstream lines(read(folder / "args"));
  for (std::string line; std::getline(lines, line);) command.push_back(line);
  std::filesystem::current_path(folder);  // where files are that the arguments name
  const auto result = envgen::util::run_process(command, {});
  ASSERT_TRUE(result) << result.error().message;
  const auto exit = std::to_string(result->exit_status) + "\n";
  ASSERT_TRUE(std::filesystem::exists(folder / "args"));
  if (updating()) {
    ASSERT_EQ(std::getenv("CI"), nullptr) << "goldens are not written under CI";
    std::ofstream(folder / "stdout", std::ios::binary) << result->out;
    std::ofstream(folder / "stderr", std::ios::binary) << result->err;
    std::ofstream(folder / "exit", std::ios::binary) << exit;
    return;
  }
  for (const char* name : {"stdout", "stderr", "exit"}) {  // a file that is not there would be read as an empty one
    EXPECT_TRUE(std::filesystem::exists(folder / name)) << name;
  }
  EXPECT_EQ(read(folder / "stdout"), result->out);
  EXPECT_EQ(read(folder / "stderr"), result->err);
  EXPECT_EQ(read(folder / "exit"), exit);
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(case_names()), [](const auto& one) {
  auto name = one.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
