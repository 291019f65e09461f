// What becomes of a test, however its process ends, and of all of them together.
#include "runner.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace envgen::bench {
namespace {

/// The rows of a test whose body is `body`.
std::vector<Row> rows_of(std::vector<Row> (*body)(const Context&), Scope scope = Scope::machine, TimeLimit limit = {60, false}) {
  const Options options;
  const Places places;
  const Sizes sizes;
  Context context{options, places, sizes};
  context.device = 1;
  context.peer = 2;
  context.limit = limit;
  return run_test({"it", "about it", Kind::information, scope, true, "p2p-hang", body}, context);
}

Row row_of(std::vector<Row> (*body)(const Context&), Scope scope = Scope::machine, TimeLimit limit = {60, false}) {
  const auto rows = rows_of(body, scope, limit);
  EXPECT_EQ(rows.size(), 1U);
  return rows.front();
}

std::vector<Row> two_rows(const Context&) {
  Row first;
  first.status = Status::pass;
  first.message = "one";
  Row second;
  second.id = "it.speed";
  second.kind = Kind::performance;
  second.status = Status::warn;
  second.message = "two";
  second.evidence = {{"value", 3}};
  return {first, second};
}

TEST(RunTest, ItsRowsComeBackWithItsNameAndGpus) {
  const auto rows = rows_of(two_rows, Scope::pair);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].id, "it");
  EXPECT_EQ(rows[0].kind, Kind::information);
  EXPECT_EQ(rows[0].status, Status::pass);
  EXPECT_EQ(rows[0].message, "one");
  EXPECT_GT(rows[0].seconds, 0);
  EXPECT_EQ(rows[0].evidence.dump(), R"({"peer":2})");
  EXPECT_EQ(rows[1].id, "it.speed");
  EXPECT_EQ(rows[1].kind, Kind::performance);
  EXPECT_EQ(rows[1].evidence.dump(), R"({"value":3,"peer":2})");
  for (const auto& row : rows) EXPECT_EQ(row.device, 1);

  const auto of_gpu = rows_of(two_rows, Scope::device);
  EXPECT_EQ(of_gpu[0].device, 1);
  EXPECT_EQ(of_gpu[0].evidence.dump(), "{}");
  for (const auto scope : {Scope::machine, Scope::all_devices}) {
    const auto row = rows_of(two_rows, scope)[0];
    EXPECT_FALSE(row.device);
    EXPECT_EQ(row.evidence.dump(), "{}");
  }
}

TEST(RunTest, WhatItThrowsIsItsResult) {
  const auto failed = row_of([](const Context&) -> std::vector<Row> {
    throw TestFailed({"cuda-999", "it went wrong", 999, "CUDA_ERROR_UNKNOWN", "cuInit"});
  });
  EXPECT_EQ(failed.status, Status::fail);
  EXPECT_EQ(failed.message, "it went wrong");
  EXPECT_EQ(to_json(failed).at("failure").dump(),
            R"({"id":"cuda-999","message":"it went wrong","code":999,"name":"CUDA_ERROR_UNKNOWN","call":"cuInit"})");

  const auto skipped = row_of([](const Context&) -> std::vector<Row> { throw TestSkipped("not here"); });
  EXPECT_EQ(skipped.status, Status::skip);
  EXPECT_EQ(skipped.message, "not here");
  EXPECT_FALSE(skipped.failure);

  const auto other = row_of([](const Context&) -> std::vector<Row> { throw std::runtime_error("out of something"); });
  EXPECT_EQ(other.status, Status::fail);
  EXPECT_EQ(other.message, "out of something");
  EXPECT_EQ(to_json(other).at("failure").dump(),
            R"({"id":null,"message":"out of something","code":null,"name":null,"call":null})");
}

TEST(RunTest, AProcessThatSaysNothingHasNoResult) {
  const std::string nothing = "the test's process ended without a result";
  EXPECT_EQ(row_of([](const Context&) { return std::vector<Row>(); }).message, nothing);
  const auto ended = row_of([](const Context&) -> std::vector<Row> { ::_exit(0); });
  EXPECT_EQ(ended.status, Status::fail);
  EXPECT_EQ(ended.message, nothing);
  ASSERT_TRUE(ended.failure);
  EXPECT_EQ(ended.failure->message, nothing);
  EXPECT_EQ(ended.id, "it");
  const auto exited = row_of([](const Context&) -> std::vector<Row> { ::_exit(7); });
  EXPECT_EQ(exited.message, "a library exited the test's process with status 7");
  EXPECT_EQ(exited.failure->code, 7);
}

TEST(RunTest, ANameThatIsNotUtf8IsShownAsFarAsItIs) {
  const auto row = row_of([](const Context&) {
    Row named;
    named.message =
        "a\xff"
        "b";
    return std::vector<Row>{named};
  });
  EXPECT_EQ(row.message,
            "a\xef\xbf\xbd"
            "b");
}

TEST(RunTest, WhatWasPrintedIsKeptOfAFailureOnly) {
  const auto print = [] { std::fputs("NCCL WARN Call to posix_fallocate failed\n", stderr); };
  static void (*const printing)() = print;
  const auto failed = row_of([](const Context&) -> std::vector<Row> {
    printing();
    throw TestFailed({});
  });
  EXPECT_EQ(failed.evidence.at("output"), "NCCL WARN Call to posix_fallocate failed\n");
  EXPECT_EQ(failed.failure->id, "nccl-shm");
  const auto named = row_of([](const Context&) -> std::vector<Row> {
    printing();
    throw TestFailed({"cuda-999", "it", {}, "", ""});
  });
  EXPECT_EQ(named.failure->id, "cuda-999");  // what it says itself counts more
  const auto passed = row_of([](const Context&) {
    printing();
    Row row;
    row.status = Status::pass;
    return std::vector<Row>{row};
  });
  EXPECT_EQ(passed.evidence.dump(), "{}");
}

TEST(RunTest, AHangIsAFailureOnlyInItsOwnTime) {
  const auto hang = [](const Context&) -> std::vector<Row> {
    ::sleep(60);
    return {};
  };
  const auto hung = row_of(hang, Scope::machine, {0.1, false});
  EXPECT_EQ(hung.status, Status::fail);
  EXPECT_EQ(hung.message, "killed after 0.1 s without a result");
  EXPECT_EQ(hung.failure->id, "p2p-hang");
  const auto cut = row_of(hang, Scope::machine, {0.1, true});
  EXPECT_EQ(cut.status, Status::unknown);
  EXPECT_EQ(cut.message, "no time left: killed after 0.1 s (--total-timeout)");
  EXPECT_EQ(cut.evidence.dump(), R"({"out_of_time":true})");
  EXPECT_FALSE(cut.failure);
}

/// What cannot be waited for stands for a process that sleeps in a driver and cannot be killed.
TEST(RunTest, AHangInTheKernelIsGivenUp) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const auto hung = row_of(
      [](const Context&) -> std::vector<Row> {
        ::sleep(60);
        return {};
      },
      Scope::machine, {0.1, false});
  std::signal(SIGCHLD, before);
  EXPECT_EQ(hung.status, Status::fail);
  EXPECT_THAT(hung.message,
              ::testing::MatchesRegex("hangs in the kernel \\(process [0-9]+ cannot be killed\\) since 0.1 s after its start"));
  EXPECT_EQ(hung.failure->id, "p2p-hang");
}

TEST(ExitStatus, OfEachReport) {
  const auto of = [](Status status, Kind kind, const Options& options = {}) {
    Report report;
    report.gpu_present = true;
    Row passed;
    passed.status = Status::pass;
    Row row;
    row.status = status;
    row.kind = kind;
    report.rows = {passed, row, passed};
    return exit_status(report, options);
  };
  Options strict;
  strict.strict_performance = true;
  EXPECT_EQ(of(Status::fail, Kind::functional), 5);
  EXPECT_EQ(of(Status::fail, Kind::performance), 0);
  EXPECT_EQ(of(Status::fail, Kind::performance, strict), 5);
  EXPECT_EQ(of(Status::fail, Kind::information, strict), 0);
  for (const auto other : {Status::pass, Status::warn, Status::skip, Status::unknown})
    EXPECT_EQ(of(other, Kind::functional, strict), 0);

  Options required;
  required.require_gpu = true;
  EXPECT_EQ(of(Status::pass, Kind::functional, required), 0);
  Report report;
  EXPECT_EQ(exit_status(report, {}), 0);
  EXPECT_EQ(exit_status(report, required), 5);  // there may be one
  report.gpu_absent = true;
  EXPECT_EQ(exit_status(report, {}), 0);
  EXPECT_EQ(exit_status(report, required), 6);
  report.interrupted = true;
  EXPECT_EQ(exit_status(report, required), 130);
}

TEST(Progress, NamesEachTestWithItsGpus) {
  const auto ran =
      run_bench(on_doubles({"--tests=ipc,kernel,peer,nccl", "--progress", "--then=true"}), {{"ENVGEN_DOUBLE_DEVICES", "2"}});
  std::string expected;
  for (const char* test :
       {"probe", "ipc", "kernel (GPU 0)", "kernel (GPU 1)", "peer (GPU 0 to 1)", "peer (GPU 1 to 0)", "nccl", "true"})
    expected += std::string("envgen-bench: running ") + test + "\n";
  EXPECT_EQ(ran.err, expected);
}

}  // namespace
}  // namespace envgen::bench
