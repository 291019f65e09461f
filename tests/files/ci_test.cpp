// Workflows, as the tool prints and writes them. scripts/checks/images.sh holds them to the schemas of both services,
// tests/e2e/workflow.sh runs them.
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rendered.hpp"
#include "support/matrix_folder.hpp"
#include "util/files.hpp"

namespace envgen {
namespace {

using test::run_tool;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string workflow(const test::Words& words) { return test::rendered("ci", words); }

std::string no_workflow(test::Words words) {
  words.insert(words.begin(), {"ci", "--torch", "2.7"});
  return test::render_refusal(words);
}

const std::vector<std::string> services{"github", "gitlab"};

TEST(Workflow, WithoutASourceAsksTheVariablesOfTheService) {
  const auto github = workflow({"--torch", "2.7", "--for", "github"});
  EXPECT_THAT(
      github,
      AllOf(HasSubstr("  ENVGEN_SOURCE: ${{ vars.ENVGEN_SOURCE }}\n"), HasSubstr("  ENVGEN_REF: ${{ vars.ENVGEN_REF }}\n"),
            HasSubstr(
                "# A fork can also propose a different workflow: a public repository should require approval before such a "
                "runner is used.\n---\nname: envgen\n\"on\":\n  push:\n    branches: [main, master]\n  pull_request:\n  "
                "schedule:\n    - cron: \"17 4 * * 1\"\n  workflow_dispatch:\npermissions:\n  contents: read\nconcurrency:\n  "
                "group: envgen-${{ github.ref }}\n  cancel-in-progress: ${{ github.event_name == 'pull_request' }}\ndefaults:\n  "
                "run:\n    shell: bash\nenv:\n  ENVGEN_SOURCE: ${{ vars.ENVGEN_SOURCE }}\n  ENVGEN_REF: ${{ vars.ENVGEN_REF "
                "}}\njobs:\n  cpu:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 90\n    steps:\n      - uses: "
                "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd  # v6.0.2\n        with:\n          "
                "persist-credentials: false\n      - name: Find envgen\n        id: envgen\n        run: |\n          if [ -z "
                "\"${ENVGEN_SOURCE:-}\" ] || [ -z \"${ENVGEN_REF:-}\" ]; then\n            echo \"error: ENVGEN_SOURCE (the URL "
                "of envgen's repository) and ENVGEN_REF (a tag or commit in it) are not both set: set them as variables")));
  const auto gitlab = workflow({"--torch", "2.7", "--for", "gitlab"});
  EXPECT_THAT(gitlab, AllOf(Not(HasSubstr("ENVGEN_SOURCE: ")), Not(HasSubstr("ENVGEN_REF: "))));
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
                    HasSubstr("# The secret ENVGEN_NETRC is for an index that needs a password: ")));
  words.back() = "gitlab";
  EXPECT_THAT(workflow(words), AllOf(HasSubstr(R"( ${ENVGEN_NETRC:+--secret "id=netrc,src=$ENVGEN_NETRC"} .)"),
                                     HasSubstr("# The variable ENVGEN_NETRC, of type File, is for an index")));
  for (const auto& service : services) EXPECT_THAT(workflow({"--torch", "2.7", "--for", service}), Not(HasSubstr("NETRC")));
}

TEST(Workflow, HoldsTheSourceThatIsNamed) {
  for (const auto& service : services) {
    const auto text = workflow(
        {"--torch", "2.7", "--for", service, "--envgen-source", "https://git.example.org/envgen.git", "--envgen-ref", "v1.0.0"});
    EXPECT_THAT(text,
                AllOf(HasSubstr(R"(ENVGEN_SOURCE: "https://git.example.org/envgen.git")"), HasSubstr(R"(ENVGEN_REF: "v1.0.0")"),
                      Not(HasSubstr("vars.ENVGEN_SOURCE")), Not(HasSubstr("is given no variables"))));
  }
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
    EXPECT_THAT(workflow({"--torch", "2.7", "--for", service, "--classic"}),
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
  EXPECT_EQ(no_workflow({"--for", "github", "--envgen-source", "${{ github.token }}"}),
            "envgen: --envgen-source: '${{ github.token }}' is not an http, https or file URL without a password, query or "
            "fragment\n  such as https://git.example.org/envgen.git\n");
  EXPECT_EQ(no_workflow({"--for", "github", "--envgen-ref", "${{x}}"}),
            "envgen: --envgen-ref: '${{x}}' is not a tag without slashes or a commit\n  such as v1.0.0\n");
  EXPECT_EQ(no_workflow({"--for", "gitlab", "--envgen-ref", "-x"}),
            "envgen: --envgen-ref: '-x' is not a tag without slashes or a commit\n  such as v1.0.0\n");
  EXPECT_EQ(no_workflow({"--for", "github", "--gpu-runner", "${{x}}"}),
            "envgen: --gpu-runner: '${{x}}' is not a runner label\n  such as self-hosted\n");
}

TEST(Workflow, RefusesWhatGitWouldNotTake) {
  const std::string url = "https://git.example.org/envgen.git";
  for (const std::string mark : {"?", "#"})
    EXPECT_EQ(no_workflow({"--for", "github", "--envgen-source", url + mark + "ref=main"}),
              "envgen: --envgen-source: '" + url + mark +
                  "***' is not an http, https or file URL without a password, query or fragment\n  such as "
                  "https://git.example.org/envgen.git\n");
  for (const std::string ref : {"a..b", "v1.", "v1.lock"})
    EXPECT_EQ(no_workflow({"--for", "github", "--envgen-ref", ref}),
              "envgen: --envgen-ref: '" + ref + "' is not a tag without slashes or a commit\n  such as v1.0.0\n");
}

}  // namespace
}  // namespace envgen
