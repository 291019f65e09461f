// Machines that differ: what `lock`, `resolve --all` and `diff` say of their drivers, and that what is locked can be generated.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "project/diff.hpp"
#include "support/locks.hpp"
#include "support/temporary_folder.hpp"
#include "util/process.hpp"

namespace envgen::cli {
namespace {

using test::lock_of;
using test::TemporaryFolder;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

util::ProcessResult run_in(const TemporaryFolder& folder, const Words& words) {
  Words argv{"sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path().string(), ENVGEN_TOOL};
  argv.insert(argv.end(), words.begin(), words.end());
  auto result = util::run_process(argv);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : util::ProcessResult{};
}

const Words two_hosts{"--torch", "2.8.0", "--host", "gpu=V100,driver=470", "--host", "gpu=T4,driver=535"};

TEST(Machines, AreToldOneByOneByLockAndResolve) {
  const TemporaryFolder folder;
  Words words{"lock"};
  words.insert(words.end(), two_hosts.begin(), two_hosts.end());
  EXPECT_EQ(run_in(folder, words).out,
            "wrote envgen.lock: torch 2.8.0 + CUDA 12.8, Python 3.12, Ubuntu 24.04, driver 470.42.01 to 470.xx with cuda-compat "
            "(V100), 535 (Tesla T4)\nNext: envgen render dockerfile\n");
  words.front() = "resolve";
  EXPECT_THAT(run_in(folder, words).out,
              testing::StartsWith("torch 2.8.0 + CUDA 12.8, Python 3.12, Ubuntu 24.04, driver 470.42.01 to 470.xx\n"
                                  "with cuda-compat (V100), 535 (Tesla T4)\n"));
  words.emplace_back("--all");
  const auto all = run_in(folder, words).out;
  EXPECT_THAT(all, HasSubstr("  driver >=470.42.01,<471 (V100), >=525.60.13 (Tesla T4)\n"));
  EXPECT_THAT(all, Not(HasSubstr("driver unknown")));
  EXPECT_THAT(run_in(folder, {"lock", "--force", "--torch", "2.10", "--gpu", "V100", "--gpu", "B200"}).out,
              HasSubstr(", driver 525.60.13 to 580.xx (V100), 570.86.15 or newer (B200)\n"));
}

/// A driver that was asked of one machine is not that of another, which may have any that works.
TEST(Machines, AreNotPromisedTheDriverOfAnother) {
  const TemporaryFolder folder;
  const auto told = [&](const Words& machines) {
    Words words{"resolve", "--torch", "2.3"};
    words.insert(words.end(), machines.begin(), machines.end());
    return run_in(folder, words).out;
  };
  constexpr auto head = "torch 2.3.1 + CUDA 12.1, Python 3.10, Ubuntu 22.04, ";
  const auto begins = [&](const std::string& driver) { return testing::StartsWith(head + driver + "\n"); };
  const auto one_asked = told({"--host", "gpu=4090,driver=550", "--host", "gpu=T4"});
  EXPECT_THAT(one_asked, begins("driver 525.60.13 or newer"));
  EXPECT_THAT(one_asked, HasSubstr("  Driver    GeForce RTX 4090: 550 requested; 525.60.13 or newer works\n"));
  EXPECT_THAT(one_asked, HasSubstr("            Tesla T4: 525.60.13 or newer\n"));
  EXPECT_THAT(told({"--host", "gpu=4090,driver=550", "--host", "gpu=T4,driver=550"}), begins("driver 550"));
  EXPECT_THAT(told({"--driver", "550", "--host", "gpu=4090", "--gpu", "T4"}), begins("driver 550"));
  EXPECT_THAT(told({"--host", "gpu=4090,driver=550", "--host", "gpu=T4,driver=560"}), begins("driver 525.60.13 or newer"));
  EXPECT_THAT(told({"--wsl", "--host", "gpu=4090,driver=576.10", "--host", "gpu=T4"}), begins("Windows driver 525 or newer"));
  EXPECT_THAT(told({"--host", "gpu=4090,driver=550", "--host", "gpu=P100"}),
              begins("driver 550 (GeForce RTX\n4090), 525.60.13 to 580.xx (P100)"));
  // The image's gate lists the branch of the one, which is too old for the other.
  EXPECT_THAT(
      told({"--base", "cuda", "--host", "gpu=T4,driver=470", "--host", "gpu=4090"}),
      testing::StartsWith(
          "torch 2.3.1 + CUDA 11.8, Python 3.10, Ubuntu 22.04, driver 470 (Tesla T4),\n520.61.05 or newer (GeForce RTX 4090)\n"));
}

/// What `lock` promises, `generate` makes.
TEST(Machines, ThatNeedCudaCompatAreGenerated) {
  const std::vector<std::string> requests{R"("gpus": ["V100"], "driver": "470")",
                                          R"("hosts": ["gpu=V100,driver=470", "gpu=T4,driver=535"])",
                                          R"("hosts": ["gpu=V100,driver=470", "gpu=T4,driver=535"], "base": "cuda")",
                                          R"("hosts": ["gpu=V100,driver=470", "gpu=3090,driver=535"])"};
  for (const auto& request : requests) {
    const TemporaryFolder folder;
    folder.write("envgen.json", R"({"request": {"torch": "2.8.0", )" + request +
                                    R"(}, "outputs": {"files": ["dockerfile", "run", "setup", "requirements"]}})");
    ASSERT_EQ(run_in(folder, {"lock"}).exit_status, 0) << request;
    const auto generated = run_in(folder, {"generate"});
    EXPECT_EQ(generated.exit_status, 0) << request << generated.err;
    // One note for what the image holds, one for what the machine needs.
    EXPECT_THAT(generated.err, testing::MatchesRegex("envgen: The image contains [^\n]*\nenvgen: CUDA 12.8 needs [^\n]*\n"))
        << request;
    EXPECT_EQ(run_in(folder, {"generate", "--check"}).exit_status, 0) << request;
    EXPECT_EQ(run_in(folder, {"lock", "--check"}).exit_status, 0) << request;
  }
}

std::vector<std::string> told_between(const project::Lock& before, const project::Lock& after) {
  std::vector<std::string> result;
  for (const auto& difference : project::differences(before, after)) result.push_back(difference.text);
  return result;
}

/// Machines that differ have no range that could rise or fall, or lose its last branch.
TEST(Machines, AreComparedOneByOne) {
  const auto one = lock_of("torch=2.8.0 host=gpu=V100,driver=470");
  const auto two = lock_of("torch=2.8.0 host=gpu=V100,driver=470 host=gpu=T4,driver=535");
  const auto found = told_between(one, two);
  EXPECT_THAT(found, Contains("driver now, for Tesla T4 with driver 535: >=525.60.13 (gpu_driver, minor_compat; cuda-compat: "
                              "harmless)"));
  for (const auto& text : found) {
    EXPECT_THAT(text, Not(HasSubstr("driver minimum")));
    EXPECT_THAT(text, Not(HasSubstr("last driver branch")));
  }
  EXPECT_THAT(told_between(one, lock_of("torch=2.8.0 gpu=V100 driver=535")),
              Contains("image with cuda-compat nvidia/cuda:12.8.1-base-ubuntu24.04 -> none"));
}

}  // namespace
}  // namespace envgen::cli
