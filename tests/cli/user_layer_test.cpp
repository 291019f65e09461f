#include <filesystem>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/matrix_folder.hpp"
#include "util/process.hpp"

/// The facts that a user keeps in $XDG_DATA_HOME/envgen/matrix: every command goes by them, and says so.
namespace envgen::cli {
namespace {

namespace fs = std::filesystem;

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

class UserLayerCommand : public testing::Test {
 protected:
  UserLayerCommand() {
    fs::create_directories(layer());
    fs::create_directory(home_.path() / "cache");
  }
  fs::path layer() const { return home_.path() / "data" / "envgen" / "matrix"; }
  void write(const std::string& file, const std::string& text) const {
    home_.write((fs::path("data") / "envgen" / "matrix" / file).string(), text);
  }
  /// A release of torch that is not built in.
  void write_release() const {
    write("torch.json", R"({"sources": {"mine": {"what": "seen here", "url": null, "read": "2026-11-25"}},
      "releases": [{"version": "99.0.0", "released": null, "tags_complete": false, "default_cuda": null,
                    "torchvision": null, "torchaudio": null, "source": "mine"}]})");
    write("matrix.json", R"({"schema_version": 1, "revision": "2099.01.02", "read": "2099-01-02"})");
  }
  util::ProcessResult tool(Words words, Words more = {}) const {
    words.insert(words.begin(), ENVGEN_TOOL);
    std::map<std::string, std::string> variables{{"ENVGEN_BUILT_IN", ""},
                                                 {"ENVGEN_MATRIX", ""},
                                                 {"XDG_DATA_HOME", (home_.path() / "data").string()},
                                                 {"XDG_CACHE_HOME", (home_.path() / "cache").string()}};
    for (const auto& variable : more) variables[variable.substr(0, variable.find('='))] = variable.substr(variable.find('=') + 1);
    Words environment;
    for (const auto& [name, value] : variables) environment.push_back(name + "=" + value);
    auto result = util::run_process(words, {.environment = environment});
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : util::ProcessResult{};
  }
  std::string newest_torch(const Words& more_words = {}, const Words& variables = {}) const {
    Words words{"matrix", "info", "--format", "json"};
    words.insert(words.begin(), more_words.begin(), more_words.end());
    return Json::parse(tool(words, variables).out)["newest_torch"];
  }
  const fs::path& home() const { return home_.path(); }

 private:
  test::MatrixFolder home_;
};

TEST_F(UserLayerCommand, IsUsedWhereItIs) {
  const auto built_in = newest_torch();
  EXPECT_NE(built_in, "99.0.0") << "an empty folder is no layer";
  write_release();
  EXPECT_EQ(newest_torch(), "99.0.0");
  EXPECT_EQ(newest_torch(), "99.0.0") << "from the cache";
  EXPECT_EQ(newest_torch({"--built-in"}), built_in);
  EXPECT_EQ(newest_torch({}, {"ENVGEN_BUILT_IN=1"}), built_in);
  EXPECT_EQ(newest_torch({}, {"ENVGEN_BUILT_IN=0"}), "99.0.0");
  EXPECT_EQ(newest_torch({"--matrix", ENVGEN_MATRIX_FOLDER}), built_in);
  EXPECT_EQ(newest_torch({}, {"ENVGEN_MATRIX=" ENVGEN_MATRIX_FOLDER}), built_in);
}

TEST_F(UserLayerCommand, LiesInTheHomeFolderWithoutXdg) {
  write_release();
  const auto home_of_its_own = home() / "person";
  fs::create_directories(home_of_its_own / ".local/share/envgen");
  fs::copy(layer(), home_of_its_own / ".local/share/envgen/matrix");
  EXPECT_EQ(newest_torch({}, {"XDG_DATA_HOME=", "XDG_CACHE_HOME=relative", "HOME=" + home_of_its_own.string()}), "99.0.0");
  EXPECT_TRUE(fs::exists(home_of_its_own / ".cache/envgen"));
  EXPECT_NE(newest_torch({}, {"XDG_DATA_HOME=relative", "HOME="}), "99.0.0");
}

TEST_F(UserLayerCommand, AnswersNameTheLayers) {
  const Words asked{"resolve", "--torch", "2.3", "--cuda", "12.1"};
  EXPECT_THAT(tool(asked).out, Not(HasSubstr("Facts: ")));
  write_release();
  EXPECT_THAT(tool(asked).out, HasSubstr("\nFacts: built in (read 20"));
  EXPECT_THAT(tool(asked).out, HasSubstr("2099-01-02).\n\nNext: envgen render dockerfile --torch 2.3 --cuda 12.1\n"));
  const auto json = Json::parse(tool({"resolve", "--torch", "2.3", "--cuda", "12.1", "--format", "json"}).out);
  const auto& layers = json["matrix"]["layers"];
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_EQ(layers[0]["name"], "built in");
  EXPECT_EQ(layers[1], (Json{{"name", layer().string()}, {"revision", "2099.01.02"}, {"read", "2099-01-02"}}));
  EXPECT_EQ(json["matrix"]["revision"], "2099.01.02");
  fs::remove(layer() / "matrix.json");
  EXPECT_EQ(Json::parse(tool({"matrix", "info", "--format", "json"}).out)["layers"][1],
            (Json{{"name", layer().string()}, {"revision", nullptr}, {"read", nullptr}}));
}

TEST_F(UserLayerCommand, OneThatCannotBeReachedIsNotTakenForNone) {
  fs::remove_all(layer());
  fs::create_symlink("matrix", layer());
  const auto result = tool({"resolve", "--gpu", "4090"});
  EXPECT_EQ(result.exit_status, 4);
  EXPECT_EQ(result.err, "envgen: " + layer().string() +
                            "/matrix.json: cannot read the file (Too many levels of symbolic links)\n"
                            "  --built-in runs without the data in '" +
                            layer().string() + "'\n  to remove that data, delete the folder\n");
}

TEST_F(UserLayerCommand, OneThatCannotBeLoadedSaysHowToGoOn) {
  write("torch.json", "{\n]");
  for (const auto& words : {Words{"resolve", "--torch", "2.3"}, Words{"matrix", "lint"}, Words{"matrix", "export", "json"}}) {
    const auto result = tool(words);
    EXPECT_EQ(result.exit_status, 4);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "envgen: " + (layer() / "torch.json").string() +
                              ": not JSON (line 2, column 1)\n  --built-in runs without the data in '" + layer().string() +
                              "'\n  to remove that data, delete the folder\n");
  }
  EXPECT_EQ(tool({"--built-in", "resolve", "--torch", "2.3"}).exit_status, 0);
}

TEST_F(UserLayerCommand, IsLintedOverTheBuiltInFacts) {
  const std::string head =
      R"({"sources": {"mine": {"what": "seen here", "url": null, "check": "the file itself", "read": "2026-11-25"}}, "pythons": [)";
  write("os.json", head + R"({"version": "3.17", "released": null, "eol": null, "source": "mine"}]})");
  const auto clean = tool({"matrix", "lint"});
  EXPECT_EQ(clean.exit_status, 0) << clean.out;
  EXPECT_EQ(clean.err, "envgen: no findings in built in, " + layer().string() + "\n");
  write("os.json", head + R"({"version": "3.17", "released": null, "eol": null, "source": "nowhere"}]})");
  const auto bad = tool({"matrix", "lint"});
  EXPECT_EQ(bad.exit_status, 9);
  EXPECT_THAT(bad.out, HasSubstr((layer() / "os.json").string() +
                                 "#/pythons/0/source: the source 'nowhere' is not in this file's sources\n"));
}

TEST_F(UserLayerCommand, ExportsWithItsRows) {
  write_release();
  const auto to = (home() / "out").string();
  const auto result = tool({"matrix", "export", "-o", to});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.err, "envgen: wrote 15 files to " + to + "\n");
  EXPECT_EQ(Json::parse(tool({"--matrix", to, "matrix", "info", "--format", "json"}).out)["hash"],
            Json::parse(tool({"matrix", "info", "--format", "json"}).out)["hash"]);
}

}  // namespace
}  // namespace envgen::cli
