#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/diagnosis.hpp"
#include "diagnosis/named_in_log.hpp"

namespace envgen::diagnosis {

/// The line that shows a failure.
struct Evidence {
  std::size_t line = 0;  ///< counted from 1
  std::string text;      ///< readable, at most `longest_evidence` bytes of it
};

struct Finding {
  const Diagnosis* diagnosis = nullptr;
  Evidence evidence;
};

constexpr std::size_t longest_evidence = 300;

/// Reads a log piece by piece and remembers what it shows. It keeps a few lines, so a log may be of any length.
class Recogniser {
 public:
  Recogniser();
  ~Recogniser();
  Recogniser(const Recogniser&) = delete;
  Recogniser& operator=(const Recogniser&) = delete;

  /// The next bytes, which may end within a line.
  void feed(std::string_view bytes);
  /// That was all. The failures that the log shows, most likely first: what is certain before what a line may mean, a cause in
  /// place of what follows from it, what ends a program before what is only remarked, and then in the order of the log.
  std::vector<Finding> finish();
  /// What the lines that were read say of the environment. `is_board`: whether a GPU has this name.
  Seen seen(const std::function<bool(std::string_view)>& is_board) const;

 private:
  class Log;
  std::unique_ptr<Log> log_;
};

/// The same for a text.
std::vector<Finding> recognise(std::string_view text);

}  // namespace envgen::diagnosis
