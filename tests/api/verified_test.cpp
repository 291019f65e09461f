#include "api/answer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/embedded/embedded.hpp"
#include "resolver/materialize.hpp"
#include "support/literals.hpp"
#include "support/request_text.hpp"

/// Nothing reaches a user that the independent check refuses.
namespace envgen::api {
namespace {

struct Asked {
  matrix::Matrix matrix = matrix::embedded();
  Request request = test::request_of("torch=2.3 cuda=12.1");
  resolver::Query query = resolver::interpret(matrix, request).value();
  resolver::Solution solution = resolver::find_best(matrix, query).value();
};

TEST(Verified, HandsOutARightAnswer) {
  const Asked asked;
  const auto environment = verified(asked.matrix, asked.request, asked.query, asked.solution);
  ASSERT_TRUE(environment);
  EXPECT_EQ(environment->torch->version, "2.3.1");
}

TEST(Verified, RefusesASolutionThatBreaksAFact) {
  Asked asked;
  asked.solution.python = PythonVersion::parse("3.6").value();
  const auto environment = verified(asked.matrix, asked.request, asked.query, asked.solution);
  ASSERT_FALSE(environment);
  EXPECT_EQ(environment.error().code, ErrorCode::internal);
  EXPECT_THAT(environment.error().message, testing::AllOf(testing::StartsWith("the independent check rejects this answer: "),
                                                          testing::HasSubstr("python: not every part has a wheel for 3.6"),
                                                          testing::EndsWith("; please report this bug")));
}

TEST(Verified, RefusesAnEnvironmentThatIsNotWhatWasAsked) {
  const Asked asked;
  const auto environment = resolver::materialize(asked.matrix, asked.query, asked.solution);
  EXPECT_TRUE(verify(asked.matrix, asked.request, environment));
  const auto refused = verify(asked.matrix, test::request_of("torch=2.3 cuda=12.1 python=3.11"), environment);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "the independent check rejects this answer: python: 3.10 is not 3.11; please report this bug");
}

}  // namespace
}  // namespace envgen::api
