#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "project/project_file.hpp"
#include "support/locks.hpp"
#include "support/temporary_folder.hpp"
#include "util/process.hpp"

namespace envgen::cli {
namespace {

using test::TemporaryFolder;
using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

/// Runs a program with the folder as its own.
util::ProcessResult in_folder(const TemporaryFolder& folder, Words words) {
  Words argv{"sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path().string()};
  argv.insert(argv.end(), words.begin(), words.end());
  auto result = util::run_process(argv);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : util::ProcessResult{};
}

util::ProcessResult tool(const TemporaryFolder& folder, Words words) {
  words.insert(words.begin(), ENVGEN_TOOL);
  return in_folder(folder, std::move(words));
}

const std::string asks_for_two = R"({"request": {"torch": "2.3"}, "outputs": {"files": ["dockerfile", "run"], "apt": ["git"]}})";
const std::string not_of_envgen =
    "envgen: Dockerfile: envgen did not write this file; nothing was written\n"
    "  --diff shows what would change\n  --force overwrites it\n";

TEST(Init, WritesAFileThatResolvesAndLocks) {
  const TemporaryFolder folder;
  const auto init = tool(folder, {"init", "--torch", "2.3", "--gpu", "4090", "--gpu", "A100"});
  EXPECT_EQ(init.out, "wrote envgen.json\nNext: envgen generate\n");
  EXPECT_EQ(init.exit_status, 0);
  EXPECT_THAT(folder.read("envgen.json"), HasSubstr("\n    \"torch\": \"2.3\",\n"));
  EXPECT_THAT(folder.read("envgen.json"), HasSubstr("\n    \"gpus\": [\"4090\", \"A100\"],\n"));
  EXPECT_THAT(folder.read("envgen.json"), HasSubstr("\n    // \"cuda\": \"12.1\",\n"));
  const auto resolve = tool(folder, {"resolve", "--project", "envgen.json", "--format", "json"});
  EXPECT_EQ(resolve.exit_status, 0) << resolve.err;
  EXPECT_EQ(Json::parse(resolve.out)["request"], (Json{{"torch", "2.3"}, {"gpus", {"4090", "A100"}}}));
  EXPECT_EQ(tool(folder, {"lock"}).exit_status, 0);
  EXPECT_EQ(tool(folder, {"lock", "--check"}).exit_status, 0);
}

TEST(Init, AndLockWriteToStandardOutput) {
  const TemporaryFolder folder;
  const auto init = tool(folder, {"init", "--torch", "2.3", "-o", "-"});
  EXPECT_THAT(init.out, HasSubstr("\n    \"torch\": \"2.3\""));
  const auto lock = tool(folder, {"lock", "--torch", "2.3", "-o", "-"});
  EXPECT_EQ(Json::parse(lock.out)["environment"]["torch"]["version"], "2.3.1");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Lock, NeverReplacesTheProjectFile) {
  const TemporaryFolder folder;
  tool(folder, {"init", "--torch", "2.3"});
  const auto before = folder.read("envgen.json");
  for (const Words& more : {Words{}, Words{"--force"}}) {
    Words words{"lock", "-o", "envgen.json"};
    words.insert(words.end(), more.begin(), more.end());
    const auto refused = tool(folder, words);
    EXPECT_EQ(refused.err,
              "envgen: envgen.json: this is the project file, and a lock would overwrite it\n  -o FILE writes to another one\n");
    EXPECT_EQ(refused.exit_status, 2);
  }
  EXPECT_EQ(folder.read("envgen.json"), before);
}

TEST(Lock, GoesThroughALinkAndKeepsTheMode) {
  const TemporaryFolder folder;
  tool(folder, {"lock", "--torch", "2.3", "-o", "real.lock"});
  std::filesystem::create_symlink("real.lock", folder.path() / "envgen.lock");
  std::filesystem::permissions(folder.path() / "real.lock", std::filesystem::perms(0600));
  EXPECT_EQ(tool(folder, {"lock", "--torch", "2.4"}).exit_status, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "envgen.lock"));
  EXPECT_THAT(folder.read("real.lock"), HasSubstr("\"version\": \"2.4.1\""));
  EXPECT_EQ(std::filesystem::status(folder.path() / "real.lock").permissions(), std::filesystem::perms(0600));
}

TEST(Lock, DoesNotReplaceALinkToNothing) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("gone.lock", folder.path() / "envgen.lock");
  const auto refused = tool(folder, {"lock", "--torch", "2.4"});
  EXPECT_EQ(refused.err, "envgen: envgen.lock: a dangling link, which would be replaced by a file\n");
  EXPECT_EQ(refused.exit_status, 4);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "envgen.lock"));
}

TEST(Lock, RefusesAMirrorThatNobodyKnows) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": "2.3"}, "outputs": {"mirror": "x"}})");
  const auto refused = tool(folder, {"lock"});
  EXPECT_THAT(refused.err, HasSubstr("envgen: envgen.json#/outputs/mirror: "));
  EXPECT_EQ(refused.exit_status, 4);
}

TEST(Generate, ProvesInAWorkflowWhatTheProjectMakes) {
  const auto generated = [](const TemporaryFolder& folder, const std::string& outputs, const std::string& request = {}) {
    folder.write("envgen.json", R"({"request": {"torch": "2.7")" + request + R"(}, "outputs": {)" + outputs + "}}");
    tool(folder, {"lock"});
    return tool(folder, {"generate"});
  };
  const std::string path = ".github/workflows/envgen.yml";
  {
    const TemporaryFolder folder;
    const auto made = generated(folder, R"("files": ["dockerfile", "ci"], "ci_for": "github")");
    EXPECT_EQ(made.out, "wrote Dockerfile\nwrote .dockerignore\nwrote .github/workflows/envgen.yml\n") << made.err;
    EXPECT_THAT(folder.read(path), HasSubstr("--build-arg USER_GID=\"$(id -g)\" .\n"));
    EXPECT_EQ(tool(folder, {"generate", "--check"}).exit_status, 0);
    EXPECT_EQ(tool(folder, {"render", "ci", "-o", "./", "--check"}).exit_status, 0);
  }
  {
    const TemporaryFolder folder;
    generated(folder, R"("files": ["devcontainer", "setup", "ci"], "ci_for": "github")");
    EXPECT_THAT(folder.read(path), HasSubstr("--build-arg USER_GID=\"$(id -g)\" .devcontainer\n"));
  }
  {
    const TemporaryFolder folder;
    generated(folder, R"("files": ["setup", "ci"], "ci_for": "github", "ca_cert": "ca.pem")", R"(, "installer": "conda")");
    EXPECT_THAT(folder.read(path),
                AllOf(HasSubstr("SSL_CERT_FILE=\"$(realpath \"$CA_CERT\")\" ./setup.sh\n"), Not(HasSubstr("docker")),
                      HasSubstr(R"(PATH="$PWD/.conda/bin:$PATH" envgen validate --here --profile build)"),
                      HasSubstr("validate --here --profile full --require gpu \\\n")));
  }
  {
    const TemporaryFolder folder;
    generated(folder, R"("files": ["compose", "ci"], "ci_for": "github")");
    EXPECT_THAT(folder.read(path), HasSubstr("--build-arg USER_GID=\"$(id -g)\" .\n"));
  }
  const TemporaryFolder folder;
  EXPECT_EQ(generated(folder, R"("files": ["run", "ci"], "ci_for": "gitlab")").err,
            "envgen: envgen.json#/outputs/files/1: ci: the project generates neither a Dockerfile nor a setup.sh, so there is "
            "nothing to "
            "build or validate\n  \"outputs\": {\"files\": [\"dockerfile\", \"ci\"]}\n");
  EXPECT_EQ(generated(folder, R"("files": ["dockerfile", "ci"])").err,
            "envgen: envgen.json#/outputs/ci_for: ci: no CI service is named\n  --for github, or --for gitlab\n  in "
            "envgen.json: \"outputs\": {\"ci_for\": \"github\"}\n");
}

const std::string needs_variables =
    "envgen: the workflow needs the CI variables ENVGEN_RELEASES_URL, ENVGEN_VERSION, ENVGEN_SHA256; its first lines explain "
    "them\n";

TEST(Generate, LeavesAPipelineOfGitLabThatIsThere) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": "2.7"}, "outputs": {"files": ["dockerfile", "ci"], "ci_for": "gitlab"}})");
  folder.write(".gitlab-ci.yml", "include: [{local: .gitlab/envgen.gitlab-ci.yml}]\n");
  tool(folder, {"lock"});
  const auto made = tool(folder, {"generate"});
  EXPECT_THAT(made.out, AllOf(HasSubstr("wrote .gitlab/envgen.gitlab-ci.yml\n"), Not(HasSubstr("wrote .gitlab-ci.yml\n"))));
  EXPECT_EQ(folder.read(".gitlab-ci.yml"), "include: [{local: .gitlab/envgen.gitlab-ci.yml}]\n");
  EXPECT_EQ(made.err, needs_variables);
  const auto checked = tool(folder, {"generate", "--check"});
  EXPECT_EQ(checked.exit_status, 0);
  EXPECT_EQ(checked.err, "");  // it writes none
}

TEST(Generate, SaysWhatAPipelineOfGitLabThatIsThereLacks) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": "2.7"}, "outputs": {"files": ["dockerfile", "ci"], "ci_for": "gitlab"}})");
  folder.write(".gitlab-ci.yml", "# - local: .gitlab/envgen.gitlab-ci.yml\ntest: {script: [make]}\n");
  tool(folder, {"lock"});
  const std::string note =
      "envgen: .gitlab-ci.yml is yours and is unchanged; it does not include envgen's jobs:\n  include:\n    - local: "
      ".gitlab/envgen.gitlab-ci.yml\n";
  const auto made = tool(folder, {"generate"});
  EXPECT_EQ(made.exit_status, 0);
  EXPECT_EQ(made.err, needs_variables + note);
  EXPECT_EQ(tool(folder, {"generate"}).err, needs_variables + note);
}

TEST(Generate, PlacesContradictionsAtTheOptionThatSaysThem) {
  const auto error = [](const std::string& request, const std::string& option, const std::string& file) {
    const TemporaryFolder folder;
    folder.write("envgen.json",
                 R"({"request": {)" + request + R"(}, "outputs": {"files": [")" + file + R"("], ")" + option + R"(": true}})");
    tool(folder, {"lock"});
    const auto refused = tool(folder, {"generate"});
    EXPECT_EQ(refused.exit_status, 4);
    return refused.err.substr(0, refused.err.find('\n'));
  };
  EXPECT_EQ(
      error(R"("torch": "2.3")", "multi_stage", "dockerfile"),
      "envgen: envgen.json#/outputs/multi_stage: dockerfile: nothing is compiled in this environment, so one stage is enough");
  EXPECT_EQ(error(R"("torch": "2.13", "cuda": "cpu")", "gpu_required", "devcontainer"),
            "envgen: envgen.json#/outputs/gpu_required: devcontainer: this is a CPU build, so a GPU cannot be required");
}

TEST(Render, StandardOutputCannotBeChecked) {
  const TemporaryFolder folder;
  for (const auto* flag : {"--check", "--diff", "--force"}) {
    const auto refused = tool(folder, {"render", "run", "--torch", "2.3", flag, "-o", "-"});
    EXPECT_EQ(refused.err, "envgen: -o: standard output cannot be compared or overwritten\n  name a file or a folder\n");
    EXPECT_EQ(refused.exit_status, 2);
  }
}

TEST(Lock, StandardOutputCannotBeChecked) {
  const TemporaryFolder folder;
  EXPECT_EQ(tool(folder, {"lock", "--torch", "2.3", "--check", "-o", "-"}).err,
            "envgen: -o: --check needs a file to compare; '-' is not a file\n");
}

TEST(EmptyValues, AreMistakes) {
  const TemporaryFolder folder;
  const std::vector<std::pair<Words, std::string>> cases{{{"resolve", "--preset", ""}, "--preset"},
                                                         {{"resolve", "--project", ""}, "--project"},
                                                         {{"resolve", "--batch", ""}, "--batch"},
                                                         {{"lock", "-o", ""}, "--output"},
                                                         {{"init", "-o", ""}, "--output"}};
  for (const auto& [words, option] : cases) {
    const auto refused = tool(folder, words);
    EXPECT_EQ(refused.err, fmt::format("envgen: {}: the value is empty\n  see 'envgen {} --help'\n", option, words[0]));
    EXPECT_EQ(refused.exit_status, 2);
  }
}

TEST(Init, TakesTheFilesAndTheirOptions) {
  const TemporaryFolder folder;
  const auto made =
      tool(folder, {"init", "compose", "dockerfile", "compose", "--torch", "2.3", "--apt", "libgl1", "--ssh", "-o", "-"});
  EXPECT_EQ(made.exit_status, 0);
  for (const auto* line : {"    \"files\": [\"compose\", \"dockerfile\"],\n", "    \"apt\": [\"libgl1\"],\n",
                           "    \"ssh\": true,\n", "    // \"user\": \"dev\",\n"})
    EXPECT_THAT(made.out, HasSubstr(line));
  EXPECT_EQ(tool(folder, {"init", "compose,dockerfile,compose", "--torch", "2.3", "--apt", "libgl1", "--ssh", "-o", "-"}).out,
            made.out);
  const auto typo = tool(folder, {"init", "dokerfile"});
  EXPECT_EQ(typo.exit_status, 2);
  EXPECT_THAT(typo.err, StartsWith("envgen: init: 'dokerfile' is not an output; the outputs are dockerfile, "));
}

TEST(Init, RefusesFilesThatCannotBeMade) {
  const TemporaryFolder folder;
  const auto refused = tool(folder, {"init", "dockerfile", "ci", "--torch", "2.3"});
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_EQ(refused.err,
            "envgen: --for: no CI service is named\n  --for github, or --for gitlab\n  in envgen.json: \"outputs\": "
            "{\"ci_for\": \"github\"}\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "envgen.json"));
  EXPECT_EQ(tool(folder, {"init", "dockerfile", "ci", "--torch", "2.3", "--for", "github"}).exit_status, 0);
}

TEST(Init, LeavesAFileThatIsThere) {
  const TemporaryFolder folder;
  folder.write("envgen.json", "mine");
  const auto refused = tool(folder, {"init"});
  EXPECT_EQ(refused.exit_status, 9);
  EXPECT_EQ(refused.out, "");
  EXPECT_EQ(refused.err,
            "envgen: envgen.json: the file already exists; unchanged\n  --force overwrites it\n  -o FILE writes to "
            "another one\n");
  EXPECT_EQ(folder.read("envgen.json"), "mine");
  EXPECT_EQ(tool(folder, {"init", "-o", "other.json"}).out, "wrote other.json\nNext: envgen generate --project other.json\n");
  EXPECT_EQ(tool(folder, {"init", "--force", "--format", "json"}).out, "{\"schema_version\":1,\"project\":\"envgen.json\"}\n");
  EXPECT_EQ(folder.read("envgen.json"), project::project_template({}));
  EXPECT_EQ(folder.read("other.json"), project::project_template({}));
}

TEST(Init, StartsWithNoConflictAndNoTypo) {
  const TemporaryFolder folder;
  const auto conflict = tool(folder, {"init", "--torch", "2.3", "--gpu", "5090"});
  EXPECT_EQ(conflict.exit_status, 3);
  EXPECT_THAT(conflict.out, StartsWith("No environment satisfies torch 2.3 and gpu 5090.\n"));
  const auto typo = tool(folder, {"init", "--variant", "devl"});
  EXPECT_EQ(typo.exit_status, 2);
  EXPECT_THAT(typo.err, HasSubstr("did you mean devel?"));
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(Init, KeepsAPresetByName) {
  const TemporaryFolder folder;
  EXPECT_EQ(tool(folder, {"init", "--preset", "colab-t4", "--torch", "2.6"}).exit_status, 0);
  EXPECT_THAT(folder.read("envgen.json"), HasSubstr("\n    \"preset\": \"colab-t4\",\n"));
  EXPECT_THAT(folder.read("envgen.json"), HasSubstr("\n    // \"gpus\": "));
  EXPECT_EQ(Json::parse(tool(folder, {"resolve", "--project", "envgen.json", "--format", "json"}).out)["request"],
            (Json{{"torch", "2.6"}, {"python", "3.12"}, {"os", "ubuntu22.04"}, {"gpus", {"T4"}}}));
}

TEST(ProjectOption, FlagsOverrideTheFile) {
  const TemporaryFolder folder;
  folder.write("p.json", R"({"request": {"torch": "2.3", "cuda": "12.1", "gpus": ["4090"]}})");
  const auto answer = Json::parse(tool(folder, {"resolve", "--project", "p.json", "--torch", "2.4", "--format", "json"}).out);
  EXPECT_EQ(answer["request"], (Json{{"torch", "2.4"}, {"cuda", "12.1"}, {"gpus", {"4090"}}}));
}

TEST(ProjectOption, ResolveReadsNoFileUnasked) {
  const TemporaryFolder folder;
  folder.write("envgen.json", "not JSON");
  EXPECT_EQ(tool(folder, {"resolve", "--torch", "2.3"}).exit_status, 0);
}

TEST(ProjectOption, WhatIsWrongInTheFileIsToldWithItsPlace) {
  const TemporaryFolder folder;
  folder.write("value.json", R"({"request": {"torch": "2.x"}})");
  folder.write("preset.json", R"({"request": {"preset": "colab-t5"}})");
  folder.write("member.json", R"({"request": {"troch": "2.3"}})");
  for (const auto* command : {"resolve", "lock"}) {
    auto result = tool(folder, {command, "--project", "value.json"});
    EXPECT_EQ(result.exit_status, 4);
    EXPECT_EQ(result.err,
              "envgen: value.json#/request/torch: '2.x' is not a version number (only digits and dots are allowed)\n"
              "  2 means any 2.x; '==2.*' means the same\n");
    result = tool(folder, {command, "--project", "preset.json"});
    EXPECT_EQ(result.exit_status, 4);
    EXPECT_EQ(result.err,
              "envgen: preset.json#/request/preset: 'colab-t5' is not one of 4090x2, autodl, colab-t4, dgx-a100, wsl2\n  did you "
              "mean colab-t4?\n");
    result = tool(folder, {command, "--project", "member.json", "--format", "json"});
    EXPECT_EQ(result.exit_status, 4);
    EXPECT_EQ(Json::parse(result.out)["error"], (Json{{"code", "bad_input"},
                                                      {"message", "unknown field 'troch'"},
                                                      {"origin", "member.json#/request/troch"},
                                                      {"hints", {"did you mean torch?"}}}));
    result = tool(folder, {command, "--project", "none.json"});
    EXPECT_EQ(result.exit_status, 4);
    EXPECT_EQ(
        result.err,
        "envgen: none.json: cannot open the file (No such file or directory)\n  'envgen init -o none.json' writes a project "
        "file\n");
    result = tool(folder, {command, "--project", "value.json", "--torch", "2.y"});  // the flag's own fault
    EXPECT_EQ(result.exit_status, 2);
    EXPECT_EQ(result.err, "envgen: --torch: '2.y' is not a version number (only digits and dots are allowed)\n");
  }
}

TEST(Lock, FromFlagsFromTheFolderAndBesideTheProjectFile) {
  const TemporaryFolder folder;
  const auto nothing = tool(folder, {"lock"});
  EXPECT_EQ(nothing.exit_status, 2);
  EXPECT_EQ(nothing.err,
            "envgen: lock: nothing to lock: there is no envgen.json here, and no flag was given\n  'envgen init' writes a "
            "project file\n"
            "  or use flags: envgen lock --torch 2.3 --gpu 4090\n");
  const auto flags = tool(folder, {"lock", "--torch", "2.3"});
  EXPECT_EQ(flags.exit_status, 0);
  EXPECT_THAT(flags.out,
              StartsWith("wrote envgen.lock: torch 2.3.1 + CUDA 12.1, Python 3.10, Ubuntu 22.04, driver 525.60.13 or newer\n"));
  std::filesystem::create_directory(folder.path() / "sub");
  folder.write("sub/envgen.json", R"({"request": {"torch": "2.4"}})");
  EXPECT_THAT(tool(folder, {"lock", "--project", "sub/envgen.json"}).out, StartsWith("wrote sub/envgen.lock: torch 2.4.1"));
  EXPECT_THAT(tool(folder, {"lock", "--project", "sub/envgen.json", "-o", "third.lock"}).out,
              StartsWith("wrote third.lock: torch 2.4.1"));
  EXPECT_EQ(folder.read("sub/envgen.lock"), folder.read("third.lock"));
  folder.write("my project.json", R"({"request": {"torch": "2.4"}})");
  EXPECT_THAT(tool(folder, {"lock", "--project", "my project.json"}).out,
              testing::EndsWith("\nNext: envgen render dockerfile --project 'my project.json'\n"));
}

TEST(Lock, IsOfOneProjectFile) {
  const TemporaryFolder folder;
  folder.write("cpu.json", R"({"request": {"torch": "2.4", "cuda": "cpu"}, "outputs": {"files": ["requirements"]}})");
  folder.write("gpu.json", R"({"request": {"torch": "2.6"}, "outputs": {"files": ["requirements"]}})");
  EXPECT_THAT(
      tool(folder, {"lock", "--project", "cpu.json"}).out,
      testing::AllOf(StartsWith("wrote cpu.lock: torch 2.4.1"), testing::EndsWith("Next: envgen generate --project cpu.json\n")));
  EXPECT_THAT(tool(folder, {"generate", "--project", "gpu.json"}).err, StartsWith("envgen: wrote gpu.lock: torch 2.6.0"));
  EXPECT_THAT(folder.read("requirements.txt"), testing::HasSubstr("torch==2.6.0"));
  folder.write("gpu.json", R"({"request": {"torch": "2.7"}, "outputs": {"files": ["requirements"]}})");
  EXPECT_EQ(tool(folder, {"generate", "--project", "gpu.json"}).err,
            "envgen: gpu.lock: the lock is out of date: its request differs from the project's\n"
            "  'envgen lock --project gpu.json' updates it\n");
  // A project file that is called so itself stays what it is.
  folder.write("p.lock", R"({"request": {"torch": "2.4"}})");
  EXPECT_THAT(tool(folder, {"lock", "--project", "p.lock"}).out, StartsWith("wrote p.lock.lock: torch 2.4.1"));
}

TEST(Generate, KeepsTheFilesOfAnotherProject) {
  const TemporaryFolder folder;
  const auto generate = [&](const char* project, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"generate", "--project", project});
    return tool(folder, more);
  };
  const auto refusal = [](const char* why) {
    return fmt::format(
        "envgen: requirements.txt: {}; nothing was written\n  --diff shows what would change\n  --force overwrites it\n"
        "  -o DIR writes to another folder\n",
        why);
  };
  for (const auto* project : {"envgen.json", "cpu.json", "gpu.json"}) {
    const auto* build = project[0] == 'c' ? "cpu" : project[0] == 'g' ? "12.4" : "11.8";
    folder.write(
        project,
        fmt::format(R"({{"request": {{"torch": "2.4", "cuda": "{}"}}, "outputs": {{"files": ["requirements"]}}}})", build));
    EXPECT_EQ(tool(folder, {"lock", "--project", project}).exit_status, 0);
  }
  EXPECT_EQ(generate("cpu.json").out, "wrote requirements.txt\n");
  EXPECT_EQ(generate("cpu.json").out, "unchanged requirements.txt\n");
  EXPECT_EQ(generate("cpu.json", {"--check"}).exit_status, 0);
  EXPECT_EQ(generate("gpu.json").err, refusal("the file was generated from cpu.json"));
  EXPECT_EQ(generate("envgen.json").err, refusal("the file was generated from cpu.json"));
  EXPECT_EQ(generate("envgen.json").exit_status, 9);
  EXPECT_EQ(generate("envgen.json", {"--force"}).out, "overwrote requirements.txt\n");
  EXPECT_EQ(generate("gpu.json").err, refusal("the file was not generated from gpu.json"));
  EXPECT_EQ(generate("gpu.json", {"-o", "gpu"}).out, "wrote gpu/requirements.txt\n");
}

TEST(Generate, KeepsTheFilesOfAProjectThatIsCalledAlike) {
  const TemporaryFolder folder;
  for (const std::string name : {"a", "b"}) {
    std::filesystem::create_directory(folder.path() / name);
    folder.write(name + "/envgen.json", R"({"request": {"torch": "2.4"}, "outputs": {"files": ["requirements"]}})");
  }
  const auto generate = [&](const char* project, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"generate", "--project", project, "-o", "out"});
    return tool(folder, more);
  };
  const auto refusal = [](const char* path, const char* why) {
    return fmt::format(
        "envgen: {}: {}; nothing was written\n  --diff shows what would change\n  --force overwrites it\n"
        "  -o DIR writes to another folder\n",
        path, why);
  };
  EXPECT_EQ(generate("a/envgen.json").out, "wrote out/requirements.txt\n");
  EXPECT_EQ(generate("a/envgen.json").out, "unchanged out/requirements.txt\n");
  EXPECT_EQ(generate("a/envgen.json", {"--check"}).exit_status, 0);
  const auto other = generate("b/envgen.json");
  EXPECT_EQ(other.exit_status, 9);
  EXPECT_EQ(other.err, refusal("out/requirements.txt", "the file was generated from ../a/envgen.json"));
  EXPECT_EQ(generate("b/envgen.json", {"--force"}).out, "overwrote out/requirements.txt\n");
  EXPECT_EQ(generate("a/envgen.json").err, refusal("out/requirements.txt", "the file was generated from ../b/envgen.json"));
  // The files beside a project do not say so, and are its own all the same.
  EXPECT_EQ(tool(folder, {"generate", "--project", "a/envgen.json"}).out, "wrote a/requirements.txt\n");
  EXPECT_EQ(tool(folder, {"generate", "--project", "b/envgen.json", "-o", "a"}).err,
            refusal("a/requirements.txt", "the file was not generated from ../b/envgen.json"));
  // What render wrote is of no project, and there is none beside it that it may be of.
  ASSERT_EQ(tool(folder, {"render", "requirements", "--project", "b/envgen.json", "-o", "c/"}).exit_status, 0);
  EXPECT_EQ(tool(folder, {"generate", "--project", "b/envgen.json", "-o", "c"}).out, "updated c/requirements.txt\n");
}

TEST(Generate, WritesNoLockWhereItRefusesToWrite) {
  const TemporaryFolder folder;
  folder.write("envgen.json", asks_for_two);
  folder.write("Dockerfile", "FROM mine\n");
  const auto refused = tool(folder, {"generate"});
  EXPECT_EQ(refused.exit_status, 9);
  EXPECT_EQ(refused.err, not_of_envgen);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "envgen.lock"));
  EXPECT_EQ(tool(folder, {"generate", "--force"}).exit_status, 0);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "envgen.lock"));
}

TEST(Lock, IsNoProjectFile) {
  const TemporaryFolder folder;
  folder.write("envgen.json", asks_for_two);
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  for (const auto* command : {"lock", "generate"}) {
    const auto refused = tool(folder, {command, "--project", "envgen.lock"});
    EXPECT_EQ(refused.exit_status, 4) << command;
    EXPECT_EQ(refused.err,
              "envgen: envgen.lock: this is a lock, not a project file\n"
              "  name the file that it was made from; 'envgen lock' writes it again\n")
        << command;
  }
}

TEST(Diff, SaysWhatToCompareInPlaceOfAProject) {
  const TemporaryFolder folder;
  folder.write("envgen.json", asks_for_two);
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  const auto one = tool(folder, {"diff", "envgen.json"});
  EXPECT_EQ(one.exit_status, 2);
  EXPECT_EQ(one.err,
            "envgen: 'envgen diff' needs two FILEs\n  for example: envgen diff before.lock envgen.lock --json\n"
            "  a lock against what its project would lock now: envgen lock --check\n  see 'envgen diff --help'\n");
  const auto two = tool(folder, {"diff", "envgen.lock", "envgen.json"});
  EXPECT_EQ(two.exit_status, 4);
  EXPECT_EQ(two.err, "envgen: envgen.json: this is a project file, and locks are compared\n  its lock is envgen.lock\n");
}

TEST(Lock, NamesANextCommandThatWorks) {
  const TemporaryFolder folder;
  const auto next = [&](const std::string& project) {
    folder.write("envgen.json", project);
    std::filesystem::remove(folder.path() / "envgen.lock");
    const auto out = tool(folder, {"lock"}).out;
    return out.substr(std::min(out.find("Next: "), out.size()));
  };
  EXPECT_EQ(next("{}"), "Next: envgen render dockerfile\n");
  EXPECT_EQ(tool(folder, {"render", "dockerfile"}).exit_status, 0);
  EXPECT_EQ(next(R"({"outputs": {"files": ["dockerfile"]}})"), "Next: envgen generate\n");
  EXPECT_EQ(tool(folder, {"generate"}).exit_status, 0);
}

TEST(Lock, AFolderInItsPlaceGetsAHintThatFits) {
  const TemporaryFolder folder;
  folder.write("envgen.json", asks_for_two);
  std::filesystem::create_directory(folder.path() / "envgen.lock");
  for (const auto& words : std::vector<std::vector<std::string>>{{"generate"}, {"diff", "envgen.lock", "envgen.lock"}}) {
    const auto refused = tool(folder, words);
    EXPECT_EQ(refused.exit_status, 4);
    EXPECT_EQ(refused.err,
              "envgen: envgen.lock: cannot read the file (Is a directory)\n"
              "  a lock is a file, and this is a folder: rename it, or name the lock in it\n");
  }
}

TEST(Lock, AFileThatCannotBeReadIsNotOverwrittenByForce) {
  const TemporaryFolder folder;
  folder.write("envgen.json", asks_for_two);
  std::filesystem::create_symlink("/proc/self/mem", folder.path() / "envgen.lock");
  const auto refused = tool(folder, {"generate"});
  EXPECT_EQ(refused.exit_status, 4);
  EXPECT_EQ(refused.err,
            "envgen: envgen.lock: cannot read the file (Input/output error)\n"
            "  check the owner and the permissions of the file\n");
}

TEST(Lock, AboveTheLimitOfAFileIsAnError) {
  const TemporaryFolder folder;
  const auto limited = in_folder(folder, {"sh", "-c", "ulimit -f 1 && exec \"$0\" lock --torch 2.6", ENVGEN_TOOL});
  EXPECT_THAT(limited.err, HasSubstr("envgen.lock: cannot write the file (File too large)"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Why, TakesTheSpellingOfPip) {
  const TemporaryFolder folder;
  EXPECT_EQ(tool(folder, {"why", "torch==2.4", "gpu", "5090"}).out, tool(folder, {"why", "torch", "2.4", "gpu", "5090"}).out);
  EXPECT_EQ(tool(folder, {"why", "torch>=2.4", "gpu=5090"}).out, tool(folder, {"why", "torch", ">=2.4", "gpu", "5090"}).out);
  EXPECT_EQ(tool(folder, {"why", "torch", "2.4", "RTX", "5090"}).out,
            tool(folder, {"why", "torch", "2.4", "gpu", "RTX 5090"}).out);
  EXPECT_EQ(tool(folder, {"why", "gpu", "GeForce", "RTX", "5090", "torch==2.4"}).out,
            tool(folder, {"why", "gpu", "GeForce RTX 5090", "torch", "2.4"}).out);
  EXPECT_EQ(tool(folder, {"why", "rtx", "5090", "wsl"}).out, tool(folder, {"why", "gpu", "rtx 5090", "wsl", "true"}).out);
}

TEST(Lock, IsNotWrittenWhereTheFilesOfTheProjectCannotBeMade) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": "2.6"}, "outputs": {"files": ["conda"]}})");
  const auto outcome = tool(folder, {"lock"});
  EXPECT_EQ(outcome.exit_status, 4);
  EXPECT_THAT(outcome.err, testing::HasSubstr("this environment is for pip, not for conda"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "envgen.lock"));
}

TEST(Render, IsForTheEnvironmentOfTheProjectsLock) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": ">=2.6", "gpus": ["4090"], "driver": "535", "variant": "devel"},
    "outputs": {"files": ["dockerfile", "requirements"]}})");
  ASSERT_EQ(tool(folder, {"generate"}).exit_status, 0);
  const auto both = folder.read("requirements.txt");
  EXPECT_EQ(tool(folder, {"render", "requirements", "--project", "envgen.json"}).out, both);
  folder.write("alone.json", R"({"request": {"torch": ">=2.6", "gpus": ["4090"], "driver": "535", "variant": "devel"}})");
  EXPECT_NE(tool(folder, {"render", "requirements", "--project", "alone.json"}).out, both) << "no image limits the driver";
}

TEST(Render, ADockerfileBesideALockForNoContainerResolvesItsRequest) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": "2.8", "gpus": ["4090"], "driver": "570", "variant": "devel"},
    "outputs": {"files": ["setup"]}})");
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  EXPECT_EQ(tool(folder, {"render", "setup"}).err, "");
  const auto outcome = tool(folder, {"render", "dockerfile"});
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_THAT(
      outcome.err,
      StartsWith("envgen: envgen.lock is for files without a container, so its request is resolved again; for a lock, add "
                 "dockerfile to the files in the project\n"));
}

TEST(Resolve, PutsThePresetOfTheCommandLineOverTheProject) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": "2.8", "gpus": ["A100"], "preset": "wsl2"}})");
  const auto outcome = tool(folder, {"lock", "--preset", "colab-t4", "-o", "-"});
  EXPECT_THAT(outcome.out, HasSubstr("Tesla T4"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("A100")));
  EXPECT_THAT(outcome.err, StartsWith("envgen: preset colab-t4: "));
  EXPECT_THAT(tool(folder, {"lock", "-o", "-"}).err, StartsWith("envgen: preset wsl2: "));
}

TEST(Init, WithoutAnEngineStartsFromASetupScript) {
  const TemporaryFolder folder;
  EXPECT_EQ(tool(folder, {"init", "--torch", "2.8", "--engine", "none"}).exit_status, 0);
  EXPECT_THAT(tool(folder, {"generate"}).out, StartsWith("wrote setup.sh\n"));
}

TEST(Lock, WithoutAnEngineIsNotForADockerfile) {
  const TemporaryFolder folder;
  EXPECT_THAT(tool(folder, {"lock", "--torch", "2.8", "--engine", "none"}).out, testing::EndsWith("Next: envgen render setup\n"));
}

TEST(Show, SaysWhereTheLongTermReleaseIs) {
  const TemporaryFolder folder;
  EXPECT_EQ(tool(folder, {"show", "torch", "1.8.2"}).err,
            "envgen: '1.8.2' is the LTS release, which is not in envgen's data\n"
            "  its wheels: pip install torch==1.8.2 -f https://download.pytorch.org/whl/lts/1.8/torch_lts.html\n"
            "  the release before it: --torch 1.8.1\n");
}

TEST(Render, CondaBesideALockForPipResolvesItsRequest) {
  const TemporaryFolder folder;
  EXPECT_THAT(tool(folder, {"render", "conda"}).err,
              testing::EndsWith("\n  for example: envgen render conda --torch 2.3 --gpu 4090\n"));
  tool(folder, {"lock", "--torch", "2.3"});
  const auto outcome = tool(folder, {"render", "conda"});
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_EQ(
      outcome.err,
      "envgen: envgen.lock is for pip, so its request is resolved for conda; for a lock, use 'envgen lock --installer conda'\n");
  EXPECT_EQ(outcome.out, tool(folder, {"render", "conda", "--torch", "2.3"}).out);
  tool(folder, {"lock", "--torch", "2.3", "--installer", "pip"});
  EXPECT_EQ(tool(folder, {"render", "conda"}).err,
            "envgen: --installer: this environment is for pip, not for conda\n  --installer conda\n");
}

TEST(Init, RefusesAPackageThatTheGpuCannotRun) {
  const TemporaryFolder folder;
  const auto outcome = tool(folder, {"init", "--gpu", "T4", "--pip", "flash-attn"});
  EXPECT_EQ(outcome.exit_status, 2);
  EXPECT_EQ(outcome.err, tool(folder, {"init", "dockerfile", "--gpu", "T4", "--pip", "flash-attn"}).err);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "envgen.json"));
}

TEST(Init, TakesTheDevelVariantForWhatCompiles) {
  const TemporaryFolder folder;
  const auto written = tool(folder, {"init", "dockerfile", "--torch", "2.6", "--gpu", "A100", "--pip", "flash-attn"});
  EXPECT_EQ(written.exit_status, 0);
  EXPECT_EQ(written.err, "envgen: 'flash-attn' needs nvcc, so the devel variant is used\n");
  EXPECT_EQ(tool(folder, {"generate"}).exit_status, 0);
  EXPECT_EQ(tool(folder, {"init", "--force", "--variant", "runtime", "--pip", "flash-attn"}).err,
            "envgen: --pip: 'flash-attn' needs nvcc, which a runtime image does not have\n"
            "  omit --variant\n  or use --variant devel\n");
}

TEST(Init, ChoosesTheInstallerThatAnOutputNeeds) {
  const TemporaryFolder folder;
  ASSERT_EQ(tool(folder, {"init", "dockerfile", "conda", "--torch", "2.6"}).exit_status, 0);
  EXPECT_THAT(folder.read("envgen.json"), testing::HasSubstr("\"installer\": \"conda\""));
  EXPECT_EQ(tool(folder, {"lock"}).exit_status, 0);
  EXPECT_EQ(tool(folder, {"generate"}).exit_status, 0);
}

TEST(Lock, TheOrderOfTheFlagsIsNothing) {
  const TemporaryFolder folder;
  tool(folder, {"lock", "--torch", "2.3", "--python", "3.10", "-o", "a.lock"});
  tool(folder, {"lock", "--python", "3.10", "--torch", "2.3", "-o", "b.lock"});
  EXPECT_NE(folder.read("a.lock"), "");
  EXPECT_EQ(folder.read("a.lock"), folder.read("b.lock"));
}

TEST(Lock, IsWrittenAnewWithWhatChanged) {
  const TemporaryFolder folder;
  tool(folder, {"lock", "--torch", "2.3"});
  const auto first = folder.read("envgen.lock");
  const auto same = tool(folder, {"lock", "--torch", "2.3"});
  EXPECT_THAT(same.out, StartsWith("unchanged envgen.lock: torch 2.3.1"));
  const auto newer = tool(folder, {"lock", "--torch", "2.4", "--format", "json"});
  const auto answer = Json::parse(newer.out);
  EXPECT_EQ(answer["lock"], "envgen.lock");
  EXPECT_EQ(answer["written"], true);
  EXPECT_EQ(answer["differences"][0]["text"], "requested torch 2.3 -> 2.4");
  EXPECT_THAT(tool(folder, {"lock", "--torch", "2.3"}).out, HasSubstr("\n  torch 2.4.1 -> 2.3.1\n"));
  EXPECT_EQ(folder.read("envgen.lock"), first);
}

TEST(Lock, NoAnswerLeavesTheOldOneWhole) {
  const TemporaryFolder folder;
  tool(folder, {"lock", "--torch", "2.3"});
  const auto before = folder.read("envgen.lock");
  const auto conflict = tool(folder, {"lock", "--torch", "2.3", "--gpu", "5090"});
  EXPECT_EQ(conflict.exit_status, 3);
  EXPECT_THAT(conflict.out, HasSubstr("No environment satisfies torch 2.3 and gpu 5090."));
  const auto as_json = tool(folder, {"lock", "--torch", "2.3", "--gpu", "5090", "--format", "json"});
  EXPECT_EQ(as_json.exit_status, 3);
  EXPECT_TRUE(Json::parse(as_json.out).contains("conflict"));
  EXPECT_EQ(folder.read("envgen.lock"), before);
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(Lock, CheckSaysWhatIsStale) {
  const TemporaryFolder folder;
  const auto none = tool(folder, {"lock", "--check", "--torch", "2.3"});
  EXPECT_EQ(none.exit_status, 9);
  EXPECT_EQ(none.err, "envgen: envgen.lock: there is no lock yet\n  'envgen lock' writes it\n");
  tool(folder, {"lock", "--torch", "2.3"});
  const auto before = folder.read("envgen.lock");
  const auto current = tool(folder, {"lock", "--check", "--torch", "2.3"});
  EXPECT_EQ(current.exit_status, 0);
  EXPECT_EQ(current.out, "envgen.lock is up to date\n");
  const auto stale = tool(folder, {"lock", "--check", "--torch", "2.4"});
  EXPECT_EQ(stale.exit_status, 9);
  EXPECT_THAT(stale.out, StartsWith("envgen.lock is out of date; 'envgen lock' updates it, with these changes:\n  requested "
                                    "torch 2.3 -> 2.4\n  torch 2.3.1 -> 2.4.1\n"));
  const auto as_json = tool(folder, {"lock", "--check", "--torch", "2.4", "--format", "json"});
  EXPECT_EQ(as_json.exit_status, 9);
  EXPECT_EQ(Json::parse(as_json.out)["current"], false);
  EXPECT_EQ(folder.read("envgen.lock"), before);
  EXPECT_EQ(tool(folder, {"lock", "--check", "--force", "--torch", "2.3"}).exit_status, 2);
}

TEST(Lock, OtherFactsWithTheSameAnswerLeaveItCurrent) {
  const TemporaryFolder folder;
  auto lock = test::lock_of("torch=2.3");
  lock.matrix_revision = "2020.01.01";
  folder.write("envgen.lock", project::lock_text(lock));
  const auto check = tool(folder, {"lock", "--check", "--torch", "2.3"});
  EXPECT_EQ(check.exit_status, 0);
  EXPECT_THAT(check.out,
              StartsWith("envgen.lock is up to date, with differences that do not matter:\n  data revision 2020.01.01 -> "));
}

/// What the answer says is as it would be written now; the words of its reasons are not.
TEST(Lock, EditedInItsReasonsOnly) {
  const TemporaryFolder folder;
  tool(folder, {"lock", "--torch", "2.3"});
  auto lock = Json::parse(folder.read("envgen.lock"));
  ASSERT_FALSE(lock["reasons"].empty());
  const auto reason = lock["reasons"].begin()->dump();
  auto text = folder.read("envgen.lock");
  const auto place = text.find("\"why\": \"");
  ASSERT_NE(place, std::string::npos) << reason;
  text.insert(place + 8, "somebody says: ");
  folder.write("envgen.lock", text);
  const auto check = tool(folder, {"lock", "--torch", "2.3", "--check"});
  EXPECT_EQ(check.exit_status, 9);
  EXPECT_THAT(check.out, StartsWith("envgen.lock was edited by hand; 'envgen lock --force' overwrites it"));
  EXPECT_EQ(Json::parse(tool(folder, {"lock", "--torch", "2.3", "--check", "--format", "json"}).out)["current"], false);
  EXPECT_EQ(tool(folder, {"lock", "--torch", "2.3"}).exit_status, 9);
  EXPECT_EQ(folder.read("envgen.lock"), text);
}

TEST(Lock, EditedByHand) {
  const TemporaryFolder folder;
  tool(folder, {"lock", "--torch", "2.3"});
  auto text = folder.read("envgen.lock");
  text.replace(text.find("\"2.3.1\""), 7, "\"2.3.0\"");
  folder.write("envgen.lock", text);
  const auto refused = tool(folder, {"lock", "--torch", "2.3"});
  EXPECT_EQ(refused.exit_status, 9);
  EXPECT_EQ(refused.err,
            "envgen: envgen.lock: the lock was changed after envgen wrote it (by hand, or by a merge); unchanged\n  "
            "'envgen lock --force' overwrites it\n");
  EXPECT_EQ(folder.read("envgen.lock"), text);
  const auto check = tool(folder, {"lock", "--torch", "2.3", "--check"});
  EXPECT_EQ(check.exit_status, 9);
  EXPECT_EQ(check.out,
            "envgen.lock was edited by hand; 'envgen lock --force' overwrites it, with these changes:\n  torch 2.3.0 -> 2.3.1\n");
  const auto forced = tool(folder, {"lock", "--torch", "2.3", "--force"});
  EXPECT_EQ(forced.exit_status, 0);
  EXPECT_THAT(forced.out, HasSubstr("\n  torch 2.3.0 -> 2.3.1\n"));
  EXPECT_EQ(tool(folder, {"lock", "--torch", "2.3", "--check"}).exit_status, 0);
}

TEST(Lock, WhatIsNoLockIsNotOverwritten) {
  const TemporaryFolder folder;
  for (const std::string text : {"", "my notes", "{\"schema_version\": 2}", "[]"}) {
    folder.write("envgen.lock", text);
    const auto refused = tool(folder, {"lock", "--torch", "2.3"});
    EXPECT_EQ(refused.exit_status, 4) << text;
    EXPECT_THAT(refused.err, HasSubstr("'envgen lock --force' overwrites it")) << text;
    EXPECT_EQ(folder.read("envgen.lock"), text);
    EXPECT_EQ(tool(folder, {"lock", "--torch", "2.3", "--force"}).exit_status, 0) << text;
  }
  std::filesystem::create_directory(folder.path() / "folder");
  EXPECT_EQ(tool(folder, {"lock", "--torch", "2.3", "--force", "-o", "folder"}).err,
            "envgen: folder: not a regular file; not replaced\n");
  // A FIFO stands for /dev/null: a program that fails this test, run by root, would replace the machine's.
  ASSERT_EQ(::mkfifo((folder.path() / "fifo").c_str(), 0600), 0);
  for (const auto& force : {Words{"--force"}, Words{}}) {
    Words words{"lock", "--torch", "2.3", "-o", "fifo"};
    words.insert(words.end(), force.begin(), force.end());
    EXPECT_EQ(tool(folder, words).err, "envgen: fifo: not a regular file; not replaced\n");
  }
}

TEST(Diff, TwoLocks) {
  const TemporaryFolder folder;
  tool(folder, {"lock", "--torch", "2.3", "-o", "a.lock"});
  tool(folder, {"lock", "--torch", "2.3", "-o", "b.lock"});
  const auto equal = tool(folder, {"diff", "a.lock", "b.lock"});
  EXPECT_EQ(equal.exit_status, 0);
  EXPECT_EQ(equal.out, "a.lock and b.lock are the same\n");
  tool(folder, {"lock", "--torch", "2.4", "-o", "b.lock"});
  const auto differ = tool(folder, {"diff", "a.lock", "b.lock"});
  EXPECT_EQ(differ.exit_status, 9);
  EXPECT_THAT(differ.out, StartsWith("requested torch 2.3 -> 2.4\ntorch 2.3.1 -> 2.4.1\n"));
  const auto as_json = tool(folder, {"diff", "a.lock", "b.lock", "--format", "json"});
  EXPECT_EQ(as_json.exit_status, 9);
  const auto answer = Json::parse(as_json.out);
  EXPECT_EQ(answer["equal"], false);
  EXPECT_EQ(answer["differences"][1], (Json{{"field", "environment.torch.version"},
                                            {"from", "2.3.1"},
                                            {"to", "2.4.1"},
                                            {"matters", true},
                                            {"text", "torch 2.3.1 -> 2.4.1"}}));
  EXPECT_EQ(
      Json::parse(tool(folder, {"diff", "a.lock", "a.lock", "--format", "json"}).out),
      (Json{{"schema_version", 1}, {"before", "a.lock"}, {"after", "a.lock"}, {"equal", true}, {"differences", Json::array()}}));
}

TEST(Diff, OnlyTheFactsDiffer) {
  const TemporaryFolder folder;
  auto lock = test::lock_of("torch=2.3");
  folder.write("a.lock", project::lock_text(lock));
  lock.matrix_revision = "2020.01.01";
  folder.write("b.lock", project::lock_text(lock));
  const auto differ = tool(folder, {"diff", "a.lock", "b.lock"});
  EXPECT_EQ(differ.exit_status, 9);
  EXPECT_THAT(differ.out, testing::MatchesRegex("the environment is the same\ndata revision [0-9.]+ -> 2020.01.01\n"));
}

TEST(Diff, ALockThatCannotBeRead) {
  const TemporaryFolder folder;
  tool(folder, {"lock", "--torch", "2.3", "-o", "a.lock"});
  folder.write("b.lock", "{");
  const auto broken = tool(folder, {"diff", "a.lock", "b.lock"});
  EXPECT_EQ(broken.exit_status, 4);
  EXPECT_EQ(broken.err, "envgen: b.lock: the file is truncated (line 1, column 2)\n");
  EXPECT_EQ(tool(folder, {"diff", "none.lock", "a.lock"}).err,
            "envgen: none.lock: cannot open the file (No such file or directory)\n");
  EXPECT_EQ(tool(folder, {"diff", "a.lock"}).exit_status, 2);
}

/// A disk that is full: a small one of its own where the test may mount, else a limit on the size of a file.
TEST(FullDisk, LeavesTheOldFileWhole) {
  const TemporaryFolder folder;
  tool(folder, {"lock", "--torch", "2.3", "-o", "old.lock"});
  std::filesystem::create_directory(folder.path() / "disk");
  const auto attempt = in_folder(folder, {"sh", "-c", R"(
      if unshare -m mount -t tmpfs none disk 2>/dev/null; then
        unshare -m sh -c 'mount -t tmpfs -o size=64k none disk && cd disk && cp ../old.lock envgen.lock
            { head -c 100000 /dev/zero > filler; } 2>/dev/null
            "$0" lock --torch 2.4; echo "exit $?"; cmp envgen.lock ../old.lock && ls' "$1"
      else
        cd disk && cp ../old.lock envgen.lock && touch filler
        (ulimit -f 2; trap "" XFSZ; "$1" lock --torch 2.4; echo "exit $?"); cmp envgen.lock ../old.lock && ls
      fi)",
                                          "sh", ENVGEN_TOOL});
  EXPECT_EQ(attempt.out, "exit 4\nenvgen.lock\nfiller\n") << attempt.err;
  EXPECT_THAT(attempt.err, testing::MatchesRegex(
                               "envgen: envgen.lock: cannot write the file \\((No space left on device|File too large)\\)\n"));
}

TEST(FullDisk, AFileSizeLimitLeavesTheOldFileWhole) {
  const TemporaryFolder folder;
  tool(folder, {"lock", "--torch", "2.3"});
  folder.write("envgen.json", "// mine\n{}");
  const auto before = folder.read("envgen.lock");
  const auto lock = in_folder(folder, {"sh", "-c", "ulimit -f 2; trap '' XFSZ; exec \"$0\" lock --torch 2.4", ENVGEN_TOOL});
  EXPECT_EQ(lock.exit_status, 4);
  EXPECT_EQ(lock.err, "envgen: envgen.lock: cannot write the file (File too large)\n");
  EXPECT_EQ(folder.read("envgen.lock"), before);
  const auto init = in_folder(folder, {"sh", "-c", "ulimit -f 2; trap '' XFSZ; exec \"$0\" init --force", ENVGEN_TOOL});
  EXPECT_EQ(init.exit_status, 4);
  EXPECT_EQ(init.err, "envgen: envgen.json: cannot write the file (File too large)\n");
  EXPECT_EQ(folder.read("envgen.json"), "// mine\n{}");
  EXPECT_EQ(folder.entries(), 2u);
}

TEST(FullDisk, LeavesTheProjectFileAndTheOutputsWhole) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": "2.3"}, "outputs": {"files": ["dockerfile", "run"]}})");
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  ASSERT_EQ(tool(folder, {"generate"}).exit_status, 0);
  folder.write("envgen.json", R"({"request": {"torch": "2.4"}, "outputs": {"files": ["dockerfile", "run"]}})");
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  std::filesystem::create_directory(folder.path() / "disk");
  folder.write("attempts", R"(
      "$1" generate; echo "exit $?"
      "$1" render dockerfile -o Dockerfile; echo "exit $?"
      "$1" render run -o new.sh; echo "exit $?"
      "$1" init --force; echo "exit $?"
      for file in envgen.json envgen.lock Dockerfile .dockerignore run.sh; do cmp "$file" "../$file"; done
      LC_ALL=C ls -A)");
  const auto attempt = in_folder(folder, {"sh", "-c", R"(
      if unshare -m mount -t tmpfs none disk 2>/dev/null; then
        unshare -m sh -c 'mount -t tmpfs -o size=64k none disk && cp -p envgen.* Dockerfile .dockerignore run.sh disk && cd disk
            { head -c 100000 /dev/zero > filler; } 2>/dev/null
            sh ../attempts "$0"' "$1"
      else
        cp -p envgen.* Dockerfile .dockerignore run.sh disk && cd disk && touch filler
        (ulimit -f 1; trap "" XFSZ; sh ../attempts "$1")
      fi)",
                                          "sh", ENVGEN_TOOL});
  EXPECT_EQ(attempt.out, "exit 4\nexit 4\nexit 4\nexit 4\n.dockerignore\nDockerfile\nenvgen.json\nenvgen.lock\nfiller\nrun.sh\n")
      << attempt.err;
  const std::string why = ": cannot write the file \\((No space left on device|File too large)\\)\n";
  EXPECT_THAT(attempt.err, testing::MatchesRegex("envgen: Dockerfile" + why + "envgen: Dockerfile" + why + "envgen: new.sh" +
                                                 why + "envgen: envgen.json" + why));
}

TEST(FullDisk, AFileSizeLimitLeavesTheOutputsWhole) {
  const TemporaryFolder folder;
  folder.write("envgen.json", asks_for_two);
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  ASSERT_EQ(tool(folder, {"generate"}).exit_status, 0);
  const auto limited = [&](Words words) {
    words.insert(words.begin(), {"sh", "-c", "ulimit -f 1; trap '' XFSZ; exec \"$0\" \"$@\"", ENVGEN_TOOL});
    return in_folder(folder, words);
  };
  // What is there already is not written again.
  EXPECT_EQ(limited({"generate"}).out, "unchanged Dockerfile\nunchanged .dockerignore\nunchanged run.sh\n");
  const auto before = folder.read("Dockerfile");
  const auto render = limited({"render", "dockerfile", "--torch", "2.4", "-o", "Dockerfile"});
  EXPECT_EQ(render.exit_status, 4);
  EXPECT_EQ(render.out, "");
  EXPECT_EQ(render.err, "envgen: Dockerfile: cannot write the file (File too large)\n");
  EXPECT_EQ(folder.read("Dockerfile"), before);
  const auto generate = limited({"generate", "-o", "sub"});
  EXPECT_EQ(generate.exit_status, 4);
  EXPECT_EQ(generate.out, "");
  EXPECT_EQ(generate.err, "envgen: sub/Dockerfile: cannot write the file (File too large)\n");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "sub"));
}

/// The tool as somebody who may not write everywhere: root becomes nobody, who must be able to read the tool.
class Unprivileged {
 public:
  Unprivileged() {
    namespace fs = std::filesystem;
    if (::geteuid() != 0) return;
    fs::copy_file(ENVGEN_TOOL, open_.path() / "envgen");
    fs::permissions(open_.path(), fs::perms(0755));
    words_ = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", (open_.path() / "envgen").string()};
  }
  util::ProcessResult tool(const TemporaryFolder& folder, const Words& words) const {
    auto all = words_;
    all.insert(all.end(), words.begin(), words.end());
    return in_folder(folder, all);
  }

 private:
  TemporaryFolder open_;
  Words words_{ENVGEN_TOOL};
};

TEST(UnwritableFolder, LeavesTheOldFileWhole) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  tool(folder, {"lock", "--torch", "2.3"});
  const auto before = folder.read("envgen.lock");
  const Unprivileged unprivileged;
  fs::permissions(folder.path(), fs::perms(0555));
  const auto lock = unprivileged.tool(folder, {"lock", "--torch", "2.4"});
  EXPECT_EQ(lock.exit_status, 4);
  EXPECT_EQ(lock.err, "envgen: envgen.lock: cannot write the file (Permission denied)\n");
  EXPECT_EQ(folder.read("envgen.lock"), before);
  EXPECT_EQ(unprivileged.tool(folder, {"init"}).err, "envgen: envgen.json: cannot write the file (Permission denied)\n");
  fs::permissions(folder.path(), fs::perms(0755));
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(UnwritableFolder, LeavesTheOutputsWhole) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  folder.write("envgen.json", asks_for_two);
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  ASSERT_EQ(tool(folder, {"render", "dockerfile", "--torch", "2.4", "-o", "Dockerfile"}).exit_status, 0);
  const auto before = folder.read("Dockerfile");
  const auto entries = folder.entries();
  const Unprivileged unprivileged;
  fs::permissions(folder.path(), fs::perms(0555));
  const std::vector<std::pair<Words, std::string>> attempts{
      {{"generate"}, "Dockerfile: cannot write the file"},
      {{"generate", "-o", "sub"}, "sub: cannot create the folder"},
      {{"render", "dockerfile", "-o", "Dockerfile"}, "Dockerfile: cannot write the file"},
      {{"render", "run", "-o", "new.sh"}, "new.sh: cannot write the file"},
      {{"render", "run", "-o", "sub/run.sh"}, "sub: cannot create the folder"}};
  for (const auto& [words, fact] : attempts) {
    const auto refused = unprivileged.tool(folder, words);
    EXPECT_EQ(refused.exit_status, 4) << fact;
    EXPECT_EQ(refused.out, "") << fact;
    EXPECT_EQ(refused.err, fmt::format("envgen: {} (Permission denied)\n", fact));
  }
  fs::permissions(folder.path(), fs::perms(0755));
  EXPECT_EQ(folder.read("Dockerfile"), before);
  EXPECT_EQ(folder.entries(), entries);
}

// ---- generate

TEST(Generate, MakesWhatTheProjectAsksForFromItsLock) {
  const TemporaryFolder folder;
  folder.write("envgen.json", asks_for_two);
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  const auto first = tool(folder, {"generate"});
  EXPECT_EQ(first.exit_status, 0) << first.err;
  EXPECT_EQ(first.out, "wrote Dockerfile\nwrote .dockerignore\nwrote run.sh\n");
  EXPECT_THAT(folder.read("Dockerfile"), HasSubstr("\n      git \\\n"));
  EXPECT_NE(std::filesystem::status(folder.path() / "run.sh").permissions() & std::filesystem::perms::owner_exec,
            std::filesystem::perms::none);
  EXPECT_EQ(tool(folder, {"generate"}).out, "unchanged Dockerfile\nunchanged .dockerignore\nunchanged run.sh\n");
  EXPECT_EQ(tool(folder, {"generate", "--check"}).out, "all files are up to date\n");
  // render takes the same options, so both agree.
  EXPECT_EQ(tool(folder, {"render", "dockerfile"}).out, folder.read("Dockerfile"));
  EXPECT_EQ(tool(folder, {"generate", "-o", "sub"}).out, "wrote sub/Dockerfile\nwrote sub/.dockerignore\nwrote sub/run.sh\n");
}

TEST(Render, FlagsOverrideTheProjectOfTheFolder) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": "2.3", "cuda": "12.1"}, "outputs": {"apt": ["git"]}})");
  const auto text = tool(folder, {"render", "dockerfile", "--variant", "devel"}).out;
  EXPECT_THAT(text, HasSubstr("\nFROM nvidia/cuda:12.1.1-devel-ubuntu22.04\n"));
  EXPECT_THAT(text, HasSubstr("      git \\\n"));
}

TEST(Generate, KeepsWhatSomebodyEdited) {
  const TemporaryFolder folder;
  folder.write("envgen.json", asks_for_two);
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  ASSERT_EQ(tool(folder, {"generate"}).exit_status, 0);
  const auto edited = folder.read("run.sh") + "# mine\n";
  folder.write("run.sh", edited);
  folder.write("Dockerfile", "FROM mine\n");
  const auto refused = tool(folder, {"generate"});
  EXPECT_EQ(refused.exit_status, 9);
  EXPECT_EQ(refused.err, not_of_envgen);
  EXPECT_EQ(folder.read("Dockerfile"), "FROM mine\n");
  ASSERT_EQ(tool(folder, {"render", "dockerfile", "-o", "Dockerfile", "--force"}).exit_status, 0);
  EXPECT_EQ(tool(folder, {"generate"}).err,
            "envgen: run.sh: the file was edited by hand; nothing was written\n"
            "  --diff shows what would change\n  --force overwrites it\n");
  const auto shown = tool(folder, {"generate", "--diff"});
  EXPECT_EQ(shown.exit_status, 0);
  EXPECT_THAT(shown.out, HasSubstr("\n-# mine\n"));
  const auto checked = tool(folder, {"generate", "--check"});
  EXPECT_EQ(checked.exit_status, 9);
  EXPECT_EQ(checked.out, shown.out);
  EXPECT_EQ(folder.read("run.sh"), edited);
  EXPECT_EQ(tool(folder, {"generate", "--force"}).out, "unchanged Dockerfile\nunchanged .dockerignore\noverwrote run.sh\n");
}

TEST(Generate, NeedsALockThatAnswersTheProject) {
  const TemporaryFolder folder;
  EXPECT_THAT(tool(folder, {"generate"}).err, StartsWith("envgen: envgen.json: cannot open the file"));
  folder.write("envgen.json", R"({"request": {"torch": "2.3"}})");
  EXPECT_EQ(tool(folder, {"generate"}).err,
            "envgen: envgen.json#/outputs/files: the project lists no files to generate\n"
            "  \"outputs\": {\"files\": [\"dockerfile\", \"run\"]}\n");
  folder.write("envgen.json", asks_for_two);
  EXPECT_THAT(tool(folder, {"generate", "--locked"}).err, StartsWith("envgen: envgen.lock: cannot open the file"));
  ASSERT_EQ(tool(folder, {"lock", "--torch", "2.4"}).exit_status, 0);
  const auto refused = tool(folder, {"generate"});
  EXPECT_EQ(refused.exit_status, 9);
  EXPECT_EQ(refused.err,
            "envgen: envgen.lock: the lock is out of date: its request differs from the project's\n  'envgen lock' updates it\n");
}

TEST(Generate, TakesALockThatHoldsWhatWasFound) {
  const TemporaryFolder folder;
  folder.write("envgen.json",
               R"({"request": {"torch": "2.3", "platform": "auto", "os": "ubuntu22.04"}, "outputs": {"files": ["run"]}})");
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  EXPECT_EQ(tool(folder, {"generate"}).out, "wrote run.sh\n");
  ASSERT_EQ(tool(folder, {"lock", "--os", "ubuntu24.04"}).exit_status, 0);
  EXPECT_EQ(tool(folder, {"generate"}).exit_status, 9);
}

TEST(Generate, LooksUpTheMirrorOfTheProject) {
  const TemporaryFolder folder;
  folder.write("envgen.json",
               R"({"request": {"torch": "2.9", "cuda": "12.6"}, "outputs": {"files": ["requirements"], "mirror": "sjtug"}})");
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  EXPECT_EQ(tool(folder, {"generate"}).out, "wrote requirements.txt\n");
  EXPECT_THAT(folder.read("requirements.txt"), HasSubstr("https://mirror.sjtu.edu.cn/pytorch-wheels/cu126\n"));
  folder.write("envgen.json",
               R"({"request": {"torch": "2.9", "cuda": "12.6"}, "outputs": {"files": ["requirements"], "mirror": "moon"}})");
  const auto refused = tool(folder, {"generate"});
  EXPECT_EQ(refused.exit_status, 4);
  EXPECT_EQ(refused.err,
            "envgen: envgen.json#/outputs/mirror: 'moon' is not one of aliyun, bfsu, huawei, nju, sjtug, tencent, tuna, ustc\n"
            "  'envgen list mirrors' shows what each provides\n");
}

TEST(Generate, HoldsAPresetAgainstTheLock) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"preset": "colab-t4"}, "outputs": {"files": ["requirements"]}})");
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  EXPECT_EQ(tool(folder, {"generate"}).out, "wrote requirements.txt\n");
  folder.write("envgen.json", R"({"request": {"preset": "autodl"}, "outputs": {"files": ["requirements"]}})");
  EXPECT_EQ(tool(folder, {"generate"}).exit_status, 9);
}

TEST(Lock, ChoosesDevelWhereTheFilesCompile) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": "2.9"}, "outputs": {"files": ["dockerfile"], "pip": ["flash-attn"]}})");
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  EXPECT_THAT(folder.read("envgen.lock"), HasSubstr("\"variant\": \"devel\""));
  EXPECT_EQ(tool(folder, {"generate"}).exit_status, 0);
  folder.write(
      "envgen.json",
      R"({"request": {"torch": "2.9", "variant": "runtime"}, "outputs": {"files": ["dockerfile"], "pip": ["flash-attn"]}})");
  const auto refused = tool(folder, {"lock"});
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_EQ(refused.err,
            "envgen: envgen.json#/outputs/pip/0: 'flash-attn' needs nvcc, which a runtime image does not have\n"
            "  omit envgen.json#/request/variant\n  or use --variant devel\n");
}

TEST(Resolve, OfAProjectIsTheLockOfIt) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": "2.9"}, "outputs": {"files": ["dockerfile"], "pip": ["flash-attn"]}})");
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  const auto resolved = tool(folder, {"resolve", "--project", "envgen.json", "--format", "json"});
  EXPECT_EQ(resolved.exit_status, 0);
  EXPECT_EQ(resolved.err, "envgen: 'flash-attn' needs nvcc, so the devel variant is used\n");
  const auto answer = Json::parse(resolved.out);
  const auto lock = Json::parse(folder.read("envgen.lock"));
  EXPECT_EQ(answer["environment"], lock["environment"]);
  EXPECT_EQ(answer["reasons"], lock["reasons"]);
  for (const auto& reason : lock["reasons"]) {
    if (reason["field"] == "variant") {
      EXPECT_EQ(reason["why"], "a package to install compiles with nvcc");
    }
  }
  EXPECT_EQ(tool(folder, {"resolve", "--project", "envgen.json", "--variant", "runtime"}).err,
            "envgen: envgen.json#/outputs/pip/0: 'flash-attn' needs nvcc, which a runtime image does not have\n"
            "  omit --variant\n  or use --variant devel\n");
}

TEST(Resolve, SaysThatItDoesNotApplyTheProjectOfTheFolder) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"python": "3.11"}})");
  EXPECT_EQ(
      tool(folder, {"resolve", "--torch", "2.7"}).err,
      "envgen: this answer ignores the envgen.json in this folder; --project envgen.json applies it, as 'render' and 'lock' "
      "do\n");
  EXPECT_EQ(tool(folder, {"resolve", "--torch", "2.7", "--project", "envgen.json"}).err, "");
  EXPECT_EQ(tool(folder, {"resolve", "--torch", "2.7", "--json"}).err, "");
}

TEST(Generate, NeverReplacesWhatItIsMadeFrom) {
  const TemporaryFolder folder;
  folder.write("run.sh", asks_for_two);
  ASSERT_EQ(tool(folder, {"lock", "--project", "run.sh"}).exit_status, 0);
  const auto refused = tool(folder, {"generate", "--project", "run.sh", "--force"});
  EXPECT_EQ(refused.exit_status, 2);
  EXPECT_EQ(refused.err,
            "envgen: run.sh: the files are generated from this one, and one of them would overwrite it\n"
            "  choose another folder with -o DIR\n");
  EXPECT_EQ(folder.read("run.sh"), asks_for_two);
}

TEST(Generate, KeepsADockerignoreOfSomebodyElse) {
  const TemporaryFolder folder;
  folder.write("envgen.json", asks_for_two);
  folder.write(".dockerignore", "data/\n");
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  EXPECT_EQ(tool(folder, {"generate"}).out, "wrote Dockerfile\nkept .dockerignore\nwrote run.sh\n");
  EXPECT_EQ(folder.read(".dockerignore"), "data/\n");
  EXPECT_EQ(tool(folder, {"generate", "--check"}).out, "all files are up to date\n");
}

TEST(Lock, OfFlagsOverAProjectSaysThatGenerateRefusesIt) {
  const TemporaryFolder folder;
  folder.write("envgen.json", asks_for_two);
  const std::string strayed =
      "The request in envgen.json is different, so 'envgen generate' will call this lock out of date: put the values into "
      "envgen.json, or lock to another file with -o.\n";
  for (const Words& other : {Words{"lock", "--python", "3.11"}, Words{"lock", "--preset", "wsl2"}}) {
    EXPECT_THAT(tool(folder, other).out, testing::EndsWith(strayed));
    EXPECT_THAT(tool(folder, other).out, testing::AllOf(StartsWith("unchanged envgen.lock: "), testing::EndsWith(strayed)));
    EXPECT_EQ(tool(folder, {"generate"}).exit_status, 9);
  }
}

TEST(Lock, OfFlagsThatTheProjectHasTooIsItsLock) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": "2.6"}, "outputs": {"files": ["setup"]}})");
  EXPECT_THAT(tool(folder, {"lock", "--torch", "2.6"}).out, testing::EndsWith("\nNext: envgen generate\n"));
  EXPECT_EQ(tool(folder, {"generate"}).exit_status, 0);
}

TEST(Lock, EndsWithAnOutputThatCanBeMade) {
  const TemporaryFolder folder;
  const std::vector<std::pair<Words, std::string>> all{
      {{"lock", "--torch", "2.6"}, "render dockerfile"},
      {{"lock", "--torch", "2.6", "--os", "rocky9"}, "render requirements"},
      {{"lock", "--torch", "2.6", "--os", "ubi9", "--variant", "devel"}, "render requirements"},
      {{"lock", "--torch", "1.13", "--python", "3.7"}, "render requirements"},
      {{"lock", "--torch", "2.3", "--installer", "conda"}, "render conda"},
      {{"lock", "--torch", "2.6", "--engine", "none"}, "render setup"}};
  for (const auto& [words, next] : all) {
    EXPECT_THAT(tool(folder, words).out, testing::EndsWith("\nNext: envgen " + next + "\n"));
    EXPECT_EQ(tool(folder, {"render", next.substr(next.find(' ') + 1), "-o", "made/"}).exit_status, 0) << next;
    std::filesystem::remove_all(folder.path() / "made");
  }
}

TEST(Render, OfAFileThatIsNoLockOffersNotToOverwriteIt) {
  const TemporaryFolder folder;
  folder.write("LICENSE", "Apache License\n");
  EXPECT_EQ(tool(folder, {"render", "dockerfile", "--lock", "LICENSE"}).err,
            "envgen: LICENSE: not JSON (line 1, column 1)\n  a lock is a file written by 'envgen lock', such as envgen.lock\n");
}

TEST(Generate, MendsLineEndsAndThePermissionToRun) {
  const TemporaryFolder folder;
  folder.write("envgen.json", asks_for_two);
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  ASSERT_EQ(tool(folder, {"generate"}).exit_status, 0);
  const auto text = folder.read("run.sh");
  std::string windows;
  for (const char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
  folder.write("run.sh", windows);
  const auto checked = tool(folder, {"generate", "--check"});
  EXPECT_EQ(checked.exit_status, 9);
  EXPECT_EQ(checked.out,
            "run.sh: it has Windows line endings; the same command without --check fixes that, and '* text=auto eol=lf' in "
            ".gitattributes prevents it\n");
  EXPECT_EQ(tool(folder, {"generate"}).out, "unchanged Dockerfile\nunchanged .dockerignore\nupdated run.sh\n");
  EXPECT_EQ(folder.read("run.sh"), text);
  std::filesystem::permissions(folder.path() / "run.sh", std::filesystem::perms(0644));
  EXPECT_EQ(tool(folder, {"generate", "--check"}).exit_status, 9);
  EXPECT_EQ(tool(folder, {"generate", "--check"}).out,
            "run.sh: it is not executable; the same command without --check fixes that\n");
  EXPECT_EQ(tool(folder, {"generate", "--diff"}).out,
            "run.sh: it is not executable; the same command without --diff fixes that\n");
  EXPECT_EQ(tool(folder, {"generate"}).exit_status, 0);
  EXPECT_EQ(tool(folder, {"generate", "--check"}).exit_status, 0);
}

TEST(Generate, LeavesAReadOnlyFileUnlessForced) {
  const TemporaryFolder folder;
  folder.write("envgen.json", asks_for_two);
  ASSERT_EQ(tool(folder, {"generate"}).exit_status, 0);
  const auto run = folder.path() / "run.sh";
  folder.write("envgen.json", std::string(asks_for_two).replace(std::string(asks_for_two).find("2."), 3, "2.4"));
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  const auto old = folder.read("run.sh");
  std::filesystem::permissions(run, std::filesystem::perms(0555));
  for (const auto& words : std::vector<std::vector<std::string>>{{"generate"}, {"render", "run", "-o", "run.sh"}}) {
    const auto refused = tool(folder, words);
    EXPECT_EQ(refused.exit_status, 9);
    EXPECT_EQ(refused.err,
              "envgen: run.sh: the file is read-only; nothing was written\n"
              "  --diff shows what would change\n"
              "  --force overwrites it, and leaves it read-only\n");
    EXPECT_EQ(folder.read("run.sh"), old);
  }
  EXPECT_EQ(tool(folder, {"generate", "--force"}).exit_status, 0);
  EXPECT_NE(folder.read("run.sh"), old);
  EXPECT_EQ(std::filesystem::status(run).permissions(), std::filesystem::perms(0555));
  EXPECT_EQ(tool(folder, {"generate"}).exit_status, 0) << "nothing is to be written";
}

TEST(Render, SaysAProofWhereNoFileIsWritten) {
  const TemporaryFolder folder;
  const auto proof = tool(folder, {"render", "dockerfile", "--torch", "2.5", "--gpu", "K80"});
  EXPECT_EQ(proof.exit_status, 3);
  EXPECT_EQ(proof.out, "");
  EXPECT_THAT(proof.err, StartsWith("No environment satisfies torch 2.5 and gpu K80.\n"));
  EXPECT_EQ(tool(folder, {"render", "run", "--torch", "2.3", "-o", "-"}).out,
            tool(folder, {"render", "run", "--torch", "2.3"}).out);
}

TEST(Render, PutsTheFilesOfAnOutputBesideEachOther) {
  const TemporaryFolder folder;
  EXPECT_EQ(tool(folder, {"render", "devcontainer", "--torch", "2.3", "-o", "./"}).out,
            "wrote ./.devcontainer/devcontainer.json\nwrote ./.devcontainer/Dockerfile\n");
  EXPECT_EQ(tool(folder, {"render", "devcontainer", "--torch", "2.3", "-o", "gpu.json"}).err,
            "envgen: -o: this output must be written as .devcontainer/devcontainer.json\n"
            "  name its parent folder: -o ./\n");
  const auto files = tool(folder, {"render", "vscode", "--torch", "2.3", "-o", "./"}).out;
  EXPECT_EQ(files, "wrote ./.vscode/settings.json\nwrote ./.vscode/launch.json\nwrote ./.vscode/extensions.json\n");
  EXPECT_THAT(folder.read(".vscode/launch.json"), HasSubstr("\"type\": \"debugpy\""));
}

TEST(Render, HoldsTheFoldersLockAgainstItsProject) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": "2.3"}, "outputs": {"image_name": "mine"}})");
  ASSERT_EQ(tool(folder, {"lock"}).exit_status, 0);
  const auto text = tool(folder, {"render", "run"}).out;
  EXPECT_THAT(text, HasSubstr("mine"));
  EXPECT_EQ(tool(folder, {"render", "run", "--lock", "envgen.lock"}).out, text);
  folder.write("envgen.json", R"({"request": {"torch": "2.4"}})");
  EXPECT_EQ(tool(folder, {"render", "run"}).err,
            "envgen: envgen.lock: the lock is out of date: its request differs from the project's\n  'envgen lock' updates it\n");
}

TEST(Generate, NamesTheOutputThatCannotBe) {
  const TemporaryFolder folder;
  folder.write("envgen.json", R"({"request": {"torch": "2.3"}, "outputs": {"files": ["dockerfile", "conda"]}})");
  const auto refused = tool(folder, {"generate"});
  EXPECT_EQ(refused.exit_status, 4);
  EXPECT_EQ(
      refused.err,
      "envgen: envgen.json#/outputs/files/1: conda: this environment is for pip, not for conda\n  \"request\": {\"installer\": "
      "\"conda\"}\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "Dockerfile"));
}

}  // namespace
}  // namespace envgen::cli
