// The schemas that are built in are those of schema/, under names that can be typed and mistyped.
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_tool.hpp"

namespace envgen {
namespace {

using test::run_tool;

std::string published(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(ENVGEN_SCHEMA_FOLDER) + "/" + name + ".schema.json", std::ios::binary).rdbuf();
  return text.str();
}

TEST(Schema, IsPrintedByteByByte) {
  for (const std::string name : {"envgen", "lock", "validate", "bench"}) {
    const auto ran = run_tool({"schema", name});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    ASSERT_NE(ran.out, "");
    EXPECT_EQ(ran.out, published(name));
    EXPECT_EQ(run_tool({"schema", name, "--json"}).out, ran.out);
  }
}

TEST(Schema, WithoutANameListsThem) {
  EXPECT_EQ(run_tool({"schema"}).out,
            "schema    describes\n"
            "envgen    envgen.json: a project's request and outputs\n"
            "lock      envgen.lock: a resolved environment\n"
            "validate  a report of envgen validate, version 1\n"
            "bench     a report of envgen-bench, version 1\n"
            "\n"
            "'envgen schema NAME' prints one.\n");
  const auto listed = run_tool({"schema", "--json"}).json();
  EXPECT_EQ(listed["schema_version"], 1);
  ASSERT_EQ(listed["schemas"].size(), 4U);
  EXPECT_EQ(listed["schemas"][1], (nlohmann::json{{"name", "lock"}, {"title", "envgen.lock: a resolved environment"}}));
}

TEST(Schema, OfAnUnknownNameIsRefused) {
  const auto ran = run_tool({"schema", "lcok"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "envgen: 'lcok' is not one of envgen, lock, validate, bench\n  did you mean lock?\n");
  EXPECT_EQ(run_tool({"schema", ""}).err, "envgen: NAME: the value is empty\n  see 'envgen schema --help'\n");
  EXPECT_EQ(run_tool({"schema", "lock", "envgen"}).err, "envgen: unexpected argument 'envgen'\n  see 'envgen schema --help'\n");
}

}  // namespace
}  // namespace envgen
