#include "resolver/maturity.hpp"

#include <charconv>
#include <optional>

namespace envgen::resolver {
namespace {

/// Months since year 0 of a day (`2026-10-28`) or a month (`2026-10`); none: there is no date.
std::optional<int> month_of(std::string_view date) {
  if (date.size() < 7) return std::nullopt;
  int year = 0;
  int month = 0;
  std::from_chars(date.data(), date.data() + 4, year);
  std::from_chars(date.data() + 5, date.data() + 7, month);
  return year * 12 + month;
}

}  // namespace

bool is_past(const matrix::Matrix& matrix, std::string_view date) {
  return !date.empty() && date < matrix->read.view().substr(0, date.size());
}

PythonSet settled_pythons(const matrix::Matrix& matrix, const matrix::Build& build) {
  PythonSet settled;
  const auto release = month_of(matrix.release(build).released.view());
  if (!release) {
    const auto regular = build.pythons & PythonSet::regular();
    for (const auto python : regular.list()) {
      if (python != regular.newest()) settled.add(python);
    }
    return settled;
  }
  for (const auto& python : matrix->pythons) {
    const auto out = month_of(python.released.view());
    if (out && *release - *out >= months_to_settle) settled.add(python.version);
  }
  return settled;
}

bool is_supported(const matrix::Matrix& matrix, const matrix::Build& build) {
  const auto release = month_of(matrix.release(build).released.view());
  const auto newest = month_of(matrix.newest(build.framework)->released.view());
  return release && newest && *newest - *release <= months_of_support;
}

bool prefers_supported(const Query& query) {
  return query.version.value == no_value && (query.prefer == Prefer::smallest || query.prefer == Prefer::widest);
}

PythonVersion default_python(PythonSet among, PythonSet settled) {
  const auto mature = among & settled;
  return mature.empty() ? among.list().front() : mature.newest();
}

}  // namespace envgen::resolver
