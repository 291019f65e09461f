// The program that runs after the tests, and the file that is made.
#include "then.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "variable.hpp"

namespace envgen::bench {
namespace {

namespace fs = std::filesystem;

class Then : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "envgen-then-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }

  void program(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
    fs::permissions(folder / name, fs::perms::owner_all);
  }
  static Json run(const std::vector<std::string>& programs, const std::vector<std::string>& arguments = {},
                  const std::vector<std::string>& environment = {}) {
    Options options;
    options.then = programs;
    options.then_arguments = arguments;
    options.then_environment = environment;
    return run_then(options, TimeBudget(options));
  }

  fs::path folder;
};

TEST_F(Then, IsTheFirstProgramThatPathHas) {
  program("one/a", "#!/bin/sh\necho a of one $0 $1\n");
  program("two/a", "#!/bin/sh\necho a of two\n");
  program("two/b", "#!/bin/sh\necho b of two\n");
  const auto found = [&](const std::string& path, const std::vector<std::string>& programs) {
    const Variable variable("PATH", path);
    return run(programs, {"x y"}).value("out", "none");
  };
  const auto one = (folder / "one").string();
  const auto two = (folder / "two").string();
  EXPECT_EQ(found("/nowhere:" + one + ":" + two, {"a", "b"}), "a of one " + one + "/a x y\n");
  EXPECT_EQ(found(two + ":" + one, {"a"}), "a of two\n");
  EXPECT_EQ(found(one + ":" + two, {"no", "b", "a"}), "b of two\n");  // which program it is counts more than where
  EXPECT_EQ(found(one, {"b"}), "none");
  EXPECT_EQ(found("", {"a"}), "none");
  fs::permissions(folder / "one/a", fs::perms::owner_read);
  EXPECT_EQ(found(one + ":" + two, {"a"}), "a of two\n");
  const Variable variable("PATH", std::nullopt);
  EXPECT_EQ(run({"a"}).dump(), R"({"program":null,"end":"not-there"})");
}

TEST_F(Then, IsCalledByTheNameThatWasAskedFor) {
  const Variable variable("PATH", "/bin:/usr/bin");
  EXPECT_EQ(run({"sh"}, {"-c", "tr '\\0' ' ' < /proc/$$/cmdline | cut -d' ' -f1"}).at("out"), "sh\n");
}

TEST_F(Then, WhatCannotRunSaysWhy) {
  program("bad",
          "\x7f"
          "ELF");
  const Variable variable("PATH", folder.string());
  const auto then = run({"bad"});
  EXPECT_EQ(then.at("end"), "exited");
  EXPECT_EQ(then.at("exit_status"), 126);
  EXPECT_EQ(then.at("err"), (folder / "bad").string() + ": Exec format error\n");
}

/// envgen-bench is started with these empty, so that a library of the image's choice is not in it. What follows is the image's
/// own.
TEST_F(Then, FindsTheLinkersVariablesAsTheImageHasThem) {
  const Variable path("PATH", "/bin:/usr/bin");
  const Variable preload("LD_PRELOAD", "");
  const Variable audit("LD_AUDIT", "");
  const Variable library_path("LD_LIBRARY_PATH", "/kept");
  const Variable other("ENVGEN_TEST_EMPTY", "");
  const std::string show = "env | grep -E '^(LD_|ENVGEN_TEST_)' | sort";
  EXPECT_EQ(run({"sh"}, {"-c", show}).at("out"), "ENVGEN_TEST_EMPTY=\nLD_LIBRARY_PATH=/kept\n");
  EXPECT_EQ(run({"sh"}, {"-c", show}, {"LD_LIBRARY_PATH=/a:/b=c", "ENVGEN_TEST_NEW=", "no equals sign"}).at("out"),
            "ENVGEN_TEST_EMPTY=\nENVGEN_TEST_NEW=\nLD_LIBRARY_PATH=/a:/b=c\n");
}

TEST_F(Then, OfAMebibyteEachByteIsKept) {
  const Variable variable("PATH", "/bin:/usr/bin");
  const auto bytes = [](const char* count) { return run({"head"}, {"-c", count, "/dev/zero"}); };
  const auto whole = bytes("1048576");
  EXPECT_EQ(whole.at("out_cut"), false);
  EXPECT_EQ(whole.at("out").get<std::string>().size(), 1048576U);
  const auto cut = bytes("1048577");
  EXPECT_EQ(cut.at("out_cut"), true);
  EXPECT_EQ(cut.at("out").get<std::string>().size(), 1048576U);
}

TEST_F(Then, IsToldWithItsTime) {
  const Variable variable("PATH", "/bin:/usr/bin");
  const auto then = run({"sh"}, {"-c", "exit 3"});
  EXPECT_GT(then.at("seconds").get<double>(), 0);
  EXPECT_LT(then.at("seconds").get<double>(), 60);
  EXPECT_EQ(then.at("exit_status"), 3);
  EXPECT_EQ(then.at("signal"), 0);
}

TEST_F(Then, NothingWasAskedFor) { EXPECT_TRUE(run({}).is_null()); }

TEST_F(Then, AFileIsMadeForAllToRead) {
  Options options;
  EXPECT_TRUE(touch(options).is_null());
  options.touch = (folder / "made").string();
  const auto mask = ::umask(022);
  EXPECT_EQ(touch(options).dump(), Json({{"path", options.touch}, {"error", nullptr}}).dump());
  ::umask(mask);
  struct stat made {};
  ASSERT_EQ(::stat(options.touch.c_str(), &made), 0);
  EXPECT_EQ(made.st_mode & 0777U, 0644U);
  EXPECT_EQ(touch(options).at("error"), "File exists");
}

}  // namespace
}  // namespace envgen::bench
