// `envgen lock --freeze`, with a double of uv: what it is asked, what becomes of its answer, and what the outputs make of the
// tree.
#include <chrono>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "project/freeze.hpp"
#include "support/locks.hpp"
#include "support/temporary_folder.hpp"
#include "util/process.hpp"

namespace envgen::cli {
namespace {

using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

const std::string one = "sha256:" + std::string(64, '1');
const std::string two = "sha256:" + std::string(64, '2');
const std::string tree =
    fmt::format("numpy==1.26.4 \\\n    --hash={0} \\\n    --hash={1}\ntorch==2.3.1 \\\n    --hash={1}\n", one, two);

/// A folder with a double of uv, which finds numpy and what is asked for, or prints the file `tree` where there is one, and
/// leaves what it was asked in `asked` and `project`.
class Place {
 public:
  Place() {
    std::filesystem::create_directory(folder_.path() / "bin");
    folder_.write("bin/uv", R"sh(#!/bin/sh
here=$(dirname "$0")/..
[ "$1" != --version ] || { echo 'uv 9.8.7 (a double)'; exit 0; }
[ ! -e "$here/refusal" ] || { cat "$here/refusal" >&2; exit 1; }
printf '%s\n' "$@" >"$here/asked"
echo "$UV_DEFAULT_INDEX" >"$here/index"
while [ "$1" != --directory ]; do shift; done
cat "$2/pyproject.toml" >"$here/project"
echo "$2" >"$here/folder"
[ ! -e "$here/tree" ] || { cat "$here/tree"; exit; }
hash=sha256:2222222222222222222222222222222222222222222222222222222222222222
printf 'numpy==1.26.4 \\\n    --hash=%s \\\n    --hash=%s\n' "sha256:$(echo "${hash#*:}" | tr 2 1)" "$hash"
sed -n 's/^  "\([a-z0-9-]*\)[<>=]*\([0-9.]*\)[^"]*",*$/\1==\2\n    --hash='"$hash"'/p' "$2/pyproject.toml"
)sh");
    // The registry has one digest for everything, until there is a file `no-registry`.
    folder_.write("bin/docker", R"sh(#!/bin/sh
here=$(dirname "$0")/..
echo "$*" >>"$here/docker-asked"
[ "$1" = buildx ] && [ ! -e "$here/no-registry" ] || { echo 'the registry does not answer' >&2; exit 1; }
printf '{"digest": "sha256:%064d"}' 7
)sh");
    for (const auto* other : {"bin/skopeo", "bin/podman"}) folder_.write(other, "#!/bin/sh\nexit 1\n");
    for (const auto* name : {"bin/uv", "bin/docker", "bin/skopeo", "bin/podman"})
      std::filesystem::permissions(folder_.path() / name, std::filesystem::perms(0755));
  }

  util::ProcessResult tool(Words words, Words environment = {}) const {
    Words argv{"sh", "-c", "cd \"$0\" && exec \"$@\"", folder_.path().string(), ENVGEN_TOOL};
    argv.insert(argv.end(), words.begin(), words.end());
    for (const auto* name : {"UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_CONFIG_FILE", "XDG_CONFIG_HOME"})
      environment.insert(environment.begin(), std::string(name) + "=");
    environment.insert(environment.begin(), fmt::format("HOME={}", folder_.path().string()));
    environment.push_back(fmt::format("PATH={}:/usr/bin:/bin", (folder_.path() / "bin").string()));
    auto result = util::run_process(argv, {.environment = environment});
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : util::ProcessResult{};
  }

  /// The output, rendered from the lock.
  std::string rendered(const std::string& kind, const Words& more = {}) const {
    Words words{"render", kind, "--lock", "envgen.lock"};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = tool(words);
    EXPECT_EQ(result.exit_status, 0) << result.err;
    return result.out;
  }

  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

// ---- what uv is asked

TEST(Freeze, KeepsTheTreeInTheLock) {
  const Place place;
  const auto done = place.tool({"lock", "--torch", "2.3", "--cuda", "12.1", "--freeze"});
  EXPECT_EQ(done.exit_status, 0) << done.err;
  EXPECT_EQ(done.err, "envgen: uv resolves the dependency tree\nenvgen: asking the registry for the digests of ubuntu:22.04\n");
  const auto frozen = Json::parse(place.folder().read("envgen.lock"))["frozen"];
  EXPECT_EQ(frozen["by"], "uv 9.8.7");
  EXPECT_EQ(frozen["requirements"], (Json{"torch==2.3.1", "torchvision==0.18.1", "torchaudio==2.3.1", "setuptools<82"}));
  EXPECT_EQ(frozen["packages"], (Json{{{"name", "numpy"}, {"version", "1.26.4"}, {"hashes", {one, two}}},
                                      {{"name", "torch"}, {"version", "2.3.1"}, {"hashes", {two}}},
                                      {{"name", "torchvision"}, {"version", "0.18.1"}, {"hashes", {two}}},
                                      {{"name", "torchaudio"}, {"version", "2.3.1"}, {"hashes", {two}}},
                                      {{"name", "setuptools"}, {"version", "82"}, {"hashes", {two}}}}));
  EXPECT_EQ(place.tool({"diff", "envgen.lock", "envgen.lock"}).exit_status, 0);  // it is read back
}

TEST(Freeze, TakesAwayTheFolderThatAKilledRunLeft) {
  const Place place;
  const auto temporary = place.folder().path() / "tmp";
  std::filesystem::create_directories(temporary / "envgen-freeze-AbCdEf");
  std::filesystem::create_directories(temporary / "envgen-freezer");
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(temporary / "envgen-freeze-AbCdEf", long_ago);
  ASSERT_EQ(place.tool({"lock", "--torch", "2.3", "--freeze"}, {"TMPDIR=" + temporary.string()}).exit_status, 0);
  EXPECT_FALSE(std::filesystem::exists(temporary / "envgen-freeze-AbCdEf"));
  EXPECT_TRUE(std::filesystem::exists(temporary / "envgen-freezer"));
}

TEST(Freeze, AsksForThePlatformAndThePythonAndWheelsOnly) {
  const Place place;
  place.tool({"lock", "--torch", "2.3", "--python", "3.11", "--freeze"});
  EXPECT_THAT(place.folder().read("asked"),
              AllOf(StartsWith("pip\ncompile\npyproject.toml\n--directory\n"), HasSubstr("\n--generate-hashes\n"),
                    HasSubstr("\n--only-binary\n:all:\n"), HasSubstr("\n--python-version\n3.11\n"),
                    HasSubstr("\n--python-platform\nx86_64-manylinux2014\n")));
  place.tool({"lock", "--torch", "2.8", "--platform", "linux-aarch64", "--freeze"});
  EXPECT_THAT(place.folder().read("asked"), HasSubstr("\n--python-platform\naarch64-manylinux_2_28\n"));
  auto folder = place.folder().read("folder");
  folder.pop_back();
  EXPECT_FALSE(std::filesystem::exists(folder)) << folder;
}

TEST(Freeze, AsksTheWheelIndexForTheFrameworkAlone) {
  const Place place;
  place.tool({"lock", "--torch", "2.9", "--cuda", "12.6", "--freeze"});
  EXPECT_THAT(place.folder().read("project"),
              AllOf(HasSubstr("\nurl = \"https://download.pytorch.org/whl/cu126\"\nexplicit = true\n"),
                    HasSubstr("\ntorch = { index = \"pytorch-cu126\" }\n")));
}

TEST(Freeze, LeavesOutWhatCompilesWhenItIsInstalled) {
  const Place place;
  place.folder().write("envgen.json", R"({"request": {"torch": "2.5"}, "outputs": {"files": ["dockerfile"],
    "pip": ["einops>=0.8", "flash-attn"], "pip_index": "https://mirror.example.org/simple"}})");
  const auto done = place.tool({"lock", "--freeze"});
  EXPECT_EQ(done.exit_status, 0) << done.err;
  EXPECT_THAT(place.folder().read("project"),
              AllOf(HasSubstr("\"einops>=0.8\""), HasSubstr("\"ninja==1.13.0\""), Not(HasSubstr("flash-attn")),
                    HasSubstr("url = \"https://mirror.example.org/simple\"\ndefault = true")));
  const auto made = place.tool({"generate"});
  EXPECT_EQ(made.exit_status, 0) << made.err;
  EXPECT_THAT(place.folder().read("Dockerfile"),
              AllOf(HasSubstr("pip install --require-hashes --requirement /opt/envgen/requirements.frozen.txt \\\n"),
                    HasSubstr("pip install --no-build-isolation torch==2.5.1 flash-attn \\\n")));
}

TEST(Freeze, TakesTheIndexOfPipWhereUvHasNone) {
  const Place place;
  place.folder().write("bin/python3", R"(#!/bin/sh
[ "$*" = "-m pip config list" ] || exit 1
echo "global.index-url='https://of.pip.example.org/simple'"
echo "global.timeout='60'"
)");
  std::filesystem::permissions(place.folder().path() / "bin/python3", std::filesystem::perms(0755));
  const Words words{"lock", "--torch", "2.3", "--freeze"};
  place.tool(words);
  EXPECT_EQ(place.folder().read("index"), "https://of.pip.example.org/simple\n");
  place.tool(words, {"UV_DEFAULT_INDEX=https://of.uv.example.org/simple"});
  EXPECT_EQ(place.folder().read("index"), "https://of.uv.example.org/simple\n");
  std::filesystem::create_directories(place.folder().path() / ".config/uv");
  place.folder().write(".config/uv/uv.toml", "");
  place.tool(words);
  EXPECT_EQ(place.folder().read("index"), "\n");  // uv reads its own
}

// ---- images

const std::string seven = "sha256:" + std::string(63, '0') + "7";

TEST(Freeze, NamesImagesByTheirDigests) {
  const Place place;
  place.folder().write("envgen.json", R"({"request": {"torch": "2.5", "variant": "devel"}, "outputs":
    {"files": ["dockerfile", "ci"], "ci_for": "gitlab", "multi_stage": true}})");
  const auto done = place.tool({"lock", "--freeze"});
  EXPECT_EQ(done.err,
            "envgen: uv resolves the dependency tree\nenvgen: asking the registry for the digests of docker:28-dind, "
            "nvidia/cuda:12.4.1-devel-ubuntu22.04, ubuntu:22.04, ubuntu:24.04\n");
  const auto images = Json::parse(place.folder().read("envgen.lock"))["frozen"]["images"];
  EXPECT_EQ(images, (Json{{{"image", "docker:28-dind"}, {"digest", seven}},
                          {{"image", "nvidia/cuda:12.4.1-devel-ubuntu22.04"}, {"digest", seven}},
                          {{"image", "ubuntu:22.04"}, {"digest", seven}},
                          {{"image", "ubuntu:24.04"}, {"digest", seven}}}));
  EXPECT_EQ(place.tool({"generate"}).exit_status, 0);
  EXPECT_THAT(place.folder().read("Dockerfile"),
              AllOf(HasSubstr("\nFROM nvidia/cuda:12.4.1-devel-ubuntu22.04@" + seven + " AS build\n"),
                    HasSubstr("\nFROM ubuntu:22.04@" + seven + "\n")));
  EXPECT_THAT(place.folder().read(".gitlab/envgen.gitlab-ci.yml"),
              AllOf(HasSubstr("\n  image: \"ubuntu:24.04@" + seven + "\"\n"),
                    HasSubstr("\n    - name: \"docker:28-dind@" + seven + "\"\n")));
  // Without --freeze nobody is asked, and what is known stays.
  const auto before = place.folder().read("envgen.lock");
  const auto asked = place.folder().read("docker-asked");
  EXPECT_EQ(place.tool({"lock"}).err, "");
  EXPECT_EQ(place.folder().read("envgen.lock"), before);
  EXPECT_EQ(place.tool({"lock", "--check"}).exit_status, 0);
  EXPECT_EQ(place.folder().read("docker-asked"), asked);
}

TEST(Freeze, SaysWhichImagesStayTags) {
  const Place place;
  place.folder().write("no-registry", "");
  const Words words{"lock", "--torch", "2.3", "--cuda", "12.1", "--freeze"};
  const auto done = place.tool(words);
  EXPECT_EQ(done.exit_status, 0);
  EXPECT_EQ(done.err,
            "envgen: uv resolves the dependency tree\n"
            "envgen: asking the registry for the digests of ubuntu:22.04\n"
            "envgen: ubuntu:22.04 stays a tag, which a registry can move to another image: no client here can find its digest\n"
            "envgen:   docker buildx: the registry does not answer\n"
            "envgen:   docker manifest: the registry does not answer\n"
            "envgen:   skopeo inspect: exit status 1\n"
            "envgen:   docker image: the registry does not answer\n"
            "envgen:   podman image: exit status 1\n");
  EXPECT_EQ(Json::parse(place.folder().read("envgen.lock"))["frozen"]["images"],
            (Json{{{"image", "ubuntu:22.04"}, {"digest", nullptr}}}));
  EXPECT_THAT(place.rendered("dockerfile"), HasSubstr("\nFROM ubuntu:22.04\n"));
  // What has a digest since is a difference that matters, and another image is one that nobody asked for.
  place.folder().write("old.lock", place.folder().read("envgen.lock"));
  std::filesystem::remove(place.folder().path() / "no-registry");
  EXPECT_EQ(place.tool(words).exit_status, 0);
  const auto diff = place.tool({"diff", "old.lock", "envgen.lock"});
  EXPECT_EQ(diff.exit_status, 9);
  EXPECT_THAT(diff.out, HasSubstr("image ubuntu:22.04 by tag only -> " + seven + "\n"));
  EXPECT_EQ(place.tool({"lock", "--torch", "2.3", "--cuda", "12.1", "--os", "debian12", "--python", "3.10"}).err,
            "envgen: debian:12-slim stays a tag: 'envgen lock --freeze' resolves its digest\n");
}

TEST(Freeze, RefusesAnImageThatIsNone) {
  const Place place;
  place.tool({"lock", "--torch", "2.3", "--freeze"});
  for (const auto& [name, digest] : {std::pair<std::string, std::string>{"ubuntu:22.04", seven + "\nRUN x"}, {"a b", seven}}) {
    auto lock = Json::parse(place.folder().read("envgen.lock"));
    lock["frozen"]["images"][0] = {{"image", name}, {"digest", digest}};
    place.folder().write("forged.lock", test::sealed(lock));
    const auto refused = place.tool({"render", "dockerfile", "--lock", "forged.lock"});
    EXPECT_EQ(refused.exit_status, 4) << refused.err;
    EXPECT_EQ(refused.out, "");
  }
}

// ---- what is refused

TEST(Freeze, SaysWhatIsMissing) {
  const auto refused =
      util::run_process({ENVGEN_TOOL, "lock", "--torch", "2.3", "--freeze", "-o", "-"}, {.environment = {"PATH=/nonexistent"}});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->err,
            "envgen: --freeze: uv, which resolves the dependency tree, is not installed here\n"
            "  python3 -m pip install uv\n"
            "  or see https://docs.astral.sh/uv/getting-started/installation/\n");
  EXPECT_EQ(refused->exit_status, 6);
  EXPECT_EQ(refused->out, "");
}

TEST(Freeze, PassesOnWhatUvSaysAndKeepsTheOldLock) {
  const Place place;
  place.tool({"lock", "--torch", "2.3", "--freeze"});
  const auto before = place.folder().read("envgen.lock");
  place.folder().write("refusal", "error: No solution found\n  cause: because of \x1b[31mred\n");
  const auto refused = place.tool({"lock", "--torch", "2.4", "--freeze"});
  EXPECT_EQ(refused.err,
            "envgen: uv resolves the dependency tree\n"
            "envgen: --freeze: uv cannot resolve the tree: exit status 1\n"
            "  error: No solution found\n"
            "    cause: because of \\x1b[31mred\n");
  EXPECT_EQ(refused.exit_status, 4);
  EXPECT_EQ(place.folder().read("envgen.lock"), before);
}

TEST(Freeze, RefusesWhatUvCannotKnow) {
  const Place place;
  const auto error = [&](Words words) {
    words.insert(words.begin(), "lock");
    words.emplace_back("--freeze");
    const auto refused = place.tool(words);
    EXPECT_EQ(refused.exit_status, 2);
    return refused.err;
  };
  EXPECT_EQ(error({"--torch", "2.5", "--installer", "conda"}),
            "envgen: --freeze: uv freezes pip packages, but this is a conda environment\n"
            "  --installer pip\n"
            "  conda-lock freezes environment.yaml, using virtual-packages.yml\n");
  EXPECT_EQ(error({"--torch", "2.3", "--base", "pytorch"}),
            "envgen: --freeze: this environment uses the image's framework, which uv cannot freeze\n"
            "  --base slim\n");
  EXPECT_EQ(error({"--torch", "2.8", "--python", "3.13t"}),
            "envgen: --freeze: uv cannot freeze for a free-threaded Python, and this is 3.13t\n");
  EXPECT_EQ(error({"--torch", "2.3", "--check"}),
            "envgen: --check and --freeze cannot be combined\n  see 'envgen lock --help'\n");
}

TEST(Freeze, RefusesATreeThatIsNone) {
  const auto error = [](std::string_view text) {
    const auto parsed = project::parse_tree(text);
    return parsed ? "parsed" : fmt::format("{}: {}", parsed.error().origin, parsed.error().message);
  };
  EXPECT_EQ(error(tree), "parsed");
  EXPECT_EQ(error("# a comment\n\n" + tree), "parsed");
  EXPECT_EQ(error(""), "line 0 of uv's tree: it names no package");
  EXPECT_EQ(error("--hash=" + one), "line 1 of uv's tree: it begins with a hash");
  EXPECT_EQ(error("torch==2.3.1\n"), "line 1 of uv's tree: the index provides no hash for the files of torch 2.3.1");
  EXPECT_EQ(error("torch==2.3.1\nnumpy==1 --hash=" + one),
            "line 2 of uv's tree: the index provides no hash for the files of torch 2.3.1");
  EXPECT_EQ(error("torch==2.3.1 \\\n --hash=sha256:12"), "line 2 of uv's tree: 'sha256:12' is not a file hash");
  EXPECT_EQ(error(tree + tree),
            "line 6 of uv's tree: 'numpy==1.26.4' is not a package with a name and a version, or is listed twice");
  EXPECT_EQ(error(tree + "Torch==2.3.0\n --hash=" + one),
            "line 6 of uv's tree: 'Torch==2.3.0' is not a package with a name and a version, or is listed twice");
  for (const auto* line :
       {"torch>=2", "torch===2.3.1", "torch @ https://x/y.whl", "-e .", "torch==2.3.1 ; sys_platform == 'linux'"})
    EXPECT_THAT(error(line), HasSubstr("is not a package with a name and a version")) << line;
}

TEST(Freeze, RefusesATreeOfAnotherEnvironment) {
  const Place place;
  const Words words{"lock", "--torch", "2.3", "--cuda", "12.1", "--freeze"};
  place.tool(words);
  const auto before = place.folder().read("envgen.lock");
  const auto error = [&](const std::string& lines) {
    place.folder().write("tree", lines);
    const auto refused = place.tool(words);
    EXPECT_EQ(refused.exit_status, 4);
    EXPECT_EQ(place.folder().read("envgen.lock"), before);
    return refused.err.substr(refused.err.find('\n') + 1);
  };
  const auto line = [](const std::string& package) { return package + "\n --hash=" + one + "\n"; };
  const auto companions = line("torchvision==0.18.1") + line("torchaudio==2.3.1");
  EXPECT_EQ(error(line("torch==2.3.0")),
            "envgen: --freeze: the tree from uv does not match the request: the frozen tree contains torch 2.3.0, but "
            "'torch==2.3.1' was requested\n");
  EXPECT_EQ(error(line("torch==2.3.1") + companions),
            "envgen: --freeze: the tree from uv does not match the request: the frozen tree lacks 'setuptools<82'\n");
  place.folder().write("tree", line("torch==2.3.1+cu121") + companions + line("setuptools==81.0.0"));
  EXPECT_EQ(place.tool(words).exit_status, 0);
}

TEST(Freeze, RefusesAUvThatDoesNotTellItsVersion) {
  const Place place;
  for (const auto* said : {"", "uv", "uv \\033[31m", "uv */ x"}) {
    place.folder().write("bin/uv", fmt::format("#!/bin/sh\nprintf '{}\n'\n", said));
    const auto refused = place.tool({"lock", "--torch", "2.3", "--freeze"});
    EXPECT_EQ(refused.exit_status, 6) << said;
    EXPECT_THAT(refused.err, StartsWith("envgen: --freeze: cannot read the version of uv: ")) << said;
  }
}

TEST(Freeze, InterruptedLeavesNeitherUvNorItsFolder) {
  const Place place;
  place.folder().write("bin/uv", R"(#!/bin/sh
[ "$1" != --version ] || { echo 'uv 9.8.7'; exit 0; }
while [ "$1" != --directory ]; do shift; done
here=$(dirname "$0")/..
echo "$2" >"$here/folder"
echo $$ >"$here/pid.new" && mv "$here/pid.new" "$here/pid"
exec sleep 600
)");
  // The signal goes to envgen alone, as that of a supervisor does; it has its uv in a group of its own.
  const auto done = util::run_process(
      {"sh", "-c", R"sh(cd "$0" && { "$@" & tool=$!; }
while [ ! -e pid ]; do sleep 0.02; done
kill -TERM $tool
wait $tool
echo "exit $?"
kill -0 "$(cat pid)" 2>/dev/null && echo "uv lives"
[ ! -e "$(cat folder)" ] || echo "the folder is there")sh",
       place.folder().path().string(), "env", "PATH=" + (place.folder().path() / "bin").string() + ":/usr/bin:/bin",
       "UV_DEFAULT_INDEX=https://x.example.org", ENVGEN_TOOL, "lock", "--torch", "2.3", "--freeze"});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->out, "exit 143\n");
  EXPECT_EQ(done->err, "envgen: uv resolves the dependency tree\nenvgen: interrupted; 'uv' was stopped\n");
}

TEST(Freeze, InterruptedWhileUvTellsItsVersionLeavesNoUv) {
  const Place place;
  place.folder().write("bin/uv", R"(#!/bin/sh
here=$(dirname "$0")/..
echo $$ >"$here/pid.new" && mv "$here/pid.new" "$here/pid"
exec sleep 600
)");
  const auto done = util::run_process({"sh", "-c", R"sh(cd "$0" && { "$@" & tool=$!; }
while [ ! -e pid ]; do sleep 0.02; done
kill -TERM $tool
wait $tool
echo "exit $?"
kill -0 "$(cat pid)" 2>/dev/null && echo "uv lives" && kill -KILL "$(cat pid)")sh",
                                       place.folder().path().string(), "env",
                                       "PATH=" + (place.folder().path() / "bin").string() + ":/usr/bin:/bin", ENVGEN_TOOL, "lock",
                                       "--torch", "2.3", "--freeze"});
  ASSERT_TRUE(done);
  EXPECT_EQ(done->out, "exit 143\n");
  EXPECT_EQ(done->err, "envgen: interrupted; 'uv' was stopped\n");
}

TEST(Note, ThatCannotBeWrittenStopsNothing) {
  const auto result = util::run_process({"sh", "-c", "exec \"$@\" 2>&-", "sh", ENVGEN_TOOL, "render", "dockerfile", "--torch",
                                         "2.3", "--gpu", "A100", "--pip", "flash-attn"});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_status, 0);
  EXPECT_THAT(result->out, HasSubstr("flash-attn"));
}

// ---- the lock

TEST(FrozenLock, KeepsItsTreeAsLongAsItServes) {
  const Place place;
  const Words words{"lock", "--torch", "2.3", "--cuda", "12.1"};
  auto freezing = words;
  freezing.emplace_back("--freeze");
  place.tool(freezing);
  const auto frozen = place.folder().read("envgen.lock");
  place.folder().write("refusal", "not asked");
  auto again = place.tool(words);
  EXPECT_THAT(again.out, StartsWith("unchanged envgen.lock"));
  EXPECT_EQ(again.err, "");
  EXPECT_EQ(place.folder().read("envgen.lock"), frozen);
  again = place.tool({"lock", "--torch", "2.3", "--cuda", "12.1", "--check"});
  EXPECT_EQ(again.exit_status, 0) << again.out;
  const auto other = place.tool({"lock", "--torch", "2.4", "--cuda", "12.1"});
  EXPECT_EQ(other.exit_status, 0);
  EXPECT_EQ(other.err, "envgen: the frozen tree is for another environment; 'envgen lock --freeze' regenerates it\n");
  EXPECT_THAT(other.out, HasSubstr("\n  the dependency tree is no longer frozen\n"));
  EXPECT_THAT(place.folder().read("envgen.lock"), Not(HasSubstr("frozen")));
}

TEST(FrozenLock, IsAPromiseOfItsFiles) {
  auto lock = test::lock_of("torch=2.3");
  const auto loose = project::promise_of(lock);
  lock.environment.frozen = Environment::Frozen{"uv 1", {"torch==2.3.1"}, {{"torch", "2.3.1", {one}}}, {}};
  const auto promise = project::promise_of(lock);
  EXPECT_NE(promise, loose);
  lock.environment.frozen->by = "uv 2";
  EXPECT_EQ(project::promise_of(lock), promise);
  lock.environment.frozen->packages.front().hashes = {two};
  EXPECT_NE(project::promise_of(lock), promise);
}

TEST(FrozenLock, IsNotForOtherRequirements) {
  const Place place;
  place.folder().write("envgen.json",
                       R"({"request": {"torch": "2.3"}, "outputs": {"files": ["dockerfile"], "pip": ["einops>=0.8"]}})");
  EXPECT_EQ(place.tool({"lock", "--freeze"}).exit_status, 0);
  const auto more = place.tool({"render", "requirements", "--lock", "envgen.lock", "--pip", "tqdm"});
  EXPECT_EQ(more.err,
            "envgen: envgen.lock#/frozen/requirements: the frozen tree was made without 'tqdm'\n"
            "  'envgen lock --freeze' regenerates it from envgen.json\n");
  EXPECT_EQ(more.exit_status, 9);
  place.folder().write("envgen.json", R"({"request": {"torch": "2.3"}, "outputs": {"files": ["dockerfile"]}})");
  const auto less = place.tool({"generate"});
  EXPECT_EQ(
      less.err,
      "envgen: envgen.lock#/frozen/requirements: the frozen tree was made with 'einops>=0.8', which is no longer requested\n"
      "  'envgen lock --freeze' regenerates it from envgen.json\n");
  EXPECT_EQ(less.exit_status, 9);
  EXPECT_FALSE(std::filesystem::exists(place.folder().path() / "Dockerfile"));
}

// ---- the outputs

TEST(FrozenOutput, InstallsByHash) {
  const Place place;
  place.tool({"lock", "--torch", "2.3", "--cuda", "12.1", "--freeze"});
  const auto line = fmt::format(
      "\nnumpy==1.26.4 --hash={0} --hash={1}\ntorch==2.3.1 --hash={1}\ntorchvision==0.18.1 --hash={1}\n"
      "torchaudio==2.3.1 --hash={1}\nsetuptools==82 --hash={1}\n",
      one, two);
  EXPECT_THAT(place.rendered("requirements"),
              AllOf(HasSubstr(line), HasSubstr("\n# The full dependency tree as resolved by uv 9.8.7: ")));
  EXPECT_THAT(
      place.rendered("dockerfile"),
      AllOf(HasSubstr("\nCOPY requirements.frozen.txt /opt/envgen/requirements.frozen.txt\n"),
            HasSubstr("\n && /opt/venv/bin/pip install --require-hashes --requirement /opt/envgen/requirements.frozen.txt \\\n"),
            Not(HasSubstr("install torch"))));
  EXPECT_THAT(place.rendered("setup"), AllOf(HasSubstr("<<'END'" + line + "END\n"),
                                             HasSubstr(" -m pip install --require-hashes --requirement \"$frozen\"\n")));
  EXPECT_THAT(
      place.rendered("pyproject"),
      HasSubstr("\nconstraint-dependencies = [\n  \"numpy==1.26.4\",\n  \"torch==2.3.1\",\n  \"torchvision==0.18.1\",\n"));
}

TEST(FrozenOutput, BringsItsFile) {
  const Place place;
  place.tool({"lock", "--torch", "2.3", "--freeze"});
  const auto alone = place.tool({"render", "dockerfile", "--lock", "envgen.lock"});
  EXPECT_EQ(alone.err, "envgen: this file needs 'requirements.frozen.txt' next to it; '-o ./' writes both\n");
  place.rendered("dockerfile", {"-o", "made/"});
  EXPECT_THAT(place.folder().read("made/requirements.frozen.txt"), HasSubstr("\ntorch==2.3.1 --hash="));
  place.rendered("devcontainer", {"-o", "made/"});
  EXPECT_EQ(place.folder().read("made/.devcontainer/requirements.frozen.txt"),
            place.folder().read("made/requirements.frozen.txt"));
  EXPECT_THAT(place.folder().read("made/.devcontainer/devcontainer.json"), Not(HasSubstr("context")));
}

TEST(FrozenOutput, HasTheWheelIndexAsOneMore) {
  const Place place;
  place.tool({"lock", "--torch", "2.9", "--cuda", "12.6", "--freeze"});
  EXPECT_THAT(place.rendered("dockerfile"),
              AllOf(HasSubstr("\nARG TORCH_INDEX_URL=\"https://download.pytorch.org/whl/cu126\"\n"),
                    HasSubstr(" --require-hashes --extra-index-url \"$TORCH_INDEX_URL\" --requirement /opt")));
  place.tool({"lock", "--torch", "2.9", "--cuda", "12.6", "--installer", "uv", "--freeze"});
  EXPECT_THAT(place.rendered("dockerfile"),
              HasSubstr(" --require-hashes --index \"$TORCH_INDEX_URL\" --index-strategy unsafe-best-match --requirement /opt"));
  EXPECT_THAT(place.rendered("setup"), HasSubstr("\"$uv\" pip install --python \"$place/bin/python\" --require-hashes --index"));
}

/// The tree holds them: once more by name they would be installed without a hash, and in whatever version.
TEST(FrozenOutput, HasNoExtraBesideTheTree) {
  const Place place;
  place.folder().write("envgen.json",
                       R"({"request": {"torch": "2.9", "cuda": "12.6"}, "outputs": {"pip": ["einops>=0.8"], "jupyter": true}})");
  ASSERT_EQ(place.tool({"lock", "--freeze"}).exit_status, 0);
  for (const auto* kind : {"dockerfile", "setup"}) {
    const auto text = place.rendered(kind);
    EXPECT_THAT(text, HasSubstr(" --require-hashes ")) << kind;
    EXPECT_THAT(text, AllOf(Not(HasSubstr(" einops")), Not(HasSubstr(" jupyterlab==")))) << kind;
  }
}

}  // namespace
}  // namespace envgen::cli
