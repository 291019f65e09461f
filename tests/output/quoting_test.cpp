#include "output/quoting.hpp"

#include <gtest/gtest.h>

#include "output/proof_of_build.hpp"
#include "util/process.hpp"

namespace envgen::output {
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

TEST(CudnnNumber, IsWhatTorchAnswers) {
  EXPECT_EQ(cudnn_number("8.9.2.26"), 8902);
  EXPECT_EQ(cudnn_number("9.1.0.70"), 90100);
  EXPECT_EQ(cudnn_number("9.10.2.21"), 91002);
  EXPECT_EQ(cudnn_number("8.9"), 0);
  EXPECT_EQ(cudnn_number("unknown"), 0);
}

}  // namespace
}  // namespace envgen::output
