#include "diagnosis/ranking.hpp"

#include <algorithm>
#include <tuple>

namespace envgen::diagnosis {
namespace {

bool stands_on(std::size_t line, const Sign& sign) { return sign.finding.evidence.line <= line && line <= sign.last_line; }

bool hides(const Sign& cause, const Sign& effect) {
  const auto hidden = parts(cause.finding.diagnosis->hides, ' ');
  return std::find(hidden.begin(), hidden.end(), effect.finding.diagnosis->id) != hidden.end();
}

}  // namespace

std::vector<Finding> ranked(std::vector<Sign> signs) {
  std::erase_if(signs, [](const Sign& sign) { return sign.finding.diagnosis == nullptr; });  // a hint of nothing
  for (auto& sign : signs) sign.sure = sign.sure || sign.hinted;
  const auto explained = [&](const Sign& sign) {
    return std::any_of(signs.begin(), signs.end(), [&](const Sign& other) {
      if (hides(other, sign)) return other.sure || !sign.sure;
      return !sign.sure && other.sure && stands_on(sign.finding.evidence.line, other);
    });
  };
  std::vector<Sign> left;
  std::copy_if(signs.begin(), signs.end(), std::back_inserter(left), [&](const Sign& sign) { return !explained(sign); });
  // What ends a program before remarks: a remark that is certain says less than the line on which the program ended.
  std::stable_sort(left.begin(), left.end(), [](const Sign& a, const Sign& b) {
    return std::tuple(a.finding.diagnosis->remark, !a.sure, a.finding.evidence.line) <
           std::tuple(b.finding.diagnosis->remark, !b.sure, b.finding.evidence.line);
  });
  std::vector<Finding> findings;
  for (auto& sign : left) findings.push_back(std::move(sign.finding));
  return findings;
}

}  // namespace envgen::diagnosis
