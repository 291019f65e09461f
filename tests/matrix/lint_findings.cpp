#include "matrix/lint_findings.hpp"

#include "matrix/lint.hpp"

namespace envgen::test {

std::vector<std::string> findings_of(const SmallMatrix& matrix, bool with_hints) {
  matrix.write();
  const auto found = matrix::lint({matrix.folder.path()});
  if (!found) return {"unreadable: " + found.error().message};
  std::vector<std::string> texts;
  const auto prefix = matrix.folder.path().string() + "/";
  for (const auto& finding : *found) {
    auto text = finding.origin + ": " + finding.message;
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
    for (const auto& hint : finding.hints) text += with_hints ? " (" + hint + ")" : "";
    texts.push_back(text);
  }
  return texts;
}

}  // namespace envgen::test
