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

/// The id of the diagnosis of a failed row `gemm-fp32`; "": none.
std::string diagnosis_of(const std::string& message, const std::string& more) {
  const auto report = parse_bench_report(
      replaced(bench_text(), R"("id": "shm", "device": null, "status": "fail", "message": "/dev/shm has 64 MiB", "evidence": {},
       "failure": {"id": "shm-bus-error", "message": "x", "code": null, "name": null, "call": null})",
               R"("id": "gemm-fp32", "device": 0, "status": "fail", "message": ")" + message + "\", " + more));
  if (!report) return report.error().message;
  return report->rows.at(2).diagnosis == nullptr ? "" : std::string(report->rows.at(2).diagnosis->id);
}

TEST(BenchReport, AFailureWithoutAnIdIsRecognisedByItsWords) {
  const std::string plain = R"("evidence": {}, "failure": {"id": null, "message": "x"})";
  EXPECT_EQ(diagnosis_of("cuMemAlloc: out of memory (error 2)", plain), "cuda-oom");
  EXPECT_EQ(diagnosis_of("cuInit: initialization error (error 3)", plain), "cuda-3");
  EXPECT_EQ(diagnosis_of("cublasCreate: cuBLAS status 1", plain), "cublas-not-initialized");
  EXPECT_EQ(diagnosis_of("cublasCreate: cuBLAS status 3", R"("evidence": {}, "failure": null)"), "cuda-oom");
  EXPECT_EQ(diagnosis_of("cublasGemmEx: cuBLAS status 13", plain), "");
  EXPECT_EQ(diagnosis_of("cuMemAlloc: out of memory (error 2)", R"("evidence": {}, "failure": {"id": "no-such-id"})"),
            "cuda-oom");
  EXPECT_EQ(diagnosis_of("cuMemAlloc: out of memory (error 2)", R"("evidence": {}, "failure": {"id": "cuda-46"})"), "cuda-46");
  EXPECT_EQ(
      diagnosis_of("crashed: Aborted",
                   R"sh("evidence": {"output": "a\nCUDA-capable device(s) is/are busy or unavailable"}, "failure": null)sh"),
      "cuda-46");
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

/// The end of the program after the tests: `why`, or how it is told.
std::string end_of(const std::string& members) {
  const auto report = parse_bench_report(test::with_programs("{" + members + "}", "null"));
  if (!report) return report.error().message;
  if (!report->then) return "none";
  return report->then->end == Launched::End::done        ? "done"
         : report->then->end == Launched::End::not_there ? "not there"
                                                         : report->then->why;
}

TEST(BenchReport, TheProgramAfterTheTests) {
  const std::string more = R"(, "exit_status": 1, "signal": 11, "out": "x", "err": "\u001b[1m", )";
  EXPECT_EQ(end_of(R"("end": "exited")" + more + R"("out_cut": false)"), "done");
  EXPECT_EQ(end_of(R"("end": "exited")" + more + R"("out_cut": true)"), "it printed more than 1 MiB");
  EXPECT_EQ(end_of(R"("end": "timed-out")" + more + R"("out_cut": false)"), "it did not end in time, and was killed");
  EXPECT_EQ(end_of(R"("end": "killed")" + more + R"("out_cut": false)"), "it was killed by signal 11");
  EXPECT_EQ(end_of(R"("end": "not-there")"), "not there");
  EXPECT_EQ(end_of(R"("end": "not-started")" + more + R"("out_cut": false)"), "none");
  EXPECT_EQ(end_of(R"("end": 5)"), "none");
  const auto report =
      parse_bench_report(test::with_programs(R"({"end": "exited")" + more + R"("out_cut": false})", R"({"error": null})"));
  ASSERT_TRUE(report && report->then);
  EXPECT_EQ(report->then->words, std::vector<std::string>{"\\x1b[1m"});
  EXPECT_EQ(report->touched, true);
}

TEST(BenchReport, ItsTextReachesNoTerminalAsItIs) {
  const auto report = parse_bench_report(replaced(bench_text(), "private: x", "a\\u001b[2Jb"));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->rows[1].message, "a\\x1b[2Jb");
}

}  // namespace
}  // namespace envgen::validate
