#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace envgen {

/// Adds a word that is not there yet, at the end.
inline void add_once(std::vector<std::string>& words, std::string word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
}

}  // namespace envgen
