#include <gtest/gtest.h>

#include "matrix/lint_findings.hpp"
#include "support/case_file.hpp"

/// A small matrix with one thing changed, and all that lint finds then: tests/data/lint_cases.txt.
namespace envgen::matrix {
namespace {

TEST(MatrixLintCases, OfEachMemberFindsWhatItMustAndNothingElse) {
  test::play_cases(ENVGEN_TEST_DATA "/lint_cases.txt", [](const test::Lines& changes) {
    test::SmallMatrix matrix;
    for (const auto& change : changes) matrix.change(change);
    return test::findings_of(matrix, true);
  });
}

}  // namespace
}  // namespace envgen::matrix
