#include "diagnosis/word_finder.hpp"

namespace envgen::diagnosis {

WordFinder::WordFinder(const std::vector<std::string>& words) {
  for (const auto& word : words) {
    for (const char byte : word) {
      auto& known = class_of_[static_cast<unsigned char>(byte)];
      if (known == 0) known = static_cast<std::uint8_t>(classes_++);
    }
  }
  std::vector<std::vector<std::uint32_t>> found;
  const auto add_state = [&](std::uint32_t depth) {
    next_.resize(next_.size() + classes_, start);
    depth_.push_back(depth);
    found.emplace_back();
    return static_cast<State>(depth_.size() - 1);
  };
  add_state(0);
  for (std::uint32_t number = 0; number < words.size(); ++number) {
    State state = start;
    for (const char byte : words[number]) {
      const auto place = state * classes_ + class_of_[static_cast<unsigned char>(byte)];
      if (next_[place] == start) {
        const auto added = add_state(depth_[state] + 1);
        next_[place] = added;
      }
      state = next_[place];
    }
    found[state].push_back(number);
  }

  // Level by level: a state without a way on takes that of the longest suffix of its own that is a state.
  std::vector<State> suffix(depth_.size(), start);
  std::vector<State> level;
  for (std::size_t kind = 0; kind < classes_; ++kind) {
    if (next_[kind] != start) level.push_back(next_[kind]);
  }
  for (std::size_t i = 0; i < level.size(); ++i) {
    const auto state = level[i];
    const auto& inherited = found[suffix[state]];
    found[state].insert(found[state].end(), inherited.begin(), inherited.end());
    for (std::size_t kind = 0; kind < classes_; ++kind) {
      auto& way = next_[state * classes_ + kind];
      const auto fallback = next_[suffix[state] * classes_ + kind];
      if (way == start) {
        way = fallback;
      } else {
        suffix[way] = fallback;
        level.push_back(way);
      }
    }
  }
  for (const auto& numbers : found) {
    found_from_.push_back(static_cast<std::uint32_t>(found_.size()));
    found_.insert(found_.end(), numbers.begin(), numbers.end());
  }
  found_from_.push_back(static_cast<std::uint32_t>(found_.size()));
}

}  // namespace envgen::diagnosis
