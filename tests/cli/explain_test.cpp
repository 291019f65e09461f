// `envgen explain`: ids, files, messages and logs, and what it says where there is nothing to read.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_tool.hpp"
#include "util/process.hpp"

namespace envgen {
namespace {

namespace fs = std::filesystem;
using test::run_tool;
using testing::HasSubstr;
using testing::StartsWith;

const std::string how_to_ask =
    "  give an id, a file, or a log: 'envgen explain cuda-209', 'docker run ... 2>&1 | envgen explain'\n"
    "  see 'envgen list diagnoses'\n";

/// `SCRIPT` by a shell; `$0` is the tool.
util::ProcessResult by_shell(const std::string& script) {
  auto result = util::run_process({"sh", "-c", script, ENVGEN_TOOL});
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : util::ProcessResult{};
}

class File {
 public:
  explicit File(std::string_view text) : path_(fs::temp_directory_path() / ("envgen-explain-" + std::to_string(::getpid()))) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~File() { fs::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

TEST(Explain, AnId) {
  const auto outcome = run_tool({"explain", "cuda-209"});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_THAT(outcome.out, StartsWith("cuda-209: "));
  EXPECT_THAT(outcome.out, HasSubstr("\n  cause "));
  EXPECT_THAT(outcome.out, HasSubstr("\n  run     nvidia-smi --query-gpu=name,compute_cap --format=csv,noheader\n"));
  EXPECT_EQ(run_tool({"explain", "CUDA-209"}).out, outcome.out);
}

TEST(Explain, SeveralIds) {
  EXPECT_EQ(run_tool({"explain", "cuda-209", "cuda-222"}).out,
            run_tool({"explain", "cuda-209"}).out + "\n" + run_tool({"explain", "cuda-222"}).out);
}

TEST(Explain, AnIdAsJson) {
  const auto json = run_tool({"explain", "cuda-209", "--format", "json"}).json();
  EXPECT_EQ(json["schema_version"], 1);
  ASSERT_EQ(json["diagnoses"].size(), 1U);
  const auto& diagnosis = json["diagnoses"][0];
  EXPECT_EQ(diagnosis["id"], "cuda-209");
  for (const auto* text : {"title", "cause", "fix", "source", "proof"}) EXPECT_FALSE(diagnosis[text].get<std::string>().empty());
  EXPECT_FALSE(diagnosis["commands"].empty());
  EXPECT_TRUE(diagnosis["evidence"].is_null());
}

TEST(Explain, AMessage) {
  const auto outcome =
      run_tool({"explain", "CUDA error: no kernel image is available for execution on the device", "--format", "json"});
  EXPECT_EQ(outcome.exit, 0);
  const auto json = outcome.json();
  ASSERT_EQ(json["diagnoses"].size(), 1U);
  EXPECT_EQ(json["diagnoses"][0]["id"], "cuda-209");
  EXPECT_EQ(json["diagnoses"][0]["evidence"]["line"], 1);
  EXPECT_EQ(run_tool({"explain", "cudaErrorNoKernelImageForDevice", "--format", "json"}).json()["diagnoses"][0]["id"],
            "cuda-209");
  EXPECT_EQ(run_tool({"explain", "Driver/library", "version", "mismatch", "--format", "json"}).json()["diagnoses"][0]["id"],
            "driver-library-mismatch");
}

TEST(Explain, AMessageAsPeopleRetypeIt) {
  for (const auto* text : {"Bus error in DataLoader", "my DataLoader dies with a bus error"}) {
    const auto json = run_tool({"explain", text, "--format", "json"}).json();
    ASSERT_EQ(json["diagnoses"].size(), 1U) << text;
    EXPECT_EQ(json["diagnoses"][0]["id"], "shm-bus-error");
  }
}

TEST(Explain, AFile) {
  const File log("one\ntwo\nDuplicate GPU detected : rank 1 and rank 0 both on CUDA device 1000\n");
  const auto outcome = run_tool({"explain", log.path()});
  EXPECT_EQ(outcome.exit, 0);
  EXPECT_THAT(outcome.out, StartsWith("nccl-duplicate-gpu: Two processes use the same GPU\n"
                                      "  line 3  Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 1000\n"));
}

TEST(Explain, SeveralFiles) {
  const auto folder = fs::temp_directory_path() / "envgen-explain-files";
  fs::create_directories(folder);
  const auto a = (folder / "a.log").string();
  const auto b = (folder / "b.log").string();
  std::ofstream(a) << "CUDA error: no kernel image is available for execution on the device";  // no end of a line
  std::ofstream(b) << "CUDA driver version is insufficient for CUDA runtime version\n";
  const auto report = run_tool({"explain", a, b, "--format", "json"}).json();
  std::vector<std::string> ids;
  for (const auto& one : report.at("diagnoses")) ids.push_back(one.at("id"));
  EXPECT_THAT(ids, testing::IsSupersetOf({"cuda-209", "cuda-35-old-driver"}));
  fs::remove_all(folder);
}

TEST(Explain, ALogThatIsNotThereIsNoMessage) {
  EXPECT_EQ(run_tool({"explain", "cuda-209", "nofile.log"}).err, "envgen: nofile.log: there is no such file\n");
  EXPECT_EQ(run_tool({"explain", "nofile.log"}).exit, 4);
  EXPECT_EQ(run_tool({"explain", "see", "nofile.log"}).exit, 5);  // a message
}

TEST(Explain, StandardInput) {
  for (const auto* how : {"$0 explain --format json", "$0 explain - --format json"}) {
    const auto result = by_shell(std::string("printf 'x\\nAMD CDI spec not found\\n' | ") + how);
    EXPECT_EQ(result.exit_status, 0);
    EXPECT_EQ(result.err, "");
    const auto json = nlohmann::json::parse(result.out);
    ASSERT_EQ(json["diagnoses"].size(), 1U);
    EXPECT_EQ(json["diagnoses"][0]["id"], "engine-amd-claims-gpu");
    EXPECT_EQ(json["diagnoses"][0]["evidence"], nlohmann::json::parse(R"({"line": 2, "text": "AMD CDI spec not found"})"));
  }
}

TEST(Explain, ALogOfWhichNothingIsKnown) {
  const auto text = by_shell("echo all is well | $0 explain");
  EXPECT_EQ(text.exit_status, 5);
  EXPECT_EQ(text.out,
            "No known failure was found.\nIf this is an excerpt, pass the whole log. All ids: envgen list "
            "diagnoses\n");
  const auto json = by_shell("echo all is well | $0 explain --format json");
  EXPECT_EQ(json.exit_status, 5);
  EXPECT_EQ(nlohmann::json::parse(json.out), nlohmann::json::parse(R"({"schema_version": 1, "diagnoses": [], "seen": {"gpu": null,
      "torch": null, "cuda": null, "driver": null, "driver_cuda": null, "last_branch": null, "python": null, "wsl": null, "platform": null, "tensorflow": null}, "suggestion": null})"));
}

TEST(Explain, AnEmptyLogIsSaidToBeEmpty) {
  const auto result = by_shell("$0 explain --format json </dev/null");
  EXPECT_EQ(result.exit_status, 5);
  EXPECT_EQ(nlohmann::json::parse(result.out)["diagnoses"].size(), 0U);
  EXPECT_EQ(result.err, "envgen: standard input is empty; programs write errors to standard error: add 2>&1\n");
}

TEST(Explain, ALogThatNamesItsGpuAndItsTorch) {
  const std::string log =
      "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation.\n"
      "torch 2.4.0+cu121\n";
  const File file(log);
  const auto text = run_tool({"explain", file.path()});
  EXPECT_EQ(text.exit, 0);
  EXPECT_THAT(text.out, HasSubstr("          envgen resolve --gpu 'NVIDIA GeForce RTX 5090'\n"));
  EXPECT_THAT(text.out, HasSubstr("\n\nThe log names the NVIDIA GeForce RTX 5090 (line 1) and torch 2.4.0+cu121 (line\n2).\n"
                                  "The NVIDIA GeForce RTX 5090 needs torch 2.7.0 or newer, built for CUDA 12.8 or\n"
                                  "newer. torch 2.15.0 for CUDA 13.2 needs driver 580.65.06 or newer.\n"
                                  "  pip install torch=="));
  const auto json = run_tool({"explain", file.path(), "--format", "json"}).json();
  EXPECT_EQ(json["seen"]["gpu"], "NVIDIA GeForce RTX 5090");
  EXPECT_EQ(json["seen"]["torch"], "2.4.0+cu121");
  EXPECT_EQ(json["seen"]["cuda"], "12.1");
  EXPECT_TRUE(json["seen"]["driver"].is_null());
  EXPECT_EQ(json["suggestion"]["request"]["gpus"], nlohmann::json({"NVIDIA GeForce RTX 5090"}));
  EXPECT_EQ(
      json["suggestion"]["summary"],
      "The NVIDIA GeForce RTX 5090 needs torch 2.7.0 or newer, built for CUDA 12.8 or newer. torch 2.15.0 for CUDA 13.2 needs "
      "driver 580.65.06 or newer.");
  EXPECT_FALSE(json["suggestion"]["install"].empty());
}

TEST(Explain, AnIdThatIsNone) {
  const auto outcome = run_tool({"explain", "cuda-208"});
  EXPECT_EQ(outcome.exit, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("envgen: 'cuda-208' is neither a diagnosis id nor a file\n  did you mean cuda-209"));
  EXPECT_EQ(run_tool({"explain", "209"}).err,
            "envgen: '209' is neither a diagnosis id nor a file\n  did you mean cuda-209?\n  see 'envgen list diagnoses'\n");
  const auto json = run_tool({"explain", "nothing-like-it", "--format", "json"});
  EXPECT_EQ(json.exit, 2);
  EXPECT_EQ(json.json()["error"]["message"], "'nothing-like-it' is neither a diagnosis id nor a file");
}

TEST(Explain, AFileThatCannotBeRead) {
  const auto folder = run_tool({"explain", "/"});
  EXPECT_EQ(folder.exit, 4);
  EXPECT_EQ(folder.err, "envgen: /: cannot read the log (Is a directory)\n");
  const auto closed = by_shell("$0 explain <&-");
  EXPECT_EQ(closed.exit_status, 4);
  EXPECT_EQ(closed.err, "envgen: standard input: cannot read the log (Bad file descriptor)\n");
  if (::geteuid() != 0) {  // to whom nothing is closed
    const File secret("x");
    fs::permissions(secret.path(), fs::perms::none);
    const auto denied = run_tool({"explain", secret.path()});
    EXPECT_EQ(denied.exit, 4);
    EXPECT_EQ(denied.err, "envgen: " + secret.path() + ": cannot open the log (Permission denied)\n");
  }
}

/// It must say what it waits for, and not wait.
TEST(Explain, ATerminalIsNoLog) {
  int terminal = -1;
  const auto child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    ::execl(ENVGEN_TOOL, ENVGEN_TOOL, "explain", nullptr);
    ::_exit(127);
  }
  ASSERT_GT(child, 0);
  std::string shown;
  char buffer[4096];
  for (;;) {  // until the child has closed its side, which reads as EIO
    const auto count = ::read(terminal, buffer, sizeof(buffer));
    if (count <= 0) break;
    shown.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(terminal);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 2);
  std::erase(shown, '\r');
  EXPECT_EQ(shown, "envgen: standard input is a terminal; a log was expected\n" + how_to_ask);
}

TEST(Explain, ListsWhatItKnows) {
  const auto json = run_tool({"list", "diagnoses", "--format", "json"}).json();
  EXPECT_GE(json.size(), 100U);
  for (const auto& row : json) {
    const auto id = row["id"].get<std::string>();
    EXPECT_EQ(run_tool({"explain", id}).exit, 0) << id;
    EXPECT_FALSE(row["title"].get<std::string>().empty()) << id;
  }
}

}  // namespace
}  // namespace envgen
