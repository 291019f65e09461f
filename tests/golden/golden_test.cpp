// tests/golden/cases/NAME/{args,stdout,stderr,exit}: the arguments one a line, and what must come of them.
#include <algorithm>
#include <vector>

#include "tool.hpp"
#include "util/process.hpp"

namespace envgen::golden {
namespace {

std::filesystem::path cases() { return std::filesystem::path(GOLDEN_FOLDER) / "cases"; }

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(cases())) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, PrintsWhatItMust) {
  const auto folder = cases() / GetParam();
  std::vector<std::string> command{tool()};
  std::istringstream lines(read(folder / "args"));
  for (std::string line; std::getline(lines, line);) command.push_back(line);
  std::filesystem::current_path(folder);  // where files are that the arguments name
  const auto result = util::run_process(command, {});
  ASSERT_TRUE(result) << result.error().message;
  const auto exit = std::to_string(result->exit_status) + "\n";
  ASSERT_TRUE(std::filesystem::exists(folder / "args"));
  if (updating()) {
    write(folder / "stdout", result->out);
    write(folder / "stderr", result->err);
    write(folder / "exit", exit);
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
}  // namespace envgen::golden
