// What the build makes of diagnoses/: that it refuses what is not right, and that nothing of the rest is lost.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnosis/pack/pack.hpp"
#include "support/case_file.hpp"
#include "support/json_files.hpp"
#include "util/files.hpp"
#include "util/process.hpp"
#include "util/temporary_folder.hpp"

namespace envgen::diagnosis::pack {
namespace {

using testing::ElementsAre;

/// Two subjects without fault; each test changes what it is about.
test::JsonFiles two_subjects() {
  const auto parse = [](const char* text) { return nlohmann::ordered_json::parse(text); };
  return {{"subjects.json", parse(R"({"$schema": "s", "subjects": ["one", "two"]})")},
          {"one.json", parse(R"({"$schema": "s", "subject": "the first", "diagnoses": [
             {"id": "a-1", "title": "A \"title\"", "cause": ["A cause,", "in two lines."], "fix": "See 'envgen explain b'.",
              "commands": ["one \\ two", ["a long", "command"]], "source": "a source", "proof": "source read",
              "patterns": ["wording * of it !! not this", "? other words"], "numbers": ["35", "?3"], "hides": ["b", "c"],
              "resolves": ["gpu", "torch"], "remark": true},
             {"id": "b", "title": "T", "cause": "C.", "fix": "F.", "commands": ["d"], "source": "e", "proof": "thread",
              "patterns": ["words"]}]})")},
          {"two.json", parse(R"({"$schema": "s", "subject": "the second", "diagnoses": [
             {"id": "c", "title": "T", "cause": "C.", "fix": "F.", "commands": ["d"], "source": "e", "proof": "reproduced",
              "patterns": ["words"]}]})")}};
}

util::TemporaryFolder folder_of(const test::JsonFiles& files) {
  auto folder = util::TemporaryFolder::make("envgen-diagnoses-").value();
  for (const auto& [name, json] : files) std::ofstream(folder.path() / name) << json;
  return folder;
}

test::Lines findings_in(const std::filesystem::path& folder) {
  util::Problems problems;
  read(folder, problems);
  test::Lines lines;
  for (const auto& problem : problems) {
    auto line = problem.origin + ": " + problem.message;
    const auto prefix = folder.string() + "/";
    for (auto at = line.find(prefix); at != std::string::npos; at = line.find(prefix)) line.erase(at, prefix.size());
    for (const auto& hint : problem.hints) line += " (" + hint + ")";
    lines.push_back(line);
  }
  return lines;
}

TEST(Pack, OfEachMemberFindsWhatItMustAndNothingElse) {
  test::play_cases(ENVGEN_TEST_DATA "/diagnosis_cases.txt", [](const test::Lines& changes) {
    auto files = two_subjects();
    for (const auto& line : changes) test::change(files, line);
    return findings_in(folder_of(files).path());
  });
}

TEST(Pack, RefusesAFolderWithoutItsFiles) {
  const auto folder = util::TemporaryFolder::make("envgen-diagnoses-").value();
  EXPECT_THAT(findings_in(folder.path()), ElementsAre("subjects.json: cannot open the file (No such file or directory)"));
  std::ofstream(folder.path() / "subjects.json") << R"({"subjects": ["one"]})";
  EXPECT_THAT(findings_in(folder.path()), ElementsAre("one.json: cannot open the file (No such file or directory)"));
}

TEST(Pack, RefusesWhatIsNoJson) {
  const auto folder = folder_of(two_subjects());
  std::ofstream(folder.path() / "one.json") << "{\n \"subject\": \"s\",\n}\n";
  std::ofstream(folder.path() / "two.json") << R"({"subject": "s", "diagnoses": [{"id": "c", "id": "d"}]})";
  EXPECT_THAT(findings_in(folder.path()), ElementsAre("one.json: not JSON (line 3, column 1)",
                                                      "two.json#/diagnoses/0/id: the name appears twice in one object"
                                                      " (keep one of the two)"));
}

TEST(Pack, WritesWhatItRead) {
  auto files = two_subjects();
  files["subjects.json"]["subjects"] = {"one"};
  files["one.json"]["diagnoses"].erase(1);
  util::Problems none;
  EXPECT_EQ(cpp_of(read(folder_of(files).path(), none)), R"(// Made by src/diagnosis/pack from diagnoses/.
#include <array>

#include "diagnosis/diagnosis.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::array<Diagnosis, 1> table{
    Diagnosis{
        .id = "a-1",
        .title = "A \"title\"",
        .cause = "A cause, in two lines.",
        .fix = "See 'envgen explain b'.",
        .commands = "one \\ two\na long command",
        .source = "a source",
        .proof = Proof::source_read,
        .patterns = "wording * of it !! not this\n? other words",
        .numbers = "35 ?3",
        .hides = "b c",
        .resolves = "gpu torch",
        .remark = true,
    },
};

}  // namespace

std::span<const Diagnosis> all() { return table; }

}  // namespace envgen::diagnosis
)");
}

TEST(Pack, KeepsTheOrderOfSubjectsAndRows) {
  auto files = two_subjects();
  files["subjects.json"]["subjects"] = {"two", "one"};
  util::Problems problems;
  std::vector<std::string> ids;
  for (const auto& row : read(folder_of(files).path(), problems)) ids.push_back(row.id);
  EXPECT_THAT(ids, ElementsAre("c", "a-1", "b"));
  EXPECT_TRUE(problems.empty());
}

TEST(Pack, IsAProgramThatWritesNothingOfWhatIsWrong) {
  auto files = two_subjects();
  const auto right = folder_of(files);
  files["one.json"]["diagnoses"][0]["hides"] = {"bb"};
  const auto wrong = folder_of(files);
  const auto file = wrong.path() / "rows.cpp";
  const auto refused = util::run_process({PACK_DIAGNOSES, wrong.path().string(), file.string()}).value();
  EXPECT_EQ(refused.exit_status, 4);
  EXPECT_EQ(refused.err, wrong.path().string() + "/one.json#/diagnoses/0/hides/0: there is no diagnosis 'bb'; did you mean b?\n");
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_TRUE(util::run_process({PACK_DIAGNOSES, right.path().string(), file.string()}).value().ok());
  util::Problems none;
  EXPECT_EQ(util::read_file(file, 1 << 20).value(), cpp_of(read(right.path(), none)));
  const auto misused = util::run_process({PACK_DIAGNOSES, right.path().string()}).value();
  EXPECT_EQ(misused.exit_status, 2);
  EXPECT_EQ(misused.err, "usage: envgen_pack_diagnoses FOLDER FILE\n");
}

}  // namespace
}  // namespace envgen::diagnosis::pack
