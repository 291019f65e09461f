// What torch.compile needs while a program runs, in the image and on a machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rendered.hpp"

namespace envgen {
namespace {

using test::render;
using test::rendered;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

test::Words dockerfile(test::Words words) {
  words.insert(words.begin(), "dockerfile");
  return words;
}

/// Whether apt installs it, whatever stands before and behind it.
auto installs(const std::string& package) { return HasSubstr("      " + package + " \\\n"); }

TEST(RunTimeCompiler, IsInTheImageWithTheHeadersOfTheSystemsPython) {
  EXPECT_THAT(rendered(dockerfile({"--torch", "2.3"})),
              AllOf(installs("g++"), installs("python3-dev"),
                    HasSubstr("# Packages that the base image lacks. g++ and python3-dev are for torch.compile; --no-compiler "
                              "leaves them out. Downloads")));
  EXPECT_THAT(rendered(dockerfile({"--torch", "2.10", "--base", "pytorch"})),
              AllOf(installs("g++"), HasSubstr("      python3-dev")));
}

TEST(RunTimeCompiler, PythonsOfUvAndCondaBringTheirHeaders) {
  for (const auto& words : {test::Words{"--torch", "2.3", "--python", "3.11"},
                            {"--torch", "2.5", "--installer", "conda"},
                            {"--torch", "2.3", "--base", "pytorch"}}) {
    EXPECT_THAT(rendered(dockerfile(words)), AllOf(HasSubstr("      g++"), Not(HasSubstr("python3-dev")),
                                                   HasSubstr(" g++ is for torch.compile; "
                                                             "--no-compiler leaves it out.")));
  }
}

TEST(RunTimeCompiler, IsNotInstalledWhereNothingNeedsIt) {
  for (const auto& words : {test::Words{"--torch", "2.3", "--no-compiler"}, {"--torch", "1.13"}, {"--tensorflow", "2.15"}}) {
    EXPECT_THAT(rendered(dockerfile(words)),
                AllOf(Not(HasSubstr("g++")), Not(HasSubstr("python3-dev")), Not(HasSubstr("torch.compile"))));
  }
  EXPECT_THAT(rendered(dockerfile({"--torch", "2.3", "--variant", "devel"})),
              AllOf(installs("build-essential"), Not(HasSubstr("torch.compile"))));
}

TEST(RunTimeCompiler, IsInTheLastStage) {
  const auto text = render(dockerfile({"--torch", "2.3", "--variant", "devel", "--multi-stage"})).out;
  const auto last = text.substr(text.rfind("\nFROM "));
  EXPECT_THAT(last, AllOf(installs("g++"), HasSubstr("# The installed and compiled packages, without the build tools.\n")));
}

TEST(RunTimeCompiler, OfAMachineIsLookedFor) {
  const auto missing = [](const std::string& packages) {
    return HasSubstr(
        "  say \"torch.compile will not work until a C++ compiler and the Python headers are installed (Debian and "
        "Ubuntu: " +
        packages + ")\"\n");
  };
  EXPECT_THAT(rendered({"setup", "--torch", "2.3"}), missing("g++ python3-dev"));
  EXPECT_THAT(rendered({"setup", "--torch", "2.3", "--python", "3.11"}), missing("g++"));
  EXPECT_THAT(rendered({"setup", "--torch", "2.3", "--no-compiler"}), Not(HasSubstr("torch.compile")));
}

}  // namespace
}  // namespace envgen
