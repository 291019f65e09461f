#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>
#include <string>

#include <fmt/format.h>

#include "files/outputs.hpp"
#include "matrix/embedded/embedded.hpp"
#include "resolver/materialize.hpp"
#include "support/request_text.hpp"
#include "support/thorough.hpp"

/// What is resolved can be made: over a grid of GPUs, drivers, bases and hosts, every output of an environment is made, or
/// refused for a reason that is no matter of what was resolved for these machines.
namespace envgen::property {
namespace {

/// Why an output may refuse an environment, whichever machines it is for. None of these speaks of GPUs, drivers or hosts.
constexpr std::array allowed_refusals{
    std::string_view("this is a conda environment, which pip cannot install"),
    std::string_view("this environment is for pip, not for conda"),
    std::string_view("this environment is for uv, not for conda"),
    std::string_view("of the system, which setup.sh does not install"),
};

/// CI takes one place of so many.
std::size_t share() { return test::one_of(3); }

/// Hosts that name no driver are driven by `driver`.
template <class Visit>
void for_each_rendered(Visit visit) {
  std::size_t turn = 0;
  const auto matrix = matrix::embedded();
  for (const auto* gpu : {"V100", "T4", "A100", "4090", "H100", "GH200", "L4"}) {
    for (const auto* driver :
         {"", " driver=450", " driver=470", " driver=R535", " driver=535.54.03", " driver=>=470,<536", " driver=>=550"}) {
      for (const auto* beside :
           {"", " host=gpu=T4,driver=535", " host=gpu=3090,driver=535", " host=gpu=B200", " host=gpu=A100,driver=580"}) {
        for (const auto* base : {"", " base=slim", " base=cuda", " base=pytorch"}) {
          constexpr const char* rest[] = {" torch=2.8.0",
                                          " torch=>=1.11",
                                          " torch=2.3",
                                          " torch=2.9 cuda=13.0",
                                          " installer=conda torch=>=1.11",
                                          " variant=devel torch=>=1.11",
                                          " torch=2.8.0 variant=devel",
                                          " installer=uv torch=>=1.11"};
          // They take turns, so that each base meets every one of them.
          const auto* one = rest[(turn + turn / 4) % std::size(rest)];
          if (turn++ % share() != 0) continue;
          visit(matrix, fmt::format("host=gpu={}{}{}{}{}", gpu, driver, beside, base, one));
          visit(matrix, fmt::format("host=gpu={}{}{}{} torch=2.8.0 cuda=12.8", gpu, driver, beside, base));
        }
      }
    }
  }
}

bool needs_compat(const Environment& environment) {
  const auto& by = environment.driver->carried_by;
  return std::find(by.begin(), by.end(), CarriedBy::forward_compat) != by.end();
}

bool is_allowed(std::string_view refusal) {
  return std::any_of(allowed_refusals.begin(), allowed_refusals.end(),
                     [&](auto one) { return refusal.find(one) != std::string_view::npos; });
}

/// All that is made of an environment says what the machines need besides, but for the settings of an editor.
bool says_enough(const files::Output& output, const Environment& environment, const files::Files& files) {
  const bool said = std::any_of(files.begin(), files.end(), [](const files::File& file) { return !file.notes.empty(); });
  return said == (needs_compat(environment) && output.name != "vscode");
}

/// An image has cuda-compat where a machine needs it: in its base, or copied.
bool brings_compat(const Environment& environment, const files::Files& files) {
  if (!needs_compat(environment)) return true;
  return environment.base == Base::cuda || files.front().text.find("COPY --from=nvidia/cuda:") != std::string::npos;
}

TEST(RenderedAnswer, IsMadeOrRefusedForNoReasonOfItsMachines) {
  files::Options options;
  options.ci_for.value = "github";
  // What the workflow would ask its variables for, so that its notes are of cuda-compat alone.
  options.envgen_url.value = "https://mirror.example.org/envgen";
  options.envgen_version.value = "1.0.0";
  options.envgen_sha256.value = std::string(64, 'a');
  std::size_t made = 0;
  std::size_t lifted = 0;
  int complaints = 0;
  std::map<std::string, int> refusals;
  for_each_rendered([&](const matrix::Matrix& matrix, const std::string& text) {
    const auto query = resolver::interpret(matrix, test::request_of(text));
    ASSERT_TRUE(query) << text << ": " << query.error().message;
    const auto solution = resolver::find_best(matrix, *query);
    if (!solution) return;
    const auto environment = resolver::materialize(matrix, *query, *solution);
    if (needs_compat(environment)) ++lifted;
    for (const auto& output : files::outputs()) {
      const auto files = files::make(output, {environment, options, "sha256:0"});
      const auto complain = [&](const std::string& what) {
        if (++complaints <= 8) ADD_FAILURE() << text << ": " << output.name << ": " << what;
      };
      if (!files) {
        ++refusals[files.error().message.substr(0, 40)];
        if (!is_allowed(files.error().message)) complain(files.error().message);
        continue;
      }
      ++made;
      if (!says_enough(output, environment, *files)) complain("what it says of cuda-compat does not fit the environment");
      if (output.name == "dockerfile" && !brings_compat(environment, *files)) complain("its image has no cuda-compat");
    }
  });
  EXPECT_GT(made, 2000 / share());
  EXPECT_GT(lifted, 90 / share());
  EXPECT_EQ(complaints, 0);
  for (const auto& [refusal, count] : refusals) RecordProperty(refusal, count);
}

/// ... of which these are limits of a file that is made with apt, or of what uv has.
bool is_limit_of_an_output(std::string_view refusal) {
  return refusal.starts_with("envgen's Dockerfiles use apt, which ") || refusal.starts_with("uv does not provide Python ") ||
         (refusal.starts_with("neither ") && refusal.find(" nor uv has Python ") != std::string_view::npos) ||
         refusal.starts_with("no image of amzn2023 ") || is_allowed(refusal);
}

/// A request of what people ask for, by no other rule than chance; few values in each, so that most have an answer.
std::string random_request(std::mt19937& random) {
  const auto one = [&](auto... texts) {
    const std::array<const char*, sizeof...(texts)> all{texts...};
    return std::string(all[random() % all.size()]);
  };
  const auto often = [&](unsigned percent) { return random() % 100 < percent; };
  std::string text;
  if (often(25)) {
    text = " tensorflow=" + one("2.4", "2.8", "2.10", "2.11", "2.12", "2.14", "2.15.0", "2.16", "2.18", "2.20", "2.21");
  } else if (often(85)) {
    text =
        " torch=" + one("1.11", "1.12", "1.13", "2.0", "2.1", "2.3", "2.4", "2.6", "2.7", "2.8", "2.9", "2.11", "2.13", "2.15");
    if (often(40)) text += " cuda=" + one("11.3", "11.7", "11.8", "12.1", "12.4", "12.6", "12.8", "13.0", "13.2", "cpu");
  }
  if (often(60)) text += " variant=" + one("devel", "devel", "runtime");
  if (often(60))
    text += " os=" + one("debian11", "debian12", "debian13", "ubuntu18.04", "ubuntu20.04", "ubuntu22.04", "ubuntu24.04",
                         "ubuntu26.04", "rockylinux9", "amzn2023");
  if (often(30)) text += " base=" + one("slim", "cuda", "pytorch", "tensorflow");
  if (often(30)) text += " installer=" + one("conda", "uv", "pip");
  if (often(30)) text += " gpu=" + one("V100", "A100", "4090", "5090", "H100", "GH200", "GB10", "1080ti");
  if (often(10)) text += " platform=linux-aarch64";
  if (often(15)) text += " engine=" + one("docker", "docker-cdi", "podman");
  return text.empty() ? text : text.substr(1);
}

TEST(RenderedAnswer, OfARandomRequestIsMade) {
  files::Options options;
  options.ci_for.value = "gitlab";
  const auto matrix = matrix::embedded();
  std::mt19937 random(20261125);
  int dockerfiles_with_nvcc = 0;
  int complaints = 0;
  for (int i = 0; i < 400; ++i) {
    const auto text = random_request(random);
    const auto query = resolver::interpret(matrix, test::request_of(text));
    if (!query) continue;
    const auto solution = resolver::find_best(matrix, *query);
    if (!solution) continue;
    const auto environment = resolver::materialize(matrix, *query, *solution);
    for (const auto& output : files::outputs()) {
      const auto files = files::make(output, {environment, options, "sha256:0"});
      if (!files && !is_limit_of_an_output(files.error().message) && ++complaints <= 8)
        ADD_FAILURE() << text << ": " << output.name << ": " << files.error().message;
      if (files && output.name == "dockerfile" && environment.variant == Variant::devel && environment.build().cuda)
        ++dockerfiles_with_nvcc;
    }
  }
  EXPECT_GT(dockerfiles_with_nvcc, 25);
  EXPECT_EQ(complaints, 0);
}

}  // namespace
}  // namespace envgen::property
