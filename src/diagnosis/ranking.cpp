#include "diagnosis/ranking.hpp"

#include <algorithm>
#include <tuple>

namespace envgen::diagnosis {
namespace {

bool share_a_line(const Sign& a, const Sign& b) { return a.first <= b.last && b.first <= a.last; }

/// `?ID` hides what a general wording alone shows.
bool hides(const Sign& cause, const Sign& effect) {
  const auto hidden = parts(cause.finding.diagnosis->hides, ' ');
  return std::any_of(hidden.begin(), hidden.end(), [&](std::string_view id) {
    if (!id.starts_with('?')) return id == effect.finding.diagnosis->id;
    return !effect.sure && id.substr(1) == effect.finding.diagnosis->id;
  });
}

}  // namespace

std::vector<Finding> ranked(std::vector<Sign> signs) {
  std::erase_if(signs, [](const Sign& sign) {  // hints of nothing, and general wordings that hints speak against
    return sign.finding.diagnosis == nullptr || (!sign.sure && (sign.contradicted || (sign.needs_hint && !sign.hinted)));
  });
  for (auto& sign : signs) sign.sure = sign.sure || sign.hinted;
  // A remark that may mean anything (a build stopped, an engine ended) says nothing beside a failure.
  const auto explained = [&](const Sign& sign) {
    const bool says_little = !sign.sure && sign.finding.diagnosis->remark;
    return std::any_of(signs.begin(), signs.end(), [&](const Sign& other) {
      if (says_little && !other.finding.diagnosis->remark) return true;
      return other.sure && (hides(other, sign) || (!sign.sure && share_a_line(sign, other)));
    });
  };
  std::vector<Sign> left;
  std::copy_if(signs.begin(), signs.end(), std::back_inserter(left), [&](const Sign& sign) { return !explained(sign); });
  // What ends a program before remarks: a remark that is certain says less than the line on which the program ended. What one
  // wording may mean stands in the order of the table.
  const auto rank = [&](const Sign& sign) {
    const auto* const row = sign.finding.diagnosis;
    return std::tuple(row->remark, !sign.sure, sign.sure ? sign.finding.evidence.line : 0, row - all().data());
  };
  std::sort(left.begin(), left.end(), [&](const Sign& a, const Sign& b) { return rank(a) < rank(b); });
  std::vector<Finding> findings;
  for (auto& sign : left) findings.push_back(std::move(sign.finding));
  return findings;
}

}  // namespace envgen::diagnosis
