// Writing files that belong together: what is said where it ends halfway.
#include "files/on_disk.hpp"

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>

#include "support/heard_signals.hpp"
#include "util/interrupt.hpp"
#include "util/temporary_folder.hpp"

namespace envgen::files {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class OnDisk : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  Expected<void> write_all(const std::vector<std::string>& names) {
    files_.clear();
    for (const auto& name : names) {
      File file;
      file.path = name;
      file.text = name + "\n";
      files_.push_back(std::move(file));
    }
    const auto found = standings(files_, folder_.path());
    EXPECT_TRUE(found);
    return write(*found);
  }

  util::TemporaryFolder folder_ = *util::TemporaryFolder::make("envgen-on-disk");
  Files files_;
};

TEST_F(OnDisk, AnInterruptSaysHowFarItCame) {
  const test::HeardSignals heard;
  const util::InterruptScope scope;
  std::ofstream(path("same")) << "same\n";
  ::raise(SIGINT);
  const auto wrote = write_all({"same", "a", "b/c", "d"});
  ASSERT_FALSE(wrote);
  EXPECT_EQ(wrote.error().code, ErrorCode::interrupted);
  EXPECT_EQ(wrote.error().message, "interrupted after this file was written");
  EXPECT_EQ(wrote.error().origin, path("a"));
  EXPECT_THAT(wrote.error().hints, ElementsAre("written: " + path("a"), "not written: " + path("b/c") + ", " + path("d")));
  EXPECT_TRUE(fs::exists(path("a")));
  EXPECT_FALSE(fs::exists(path("d")));
}

TEST_F(OnDisk, AFailureSaysHowFarItCame) {
  const auto wrote = write_all({"a", "a/b", "c"});
  ASSERT_FALSE(wrote);
  EXPECT_EQ(wrote.error().code, ErrorCode::bad_input);
  EXPECT_EQ(wrote.error().message, "cannot create the folder (Not a directory)");
  EXPECT_THAT(wrote.error().hints, ElementsAre("written: " + path("a"), "not written: " + path("a/b") + ", " + path("c")));
}

TEST_F(OnDisk, NoneIsWrittenWhereAFolderOfAnotherIsAFile) {
  std::ofstream(path("taken")) << "mine\n";
  for (const auto* file : {"taken/b", "taken/deeper/b"}) {
    const auto wrote = write_all({"a", file});
    ASSERT_FALSE(wrote);
    EXPECT_EQ(wrote.error().code, ErrorCode::bad_input);
    EXPECT_EQ(wrote.error().message, "cannot create the folder (Not a directory)");
    EXPECT_EQ(wrote.error().origin, fs::path(path(file)).parent_path().string());
    EXPECT_FALSE(fs::exists(path("a")));
  }
}

TEST_F(OnDisk, NoneIsWrittenWhereAnotherIsALinkToNothing) {
  fs::create_symlink(path("nothing"), path("b"));
  const auto wrote = write_all({"a", "b"});
  ASSERT_FALSE(wrote);
  EXPECT_EQ(wrote.error().code, ErrorCode::bad_input);
  EXPECT_EQ(wrote.error().message, "a dangling link, which would be replaced by a file");
  EXPECT_EQ(wrote.error().origin, path("b"));
  EXPECT_THAT(wrote.error().hints, ElementsAre("remove the link, or create its target"));
  EXPECT_FALSE(fs::exists(path("a")));
}

TEST_F(OnDisk, NothingIsSaidWhereNothingWasWritten) {
  std::ofstream(path("a")) << "a\n";
  const auto wrote = write_all({"a", "a/b", "c"});
  ASSERT_FALSE(wrote);
  EXPECT_THAT(wrote.error().hints, ElementsAre());
  EXPECT_FALSE(fs::exists(path("c")));
}

/// What becomes of a file that is to hold `sealed("new")`, where `old` lies.
class Standings : public OnDisk {
 protected:
  Change change_of(const std::string& old, bool runs = false) {
    std::ofstream(path("file"), std::ios::binary) << old;
    fs::permissions(path("file"), runs ? fs::perms::owner_all : fs::perms::owner_read | fs::perms::owner_write);
    files_ = {file_};
    const auto found = standings(files_, folder_.path());
    EXPECT_TRUE(found);
    return found->front().change;
  }
  static std::string sealed(const std::string& text) { return seal("# " + unsealed_mark() + "\n" + text + "\n"); }

  File file_{"file", sealed("new")};
};

TEST_F(Standings, OfOwnFilesFollowTheirText) {
  EXPECT_EQ(change_of(sealed("new")), Change::none);
  EXPECT_EQ(change_of(sealed("old")), Change::update);
  EXPECT_EQ(change_of(sealed("old") + "by hand\n"), Change::edited);
}

TEST_F(Standings, OfAnotherProjectAreItsOwn) {
  EXPECT_EQ(change_of(sealed_for(sealed("old"), "gpu.json")), Change::another);
  file_.text = sealed_for(sealed("new"), "gpu.json");
  EXPECT_EQ(change_of(sealed_for(sealed("old"), "gpu.json")), Change::update);
  EXPECT_EQ(change_of(sealed_for(sealed("old"), "cpu.json")), Change::another);
  EXPECT_EQ(change_of(sealed("old")), Change::another);
  EXPECT_EQ(change_of(sealed_for(sealed("old"), "cpu.json") + "by hand\n"), Change::edited);
}

TEST_F(Standings, OfOtherLineEndsAreRestored) {
  auto text = sealed("new");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "\r\n");
  EXPECT_EQ(change_of(text), Change::restore);
  EXPECT_EQ(change_of(sealed("new") + "\r"), Change::edited) << "only what stands before the end of a line belongs to it";
}

TEST_F(Standings, OfAScriptThatDoesNotRunAreRestored) {
  file_.executable = true;
  EXPECT_EQ(change_of(sealed("new"), true), Change::none);
  EXPECT_EQ(change_of(sealed("new"), false), Change::restore);
}

TEST_F(Standings, OfFilesWithoutAMarkAreForeignOrKept) {
  EXPECT_EQ(change_of("mine\n"), Change::foreign);
  file_.proposed = true;
  EXPECT_EQ(change_of("mine\n"), Change::kept);
}

}  // namespace
}  // namespace envgen::files
