// What a program says it is: for people on one line, for programs with what it was built from and which facts it uses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/revision.hpp"
#include "run_tool.hpp"

namespace envgen {
namespace {

using test::run_tool;
using testing::MatchesRegex;

TEST(Version, IsOneLine) {
  const auto ran = run_tool({"--version"});
  EXPECT_EQ(ran.exit, 0);
  EXPECT_THAT(ran.out, MatchesRegex("envgen [0-9.]+ \\(built-in data [0-9.]+, read [0-9-]+\\)\n"));
}

TEST(Version, AsJsonNamesWhatWasBuiltAndItsFacts) {
  const auto answer = run_tool({"--version", "--json"}).json();
  std::vector<std::string> members;
  for (const auto& [name, value] : answer.items()) members.push_back(name);
  EXPECT_EQ(members, (std::vector<std::string>{"compiler", "matrix", "revision", "schema_version", "target", "version"}));
  EXPECT_EQ(answer["schema_version"], 1);
  EXPECT_EQ(answer["matrix"], run_tool({"resolve", "--torch", "2.3", "--json"}).json()["matrix"]);
  EXPECT_THAT(run_tool({"--version"}).out, testing::StartsWith("envgen " + answer["version"].get<std::string>() + " "));
  EXPECT_EQ(answer["target"]["os"], "linux");
  EXPECT_THAT(answer["target"]["architecture"], testing::AnyOf("x86_64", "aarch64"));
  EXPECT_THAT(answer["target"]["libc"].get<std::string>(), MatchesRegex("glibc 2\\.[0-9]+|musl"));
  EXPECT_THAT(answer["compiler"].get<std::string>(), MatchesRegex("(GCC|Clang) [0-9.]+"));
}

TEST(Version, HasItsRevisionOrNull) {
  const auto revision = run_tool({"--version", "--json"}).json()["revision"];
  if (cli::revision().empty()) {
    EXPECT_TRUE(revision.is_null());
  } else {
    EXPECT_THAT(revision.get<std::string>(), MatchesRegex("[0-9a-f]{40}"));
  }
}

TEST(Version, AsJsonIsSaidInAnyOrder) {
  const auto answer = run_tool({"--version", "--json"}).out;
  EXPECT_EQ(run_tool({"--json", "--version"}).out, answer);
  EXPECT_EQ(run_tool({"version", "--json"}).out, answer);
}

TEST(Version, TellsOfTheFactsThatAreNamed) {
  const auto few = run_tool({"--version", "--json", "--matrix", ENVGEN_FEW_FACTS});
  EXPECT_EQ(few.json()["matrix"], run_tool({"resolve", "--json", "--matrix", ENVGEN_FEW_FACTS}).json()["matrix"]);
  EXPECT_NE(few.json()["matrix"], run_tool({"--version", "--json"}).json()["matrix"]);
}

TEST(Version, IsRefusedWhereTheFactsAre) {
  const auto ran = run_tool({"--version", "--json", "--matrix", "/nonexistent"});
  EXPECT_EQ(ran.exit, 4);
  EXPECT_EQ(ran.out, R"({"schema_version":1,"error":{"code":"bad_input","message":"no such folder","origin":"/nonexistent",)"
                     R"("hints":["--matrix takes a folder of matrix files"]}})"
                     "\n");
  const auto both = run_tool({"--version", "--built-in", "--matrix", ENVGEN_FEW_FACTS});
  EXPECT_EQ(both.exit, 2);
  EXPECT_EQ(both.err, "envgen: --built-in and --matrix cannot be combined\n  use one of them\n");
}

}  // namespace
}  // namespace envgen
