// Workflows, as the tool prints and writes them. scripts/checks/images.sh holds them to the schemas of both services,
// tests/e2e/workflow.sh runs them.
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spelling.hpp"
#include "rendered.hpp"
#include "support/matrix_folder.hpp"
#include "util/files.hpp"

namespace envgen {
namespace {

using test::run_tool;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string workflow(test::Words words) {
  words.insert(words.begin(), "ci");
  return test::rendered(words);
}

/// What is said beside a workflow.
std::string said(test::Words words) {
  words.insert(words.begin(), "ci");
  return test::render(words).err;
}

std::string no_workflow(test::Words words) {
  words.insert(words.begin(), {"ci", "--torch", "2.7"});
  return test::render_refusal(words);
}

const std::vector<std::string> services{"github", "gitlab"};

TEST(Workflow, AsksTheVariablesOfTheServiceForTheRelease) {
  const auto github = workflow({"--torch", "2.7", "--for", "github"});
  EXPECT_THAT(
      github,
      AllOf(
          HasSubstr(
              "# Set the repository variable ENVGEN_RELEASES_URL (Settings, Secrets and variables, Actions) to the base URL of "
              "envgen's releases, such that URL/v1.0.0/envgen-1.0.0-linux-x86_64.tar.gz exists.\n# Set the repository "
              "variable ENVGEN_VERSION (Settings, Secrets and variables, Actions) to the release to use, such as 1.0.0.\n# "
              "Set the repository variable ENVGEN_SHA256 (Settings, Secrets and variables, Actions) to the SHA-256 of that "
              "tarball, from the release's SHA256SUMS.\n# Pull requests from forks get no variables: to support them, use "
              "--envgen-url, --envgen-version and --envgen-sha256, which write them into this file.\n"),
          HasSubstr(
              "# A fork can also propose a different workflow: a public repository should require approval before such a "
              "runner is used.\n---\nname: envgen\n\"on\":\n  push:\n    branches: [main, master]\n  pull_request:\n  "
              "schedule:\n    - cron: \"17 4 * * 1\"\n  workflow_dispatch:\npermissions:\n  contents: read\nconcurrency:\n  "
              "group: envgen-${{ github.ref }}\n  cancel-in-progress: ${{ github.event_name == 'pull_request' }}\ndefaults:\n  "
              "run:\n    shell: bash\nenv:\n  ENVGEN_RELEASES_URL: ${{ vars.ENVGEN_RELEASES_URL }}\n  ENVGEN_VERSION: ${{ "
              "vars.ENVGEN_VERSION }}\n  ENVGEN_SHA256: ${{ vars.ENVGEN_SHA256 }}\njobs:\n  cpu:\n    runs-on: "
              "ubuntu-24.04\n    timeout-minutes: 90\n    steps:\n      - uses: "
              "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd  # v6.0.2\n        with:\n          "
              "persist-credentials: false\n      - name: Find envgen\n        run: |\n          if [ -z "
              "\"${ENVGEN_RELEASES_URL:-}\" ] || [ -z \"${ENVGEN_VERSION:-}\" ] || [ -z \"${ENVGEN_SHA256:-}\" ]; then\n       "
              "     "
              "echo \"error: set all of ENVGEN_RELEASES_URL (where envgen's releases are), ENVGEN_VERSION and ENVGEN_SHA256 (the "
              "SHA-256 of that release's tarball): as CI variables")));
  const auto gitlab = workflow({"--torch", "2.7", "--for", "gitlab"});
  EXPECT_THAT(gitlab, AllOf(HasSubstr("# Set the project variable ENVGEN_VERSION (Settings, CI/CD, Variables) to the release to "
                                      "use, such as 1.0.0.\n"),
                            Not(HasSubstr("    ENVGEN_RELEASES_URL: ")), Not(HasSubstr("    ENVGEN_SHA256: "))));
}

TEST(Workflow, NamesTheTarballOfItsPlatform) {
  EXPECT_THAT(workflow({"--torch", "2.9", "--platform", "linux-aarch64", "--for", "github"}),
              HasSubstr("v1.0.0/envgen-1.0.0-linux-aarch64.tar.gz"));
}

TEST(Workflow, IsPrintedWithTheVariablesThatItNeeds) {
  test::Words words{"--torch", "2.7", "--for", "github"};
  EXPECT_EQ(said(words),
            "envgen: the workflow needs the CI variables ENVGEN_RELEASES_URL, ENVGEN_VERSION, ENVGEN_SHA256; its first "
            "lines explain them\n");
  words.insert(words.end(), {"--envgen-version", "1.0.0", "--envgen-sha256", std::string(64, 'a')});
  EXPECT_EQ(said(words), "envgen: the workflow needs the CI variable ENVGEN_RELEASES_URL; its first lines explain it\n");
  words.insert(words.end(), {"--envgen-url", "https://mirror.example.org/envgen"});
  EXPECT_EQ(said(words), "");
}

TEST(Workflow, CompilesNothing) {
  for (const auto& service : services) {
    EXPECT_THAT(workflow({"--torch", "2.7", "--for", service}),
                AllOf(Not(HasSubstr("quickstart")), Not(HasSubstr("cmake")), Not(HasSubstr("git fetch"))));
  }
}

TEST(Workflow, NamesEachActionByItsCommit) {
  std::istringstream lines(workflow({"--torch", "2.7", "--for", "github"}));
  std::size_t found = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("uses:") == std::string::npos) continue;
    EXPECT_TRUE(std::regex_match(line, std::regex(R"(      - uses: actions/[a-z-]+@[0-9a-f]{40}  # v[0-9]+\.[0-9]+\.[0-9]+)")))
        << line;
    ++found;
  }
  EXPECT_EQ(found, 6U);
}

TEST(Workflow, GivesABuildTheLoginOfAnIndexThatTheUserNames) {
  const test::Words with_index{"--torch", "2.7", "--pip-index", "https://index.example.org/simple", "--for"};
  auto words = with_index;
  words.emplace_back("github");
  EXPECT_THAT(workflow(words),
              AllOf(HasSubstr("        env:\n          ENVGEN_NETRC: ${{ secrets.ENVGEN_NETRC }}\n        run: |\n"),
                    HasSubstr(" ${ENVGEN_NETRC:+--secret id=netrc,env=ENVGEN_NETRC} .\n"),
                    HasSubstr("# The secret ENVGEN_NETRC is for an index with a password: ")));
  words.back() = "gitlab";
  EXPECT_THAT(workflow(words), AllOf(HasSubstr(R"( ${ENVGEN_NETRC:+--secret "id=netrc,src=$ENVGEN_NETRC"} .)"),
                                     HasSubstr("# The variable ENVGEN_NETRC, of type File, is for an index")));
  for (const auto& service : services) EXPECT_THAT(workflow({"--torch", "2.7", "--for", service}), Not(HasSubstr("NETRC")));
}

const std::string some_sum(64, 'a');

TEST(Workflow, HoldsTheReleaseThatIsNamed) {
  for (const auto& service : services) {
    const auto text = workflow({"--torch", "2.7", "--for", service, "--envgen-url", "https://mirror.example.org/envgen",
                                "--envgen-version", "1.0.0", "--envgen-sha256", some_sum});
    EXPECT_THAT(text, AllOf(HasSubstr(R"(ENVGEN_RELEASES_URL: "https://mirror.example.org/envgen")"),
                            HasSubstr(R"(ENVGEN_VERSION: "1.0.0")"), HasSubstr("ENVGEN_SHA256: \"" + some_sum + "\""),
                            Not(HasSubstr("vars.ENVGEN_RELEASES_URL")), Not(HasSubstr("get no variables")),
                            Not(HasSubstr(" variable ENVGEN_VERSION"))));
  }
}

TEST(Workflow, AsksForWhatIsNotNamedAlone) {
  EXPECT_THAT(workflow({"--torch", "2.7", "--for", "github", "--envgen-version", "1.0.0", "--envgen-sha256", some_sum}),
              AllOf(HasSubstr("variable ENVGEN_RELEASES_URL"), HasSubstr("ENVGEN_RELEASES_URL: ${{ vars.ENVGEN_RELEASES_URL }}"),
                    HasSubstr("get no variables"), Not(HasSubstr("vars.ENVGEN_VERSION"))));
}

TEST(Workflow, OfGitlabInstallsWhatAPlainSystemLacks) {
  EXPECT_THAT(workflow({"--torch", "2.7", "--for", "gitlab"}),
              HasSubstr("if ! { command -v curl && command -v docker; } >/dev/null; then\n        apt-get update -qq\n        "
                        "apt-get install -y -qq --no-install-recommends ca-certificates curl docker.io docker-buildx\n"));
}

TEST(Workflow, OfABuildForTheCpuHasNoJobForAGpu) {
  for (const auto& service : services) {
    const auto text = workflow({"--torch", "2.13", "--cuda", "cpu", "--for", service});
    EXPECT_THAT(text, AllOf(Not(HasSubstr("gpu")), Not(HasSubstr("ENVGEN_GPU_RUNNER")), Not(HasSubstr("Make room"))));
    EXPECT_THAT(workflow({"--torch", "2.7", "--container-gpus", "none", "--for", service}), Not(HasSubstr("ENVGEN_GPU_RUNNER")));
  }
}

TEST(Workflow, StartsTheGpuJobOnlyWhereARunnerIsSaidToBe) {
  EXPECT_THAT(workflow({"--torch", "2.7", "--for", "github"}),
              AllOf(HasSubstr("      vars.ENVGEN_GPU_RUNNER == 'true' &&\n"),
                    HasSubstr("github.event.pull_request.head.repo.full_name == github.repository"),
                    HasSubstr(R"(    runs-on: ["self-hosted", "gpu"])")));
  EXPECT_THAT(workflow({"--torch", "2.7", "--for", "gitlab"}),
              AllOf(HasSubstr("    - if: $ENVGEN_GPU_RUNNER != \"true\"\n      when: never\n"),
                    HasSubstr("$CI_MERGE_REQUEST_SOURCE_PROJECT_ID != $CI_PROJECT_ID\n      when: never\n"),
                    HasSubstr(R"(  tags: ["gpu"])")));
  for (const auto& service : services) {
    EXPECT_THAT(workflow({"--torch", "2.7", "--for", service, "--gpu-runner", "rack", "--gpu-runner", "a100"}),
                HasSubstr(R"(["rack", "a100"])"));
  }
}

TEST(Workflow, ValidatesWithTheGpusAndTheMemoryOfTheContainer) {
  const auto text =
      workflow({"--torch", "2.7", "--for", "github", "--container-gpus", "device=0,1", "--image-name", "reg:5000/a/b:c"});
  EXPECT_THAT(text, HasSubstr("validate reg:5000/a/b:c --profile full --gpus device=0,1 --ipc host --require gpu,ipc-host"));
  EXPECT_THAT(workflow({"--torch", "2.7", "--for", "gitlab", "--shm-size", "8g"}),
              HasSubstr("--profile full --gpus all --shm-size 8g --require gpu,shm-size"));
}

TEST(Workflow, OfTheCpuValidatesWithTheMemoryOfTheContainer) {
  for (const auto& service : services) {
    EXPECT_THAT(workflow({"--torch", "2.13", "--cuda", "cpu", "--for", service}),
                HasSubstr("envgen validate envgen --profile build --ipc host \\\n"));
    EXPECT_THAT(workflow({"--torch", "2.7", "--shm-size", "8g", "--for", service}),
                HasSubstr("envgen validate envgen --profile build --shm-size 8g \\\n"));
  }
}

TEST(Workflow, BuildsForTheUserOfTheRunnerButNotForRoot) {
  EXPECT_THAT(workflow({"--torch", "2.7", "--for", "github"}),
              HasSubstr(R"sh( --build-arg no_proxy --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .)sh"));
  EXPECT_THAT(workflow({"--torch", "2.7", "--for", "gitlab"}), Not(HasSubstr("USER_UID")));
}

TEST(Workflow, BuildsAsTheDockerfileNeedsIt) {
  for (const auto& service : services) {
    EXPECT_THAT(workflow({"--torch", "2.7", "--for", service, "--legacy-builder"}),
                HasSubstr("DOCKER_BUILDKIT=0 docker build --tag envgen "));
    EXPECT_THAT(workflow({"--torch", "2.7", "--for", service, "--ca-cert", "ca.pem"}),
                AllOf(HasSubstr("CA_CERT=ca.pem\n"), HasSubstr(R"(--secret "id=ca-cert,src=$CA_CERT" .)")));
    EXPECT_THAT(workflow({"--torch", "2.7", "--for", service}), Not(HasSubstr("CA_CERT")));
  }
}

TEST(Workflow, WhatAJobKeepsInTheFolderIsNotSentToTheEngine) {
  const test::MatrixFolder folder;
  const auto made = test::render({"dockerfile", "--torch", "2.7", "-o", folder.path().string() + "/"});
  ASSERT_EQ(made.exit, 0) << made.err;
  const auto ignored = util::read_file(folder.path() / ".dockerignore", 1 << 20);
  ASSERT_TRUE(ignored);
  EXPECT_THAT(*ignored, AllOf(HasSubstr("\n.envgen\n"), HasSubstr("\nenvgen-report\n")));
}

TEST(Workflow, TakesAMachineOfThePlatform) {
  EXPECT_THAT(workflow({"--torch", "2.9", "--platform", "linux-aarch64", "--for", "github"}),
              HasSubstr("    runs-on: ubuntu-24.04-arm\n"));
}

TEST(Workflow, IsForAServiceThatIsNamed) {
  EXPECT_EQ(no_workflow({}),
            "envgen: --for: no CI service is named\n  --for github, or --for gitlab\n  in envgen.json: \"outputs\": "
            "{\"ci_for\": \"github\"}\n");
  EXPECT_EQ(no_workflow({"--for", "jenkins"}), "envgen: --for: 'jenkins' is not a known CI service\n  use github or gitlab\n");
}

TEST(Workflow, RefusesWhatAServiceWouldTakeForAnExpression) {
  EXPECT_EQ(no_workflow({"--for", "github", "--envgen-url", "${{ github.token }}"}),
            "envgen: --envgen-url: '${{ github.token }}' is not an http, https or file URL without a password, query or "
            "fragment\n  such as https://mirror.example.org/path\n");
  for (const std::string version : {"${{x}}", "-x", "v1.0.0", "1.0/../2"})
    EXPECT_EQ(no_workflow({"--for", "gitlab", "--envgen-version", version}),
              "envgen: --envgen-version: '" + version + "' is not a release of envgen\n  such as 1.0.0\n");
  for (const std::string& sum : {std::string("${{x}}"), some_sum + "a", std::string(64, 'A'), "sha256:" + some_sum})
    EXPECT_EQ(no_workflow({"--for", "github", "--envgen-sha256", sum}),
              "envgen: --envgen-sha256: " + in_quotes(sum) +
                  " is not a SHA-256\n  64 digits (0-9, a-f), as the release's SHA256SUMS has them\n");
  EXPECT_EQ(no_workflow({"--for", "github", "--gpu-runner", "${{x}}"}),
            "envgen: --gpu-runner: '${{x}}' is not a runner label\n  such as self-hosted\n");
}

TEST(Workflow, RefusesAnAddressToWhichNothingCanBeAdded) {
  const std::string url = "https://mirror.example.org/envgen";
  for (const std::string mark : {"?", "#"})
    EXPECT_EQ(no_workflow({"--for", "github", "--envgen-url", url + mark + "ref=main"}),
              "envgen: --envgen-url: '" + url + mark +
                  "***' is not an http, https or file URL without a password, query or fragment\n  such as "
                  "https://mirror.example.org/path\n");
}

}  // namespace
}  // namespace envgen
