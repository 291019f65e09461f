#include "diagnosis/diagnosis.hpp"

#include <algorithm>

namespace envgen::diagnosis {

std::string_view name_of(Proof proof) { return proof_names[static_cast<std::size_t>(proof)]; }

std::string_view in_words(Proof proof) {
  constexpr std::array<std::string_view, proof_names.size()> words{"reproduced", "source code", "documentation", "user reports"};
  return words[static_cast<std::size_t>(proof)];
}

std::vector<std::string_view> parts(std::string_view text, char separator) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    if (end > 0) result.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::vector<std::string_view> Diagnosis::command_lines() const { return parts(commands, '\n'); }

const Diagnosis* find(std::string_view id) {
  const auto table = all();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Diagnosis& row) { return row.id == id; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace envgen::diagnosis
