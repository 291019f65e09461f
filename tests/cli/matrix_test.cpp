#include <gmock/gmock.h>

#include "cli/run_tool.hpp"
#include "support/matrix_folder.hpp"

namespace envgen::cli {
namespace {

using test::run_tool;

TEST(MatrixCommand, LintOfTheRepositoryIsClean) {
  const auto outcome = run_tool({"matrix", "lint", ENVGEN_MATRIX_FOLDER});
  EXPECT_EQ(outcome.exit, 0) << outcome.out;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "envgen: nothing to find fault with in " ENVGEN_MATRIX_FOLDER "\n");
  EXPECT_EQ(run_tool({"--matrix", ENVGEN_MATRIX_FOLDER, "matrix", "lint", "--format", "json"}).out, "[]\n");
}

TEST(MatrixCommand, LintNeedsFiles) {
  const auto outcome = run_tool({"matrix", "lint"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err,
            "envgen: matrix lint: the built-in matrix has no files to check: name a folder\n  envgen matrix lint DIR\n  envgen "
            "--matrix DIR matrix lint\n");
}

TEST(MatrixCommand, FindingsAreLinesAndExitNine) {
  const test::MatrixFolder layer;
  layer.write("os.json",
              R"({"sources": {}, "pythons": [{"version": "3.16", "released": "soon", "eol": null, "source": "nowhere"}]})");
  const auto outcome = run_tool({"matrix", "lint", ENVGEN_MATRIX_FOLDER, layer.path().string()});
  EXPECT_EQ(outcome.exit, 9);
  const auto where = layer.path().string() + "/os.json#/pythons/0";
  EXPECT_THAT(outcome.out, testing::HasSubstr(where + "/source: the source 'nowhere' is not in this file's sources\n"));
  const auto json = run_tool({"matrix", "lint", ENVGEN_MATRIX_FOLDER, layer.path().string(), "--format", "json"});
  EXPECT_EQ(json.exit, 9);
  EXPECT_EQ(json.json()[0]["where"], where + "/source");
}

TEST(MatrixCommand, UnreadableFoldersAreExitFour) {
  const auto gone = run_tool({"matrix", "lint", "/nonexistent"});
  EXPECT_EQ(gone.exit, 4);
  EXPECT_EQ(gone.err, "envgen: /nonexistent: no such folder\n  --matrix takes a folder of matrix files\n");
  const test::MatrixFolder folder;
  folder.write("torch.json", "{\n]");
  const auto broken = run_tool({"matrix", "lint", folder.path().string()});
  EXPECT_EQ(broken.exit, 4);
  EXPECT_EQ(broken.err, "envgen: " + folder.path().string() + "/torch.json: not JSON (line 2, column 1)\n");
}

TEST(MatrixCommand, InfoCountsTheTables) {
  const auto outcome = run_tool({"matrix", "info", "--format", "json"});
  EXPECT_EQ(outcome.exit, 0);
  const auto info = outcome.json();
  EXPECT_EQ(info["revision"], std::string(matrix::embedded()->revision.view()));
  EXPECT_EQ(info["origin"], "built in");
  EXPECT_EQ(info["hash"].get<std::string>().size(), 64U);
  EXPECT_EQ(info["newest_torch_complete"], false);
  EXPECT_EQ(info["tables"][0]["table"], "torch releases");
}

TEST(MatrixCommand, AFolderOfTheSameFactsHasTheSameHash) {
  const auto built_in = run_tool({"matrix", "info", "--format", "json"}).json();
  const auto folder = run_tool({"--matrix", ENVGEN_MATRIX_FOLDER, "matrix", "info", "--format", "json"}).json();
  EXPECT_EQ(folder["hash"], built_in["hash"]);
  EXPECT_EQ(folder["origin"], ENVGEN_MATRIX_FOLDER);
}

TEST(MatrixCommand, MistakesAreNamed) {
  EXPECT_EQ(run_tool({"matrix"}).err, "envgen: what shall be done with the matrix?\n  envgen matrix lint|info\n");
  EXPECT_EQ(run_tool({"matrix", "lin"}).err,
            "envgen: 'lin' is nothing that 'matrix' does\n  did you mean lint?\n  envgen matrix lint|info\n");
}

}  // namespace
}  // namespace envgen::cli
