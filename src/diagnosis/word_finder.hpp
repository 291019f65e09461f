#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace envgen::diagnosis {

/// Finds all of many words in a text in one pass over it (Aho and Corasick's automaton): a log of 100 MB is read once, however
/// many wordings are known.
class WordFinder {
 public:
  explicit WordFinder(const std::vector<std::string>& words);

  using State = std::uint32_t;
  static constexpr State start = 0;
  State next(State state, char byte) const { return next_[state * classes_ + class_of_[static_cast<unsigned char>(byte)]]; }
  /// The words that end in this state, by their numbers.
  std::span<const std::uint32_t> words_at(State state) const {
    return {found_.data() + found_from_[state], found_from_[state + 1] - found_from_[state]};
  }
  bool any_at(State state) const { return found_from_[state] != found_from_[state + 1]; }
  /// How many of the bytes before may belong to a word that goes on.
  std::size_t depth(State state) const { return depth_[state]; }

 private:
  std::size_t classes_ = 1;  ///< bytes that stand in no word are of one class
  std::array<std::uint8_t, 256> class_of_{};
  std::vector<State> next_;  ///< a row of classes_ for each state
  std::vector<std::uint32_t> depth_;
  std::vector<std::uint32_t> found_;
  std::vector<std::uint32_t> found_from_;  ///< where a state's words begin in found_
};

}  // namespace envgen::diagnosis
