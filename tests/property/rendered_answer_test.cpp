#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "files/outputs.hpp"
#include "matrix/embedded/embedded.hpp"
#include "resolver/materialize.hpp"
#include "support/request_text.hpp"

/// What is resolved can be made: over a grid of GPUs, drivers, bases and hosts, every output of an environment is made, or
/// refused for a reason that is no matter of what was resolved for these machines.
namespace envgen::property {
namespace {

/// Why an output may refuse an environment, whichever machines it is for. None of these speaks of GPUs, drivers or hosts.
constexpr std::array allowed_refusals{
    std::string_view("this environment is one of conda, which pip cannot install"),
    std::string_view("this environment is not one of conda"),
    // The resolver says as much in its reason for the base: the toolkit goes onto a plain system, by hand.
    std::string_view("no nvidia/cuda devel image for CUDA "),
    std::string_view("this TensorFlow brings no CUDA"),
};

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
          ++turn;
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
  return std::any_of(allowed_refusals.begin(), allowed_refusals.end(), [&](auto one) { return refusal.starts_with(one); });
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
  int made = 0;
  int lifted = 0;
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
  EXPECT_GT(made, 2000);
  EXPECT_GT(lifted, 100);
  EXPECT_EQ(complaints, 0);
  for (const auto& [refusal, count] : refusals) RecordProperty(refusal, count);
}

}  // namespace
}  // namespace envgen::property
