// Writing files that belong together: what is said where it ends halfway.
#include "output/on_disk.hpp"

#include <csignal>
#include <fstream>

#include <gmock/gmock.h>

#include "support/heard_signals.hpp"
#include "util/interrupt.hpp"
#include "util/temporary_folder.hpp"

namespace envgen::output {
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
  EXPECT_EQ(wrote.error().message, "cannot make the folder (Not a directory)");
  EXPECT_THAT(wrote.error().hints, ElementsAre("written: " + path("a"), "not written: " + path("a/b") + ", " + path("c")));
}

TEST_F(OnDisk, NoneIsWrittenWhereAFolderOfAnotherIsAFile) {
  std::ofstream(path("taken")) << "mine\n";
  for (const auto* file : {"taken/b", "taken/deeper/b"}) {
    const auto wrote = write_all({"a", file});
    ASSERT_FALSE(wrote);
    EXPECT_EQ(wrote.error().code, ErrorCode::bad_input);
    EXPECT_EQ(wrote.error().message, "cannot make the folder (Not a directory)");
    EXPECT_EQ(wrote.error().origin, fs::path(path(file)).parent_path().string());
    EXPECT_FALSE(fs::exists(path("a")));
  }
}

TEST_F(OnDisk, NothingIsSaidWhereNothingWasWritten) {
  std::ofstream(path("a")) << "a\n";
  const auto wrote = write_all({"a", "a/b", "c"});
  ASSERT_FALSE(wrote);
  EXPECT_THAT(wrote.error().hints, ElementsAre());
  EXPECT_FALSE(fs::exists(path("c")));
}

}  // namespace
}  // namespace envgen::output
