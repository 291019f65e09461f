#include "files/file.hpp"

#include <gtest/gtest.h>

namespace envgen::files {
namespace {

TEST(Mark, TellsAFileThatWasTouched) {
  const auto text = seal("# " + unsealed_mark() + "\nFROM x\n");
  EXPECT_EQ(state_of(text), State::untouched);
  EXPECT_EQ(state_of(text + "USER root\n"), State::edited);
  auto head = text;
  head[0] = ';';
  EXPECT_EQ(state_of(head), State::edited);
  auto sum = text;
  sum[sum.find("sha256:") + 8] = sum[sum.find("sha256:") + 8] == '0' ? '1' : '0';
  EXPECT_EQ(state_of(sum), State::edited);
}

TEST(Mark, IsNotInEveryFile) {
  EXPECT_EQ(state_of(""), State::unmarked);
  EXPECT_EQ(state_of("FROM x\n"), State::unmarked);
  EXPECT_EQ(state_of("# " + std::string(mark_begin) + "12"), State::unmarked);
  EXPECT_EQ(seal("FROM x\n"), "FROM x\n");
}

TEST(Mark, IsTheSameForTheSameText) {
  const auto text = "# " + unsealed_mark() + "\nFROM x\n";
  EXPECT_EQ(seal(text), seal(text));
  EXPECT_EQ(seal(seal(text)), seal(text));
}

TEST(Mark, NamesAnotherProjectFile) {
  const auto text = seal("# " + unsealed_mark() + "\nFROM x\n");
  EXPECT_EQ(project_of(text), "");
  EXPECT_EQ(project_of("FROM x of gpu.json\n"), "");
  const auto of_gpu = sealed_for(text, "gpu.json");
  EXPECT_EQ(project_of(of_gpu), "gpu.json");
  EXPECT_EQ(state_of(of_gpu), State::untouched);
  EXPECT_TRUE(of_gpu.ends_with(" of gpu.json\nFROM x\n")) << of_gpu;
  EXPECT_EQ(state_of(sealed_for(text, "gpu.json") + "USER root\n"), State::edited);
  EXPECT_EQ(sealed_for("FROM x\n", "gpu.json"), "FROM x\n");
}

}  // namespace
}  // namespace envgen::files
