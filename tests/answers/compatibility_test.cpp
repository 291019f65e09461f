#include "answers/compatibility.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/embedded/embedded.hpp"
#include "support/updating.hpp"

/// docs/compatibility.md is made of the built-in facts. ENVGEN_UPDATE_GOLDEN=1 writes it.
namespace envgen::answers {
namespace {

TEST(Compatibility, ThePageOfTheRepositoryIsCurrent) {
  test::expect_current(ENVGEN_DOCS_FOLDER "/compatibility.md", compatibility_page(matrix::embedded()));
}

}  // namespace
}  // namespace envgen::answers
