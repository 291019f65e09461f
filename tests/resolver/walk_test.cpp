#include <iostream>
#include <set>

#include <gtest/gtest.h>

#include "check/check.hpp"
#include "matrix/embedded/embedded.hpp"
#include "resolver/materialize.hpp"
#include "support/answers.hpp"
#include "support/reasons_of.hpp"
#include "support/request_text.hpp"
#include "support/thorough.hpp"

/// Every environment that `--all` lists is held against the facts by the independent check. The lists of the requests
/// below have some hundred thousand members; each request is walked in strides, so that the first and the last of every list
/// are seen and the whole takes seconds. The strides are fixed: a run looks at the same environments as the one before.
/// A thorough run looks at every one.
namespace envgen::test {
namespace {

class Walk {
 public:
  /// Looks at every `stride`-th environment of a request.
  void of(const std::string& text, std::size_t stride) {
    const auto request = request_of(text);
    const auto query = resolver::interpret(matrix_, request);
    ASSERT_TRUE(query) << text << ": " << query.error().message;
    ++requests_;
    stride = one_of(stride);
    std::size_t index = 0;
    resolver::each_solution(matrix_, *query, [&](const resolver::Solution& solution) {
      if (index++ % stride == 0) look_at(text, request, *query, solution);
      return true;
    });
    listed_ += index;
  }

  /// Looks at the best environment alone.
  void best_of(const std::string& text) {
    const auto request = request_of(text);
    const auto query = resolver::interpret(matrix_, request);
    ASSERT_TRUE(query) << text << ": " << query.error().message;
    ++requests_;
    const auto solution = resolver::find_best(matrix_, *query);
    if (!solution) return;
    ++listed_;
    look_at(text, request, *query, *solution);
  }

  void report(std::string_view what) const {
    std::cout << what << ": " << requests_ << " requests list " << listed_ << " environments, " << seen_
              << " of them checked, over " << builds_.size() << " builds\n";
    EXPECT_EQ(refused_, 0U);
  }
  std::size_t seen() const { return seen_; }
  std::size_t builds() const { return builds_.size(); }

 private:
  void look_at(const std::string& text, const Request& request, const resolver::Query& query,
               const resolver::Solution& solution) {
    const auto environment = resolver::materialize(matrix_, query, solution);
    auto violations = check::violations(matrix_, request, environment);
    const auto reasons = test::wrong_reasons(environment);
    violations.insert(violations.end(), reasons.begin(), reasons.end());
    ++seen_;
    builds_.insert(solution.build);
    if (violations.empty()) return;
    constexpr std::size_t most_shown = 20;
    if (refused_++ < most_shown) ADD_FAILURE() << text << ": " << violations.front();
  }

  matrix::Matrix matrix_ = matrix::embedded();
  std::size_t requests_ = 0;
  std::size_t listed_ = 0;
  std::size_t seen_ = 0;
  std::size_t refused_ = 0;
  std::set<const matrix::Build*> builds_;
};

constexpr const char* platforms[] = {"amd64", "aarch64"};

/// Every listed build, on each platform, with each installer, base and variant, as CUDA and as CPU build.
TEST(Walk, EveryBuildOnEveryPlace) {
  Walk walk;
  for (const std::string platform : platforms) {
    for (const std::string installer : {"pip", "uv", "conda"}) {
      for (const std::string place :
           {"", " base=slim", " base=cuda", " base=pytorch", " variant=devel", " variant=devel base=slim",
            " variant=devel base=cuda", " variant=devel base=pytorch", " base=cuda allow-inferred"}) {
        constexpr std::size_t stride = 41;
        walk.of("platform=" + platform + " installer=" + installer + place, stride);
      }
      walk.of("cuda=cpu platform=" + platform + " installer=" + installer, 11);
      walk.of("python=3.13t platform=" + platform + " installer=" + installer, 7);
    }
  }
  for (const std::string place :
       {"", " base=slim", " base=cuda", " base=tensorflow", " variant=devel", " variant=devel base=tensorflow"})
    walk.of("tensorflow=>=2.0" + place, 13);
  walk.report("places");
  EXPECT_GT(walk.seen(), 3000U);
}

/// The best environment of each single release, so that no build is passed over by the strides.
TEST(Walk, EveryRelease) {
  Walk walk;
  const auto matrix = matrix::embedded();
  for (std::size_t i = 0; i < matrix->listed_builds; ++i) {
    const auto& build = matrix->builds[i];
    const bool torch = build.framework == Framework::torch;
    std::string text = (torch ? "torch===" : "tensorflow===") + std::string(build.version_text.view());
    if (torch) text += " cuda=" + (build.cpu ? std::string("cpu") : "==" + build.cuda.to_string());
    text += build.platform == Platform::linux_x86_64 ? " platform=amd64" : " platform=aarch64";
    text += build.channel == matrix::Channel::wheels ? "" : " installer=conda";
    walk.best_of(text);
  }
  walk.report("releases");
  // Where a release stands on both conda channels, the better one answers; a handful of builds has no known Python.
  EXPECT_GT(walk.builds(), matrix->listed_builds * 8 / 10);
}

/// Every capability under every driver branch: the best environment of each pair, on a plain system and on nvidia/cuda.
TEST(Walk, EveryCapabilityUnderEveryDriver) {
  Walk walk;
  const auto matrix = matrix::embedded();
  for (const auto& gpu : matrix->gpu_drivers) {
    for (const std::string& rest : {std::string(), std::string(" base=cuda"), std::string(" ptx"),
                                    std::string(" platform=aarch64"), std::string(" installer=conda")}) {
      walk.best_of("gpu=" + gpu.capability.to_string() + rest);
      for (const auto& branch : matrix->branches)
        walk.best_of("gpu=" + gpu.capability.to_string() + " driver=" + std::to_string(branch.branch) + rest);
    }
    walk.of("gpu=" + gpu.capability.to_string(), 97);
    walk.of("tensorflow=>=2.0 gpu=" + gpu.capability.to_string(), 47);
  }
  walk.report("capabilities");
  EXPECT_GT(walk.seen(), 1000U);
}

/// Boards by name, so that classes (cuda-compat), brands (image gates) and hosts are walked too.
TEST(Walk, BoardsAndHosts) {
  Walk walk;
  const auto matrix = matrix::embedded();
  for (const std::string board :
       {"V100", "T4", "A100", "H100", "B200", "4090", "5090", "1080_Ti", "RTX_A6000", "K80", "GH200", "GB10", "Orin", "Thor"}) {
    for (const std::string& rest :
         {std::string(), std::string(" base=cuda"), std::string(" base=pytorch"), std::string(" ptx")}) {
      for (const auto& branch : matrix->branches)
        walk.best_of("gpu=" + board + " driver=" + std::to_string(branch.branch) + rest);
    }
    walk.of("gpu=" + board, 97);
  }
  for (const std::string hosts :
       {"gpu=V100 gpu=B200", "host=gpu=V100,driver=535 host=gpu=5090", "host=gpu=A100,gpu=T4,driver=470",
        "host=gpu=V100,gpu=H100", "gpu=A100 host=gpu=4090,driver=550", "driver=525", "driver=>=535,<580 gpu=4090",
        "gpu=4090 gpu=A100 gpu=T4 driver=>=535", "host=driver=470", "gpu=Orin gpu=4090"}) {
    walk.of(hosts, 97);
    walk.of(hosts + " variant=devel", 97);
    walk.best_of(hosts + " base=cuda");
    walk.best_of(hosts + " tensorflow=>=2.10");
  }
  walk.report("boards and hosts");
  EXPECT_GT(walk.seen(), 1000U);
}

}  // namespace
}  // namespace envgen::test
