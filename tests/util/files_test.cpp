// Files are written whole or not at all, whatever ends the writing.
#include "util/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "util/interrupt.hpp"
#include "util/temporary_file.hpp"

namespace envgen::util {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

constexpr std::size_t megabyte = std::size_t{1} << 20;
constexpr ::mode_t permissions = 07777;

class Files : public testing::Test {
 protected:
  Files() {
    auto path = (fs::temp_directory_path() / "envgen-files-test-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("no temporary folder can be made");
    folder_ = path;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);  // whoever starts the tests may ignore them
  }
  ~Files() override { fs::remove_all(folder_); }

  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : fs::directory_iterator(folder_)) result.push_back(entry.path().filename().string());
    return result;
  }

  fs::path put(const std::string& name, const std::string& text, ::mode_t mode) const {
    std::ofstream(folder_ / name) << text;
    EXPECT_EQ(::chmod((folder_ / name).c_str(), mode), 0);
    return folder_ / name;
  }

  static ::mode_t mode_of(const fs::path& path) {
    struct ::stat about {};
    EXPECT_EQ(::stat(path.c_str(), &about), 0) << path;
    return about.st_mode & permissions;
  }

  static std::string text_of(const fs::path& path) { return read_file(path, megabyte).value_or("(not readable)"); }

  fs::path folder_;
};

/// The umask of this process, for as long as it lives.
class Umask {
 public:
  explicit Umask(::mode_t mask) : before_(::umask(mask)) {}
  ~Umask() { ::umask(before_); }
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;

 private:
  ::mode_t before_;
};

/// A process that does `work` over and over; a signal comes after some time. Its status, as waitpid has it.
int interrupted_at(const std::function<void()>& work, int signal, std::chrono::microseconds after) {
  const auto child = ::fork();
  if (child == 0) {
    for (;;) work();
  }
  std::this_thread::sleep_for(after);
  ::kill(child, signal);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

// ---- modes

TEST_F(Files, ANewFileHasTheModeThatTheUmaskLeaves) {
  for (const ::mode_t mask : {0022U, 0077U, 0027U, 0002U}) {
    const Umask set(mask);
    const auto plain = folder_ / "plain";
    const auto program = folder_ / "program";
    fs::remove(plain);
    fs::remove(program);
    ASSERT_TRUE(write_file(plain, "x"));
    ASSERT_TRUE(write_file(program, "x", FileMode::executable));
    EXPECT_EQ(mode_of(plain), 0666 & ~mask) << "umask " << mask;
    EXPECT_EQ(mode_of(program), 0777 & ~mask) << "umask " << mask;
  }
}

TEST_F(Files, AFileThatIsReplacedKeepsItsModeWhateverTheUmask) {
  const Umask set(0077);
  for (const ::mode_t mode : {0644U, 0600U, 0664U, 0755U}) {
    const auto path = put("file", "old", mode);
    ASSERT_TRUE(write_file(path, "new"));
    EXPECT_EQ(text_of(path), "new");
    EXPECT_EQ(mode_of(path), mode);
  }
}

TEST_F(Files, WhoMayReadAFileMayRunItWhenItBecomesAProgram) {
  const Umask set(0022);
  for (const auto& [before, after] : {std::pair{0644, 0755}, std::pair{0600, 0700}, std::pair{0640, 0750}}) {
    const auto path = put("program", "old", static_cast<::mode_t>(before));
    ASSERT_TRUE(write_file(path, "new", FileMode::executable));
    EXPECT_EQ(mode_of(path), static_cast<::mode_t>(after));
  }
}

TEST_F(Files, WhatIsForItsOwnerIsNobodyElsesWhateverStoodThere) {
  const Umask set(0);
  const auto fresh = folder_ / "fresh";
  ASSERT_TRUE(write_file(fresh, "x", FileMode::for_its_owner));
  EXPECT_EQ(mode_of(fresh), 0600U);
  const auto path = put("file", "old", 0666);
  ASSERT_TRUE(write_file(path, "new", FileMode::for_its_owner));
  EXPECT_EQ(mode_of(path), 0600U);
}

// ---- interrupts

TEST_F(Files, AnInterruptLeavesTheFileWholeAndNothingBesides) {
  const auto path = folder_ / "file";
  const std::string old(megabyte, 'o');
  const std::string fresh(megabyte, 'n');
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    for (int round = 0; round < 25; ++round) {
      ASSERT_TRUE(write_file(path, old));
      const auto work = [&] {
        if (const auto wrote = write_file(path, fresh); !wrote) ::_exit(wrote.error().code == ErrorCode::interrupted ? 130 : 1);
      };
      const int status = interrupted_at(work, signal, std::chrono::microseconds(500 + 137 * round));
      EXPECT_TRUE((WIFSIGNALED(status) && WTERMSIG(status) == signal) || (WIFEXITED(status) && WEXITSTATUS(status) == 130))
          << status;
      EXPECT_THAT(names(), ElementsAre("file")) << "round " << round;
      const auto text = read_file(path, 2 * megabyte).value_or("");
      EXPECT_TRUE(text == old || text == fresh) << "round " << round;
    }
  }
}

TEST_F(Files, AnInterruptWhileAFileIsWrittenIsTold) {
  const auto path = folder_ / "file";
  const InterruptScope scope;
  ASSERT_EQ(::raise(SIGINT), 0);
  const auto wrote = write_file(path, "text");
  ASSERT_FALSE(wrote);
  EXPECT_EQ(wrote.error().code, ErrorCode::interrupted);
  EXPECT_EQ(wrote.error().message, "interrupted after this file was written");
  EXPECT_EQ(wrote.error().origin, path.string());
  EXPECT_EQ(text_of(path), "text");
  EXPECT_TRUE(interrupted()) << "the scope around is still told";
}

TEST_F(Files, AnIgnoredSignalStaysIgnored) {
  const auto status = [&] {
    const auto child = ::fork();
    if (child == 0) {
      ::signal(SIGHUP, SIG_IGN);
      const InterruptScope scope;
      ::raise(SIGHUP);
      ::_exit(write_file(folder_ / "file", "text") ? 0 : 1);
    }
    int result = 0;
    ::waitpid(child, &result, 0);
    return result;
  }();
  EXPECT_EQ(status, 0);
}

// ---- what a kill leaves

TEST_F(Files, TheNextFileThatIsWrittenRemovesWhatAKillLeft) {
  const auto path = put("file", "old", 0640);
  const Umask none(0);
  const std::string text(megabyte, 'n');
  int left = 0;
  for (int round = 0; left < 10 && round < 400; ++round) {
    interrupted_at([&] { static_cast<void>(write_file(path, text)); }, SIGKILL,
                   std::chrono::microseconds(500 + 211 * (round % 40)));
    for (const auto& name : names()) {
      if (!name.starts_with(".envgen-tmp-")) continue;
      ++left;
      EXPECT_EQ(mode_of(folder_ / name) & 0007U, 0U) << "what replaces a file is nobody else's to read";
    }
    ASSERT_TRUE(write_file(folder_ / "another", "x"));
    for (const auto& name : names()) EXPECT_TRUE(name == "file" || name == "another") << name;
  }
  EXPECT_EQ(left, 10) << "no kill hit a write, so nothing was tested";
}

/// The name of a temporary file whose process is gone.
std::string left_in(const fs::path& folder) {
  const auto child = ::fork();
  if (child == 0) {
    const auto made = TemporaryFile::make(folder, 0600);
    ::_exit(made ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(".envgen-tmp-")) return entry.path().filename().string();
  }
  return {};
}

TEST_F(Files, OnlyWhatIsOursIsRemoved) {
  const auto name = left_in(folder_);
  ASSERT_EQ(name.size(), 44U);
  fs::remove(folder_ / name);
  // The same name, of what envgen does not make.
  const auto target = put("target", "theirs", 0644);
  fs::create_symlink(target, folder_ / name);
  // Another name: of the same length, longer, shorter, of an older envgen, of somebody's copy.
  auto wrong = name;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  put(wrong, "theirs", 0644);
  put(name + "0", "theirs", 0644);
  put(name.substr(0, name.size() - 1), "theirs", 0644);
  put("Dockerfile.Ab3dE9", "theirs", 0644);
  put("copy of " + name, "theirs", 0644);
  TemporaryFile::remove_leftovers(folder_);
  EXPECT_THAT(names(), UnorderedElementsAre("target", name, wrong, name + "0", name.substr(0, name.size() - 1),
                                            "Dockerfile.Ab3dE9", "copy of " + name));
  fs::remove(folder_ / name);
  fs::create_directory(folder_ / name);
  TemporaryFile::remove_leftovers(folder_);
  EXPECT_TRUE(fs::is_directory(folder_ / name));
  fs::remove(folder_ / name);
  ASSERT_EQ(::mkfifo((folder_ / name).c_str(), 0600), 0);
  TemporaryFile::remove_leftovers(folder_);
  EXPECT_TRUE(fs::is_fifo(folder_ / name));
  if (::geteuid() == 0) {
    constexpr ::uid_t nobody = 65534;
    fs::remove(folder_ / name);
    put(name, "theirs", 0600);
    ASSERT_EQ(::chown((folder_ / name).c_str(), nobody, nobody), 0);
    TemporaryFile::remove_leftovers(folder_);
    EXPECT_TRUE(fs::exists(folder_ / name));
  }
  // And the file itself, which is ours.
  fs::remove(folder_ / name);
  put(name, "", 0600);
  TemporaryFile::remove_leftovers(folder_);
  EXPECT_FALSE(fs::exists(folder_ / name));
}

TEST_F(Files, WhatAnotherProcessIsWritingStays) {
  const auto made = TemporaryFile::make(folder_, 0600);
  ASSERT_TRUE(made);
  const auto before = names();
  const auto child = ::fork();
  if (child == 0) {
    TemporaryFile::remove_leftovers(folder_);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(before.size(), 1U);
  EXPECT_EQ(names(), before);
}

TEST_F(Files, ATemporaryFileGoesWithItsOwner) {
  {
    auto made = TemporaryFile::make(folder_, 0600);
    ASSERT_TRUE(made);
    const TemporaryFile moved(std::move(*made));
    EXPECT_EQ(names().size(), 1U);
  }
  EXPECT_THAT(names(), ElementsAre());
}

// ---- what cannot be written

TEST_F(Files, WhatCannotBeWrittenSaysWhyAndLeavesNothing) {
  const auto folder = folder_ / "folder";
  fs::create_directory(folder);
  const auto refusal = [](const fs::path& path) {
    const auto wrote = write_file(path, "x");
    EXPECT_FALSE(wrote) << path;
    return wrote ? std::string() : wrote.error().origin + ": " + wrote.error().message;
  };
  EXPECT_EQ(refusal(folder), folder.string() + ": not a regular file; not replaced");
  EXPECT_EQ(refusal(folder_ / "nowhere" / "file"),
            (folder_ / "nowhere" / "file").string() + ": cannot write the file (No such file or directory)");
  const auto long_name = folder_ / std::string(300, 'n');
  EXPECT_EQ(refusal(long_name), long_name.string() + ": cannot write the file (File name too long)");
  fs::create_symlink("nowhere", folder_ / "link");
  EXPECT_EQ(refusal(folder_ / "link"), (folder_ / "link").string() + ": a dangling link, which would be replaced by a file");
  EXPECT_THAT(names(), UnorderedElementsAre("folder", "link"));
}

TEST_F(Files, ThatAFileCanBeWrittenIsSaidBeforeItIs) {
  const auto refusal = [](const fs::path& path) {
    const auto checked = check_writable(path);
    return checked ? std::string() : checked.error().message;
  };
  EXPECT_EQ(refusal(folder_ / "new"), "");
  EXPECT_EQ(refusal(put("there", "x", 0644)), "");
  EXPECT_EQ(refusal(folder_ / "nowhere" / "file"), "cannot write the file (No such file or directory)");
  EXPECT_EQ(refusal(folder_), "not a regular file; not replaced");
  EXPECT_EQ(refusal("/dev/null"), "not a regular file; not replaced");
  EXPECT_EQ(names().size(), 1U);
}

TEST_F(Files, WhatCannotBeReadSaysWhy) {
  EXPECT_EQ(read_file(folder_ / "nowhere", 1).error().message, "cannot open the file (No such file or directory)");
  EXPECT_EQ(read_file(folder_, 1).error().message, "cannot read the file (Is a directory)");
}

TEST_F(Files, ALinkStaysAndWhatItPointsToIsReplaced) {
  const auto real = put("real", "old", 0600);
  fs::create_symlink("real", folder_ / "link");
  ASSERT_TRUE(write_file(folder_ / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(text_of(real), "new");
  EXPECT_EQ(mode_of(real), 0600U);
}

TEST_F(Files, AFileIsReadUpToTheLargestSize) {
  const auto path = put("file", std::string(megabyte, 'x'), 0644);
  EXPECT_EQ(read_file(path, megabyte).value_or("").size(), megabyte);
  const auto larger = read_file(put("larger", std::string(megabyte + 1, 'x'), 0644), megabyte);
  ASSERT_FALSE(larger);
  EXPECT_EQ(larger.error().message, "the file is larger than 1 MiB");
}

}  // namespace
}  // namespace envgen::util
