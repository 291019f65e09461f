#include "files/quoting.hpp"
#include "model/shell_word.hpp"

#include <gtest/gtest.h>

#include "util/process.hpp"

namespace envgen::files {
namespace {

const std::string awkward = "a 'b' \"c\" $(d) `e` \\f #g {{h}} : i \t ~ * ? ! & | ; < > %";

std::string printed(const std::vector<std::string>& command) {
  const auto ran = util::run_process(command, {});
  EXPECT_TRUE(ran);
  return ran ? ran->out : std::string();
}

TEST(ShellWord, IsOneWordToAShell) {
  EXPECT_EQ(shell_word("torch==2.3.1"), "torch==2.3.1");
  EXPECT_EQ(shell_word("numpy<2"), "'numpy<2'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(printed({"/bin/sh", "-c", "printf %s " + shell_word(awkward)}), awkward);
}

TEST(PythonText, IsTheTextToPython) {
  const auto text = python_text(awkward);
  EXPECT_EQ(text.find('\''), std::string::npos);
  EXPECT_EQ(printed({"python3", "-c", "print(" + text + ", end='')"}), awkward);
}

TEST(DockerfileValue, StartsNoVariable) {
  EXPECT_EQ(dockerfile_value("8.0;8.6"), "\"8.0;8.6\"");
  EXPECT_EQ(dockerfile_value("a \"b\" $c \\"), "\"a \\\"b\\\" \\$c \\\\\"");
}

TEST(YamlText, IsJson) { EXPECT_EQ(yaml_text("a: \"b\"\n"), "\"a: \\\"b\\\"\\n\""); }

}  // namespace
}  // namespace envgen::files
