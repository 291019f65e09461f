#pragma once

#include <string_view>

#include "matrix/matrix.hpp"
#include "resolver/query.hpp"

/// What an expert would not choose yet, or no longer: rules of envgen, by the dates in the facts. There is no clock.
namespace envgen::resolver {

/// How long before a release of the framework a Python must have come out to be a default for it. torch has wheels for a new
/// Python within half a year; a year passes until most packages that are used beside it do.
inline constexpr int months_to_settle = 15;

/// How long after a release its maintainers, and those of the packages beside it, still look after it: what SPEC 0 asks of core
/// packages. https://scientific-python.org/specs/spec-0000/
inline constexpr int months_of_support = 24;

/// True when a day (or a month) lies before the day on which the facts were read.
bool is_past(const matrix::Matrix& matrix, std::string_view date);

/// The regular Pythons that had been out for `months_to_settle` when the build's release came out. Of a release without a date
/// (TensorFlow's were not read): all that it has wheels for but the newest.
PythonSet settled_pythons(const matrix::Matrix& matrix, const matrix::Build& build);

/// True of a release that came out no more than `months_of_support` before the framework's newest.
bool is_supported(const matrix::Matrix& matrix, const matrix::Build& build);

/// Whether supported releases come before others: who names no release and wants the smallest or the most portable build wants
/// one that is still looked after.
bool prefers_supported(const Query& query);

/// The default among Pythons that would all do: the newest settled one, else the oldest. Not for an empty set.
PythonVersion default_python(PythonSet among, PythonSet settled);

}  // namespace envgen::resolver
