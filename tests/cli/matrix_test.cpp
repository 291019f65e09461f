#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include <gmock/gmock.h>

#include "cli/run_tool.hpp"
#include "support/matrix_folder.hpp"
#include "support/updating.hpp"

namespace envgen::cli {
namespace {

using test::run_tool;

TEST(MatrixCommand, LintOfTheRepositoryIsClean) {
  const auto outcome = run_tool({"matrix", "lint", ENVGEN_MATRIX_FOLDER});
  EXPECT_EQ(outcome.exit, 0) << outcome.out;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "envgen: no findings in " ENVGEN_MATRIX_FOLDER "\n");
  EXPECT_EQ(run_tool({"--matrix", ENVGEN_MATRIX_FOLDER, "matrix", "lint", "--format", "json"}).out, "[]\n");
}

TEST(MatrixCommand, LintWithoutAFolderIsOfTheFactsInUse) {
  const auto outcome = run_tool({"matrix", "lint"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "envgen: no findings in built in\n");
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

TEST(MatrixCommand, FindingsAreCounted) {
  const auto said_of = [](const std::string& rows) {
    const test::MatrixFolder layer;
    layer.write("os.json", R"({"sources": {}, "pythons": [)" + rows + "]}");
    return run_tool({"matrix", "lint", ENVGEN_MATRIX_FOLDER, layer.path().string()}).err;
  };
  const std::string one = R"({"version": "3.16", "released": null, "eol": null, "source": "nowhere"})";
  const std::string another = R"({"version": "3.17", "released": null, "eol": null, "source": "nowhere"})";
  EXPECT_EQ(said_of(one), "envgen: 1 finding\n");
  EXPECT_EQ(said_of(one + ", " + another), "envgen: 2 findings\n");
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

using Counts = std::map<std::string, std::size_t>;

std::size_t torch_builds(bool wheels) {
  const auto& builds = matrix::embedded()->builds;
  return static_cast<std::size_t>(std::count_if(builds.begin(), builds.end(), [&](const matrix::Build& build) {
    return build.listed && build.framework == Framework::torch && (build.channel == matrix::Channel::wheels) == wheels;
  }));
}

std::size_t releases(Framework framework) {
  const auto& all = matrix::embedded()->releases;
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const matrix::Release& release) { return release.framework == framework; }));
}

/// How many rows each table of the embedded matrix has.
Counts counted() {
  const auto facts = matrix::embedded();
  return {{"torch releases", releases(Framework::torch)},
          {"torch wheel builds", torch_builds(true)},
          {"torch conda builds", torch_builds(false)},
          {"torchvision wheels", facts->torchvision.size()},
          {"torchaudio wheels", facts->torchaudio.size()},
          {"tensorflow releases", releases(Framework::tensorflow)},
          {"CUDA toolkits", facts->toolkits.size()},
          {"cuDNN releases", facts->cudnns.size()},
          {"driver branches", facts->branches.size()},
          {"GPUs", facts->gpus.size()},
          {"nvidia/cuda images", facts->cuda_images.size()},
          {"framework images", facts->official_images.size()},
          {"operating systems", facts->os.size()},
          {"pitfalls", facts->rules.size()},
          {"presets", facts->presets.size()},
          {"mirrors", facts->mirrors.size()},
          {"sources", facts->sources.size()}};
}

TEST(MatrixCommand, InfoCountsTheTables) {
  const auto outcome = run_tool({"matrix", "info", "--format", "json"});
  EXPECT_EQ(outcome.exit, 0);
  const auto info = outcome.json();
  EXPECT_EQ(info["revision"], std::string(matrix::embedded()->revision.view()));
  EXPECT_EQ(info["read"], std::string(matrix::embedded()->read.view()));
  EXPECT_EQ(info["origin"], "built in");
  EXPECT_EQ(info["hash"], std::string(matrix::embedded()->hash.view()));
  EXPECT_EQ(info["hash"].get<std::string>().size(), 64U);
  EXPECT_EQ(info["newest_torch"], std::string(matrix::embedded().newest(Framework::torch)->text.view()));
  EXPECT_EQ(info["newest_torch_complete"], false);
  const auto facts = matrix::embedded();
  EXPECT_EQ(info["layers"], nlohmann::json::array({{{"name", "built in"},
                                                    {"revision", std::string(facts->revision.view())},
                                                    {"read", std::string(facts->read.view())}}}));
  Counts counts;
  for (const auto& row : info["tables"]) counts[row["table"]] = row["rows"];
  EXPECT_EQ(counts, counted());
}

TEST(MatrixCommand, InfoSaysTheSameInWords) {
  const auto outcome = run_tool({"matrix", "info"});
  EXPECT_EQ(outcome.exit, 0);
  const auto facts = matrix::embedded();
  const std::string revision(facts->revision.view());
  const std::string read(facts->read.view());
  const std::string hash(facts->hash.view());
  const std::string newest(facts.newest(Framework::torch)->text.view());
  EXPECT_THAT(outcome.out, testing::StartsWith("Matrix, revision " + revision + "\n"));
  for (const auto& line :
       {"  read on       " + read, std::string("  from          built in"), "  SHA-256 of    " + hash + "\n  the data",
        "  newest torch  " + newest + " (not all CUDA tags are known)"})
    EXPECT_THAT(outcome.out, testing::HasSubstr("\n" + line + "\n"));
  const std::string head = "\nRows\n  table                rows\n";
  const auto begin = outcome.out.find(head);
  ASSERT_NE(begin, std::string::npos) << outcome.out;
  Counts counts;
  std::istringstream lines(outcome.out.substr(begin + head.size()));
  for (std::string line; std::getline(lines, line);) {
    const auto number = line.rfind(' ') + 1;
    const auto name = line.substr(2, line.find("  ", 2) - 2);
    counts[name] = std::stoul(line.substr(number));
  }
  EXPECT_EQ(counts, counted());
}

TEST(MatrixCommand, AFolderOfTheSameFactsHasTheSameHash) {
  const auto built_in = run_tool({"matrix", "info", "--format", "json"}).json();
  const auto folder = run_tool({"--matrix", ENVGEN_MATRIX_FOLDER, "matrix", "info", "--format", "json"}).json();
  EXPECT_EQ(folder["hash"], built_in["hash"]);
  EXPECT_EQ(folder["origin"], ENVGEN_MATRIX_FOLDER);
}

TEST(MatrixCommand, MistakesAreNamed) {
  EXPECT_EQ(run_tool({"matrix"}).err, "envgen: a subcommand is missing\n  envgen matrix lint|info|export|update|verify|add\n");
  EXPECT_EQ(run_tool({"matrix", "lin"}).err,
            "envgen: unknown command 'lin'\n  did you mean lint?\n  envgen matrix lint|info|export|update|verify|add\n");
}

TEST(MatrixCommand, ExportsTheFilesOfTheMatrix) {
  const test::MatrixFolder folder;
  const auto to = (folder.path() / "a" / "b").string();
  const auto outcome = run_tool({"matrix", "export", "json", "-o", to});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "envgen: wrote 15 files to " + to + "\n");
  EXPECT_EQ(run_tool({"matrix", "lint", to}).exit, 0);
  const auto all = run_tool({"matrix", "export"}).json();
  EXPECT_EQ(all["matrix.json"]["revision"], std::string(matrix::embedded()->revision.view()));
  EXPECT_EQ(all.size(), 15U);
}

TEST(MatrixCommand, ExportsTables) {
  const test::MatrixFolder folder;
  const auto outcome = run_tool({"matrix", "export", "csv", "--output", folder.path().string()});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_EQ(outcome.err, "envgen: wrote 31 files to " + folder.path().string() + "\n");
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "torch-builds.csv"));
}

TEST(MatrixCommand, ExportsAPage) {
  const test::MatrixFolder folder;
  const auto file = (folder.path() / "page.md").string();
  EXPECT_EQ(run_tool({"matrix", "export", "markdown", "-o", file}).exit, 0);
  const auto page = run_tool({"matrix", "export", "markdown"});
  EXPECT_EQ(page.exit, 0);
  EXPECT_EQ(test::text_of_file(file), page.out);
  EXPECT_THAT(page.out, testing::StartsWith("# Compatibility\n"));
}

TEST(MatrixCommand, ExportsThatCannotBeMadeAreNamed) {
  const auto error_of = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"matrix", "export"});
    const auto outcome = run_tool(std::move(words));
    EXPECT_EQ(outcome.out, "");
    return std::to_string(outcome.exit) + " " + outcome.err;
  };
  EXPECT_EQ(error_of({"csv"}), "2 envgen: csv writes one file per list\n  choose a folder with -o FOLDER\n");
  EXPECT_EQ(error_of({"cvs"}),
            "2 envgen: unknown export format 'cvs'\n  did you mean csv?\n  envgen matrix export json|csv|markdown\n");
  EXPECT_EQ(error_of({"json", "-o", "/dev/null/x"}), "4 envgen: /dev/null/x: cannot create the folder (Not a directory)\n");
  EXPECT_EQ(error_of({"markdown", "-o", "/dev/null"}), "4 envgen: /dev/null: not a regular file; not replaced\n");
  EXPECT_EQ(error_of({"json", "--matrix", "/nonexistent"}),
            "4 envgen: /nonexistent: no such folder\n  --matrix takes a folder of matrix files\n");
}

TEST(MatrixCommand, TwoSetsOfFactsAreAMistake) {
  const auto outcome = run_tool({"--built-in", "--matrix", ENVGEN_MATRIX_FOLDER, "matrix", "info"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err, "envgen: --built-in and --matrix cannot be combined\n  use one of them\n");
}

TEST(MatrixUpdate, SourcesHaveNames) {
  const auto outcome = run_tool({"matrix", "verify", "--source", "packag-index"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err,
            "envgen: --source: 'packag-index' is not a source\n  did you mean package-index?\n  the sources are package-index, "
            "wheel-index, nvidia-release-notes, nvidia-redist, docker-hub, conda\n");
}

TEST(MatrixUpdate, MirrorsAreAddressesOfSources) {
  const auto said = [](std::vector<std::string> mirrors) {
    std::vector<std::string> words{"matrix", "verify"};
    for (auto& mirror : mirrors) words.push_back("--mirror=" + std::move(mirror));
    const auto outcome = run_tool(words);
    EXPECT_EQ(outcome.exit, 2);
    return outcome.err;
  };
  EXPECT_EQ(said({"conada=https://mirror.example"}),
            "envgen: --mirror: 'conada' is not a source\n  did you mean conda?\n  the sources are package-index, wheel-index, "
            "nvidia-release-notes, nvidia-redist, docker-hub, conda\n");
  EXPECT_EQ(said({"package-index=https://mirror.example"}),
            "envgen: --mirror: package-index is the index that pip is configured with\n  pip config set global.index-url URL\n");
  for (const auto* text : {"conda", "conda=", "conda=mirror.example", "conda=file:///srv/conda"})
    EXPECT_EQ(said({text}),
              "envgen: --mirror: the address of conda is neither http:// nor https://\n  conda=https://mirror.example/path\n");
  EXPECT_EQ(said({"conda=bob:secret@mirror.example"}),
            "envgen: --mirror: the address of conda is neither http:// nor https://\n  conda=https://mirror.example/path\n")
      << "which may hold a login";
  for (const auto* text : {"conda=https://mirror.example/?token=secret", "conda=https://mirror.example/#secret"})
    EXPECT_EQ(said({text}),
              "envgen: --mirror: the address of conda contains ? or #, but paths are appended to it\n"
              "  conda=https://mirror.example/path\n");
  EXPECT_EQ(said({"conda=https://a.example", "conda=https://b.example"}), "envgen: --mirror: conda has two mirrors\n");
}

TEST(MatrixVerify, TakesAWheelOrAnImage) {
  const auto said = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"matrix", "verify"});
    const auto outcome = run_tool(words);
    EXPECT_EQ(outcome.exit, 2);
    return outcome.err;
  };
  EXPECT_EQ(said({"--against-image", "-x"}), "envgen: '-x' is not the name of an image\n");
  EXPECT_EQ(said({"--against-image", "a b"}), "envgen: 'a b' is not the name of an image\n");
  EXPECT_THAT(said({"--against-image", "mine", "--against-wheel", "torch.whl"}),
              testing::AllOf(testing::HasSubstr("--against-wheel"), testing::HasSubstr("--against-image")));
}

TEST(MatrixUpdate, TheBuiltInFactsStay) {
  const auto outcome = run_tool({"matrix", "update"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.err,
            "envgen: --built-in: the built-in data is part of envgen, and new data is written beside it\n  omit it, "
            "or name a folder with --matrix\n");
}

TEST(MatrixUpdate, AFolderThatIsNotSoundIsNotUpdated) {
  const test::MatrixFolder layer;
  layer.write("os.json",
              R"({"sources": {}, "pythons": [{"version": "3.16", "released": null, "eol": null, "source": "nowhere"}]})");
  const auto outcome = run_tool({"--matrix", ENVGEN_MATRIX_FOLDER, "--matrix", layer.path().string(), "matrix", "update"});
  EXPECT_EQ(outcome.exit, 4);
  EXPECT_EQ(outcome.err, "envgen: " + layer.path().string() +
                             "/os.json#/pythons/0/source: the data in use is invalid: the source "
                             "'nowhere' is not in this file's sources\n  'envgen matrix lint' lists all errors\n");
}

TEST(MatrixAdd, SaysWhatItTakes) {
  EXPECT_EQ(run_tool({"--matrix", ENVGEN_MATRIX_FOLDER, "matrix", "add", "jax", "0.9"}).err,
            "envgen: matrix add: releases of 'jax' cannot be added\n  envgen matrix add torch 2.16.0\n");
  const auto wheel = run_tool({"--matrix", ENVGEN_MATRIX_FOLDER, "matrix", "add", "torch", "2.16.0", "/nonexistent/torch.whl"});
  EXPECT_EQ(wheel.exit, 4);
  EXPECT_EQ(wheel.err, "envgen: /nonexistent/torch.whl: cannot open the file (No such file or directory)\n");
  const auto text =
      run_tool({"--matrix", ENVGEN_MATRIX_FOLDER, "matrix", "add", "torch", "2.16.0", ENVGEN_MATRIX_FOLDER "/os.json"});
  EXPECT_EQ(text.exit, 4);
  EXPECT_EQ(text.err, "envgen: " ENVGEN_MATRIX_FOLDER
                      "/os.json: not the name of a wheel of torch for Linux\n  "
                      "such as torch-2.16.0-cp312-cp312-manylinux_2_28_x86_64.whl\n");
  const auto part = run_tool({"--matrix", ENVGEN_MATRIX_FOLDER, "matrix", "add", "torch", "2.15"});
  EXPECT_EQ(part.exit, 2);
  EXPECT_EQ(part.err,
            "envgen: matrix add: '2.15' is only part of a version: a release has three numbers\n"
            "  envgen matrix add torch 2.15.0\n");
}

TEST(MatrixUpdate, HelpSaysWhatADryRunLeaves) {
  for (const auto* task : {"update", "add"}) {
    const auto help = run_tool({"matrix", task, "--help"}).out;
    EXPECT_THAT(help, testing::HasSubstr("change no data; downloads are kept for the next run"));
  }
}

TEST(MatrixUpdate, HelpNamesTheSourcesThatMayHaveAMirror) {
  EXPECT_THAT(run_tool({"matrix", "update", "--help"}).out,
              testing::HasSubstr("(repeatable): wheel-index, nvidia-release-notes, nvidia-redist, docker-hub, conda\n"));
}

}  // namespace
}  // namespace envgen::cli
