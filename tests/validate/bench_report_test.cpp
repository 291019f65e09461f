// Reports of envgen-bench that are whole, cut, forged, or of something else.
#include "validate/bench_report.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench_text.hpp"
#include "util/process.hpp"

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
            "its schema_version is not 1: use the envgen-bench from this envgen");
  EXPECT_EQ(refusal(replaced(bench_text(), "\"fail\", \"message\"", "\"pass\", \"message\"")),
            "its summary does not match its rows: 2 rows have the status pass");
  EXPECT_EQ(refusal(replaced(bench_text(), "\"fail\", \"message\"", "\"good\", \"message\"")), "'good' is not a row status");
  EXPECT_EQ(refusal(replaced(bench_text(), "\"present\": false", "\"present\": true")),
            "its statements about the GPUs contradict each other");
  EXPECT_EQ(refusal(replaced(bench_text(), "\"interrupted\": false,", "")), "a member is missing");
  EXPECT_EQ(refusal(replaced(bench_text(), "\"id\": \"shm\"", "\"id\": \"\\u001b[1m\"")), "a row has no id, status or message");
  EXPECT_EQ(refusal(replaced(bench_text(), "\"gpus\": []", "\"gpus\": {}")), "a member is missing");
}

TEST(BenchReport, RowsOfUnknownForm) {
  EXPECT_EQ(refusal(replaced(bench_text(), R"("mode": "private")", R"("mode": "mine")")), "'mine' is not an IPC mode");
  EXPECT_EQ(refusal(replaced(bench_text(), R"("mode": "private", )", "")), "the row ipc has no mode");
  EXPECT_EQ(refusal(replaced(bench_text(), R"("mode": "private")", R"("mode": 7)")), "the row ipc has no mode");
  EXPECT_EQ(refusal(replaced(bench_text(), R"("inode": 7)", R"("inode": "7")")), "the row ipc has no inode");
  for (const auto* mode : {"host", "private-host-shm", "none", "unknown"})
    EXPECT_EQ(refusal(replaced(bench_text(), R"("mode": "private")", R"("mode": ")" + std::string(mode) + "\"")), "accepted");
  const auto with = [](const std::string& from, const std::string& to) { return refusal(replaced(bench_text(), from, to)); };
  EXPECT_EQ(with(R"("id": "probe", "device": null)", R"("id": "probe", "device": "0")"),
            "the device of the row probe is not a number");
  EXPECT_EQ(with(R"("evidence": {}, "failure": null)", R"("evidence": [], "failure": null)"),
            "the evidence of the row probe is not an object");
  EXPECT_EQ(with(R"("evidence": {}, "failure": null)", R"("evidence": {}, "failure": "x")"),
            "the failure of the row probe is not an object");
  EXPECT_EQ(with(R"("id": "shm")", R"("id": "probe")"), "the row probe appears twice");
  EXPECT_EQ(with(R"("id": "shm")", R"("id": "Shm")"), "a row has no id, status or message");
}

/// Of a program that printed it in the run of nonce `n0`.
std::string refusal_of_run(const std::string& text, int exit_status = 0, std::vector<std::string> words = {}) {
  const auto report = bench_report_of({Launched::End::done, {}, std::move(words), text, exit_status, {}}, "n0");
  return report ? "accepted" : report.error().message;
}

TEST(BenchReport, IsBoundToItsRun) {
  const auto with_nonce = [](const std::string& nonce, const std::string& text) {
    return replaced(text, "{\"schema_version\"", "{\"nonce\": " + nonce + ", \"schema_version\"");
  };
  EXPECT_EQ(refusal_of_run(with_nonce("\"n0\"", bench_text())), "accepted");
  EXPECT_EQ(refusal_of_run(bench_text()), "it lacks the nonce of this run: envgen-bench did not write it");
  EXPECT_EQ(refusal_of_run(with_nonce("7", bench_text())), "it lacks the nonce of this run: envgen-bench did not write it");
  EXPECT_EQ(refusal_of_run(with_nonce("\"n1\"", bench_text())),
            "its nonce is not the one of this run: it was written for another run");
  const std::string older =
      "this envgen-bench is older than this envgen, and its report cannot be tied to this run: use the one from this "
      "envgen";
  const std::string words = "envgen-bench: The following argument was not expected: --report-nonce=n0";
  EXPECT_EQ(refusal_of_run("", 2, {words}), older);
  EXPECT_EQ(refusal_of_run("", 3, {words}), "it is empty");
  EXPECT_EQ(refusal_of_run("", 2, {"something else"}), "it is empty");
  EXPECT_EQ(refusal_of_run(with_nonce("\"n0\", \"exit_status\": 5", bench_text()), 0), "it reports exit status 5");
  EXPECT_EQ(refusal_of_run(with_nonce("\"n0\", \"exit_status\": 5", bench_text()), 5), "accepted");
  EXPECT_EQ(refusal_of_run(with_nonce("\"n0\"", replaced(bench_text(), R"("id": "shm")", R"("id": "shim.speed")"))),
            "envgen-bench has no test 'shim.speed'");
  const auto gpu = with_nonce("\"n0\"", test::bench_text_with_gpu());
  EXPECT_EQ(refusal_of_run(gpu), "accepted");
  EXPECT_EQ(refusal_of_run(replaced(gpu, R"("id": "h2d", "device": 0)", R"("id": "h2d", "device": 1)")),
            "the row h2d of GPU 1 refers to a GPU that is not listed");
  EXPECT_EQ(refusal_of_run(replaced(gpu, R"("id": "h2d", "device": 0)", R"("id": "h2d", "device": -1)")),
            "the row h2d of GPU -1 refers to a GPU that is not listed");
  EXPECT_EQ(refusal_of_run(replaced(gpu, R"("message": "ok", "evidence": {})", R"("message": "ok", "evidence": {"peer": 1})")),
            "the row h2d of GPU 0 to 1 refers to a GPU that is not listed");
}

TEST(BenchReport, ContradictsItselfAboutTheGpus) {
  const std::string refused = "its statements about the GPUs contradict each other";
  EXPECT_EQ(refusal(replaced(test::bench_text_with_gpu(), "\"absent\": false", "\"absent\": true")), refused);
  EXPECT_EQ(refusal(replaced(test::bench_text_with_gpu(), "\"gpus\": [{\"name\": \"A\"}]", "\"gpus\": []")), refused);
  EXPECT_EQ(refusal(replaced(bench_text(), "\"gpus\": []", "\"gpus\": [{\"name\": \"A\"}]")), refused);
  EXPECT_EQ(refusal(replaced(bench_text(), "\"absent\": true", "\"absent\": false")), "accepted");  // one that does not answer
  EXPECT_EQ(refusal(replaced(bench_text(), "\"absent\": true", "\"absent\": 1")), refused);
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
  EXPECT_EQ(end_of(R"("end": "timed-out")" + more + R"("out_cut": false)"), "it timed out and was killed");
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

TEST(BenchReport, TheProgramAfterTheTestsIsToldWholeOrNotAtAll) {
  const auto whole =
      Json::parse(R"({"end": "exited", "exit_status": 3, "signal": 0, "out": "said", "err": "one\n\ntwo", "out_cut": false})");
  const auto then = [](const Json& json) { return parse_bench_report(test::with_programs(json.dump(), "null"))->then; };
  ASSERT_TRUE(then(whole));
  EXPECT_EQ(then(whole)->exit_status, 3);
  EXPECT_EQ(then(whole)->out, "said");
  EXPECT_THAT(then(whole)->words, testing::ElementsAre("one", "two"));
  for (const auto& [name, value] : whole.items()) {
    auto less = whole;
    less.erase(name);
    EXPECT_FALSE(then(less)) << name;
    less[name] = Json::array();
    EXPECT_FALSE(then(less)) << name;
  }
}

TEST(BenchReport, AFileThatCouldNotBeWrittenSaysWhy) {
  const auto touched = [](const std::string& member) { return *parse_bench_report(test::with_programs("null", member)); };
  EXPECT_EQ(touched(R"({"path": "/x", "error": "Permission\u001b denied"})").touched, false);
  EXPECT_EQ(touched(R"({"path": "/x", "error": "Permission\u001b denied"})").touch_error, "Permission\\x1b denied");
  EXPECT_EQ(touched(R"({"path": "/x", "error": null})").touched, true);
  EXPECT_EQ(touched("null").touched, std::nullopt);
  EXPECT_EQ(touched("[]").touched, std::nullopt);
}

/// A report of a machine with a GPU, with all that is read of one.
Json whole_report() {
  return Json::parse(R"({
    "schema_version": 1, "program": {"name": "envgen-bench", "version": "0.1.0"}, "nonce": "n0", "exit_status": 0,
    "started": "2026-11-22T10:00:00Z", "profile": "smoke", "seconds": 12.5, "interrupted": false, "out_of_time": true,
    "gpu": {"present": true, "absent": false}, "gpus": [{"ordinal": 0, "name": "A100", "capability": "8.0"}, {"name": "B"}],
    "driver": {"kernel_module": "550.54.14", "libcuda": "/usr/lib/libcuda.so.560.35.05", "libcuda_release": "560.35.05",
               "cuda": "12.6", "forward_compatibility": true},
    "device_nodes": [{"path": "/dev/nvidia0", "error": null}, {"path": "/dev/nvidiactl", "error": "Operation not permitted"}],
    "libraries": [{"name": "libcuda", "problem": "a problem"}, {"name": "libcudart", "problem": "of another one"}],
    "doubles": ["libcuda"], "summary": {"pass": 1, "warn": 1, "fail": 1, "skip": 1, "unknown": 1},
    "tests": [{"id": "probe", "device": null, "status": "pass", "message": "2 GPUs", "evidence": {"a": 1}, "failure": null},
              {"id": "peer", "device": 0, "status": "warn", "message": "slow", "evidence": {"peer": 1}, "failure": null},
              {"id": "peer", "device": 1, "status": "fail", "message": "wrong", "evidence": {"peer": 0}, "failure": null},
              {"id": "nccl", "status": "skip", "message": "one GPU"},
              {"id": "shm", "device": null, "status": "unknown", "message": "?", "evidence": null, "failure": null}]})");
}

TEST(BenchReport, EachMemberIsRead) {
  const auto report = parse_bench_report(whole_report().dump());
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(report->interrupted);
  EXPECT_TRUE(report->out_of_time);
  EXPECT_EQ(report->exit_status, 0);
  EXPECT_TRUE(report->gpu_present);
  EXPECT_FALSE(report->gpu_absent);
  EXPECT_EQ(report->nonce, "n0");
  EXPECT_EQ(report->program, "envgen-bench 0.1.0");
  EXPECT_EQ(report->started, "2026-11-22T10:00:00Z");
  EXPECT_EQ(report->profile, "smoke");
  EXPECT_EQ(report->seconds, 12.5);
  EXPECT_THAT(report->doubles, testing::ElementsAre("libcuda"));
  ASSERT_EQ(report->gpus.size(), 2U);
  EXPECT_EQ(report->gpus[0].name, "A100");
  EXPECT_EQ(report->gpus[0].capability, (Capability{8, 0}));
  EXPECT_EQ(report->gpus[1].capability, std::nullopt);
  ASSERT_TRUE(report->driver);
  EXPECT_EQ(report->driver->kernel_module->to_string(), "550.54.14");
  EXPECT_EQ(report->driver->libcuda, "/usr/lib/libcuda.so.560.35.05");
  EXPECT_EQ(report->driver->release->to_string(), "560.35.05");
  EXPECT_EQ(report->driver->cuda, Version(12, 6));
  EXPECT_TRUE(report->driver->compat);
  EXPECT_EQ(report->driver->problem, "a problem");
  ASSERT_EQ(report->driver->nodes.size(), 2U);
  EXPECT_EQ(report->driver->nodes[0].path, "/dev/nvidia0");
  EXPECT_EQ(report->driver->nodes[0].error, "");
  EXPECT_EQ(report->driver->nodes[1].error, "Operation not permitted");
  ASSERT_EQ(report->rows.size(), 5U);
  EXPECT_EQ(report->rows[0].evidence, Json({{"a", 1}}));
  EXPECT_EQ(report->rows[1].device, 0);
  EXPECT_EQ(report->rows[3].device, std::nullopt);
  EXPECT_EQ(report->rows[4].evidence, Json::object());
  EXPECT_TRUE(bench_report_of({Launched::End::done, {}, {}, whole_report().dump(), 0, {}}, "n0"));
}

TEST(BenchReport, WhatIsTooLongIsCut) {
  auto json = whole_report();
  const std::string many(5000, 'x');
  json["started"] = json["profile"] = json["program"]["version"] = json["driver"]["libcuda"] = many;
  json["device_nodes"][0] = {{"path", many}, {"error", many}};
  json["libraries"][0]["problem"] = json["tests"][0]["message"] = many;
  json["touched"] = {{"error", many}};
  const auto report = parse_bench_report(json.dump());
  ASSERT_TRUE(report) << report.error().message;
  for (const auto& text : {report->started, report->profile, report->program}) EXPECT_EQ(text.size(), 40U);
  for (const auto& text : {report->driver->libcuda, report->driver->nodes[0].path}) EXPECT_EQ(text.size(), 300U);
  for (const auto& text : {report->driver->nodes[0].error, report->driver->problem, report->rows[0].message, report->touch_error})
    EXPECT_EQ(text.size(), 2000U);
}

TEST(BenchReport, WhatIsOfAnotherTypeIsRefusedOrNotTold) {
  for (const auto* member : {"interrupted", "gpu", "gpus", "summary", "tests"}) {
    auto json = whole_report();
    json.erase(member);
    EXPECT_EQ(refusal(json.dump()), "a member is missing") << member;
  }
  for (const auto* member : {"driver", "device_nodes", "libraries"}) {
    auto json = whole_report();
    json.erase(member);
    EXPECT_FALSE(parse_bench_report(json.dump())->driver) << member;
  }
  for (const auto* member : {"device_nodes", "libraries"}) {
    auto json = whole_report();
    json[member] = Json::object();
    EXPECT_FALSE(parse_bench_report(json.dump())->driver) << member;
  }
  for (const auto* member : {"present", "absent"}) {
    auto json = whole_report();
    json["gpu"].erase(member);
    EXPECT_EQ(refusal(json.dump()), "its statements about the GPUs contradict each other") << member;
  }
  for (const auto* member : {"id", "status", "message"}) {
    auto json = whole_report();
    json["tests"][0].erase(member);
    EXPECT_EQ(refusal(json.dump()), "a row has no id, status or message") << member;
  }
  auto json = whole_report();
  json["tests"] = Json::object();
  EXPECT_EQ(refusal(json.dump()), "a member is missing");
  json["tests"] = Json::array();
  EXPECT_EQ(refusal(json.dump()), "it has no rows");
  json = whole_report();
  json["seconds"] = "12";
  json["out_of_time"] = json["exit_status"] = nullptr;
  json["program"].erase("version");
  json["doubles"] = "libcuda";
  const auto report = parse_bench_report(json.dump());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->seconds, 0);
  EXPECT_FALSE(report->out_of_time);
  EXPECT_EQ(report->exit_status, std::nullopt);
  EXPECT_EQ(report->program, "envgen-bench ");
  EXPECT_THAT(report->doubles, testing::IsEmpty());
}

TEST(BenchReport, ItsSummaryCountsEachStatus) {
  for (const auto* status : {"pass", "warn", "fail", "skip", "unknown"}) {
    for (const int said : {0, 2}) {
      auto json = whole_report();
      json["summary"][status] = said;
      EXPECT_EQ(refusal(json.dump()), std::string("its summary does not match its rows: 1 rows have the status ") + status);
    }
  }
}

TEST(BenchReport, OnlyAFailureIsRecognisedByItsWords) {
  auto json = whole_report();
  json["tests"][1]["message"] = json["tests"][2]["message"] = "cuMemAlloc: out of memory (error 2)";
  const auto report = parse_bench_report(json.dump());
  ASSERT_TRUE(report);
  EXPECT_EQ(report->rows[1].diagnosis, nullptr);
  ASSERT_NE(report->rows[2].diagnosis, nullptr);
  EXPECT_EQ(report->rows[2].diagnosis->id, "cuda-oom");
}

TEST(BenchReport, EveryTestOfEnvgenBenchIsKnown) {
  const auto listed = util::run_process({ENVGEN_BENCH_TOOL, "--list"});
  ASSERT_TRUE(listed && listed->ok());
  std::istringstream lines(listed->out);
  std::size_t tests = 0;
  for (std::string line; std::getline(lines, line); ++tests) {
    const auto id = line.substr(0, line.find(' '));
    for (const auto& name : {id, id + ".speed"}) {
      auto json = whole_report();
      json["tests"][3]["id"] = name;
      if (name == "probe" || name == "shm") json["tests"][3]["device"] = 1;  // else it stands twice
      const auto report = bench_report_of({Launched::End::done, {}, {}, json.dump(), 0, {}}, "n0");
      EXPECT_TRUE(report) << name << ": " << report.error().message;
    }
  }
  EXPECT_GT(tests, 10U);
}

TEST(BenchReport, AnOlderEnvgenBenchIsToldByItsWordsAndItsStatus) {
  const std::string words = "envgen-bench: The following argument was not expected: --report-nonce=n0";
  EXPECT_THAT(refusal_of_run("", 2, {"one", words}), testing::StartsWith("this envgen-bench is older than this envgen"));
}

TEST(BenchReport, ItsTextReachesNoTerminalAsItIs) {
  const auto report = parse_bench_report(replaced(bench_text(), "private: x", "a\\u001b[2Jb"));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->rows[1].message, "a\\x1b[2Jb");
}

}  // namespace
}  // namespace envgen::validate
