// Reports of envgen-bench that are whole, cut, forged, or of something else.
#include "validate/bench_report.hpp"

#include <gtest/gtest.h>

#include "bench_text.hpp"

namespace envgen::validate {
namespace {

using test::bench_text;
using test::replaced;

std::string refusal(const std::string& text) {
  const auto report = parse_bench_report(text);
  return report ? "accepted" : report.error().message;
}

TEST(BenchReport, IsRead) {
  const auto report = parse_bench_report(bench_text());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->gpu_absent);
  ASSERT_EQ(report->rows.size(), 3U);
  EXPECT_EQ(report->rows[2].status, Status::fail);
  ASSERT_NE(report->rows[2].diagnosis, nullptr);
  EXPECT_EQ(report->rows[2].diagnosis->id, "shm-bus-error");
  const auto with_gpu = parse_bench_report(test::bench_text_with_gpu());
  ASSERT_TRUE(with_gpu);
  EXPECT_EQ(with_gpu->gpus.size(), 1U);
  EXPECT_EQ(with_gpu->rows[1].device, 0);
}

TEST(BenchReport, IsAbsent) {
  EXPECT_EQ(refusal(""), "it is empty");
  EXPECT_EQ(refusal("\n"), "it is empty");
}

TEST(BenchReport, IsCutAnywhere) {
  const auto text = bench_text();
  for (std::size_t size = 1; size < text.size(); ++size) EXPECT_FALSE(parse_bench_report(text.substr(0, size))) << size;
}

TEST(BenchReport, IsForged) {
  EXPECT_EQ(refusal("{}"), "another program wrote it");
  EXPECT_EQ(refusal("[1]"), "another program wrote it");
  EXPECT_EQ(refusal(replaced(bench_text(), "\"schema_version\": 1", "\"schema_version\": 2")),
            "its schema_version is not 1: take the envgen-bench of this envgen");
  EXPECT_EQ(refusal(replaced(bench_text(), "\"fail\", \"message\"", "\"pass\", \"message\"")),
            "its summary and its rows differ: 2 rows of status pass");
  EXPECT_EQ(refusal(replaced(bench_text(), "\"fail\", \"message\"", "\"good\", \"message\"")), "'good' is no status of a row");
  EXPECT_EQ(refusal(replaced(bench_text(), "\"present\": false", "\"present\": true")), "it contradicts itself about the GPUs");
  EXPECT_EQ(refusal(replaced(bench_text(), "\"interrupted\": false,", "")), "a member is missing");
  EXPECT_EQ(refusal(replaced(bench_text(), "\"id\": \"shm\"", "\"id\": \"\\u001b[1m\"")), "a row has no id, status or message");
  EXPECT_EQ(refusal(replaced(bench_text(), "\"gpus\": []", "\"gpus\": {}")), "a member is missing");
}

TEST(BenchReport, ItsTextReachesNoTerminalAsItIs) {
  const auto report = parse_bench_report(replaced(bench_text(), "private: x", "a\\u001b[2Jb"));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->rows[1].message, "a\\x1b[2Jb");
}

}  // namespace
}  // namespace envgen::validate
