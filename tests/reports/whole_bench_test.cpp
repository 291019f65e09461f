// What envgen-bench really prints, on doubles of two GPUs, is what the plots and comparisons read by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/baseline.hpp"
#include "reports/speeds.hpp"
#include "reports/view.hpp"
#include "saved.hpp"
#include "util/process.hpp"

namespace envgen::reports {
namespace {

using test::Json;
using testing::Contains;
using testing::HasSubstr;

class WholeBench : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::vector<std::string> words{BENCH_PROGRAM, "--format=json", "--scale=128",
                                   "--tests=h2d,d2h,copy-both,d2d,gemm-fp16,vector,block,peer,nccl"};
    for (const std::string file :
         {"libcuda.so.1", "libcudart.so.12", "libnvidia-ml.so.1", "libcublas.so.12", "libcublasLt.so.12", "libnccl.so.2"}) {
      words.push_back("--library=" + file.substr(0, file.find(".so")) + "=" BENCH_DOUBLES "/" + file);
    }
    util::ProcessLimits limits;
    limits.environment = {"ENVGEN_DOUBLE_DEVICES=2"};
    const auto ran = util::run_process(words, limits);
    ASSERT_TRUE(ran && ran->ok()) << (ran ? ran->err : ran.error().message);
    json() = Json::parse(ran->out);
    ASSERT_FALSE(json().at("doubles").empty());
    json()["doubles"] = Json::array();  // what a GPU would say
  }
  static Json& json() {
    static Json report;
    return report;
  }
};

TEST_F(WholeBench, EachSpeedIsRead) {
  std::vector<std::string> names;
  for (const auto& speed : speeds(test::parsed(json()))) names.push_back(name_with_gpu(speed));
  EXPECT_THAT(names, testing::UnorderedElementsAre(
                         "h2d 2 MiB on GPU 0", "h2d 2 MiB on GPU 1", "d2h 2 MiB on GPU 0", "d2h 2 MiB on GPU 1",
                         "copy-both 4 MiB on GPU 0", "copy-both 4 MiB on GPU 1", "d2d 4 MiB on GPU 0", "d2d 4 MiB on GPU 1",
                         "gemm-fp16 n=64 on GPU 0", "gemm-fp16 n=64 on GPU 1", "vector 2 MiB on GPU 0", "vector 2 MiB on GPU 1",
                         "block.feed-forward.forward h=64 s=16 b=2 on GPU 0",
                         "block.feed-forward.backward h=64 s=16 b=2 on GPU 0", "block.attention.forward h=64 s=16 b=2 on GPU 0",
                         "block.attention.backward h=64 s=16 b=2 on GPU 0", "block.feed-forward.forward h=64 s=16 b=2 on GPU 1",
                         "block.feed-forward.backward h=64 s=16 b=2 on GPU 1", "block.attention.forward h=64 s=16 b=2 on GPU 1",
                         "block.attention.backward h=64 s=16 b=2 on GPU 1", "peer.one-way 0-1 2 MiB", "peer.both-ways 0-1 2 MiB",
                         "peer.one-way 1-0 2 MiB", "peer.both-ways 1-0 2 MiB", "nccl 2 MiB"));
}

TEST_F(WholeBench, TheReferenceOfASpeedIsRead) {
  for (const auto& speed : speeds(test::parsed(json()))) {
    if (speed.test != "d2d") continue;
    EXPECT_EQ(speed.expected, 16e6);  // what the double's clock and bus make: 2 x 1 MHz x 64 bits
    EXPECT_EQ(speed.basis, "theory");
    EXPECT_EQ(speed.warn_below, 0.65);
  }
}

TEST_F(WholeBench, TheChartsHaveTheirData) {
  const auto report = test::parsed(json());
  std::vector<std::string> drawn;
  for (const auto& curve : curves(report)) {
    drawn.push_back(curve.test + " " + std::to_string(curve.device));
    EXPECT_GE(curve.points.size(), 2U) << curve.test;
  }
  EXPECT_THAT(drawn, testing::UnorderedElementsAre("gemm-fp16 0", "gemm-fp16 1", "vector 0", "vector 1"));
  const auto copies = peer_copies(report);
  ASSERT_EQ(copies.size(), 2U);
  for (const auto& copy : copies) EXPECT_TRUE(copy.direct && copy.one_way && copy.both_ways);
  EXPECT_EQ(load_of(report, 1).power_w, 98.5);
  const auto page = view(report, Format::html, {});
  for (const auto* chart : {"Unidirectional, GB/s", "aria-label=\"speed by size\"", "block.attention.backward"})
    EXPECT_THAT(page, HasSubstr(chart));
}

TEST_F(WholeBench, IsItsOwnBaselineAndAFasterOneIsARegression) {
  const auto judged = [&](const Json& before) {
    auto report = test::parsed(json());
    compare_with_baseline(report, test::parsed(before), "old.json", usual_tolerance);
    std::vector<std::string> said;
    for (const auto& result : report.results) {
      if (result.check == "baseline") said.push_back(std::string(name_of(result.status)) + " " + result.message);
    }
    return said;
  };
  EXPECT_THAT(judged(json()), testing::ElementsAre(testing::StartsWith("pass 25 speeds are within 10% of old.json;")));
  auto faster = json();
  for (auto& row : faster.at("tests")) {
    if (row.at("id") == "vector.speed") row["evidence"]["value"] = 2 * row.at("evidence").at("value").get<double>();
  }
  const auto said = judged(faster);
  ASSERT_EQ(said.size(), 2U);
  EXPECT_THAT(said, testing::Each(HasSubstr("in old.json: 50.0% slower (10% is allowed)")));
  EXPECT_THAT(said, Contains(testing::StartsWith("fail vector 2 MiB on GPU 1: ")));
}

}  // namespace
}  // namespace envgen::reports
