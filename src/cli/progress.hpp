#pragma once

#include <string>
#include <string_view>

namespace envgen::cli {

/// How far work has come, on stderr: a bar that stays on one line of a terminal, or a line for each part of the work elsewhere.
class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  void show(std::string_view what, std::size_t done, std::size_t all);
  /// Takes the bar away, before something else is printed.
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
  std::string last_;  ///< the part that was told last
};

}  // namespace envgen::cli
