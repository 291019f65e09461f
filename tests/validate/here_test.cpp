// `--here`: programs as children of envgen, with doubles of envgen-bench and of Python.
#include "validate/validate.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench_text.hpp"
#include "support/literals.hpp"
#include "util/temporary_folder.hpp"

namespace envgen::validate {
namespace {

using testing::HasSubstr;

class HereRun : public testing::Test {
 protected:
  HereRun() {
    script("bench", "cat <<'END'\n" + test::bench_text() + "\nEND\n");
    script("python", R"(echo '{"python": "3.11.2", "framework": "", "error": "", "prefix": "/opt/venv"}')");
    options_.python = file("python");
    options_.timeout = std::chrono::seconds(20);
    options_.bench = [this](const std::string& architecture) {
      EXPECT_EQ(architecture, "");
      return file("bench");
    };
  }
  std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
  void script(const std::string& name, const std::string& text) const {
    // What it prints brings back the nonce that it is given.
    std::ofstream(file(name)) << "#!/bin/sh\nprintf '%s\\n' \"$0 $*\" >>" << file("calls") << R"sh(
nonce=$3
for word; do case $word in --report-nonce=*) nonce=${word#*=} ;; esac; done
cat() { sed "s/^{/{\"nonce\": \"$nonce\", /"; }
echo() { printf '%s\n' "$*" | cat; }
)sh" << text;
    std::filesystem::permissions(file(name), std::filesystem::perms::owner_all);
  }
  std::string of(std::string_view check) {
    const auto report = validate::run(options_, [](std::string_view) {});
    EXPECT_TRUE(report) << report.error().message;
    if (!report) return {};
    EXPECT_EQ(report->image, "this environment");
    EXPECT_EQ(report->engine, "");
    for (const auto& result : report->results) {
      if (result.check == check) return std::string(name_of(result.status)) + " " + result.message;
    }
    return "no result";
  }
  std::string calls() const {
    std::ifstream in(file("calls"));
    return {std::istreambuf_iterator<char>(in), {}};
  }

  util::TemporaryFolder folder_ = *util::TemporaryFolder::make("envgen-here");
  Options options_;
};

TEST_F(HereRun, NoEngineIsAsked) {
  EXPECT_EQ(of("bench"), "pass envgen-bench reports 3 tests");
  EXPECT_EQ(of("engine"), "skip it needs an image and a container, and --here has neither");
  EXPECT_EQ(of("python"), "skip Python 3.11.2; nothing to compare with (--lock FILE, --torch VERSION ...)");
  EXPECT_EQ(of("ipc"), "pass the namespace 7 of a container");
  EXPECT_EQ(of("driver-files"), "skip driver libraries are expected outside an image");
  EXPECT_EQ(of("gpu"), "skip no GPU was found here (to request GPUs anyway: --gpus all)");
  const std::string begin = "bench --format=json --report-nonce=[0-9a-f]{32} --timeout=7.5 --total-timeout=15 ";
  EXPECT_THAT(calls(), testing::ContainsRegex(begin + "--profile=smoke\n"));
  EXPECT_THAT(calls(), testing::ContainsRegex(begin + "--tests=image-files --files-of=/opt/venv\n"));
}

TEST_F(HereRun, SecondLibrariesAreThoseOfTheEnvironment) {
  const auto row = R"({"id": "image-files", "status": "pass", "message": "0",
                       "evidence": {"complete": true, "closed": 0, "left_out": 0, "files": []}},)";
  auto text = test::replaced(test::bench_text(), "\"tests\": [", std::string("\"tests\": [") + row);
  text = test::replaced(text, "\"pass\": 1", "\"pass\": 2");
  script("bench", "cat <<'END'\n" + text + "\nEND\n");
  EXPECT_EQ(of("second-libraries"), "pass below /opt/venv: neither the CUDA Runtime nor cuDNN is present");
}

/// A report on the files below the folder of each `case`: what is listed there, with `more` members.
std::string files_below(const std::string& packages, const std::string& more = "\"complete\": true, \"left_out\": 0") {
  return "cat <<'END'\n" +
         test::replaced(test::replaced(test::bench_text(), "\"tests\": [",
                                       R"("tests": [{"id": "image-files", "status": "pass", "message": "", "evidence": {)" +
                                           more + R"(, "closed": 0, "files": [], "packages": [)" + packages + "]}},"),
                        "\"pass\": 1", "\"pass\": 2") +
         "\nEND\n";
}

/// A virtual environment with --system-site-packages: the Python's library and the framework lie elsewhere.
TEST_F(HereRun, WhatPythonSaysIsComparedWithTheFilesWhereverTheyLie) {
  const auto python = [&](const std::string& framework_file) {
    script("python",
           R"(echo '{"python": "3.11.2", "framework": "torch", "version": "2.6.0", "error": "", "prefix": "/opt/venv", )"
           R"("library": "/usr/lib/python3.11/os.py", "file": ")" +
               framework_file + R"("}')");
  };
  const auto bench = [&](const std::string& elsewhere, const std::string& of_torch) {
    script("bench", "case \"$*\" in\n*--files-of=/opt/venv*)\n" + files_below("") + ";;\n*--files-of=/usr/lib/python3.11*)\n" +
                        elsewhere + ";;\n*--files-of=/usr/site*)\n" + of_torch + ";;\n*)\n" + files_below("") + ";;\nesac\n");
  };
  const std::string library = R"({"name": "python", "version": "3.11", "path": "/usr/lib/python3.11/os.py"})";
  const auto torch = files_below(R"({"name": "torch", "version": "2.6.0", "path": "/usr/site/torch/version.py"})");
  python("/usr/site/torch/__init__.py");
  bench(files_below(library), torch);
  EXPECT_EQ(of("self-report"), "pass confirmed by the files: Python 3.11, torch 2.6.0");
  bench(files_below(library), files_below(""));
  EXPECT_EQ(
      of("self-report"),
      "fail what Python reports does not match the files: it reports torch 2.6.0, but there is no /usr/site/torch/version.py");
  const std::string unseen =
      "unknown Python's report could not be checked against all files: /usr/site/torch/version.py was not examined";
  bench(files_below(library), files_below("", "\"complete\": false, \"left_out\": 0"));
  EXPECT_EQ(of("self-report"), unseen);
  bench(files_below(library), files_below("", "\"complete\": true, \"left_out\": 1"));
  EXPECT_EQ(of("self-report"), unseen);
  bench(files_below(library), files_below("", R"("complete": true, "left_out": 0, "mounts": ["/usr/site"])"));
  EXPECT_EQ(of("self-report"), unseen);
  bench(files_below(library), "exit 1");
  EXPECT_EQ(of("self-report").substr(0, 4), "fail") << "there is no such folder";
  std::filesystem::remove(file("calls"));
  python("/opt/venv/lib/torch/__init__.py");
  of("self-report");
  EXPECT_THAT(calls(), testing::Not(HasSubstr("--files-of=/opt/venv/lib")));
}

TEST_F(HereRun, LibrariesElsewhereAreNoSecondOnesOfTheEnvironment) {
  script("python", R"(echo '{"python": "3.11.2", "framework": "", "error": "", "prefix": ""}')");
  EXPECT_EQ(of("second-libraries"), "skip the environment's location is unknown");
}

TEST_F(HereRun, GpusAreAskedForWhereADriverIs) {
  options_.driver = HostDriver{*DriverVersion::parse("550.54.14"), Version(12, 4), false};
  EXPECT_EQ(of("gpu"), "fail --gpus all was requested, but CUDA sees no GPU: no GPU: no device node");
  options_.gpus = "none";
  EXPECT_EQ(of("gpu"), "skip --gpus none was requested");
  options_.gpus = "all";
  options_.profile = Profile::build;
  EXPECT_EQ(of("gpu"), "skip --profile build runs nothing that needs a GPU");
}

TEST_F(HereRun, WhatIsPrintedWithoutEndIsCut) {
  script("python", "head -c 20000000 /dev/zero\n");
  EXPECT_EQ(of("python"), "fail it printed more than 16 MiB");
}

TEST_F(HereRun, EnvgenBenchIsStartedWithoutWhatTheLinkerObeys) {
  ::setenv("LD_LIBRARY_PATH", "/nowhere", 1);
  script("bench",
         "printf 'found=%s\\n' \"$LD_LIBRARY_PATH\" >>" + file("calls") + "\ncat <<'END'\n" + test::bench_text() + "\nEND\n");
  of("bench");
  EXPECT_THAT(calls(), HasSubstr("--library-path=/nowhere"));
  EXPECT_THAT(calls(), HasSubstr("found=\n"));
  EXPECT_THAT(calls(), testing::Not(HasSubstr("found=/nowhere\n")));
  std::filesystem::remove(file("calls"));
  options_.gpus = "all";  // then the libraries that it finds are what is tested
  of("bench");
  EXPECT_THAT(calls(), HasSubstr("found=/nowhere\n"));
  EXPECT_THAT(calls(), testing::Not(HasSubstr("--library-path")));
  ::unsetenv("LD_LIBRARY_PATH");
}

TEST_F(HereRun, AGpuThatWasAskedFor) {
  options_.gpus = "all";
  EXPECT_EQ(of("gpu"), "fail --gpus all was requested, but CUDA sees no GPU: no GPU: no device node");
}

TEST_F(HereRun, APythonThatIsNotThere) {
  options_.python = "/nowhere/python";
  EXPECT_EQ(of("python"), "fail '/nowhere/python' does not exist or cannot be run");
  EXPECT_EQ(of("framework"), "skip the named Python cannot be queried");
}

TEST_F(HereRun, AProgramThatHangsOrCrashes) {
  options_.timeout = std::chrono::seconds(3);
  script("python", "sleep 20\n");
  EXPECT_EQ(of("python"), "fail timed out after 3 s; it was killed");
  script("python", "kill -SEGV $$\n");
  EXPECT_EQ(of("python"), "fail it was killed by signal 11");
  options_.bench = [](const std::string&) { return std::filesystem::path("/nowhere/bench"); };
  EXPECT_THAT(of("bench"), HasSubstr("fail envgen-bench does not run here: "));
}

TEST_F(HereRun, WithoutABenchThePythonIsAsked) {
  options_.bench = [](const std::string&) -> Expected<std::filesystem::path> {
    return fail(ErrorCode::missing, "envgen-bench is not here", "--bench", {"a hint", "another"});
  };
  EXPECT_EQ(of("bench"), "fail envgen-bench is not here (a hint; another)");
  EXPECT_THAT(of("python"), HasSubstr("Python 3.11.2"));
}

TEST_F(HereRun, AnImportThatHangsOrCrashesIsTheFrameworks) {
  options_.timeout = std::chrono::seconds(3);
  const std::string begun = R"(echo '{"python": "3.11.2", "prefix": "/opt/venv", "doing": "importing torch"}')";
  script("python", begun + "\nsleep 20\n");
  EXPECT_EQ(of("framework"), "fail importing torch: timed out after 3 s; it was killed");
  script("python", begun + "\necho 'GLIBCXX_3.4.32 not found' >&2\nkill -ABRT $$\n");
  EXPECT_EQ(of("framework"), "fail importing torch: it was killed by signal 6: GLIBCXX_3.4.32 not found");
  EXPECT_THAT(of("python"), HasSubstr("Python 3.11.2"));
}

TEST_F(HereRun, TheMachinesNvccIsNoneOfARuntimeImage) {
  script("python", R"(echo '{"python": "3.11.2", "framework": "torch", "version": "2.3.1", "nvcc": "13.0"}')");
  Environment environment;
  environment.torch = Environment::FrameworkBuild();
  environment.variant = Variant::runtime;
  environment.installer = Installer::pip;
  options_.lock = LockedTo{"envgen.lock", "sha256:1", environment, false};
  EXPECT_EQ(of("nvcc"), "skip nvcc 13.0; there is no framework with CUDA to compare it with");
}

TEST_F(HereRun, ALockIsComparedWith) {
  Environment environment;
  environment.torch = Environment::FrameworkBuild();
  environment.torch->version = "2.6.0";
  environment.python = "3.12"_python;
  options_.lock = LockedTo{"envgen.lock", "sha256:1", environment, false};
  EXPECT_EQ(of("python"), "fail Python 3.11.2, but 3.12 is locked");
  EXPECT_EQ(of("framework"), "fail torch 2.6.0 is locked but not installed in the Python of /opt/venv");
}

TEST_F(HereRun, AFirstNamespaceIsTheMachines) {
  script("bench", "cat <<'END'\n" + test::replaced(test::bench_text(), R"("mode": "private")", R"("mode": "host")") + "\nEND\n");
  EXPECT_EQ(of("ipc"), "pass the machine's own namespace, 7; more cannot be proven from inside");
  script("bench", "cat <<'END'\n" +
                      test::replaced(test::bench_text(), R"("mode": "private", "why": "its own")",
                                     R"("mode": "unknown", "why": "gVisor makes up what it says")") +
                      "\nEND\n");
  EXPECT_EQ(of("ipc"), "unknown gVisor makes up what it says");
}

}  // namespace
}  // namespace envgen::validate
