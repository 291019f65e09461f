// What the commands that write leave in a folder: where they follow links, what they take away, and with which modes.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "util/process.hpp"
#include "util/temporary_file.hpp"

namespace envgen::cli {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using testing::HasSubstr;

/// A project with a lock, which asks for files in its folder and in one below it.
class Writing : public testing::Test {
 protected:
  Writing() {
    folder_.write(
        "envgen.json",
        R"({"request": {"torch": "2.7"}, "outputs": {"files": ["run", "requirements", "setup", "ci"], "ci_for": "github"}})");
    EXPECT_EQ(tool("lock").exit_status, 0);
  }

  /// `words` as a shell reads them.
  util::ProcessResult tool(const std::string& words) const {
    const auto ran = util::run_process({"sh", "-c", "cd \"$0\" && \"$1\" " + words, folder_.path().string(), ENVGEN_TOOL});
    EXPECT_TRUE(ran) << ran.error().message;
    return ran.value_or(util::ProcessResult{});
  }

  /// A file of a process that is gone.
  fs::path left_in(const fs::path& folder) const {
    const auto child = ::fork();
    if (child == 0) ::_exit(util::TemporaryFile::make(folder, 0600) ? 0 : 1);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().filename().string().starts_with(".envgen-tmp-")) return entry.path();
    }
    ADD_FAILURE() << "nothing was left";
    return {};
  }

  static fs::perms mode_of(const fs::path& path) { return fs::status(path).permissions(); }

  TemporaryFolder folder_;
  TemporaryFolder elsewhere_;
};

// ---- the first lock

TEST_F(Writing, MakesTheFirstLock) {
  fs::remove(folder_.path() / "envgen.lock");
  const auto refused = tool("generate --locked");
  EXPECT_EQ(refused.exit_status, 4);
  EXPECT_THAT(refused.err, testing::StartsWith("envgen: envgen.lock: "));
  EXPECT_EQ(tool("generate --check").exit_status, 4) << "what only looks writes nothing";
  EXPECT_FALSE(fs::exists(folder_.path() / "envgen.lock"));

  const auto made = tool("generate");
  EXPECT_EQ(made.exit_status, 0);
  EXPECT_THAT(made.err, testing::StartsWith("envgen: wrote envgen.lock: torch 2.7.1 + CUDA 12.6, Python 3.12, "));
  EXPECT_EQ(tool("lock --check").exit_status, 0);
  EXPECT_EQ(tool("generate --locked").exit_status, 0);
}

TEST_F(Writing, MakesNoLockWithoutAnEnvironment) {
  fs::remove(folder_.path() / "envgen.lock");
  folder_.write("envgen.json", R"({"request": {"torch": "2.3", "gpus": ["5090"]}, "outputs": {"files": ["run"]}})");
  const auto refused = tool("generate");
  EXPECT_EQ(refused.exit_status, 3);
  EXPECT_THAT(refused.err, testing::StartsWith("No environment satisfies torch 2.3 and gpu 5090.\n"));
  EXPECT_THAT(refused.err, HasSubstr("\nDetails: envgen resolve --torch 2.3 --gpu 5090 --explain --sources\n"));
  EXPECT_FALSE(fs::exists(folder_.path() / "envgen.lock"));
  EXPECT_FALSE(fs::exists(folder_.path() / "run.sh"));
}

// ---- links

TEST_F(Writing, DoesNotFollowAFolderOutOfTheProject) {
  fs::create_directory_symlink(elsewhere_.path(), folder_.path() / ".github");
  const auto refused = tool("generate");
  EXPECT_EQ(refused.err,
            "envgen: the workflow needs the CI variables ENVGEN_RELEASES_URL, ENVGEN_VERSION, ENVGEN_SHA256; its first lines "
            "explain them\n"
            "envgen: .github/workflows/envgen.yml: a link leads out of the folder; nothing was written\n"
            "  --diff shows what would change\n  --force follows the link\n");
  EXPECT_EQ(refused.exit_status, 9);
  EXPECT_EQ(elsewhere_.entries(), 0U);
  EXPECT_FALSE(fs::exists(folder_.path() / "run.sh")) << "nothing is written means nothing";
  EXPECT_THAT(tool("generate --diff").out, HasSubstr("+++ .github/workflows/envgen.yml"));
  EXPECT_EQ(tool("generate --check").exit_status, 9);
  EXPECT_EQ(elsewhere_.entries(), 0U);

  EXPECT_EQ(tool("generate --force").exit_status, 0);
  EXPECT_TRUE(fs::exists(elsewhere_.path() / "workflows/envgen.yml"));
  EXPECT_TRUE(fs::is_symlink(folder_.path() / ".github"));
  EXPECT_EQ(tool("generate").exit_status, 0) << "what is current is not written";
  EXPECT_EQ(tool("generate --check").exit_status, 0);
}

TEST_F(Writing, DoesNotFollowAFileOutOfTheProject) {
  ASSERT_EQ(tool("generate").exit_status, 0);
  fs::rename(folder_.path() / "run.sh", elsewhere_.path() / "run.sh");
  fs::create_symlink(elsewhere_.path() / "run.sh", folder_.path() / "run.sh");
  EXPECT_EQ(tool("generate").exit_status, 0) << "what is current is not written";
  folder_.write(
      "envgen.json",
      R"({"request": {"torch": "2.7"}, "outputs": {"files": ["run", "requirements", "setup", "ci"], "ci_for": "github", "image_name": "other"}})");
  const auto before = elsewhere_.read("run.sh");
  const auto refused = tool("generate");
  EXPECT_THAT(refused.err, HasSubstr("envgen: run.sh: a link leads out of the folder; nothing was written\n"));
  EXPECT_EQ(refused.exit_status, 9);
  EXPECT_EQ(elsewhere_.read("run.sh"), before);
  EXPECT_EQ(tool("generate --force").exit_status, 0);
  EXPECT_NE(elsewhere_.read("run.sh"), before);
}

TEST_F(Writing, DoesNotFollowALinkBesideTheNamedFile) {
  fs::create_symlink(elsewhere_.path() / "requirements.txt", folder_.path() / "requirements.txt");
  elsewhere_.write("requirements.txt", "");
  const auto refused = tool("render requirements -o ./");
  EXPECT_THAT(refused.err, HasSubstr("requirements.txt: a link leads out of the folder; nothing was written\n"));
  EXPECT_EQ(refused.exit_status, 9);
  EXPECT_EQ(elsewhere_.read("requirements.txt"), "");
}

TEST_F(Writing, FollowsALinkWithinTheProject) {
  fs::create_directory(folder_.path() / "hidden");
  fs::create_directory_symlink("hidden", folder_.path() / ".github");
  EXPECT_EQ(tool("generate").exit_status, 0);
  EXPECT_TRUE(fs::exists(folder_.path() / "hidden/workflows/envgen.yml"));
}

TEST_F(Writing, TakesAFolderThatIsNamedByALink) {
  fs::create_directory_symlink(elsewhere_.path(), folder_.path() / "out");
  EXPECT_EQ(tool("generate -o out").exit_status, 0);
  EXPECT_EQ(tool("generate -o out/").exit_status, 0);
  EXPECT_EQ(tool("generate -o new/folder/").exit_status, 0);
  EXPECT_TRUE(fs::exists(elsewhere_.path() / "run.sh"));
}

TEST_F(Writing, DoesNotMakeWhatALinkToNothingPointsTo) {
  fs::create_directory_symlink(elsewhere_.path() / "nowhere", folder_.path() / ".github");
  const auto refused = tool("generate");
  EXPECT_EQ(refused.exit_status, 4);
  EXPECT_THAT(refused.err, HasSubstr("envgen: .github/workflows: cannot create the folder ("));
  EXPECT_EQ(elsewhere_.entries(), 0U);
}

// ---- interrupts and kills

TEST_F(Writing, AnInterruptLeavesNoTemporaryFile) {
  const std::vector<std::string> known{"envgen.json", "envgen.lock", "run.sh",    "requirements.txt",
                                       "setup.sh",    ".github",     "workflows", "envgen.yml"};
  for (int round = 0; round < 60; ++round) {
    const auto child = ::fork();
    if (child == 0) {
      for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
      if (::chdir(folder_.path().c_str()) == 0 && std::freopen("/dev/null", "w", stdout) != nullptr)
        ::execl(ENVGEN_TOOL, ENVGEN_TOOL, "generate", "--force", nullptr);
      ::_exit(99);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(3000 + 700 * round));
    const int signal = round % 2 == 0 ? SIGINT : SIGTERM;
    ::kill(child, signal);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 128 + signal || WEXITSTATUS(status) == 0) << status;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
      EXPECT_THAT(entry.path().filename().string(), testing::AnyOfArray(known)) << "round " << round;
    for (const auto* name : {"run.sh", "requirements.txt", "setup.sh"}) fs::remove(folder_.path() / name);
  }
}

TEST_F(Writing, TakesAwayWhatAKilledRunLeftAlsoWhereNothingIsToBeWritten) {
  ASSERT_EQ(tool("generate").exit_status, 0);
  const auto in_project = left_in(folder_.path());
  const auto below = left_in(folder_.path() / ".github/workflows");
  folder_.write("run.sh.Ab3dE9", "somebody's");
  EXPECT_EQ(tool("generate --check").exit_status, 0);
  EXPECT_TRUE(fs::exists(in_project)) << "--check changes nothing";
  EXPECT_EQ(tool("generate").exit_status, 0);
  EXPECT_FALSE(fs::exists(in_project));
  EXPECT_FALSE(fs::exists(below));
  EXPECT_EQ(folder_.read("run.sh.Ab3dE9"), "somebody's");

  const auto beside_lock = left_in(folder_.path());
  EXPECT_THAT(tool("lock").out, HasSubstr("unchanged envgen.lock"));
  EXPECT_FALSE(fs::exists(beside_lock));
  const auto beside_project = left_in(folder_.path());
  EXPECT_EQ(tool("init --torch 2.7 -o another.json").exit_status, 0);
  EXPECT_FALSE(fs::exists(beside_project));
}

// ---- modes

TEST_F(Writing, RespectsTheUmask) {
  fs::remove(folder_.path() / "envgen.lock");
  ASSERT_EQ(tool("lock; umask 077; \"$1\" lock -o private.lock && \"$1\" generate -o private").exit_status, 0);
  EXPECT_EQ(mode_of(folder_.path() / "private.lock"), fs::perms(0600));
  EXPECT_EQ(mode_of(folder_.path() / "private"), fs::perms(0700));
  EXPECT_EQ(mode_of(folder_.path() / "private/run.sh"), fs::perms(0700));
  EXPECT_EQ(mode_of(folder_.path() / "private/requirements.txt"), fs::perms(0600));
  EXPECT_EQ(mode_of(folder_.path() / "private/.github/workflows"), fs::perms(0700));
  ASSERT_EQ(tool("init --torch 2.7 -o x.json; umask 027; \"$1\" init --torch 2.7 -o group.json").exit_status, 0);
  EXPECT_EQ(mode_of(folder_.path() / "group.json"), fs::perms(0640));
}

// ---- what is said

TEST_F(Writing, NamesPathsWithoutWhatSteersATerminal) {
  const std::string name = "\x9b[31m";
  EXPECT_THAT(tool("generate -o " + std::string("'") + name + "'").out, HasSubstr("wrote \\x9b[31m/run.sh\n"));
  EXPECT_THAT(tool("init --torch 2.7 -o '" + name + ".json'").out,
              testing::StartsWith("wrote \\x9b[31m.json\nNext: envgen generate --project '\\x9b[31m.json'\n"));
  EXPECT_THAT(tool("lock -o '" + name + ".lock'").out, testing::StartsWith("wrote \\x9b[31m.lock: "));
  EXPECT_EQ(tool("lock --check -o '" + name + ".lock'").out, "\\x9b[31m.lock is up to date\n");
}

}  // namespace
}  // namespace envgen::cli
