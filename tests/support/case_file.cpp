#include "support/case_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "support/updating.hpp"

namespace envgen::test {
namespace {

std::string joined(const Lines& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

/// The text of a file with every case played, as it has to be.
class Player {
 public:
  Player(const std::function<Lines(const Lines&)>& play, bool updating) : play_(play), updating_(updating) {}

  void take(std::string_view line) {
    if (line.starts_with("  ")) {
      expected_.emplace_back(line.substr(2));
      return;
    }
    if (!expected_.empty() || line.empty()) end();
    if (!line.empty() && !line.starts_with('#')) given_.emplace_back(line);
    text_ += std::string(line) + "\n";
  }

  void end() {
    if (given_.empty()) return;
    ++cases_;
    const auto found = play_(given_);
    for (const auto& line : found) text_ += "  " + line + "\n";
    if (!updating_) {
      EXPECT_EQ(joined(found), joined(expected_)) << "of\n" << joined(given_);
    }
    given_.clear();
    expected_.clear();
  }

  int cases() const { return cases_; }
  const std::string& text() const { return text_; }

 private:
  const std::function<Lines(const Lines&)>& play_;
  bool updating_;
  Lines given_;
  Lines expected_;
  std::string text_;
  int cases_ = 0;
};

}  // namespace

void play_cases(const std::string& file, const std::function<Lines(const Lines&)>& play) {
  const bool updating = updating_goldens();
  Player player(play, updating);
  {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) player.take(line);
    player.end();
  }
  EXPECT_GT(player.cases(), 0) << file;
  if (updating) std::ofstream(file) << player.text();
}

std::vector<std::string> case_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(folder)) files.push_back(file.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string name_of_case_file(const testing::TestParamInfo<std::string>& info) {
  return std::filesystem::path(info.param).stem().string();
}

}  // namespace envgen::test
