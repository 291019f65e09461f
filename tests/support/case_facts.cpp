#include "support/case_facts.hpp"

#include <stdexcept>

#include "matrix/embedded/embedded.hpp"

namespace envgen::test {

bool CaseFacts::take(std::string_view line) {
  constexpr std::string_view word = "matrix";
  if (!line.starts_with(word)) return false;
  if (!small_) small_.emplace();
  if (line.size() > word.size()) small_->change(line.substr(word.size() + 1));
  return true;
}

matrix::Matrix CaseFacts::matrix() {
  if (!small_) return matrix::embedded();
  loaded_ = small_->load();
  if (!loaded_.block) throw std::runtime_error(loaded_.problems.front().origin + ": " + loaded_.problems.front().message);
  return loaded_.block->matrix();
}

}  // namespace envgen::test
