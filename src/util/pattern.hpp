#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace envgen::util {

/// A POSIX extended regular expression that a whole text matches or does not. It is the C library's: std::regex takes 20 times as
/// long to compile a bracket, and recurses for each byte of what it reads.
class Pattern {
 public:
  /// `expression` is our own, never a user's: one that cannot be compiled is a logic error and throws std::invalid_argument.
  explicit Pattern(const std::string& expression);

  /// Whether all of `text` matches. A text with a NUL in it matches nothing.
  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace envgen::util
