#include "util/template.hpp"

#include <gtest/gtest.h>

namespace envgen::util {
namespace {

TEST(Template, ThatIsNotThereIsADefectOfEnvgen) {
  const auto filled = fill("nothing", View());
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().code, ErrorCode::internal);
  EXPECT_EQ(filled.error().message, "no such template");
  EXPECT_EQ(filled.error().origin, "nothing");
}

TEST(Template, NamesWhatTheViewLacks) {
  const auto filled = fill("dockerignore", View());
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().message, "the view lacks mark");
}

TEST(Template, TakesTextsAsTheyAre) {
  const auto filled = fill("dockerignore", View().text("mark", "<&\"' {{mark}} {{{x}}}"));
  ASSERT_TRUE(filled);
  EXPECT_TRUE(filled->starts_with("# <&\"' {{mark}} {{{x}}}\n")) << *filled;
}

}  // namespace
}  // namespace envgen::util
