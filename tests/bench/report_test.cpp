// The report of a whole run, row by row, with what is measured put aside.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"
#include "report_json.hpp"
#include "report_text.hpp"

namespace envgen::bench {
namespace {

namespace fs = std::filesystem;

/// What is measured, or differs between machines: each must be above 0.
const std::set<std::string> of_the_machine{"bytes_per_second",
                                           "pageable_bytes_per_second",
                                           "flop_per_second",
                                           "one_way_bytes_per_second",
                                           "both_ways_bytes_per_second",
                                           "bus_bytes_per_second",
                                           "write_bytes_per_second",
                                           "read_bytes_per_second",
                                           "random_reads_per_second",
                                           "random_writes_per_second",
                                           "value",
                                           "ratio",
                                           "seconds",
                                           "shm_bytes",
                                           "inode"};

/// The same without what is null or of the machine.
Json steady(const Json& value, const std::string& name = "") {
  if (value.is_number() && of_the_machine.count(name) > 0) return value.get<double>() > 0 ? "#" : "not above 0";
  if (value.is_number_float() && (name == "error" || name == "bound")) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", value.get<double>());
    return text;
  }
  if (!value.is_structured()) return value;
  if (value.is_object() && value.contains("median")) return value.at("samples").dump() + " samples";
  Json result = value.is_array() ? Json::array() : Json::object();
  for (const auto& [key, inner] : value.items()) {
    if (value.is_array()) {
      result.push_back(steady(inner));
    } else if (!inner.is_null()) {
      result[key] = steady(inner, key);
    }
  }
  return result;
}

/// One line of a row: what it says, and its evidence.
std::string line_of(const Json& row, const std::vector<std::pair<std::string, std::string>>& places) {
  static const std::regex rate(R"([0-9.e+-]+ [TG]?(B/s|FLOP/s))");
  static const std::regex number("[0-9]+( reads| writes| MiB$|%)");
  const auto device = row.at("device").is_null() ? std::string("-") : row.at("device").dump();
  auto message = std::regex_replace(row.at("message").get<std::string>(), rate, "# $1");
  message = std::regex_replace(message, number, "#$1");
  auto text = row.at("id").get<std::string>() + " " + device + " " + row.at("status").get<std::string>() + " " +
              row.at("kind").get<std::string>() + ": " + message + " " + steady(row.at("evidence")).dump();
  for (const auto& [place, name] : places) {
    for (auto at = text.find(place); at != text.npos; at = text.find(place, at)) text.replace(at, place.size(), name);
  }
  return text;
}

/// Of the first GPU; the second says the same.
const std::string whole_run = R"=(probe - pass functional: 2 GPUs {"visible_devices":"all"}
kernel 0 pass functional: 32768 words compared {"words":32768,"seed":20261,"ptx_isa":"6.3","ptx_target":"sm_50"}
runtime 0 pass functional: CUDA Runtime 12.4 sees 2 GPUs {"path":"DOUBLES/libcudart.so.12","version":"12.4","driver_version":"13.0","device_count":2}
h2d 0 pass functional: 0 MiB copied intact, # B/s {"bytes":524288,"seconds":"20 samples","bytes_per_second":"#","pageable_bytes_per_second":"#"}
h2d.speed 0 pass information: # B/s, no reference for this GPU {"value":"#","unit":"B/s"}
d2h 0 pass functional: 0 MiB copied intact, # B/s {"bytes":524288,"seconds":"20 samples","bytes_per_second":"#","pageable_bytes_per_second":"#"}
d2h.speed 0 pass information: # B/s, no reference for this GPU {"value":"#","unit":"B/s"}
copy-both 0 pass functional: 1 MiB copied intact, # B/s {"bytes":1048576,"seconds":"20 samples","bytes_per_second":"#"}
copy-both.speed 0 pass information: # B/s, no reference for this GPU {"value":"#","unit":"B/s"}
d2d 0 pass functional: 1 MiB copied intact, # B/s {"bytes":1048576,"seconds":"20 samples","bytes_per_second":"#"}
d2d.speed 0 pass performance: # B/s, #% of # B/s (theoretical) {"value":"#","unit":"B/s","expected":16000000.0,"ratio":"#","basis":"theory","source":"2 x memory clock x bus width / 8","warn_below":0.65}
gemm-fp32 0 pass functional: correct up to n = 16, # FLOP/s {"library":"DOUBLES/libcublas.so.12","lt_library":"DOUBLES/libcublasLt.so.12","sizes":[{"n":16,"error":"2.6e-08","bound":"5.4e-07","compared":256,"seconds":"20 samples","flop_per_second":"#"}]}
gemm-fp32.speed 0 pass information: # FLOP/s, no reference for this GPU {"value":"#","unit":"FLOP/s"}
gemm-tf32 0 pass functional: correct up to n = 16, # FLOP/s {"library":"DOUBLES/libcublas.so.12","lt_library":"DOUBLES/libcublasLt.so.12","sizes":[{"n":16,"error":"0.00028","bound":"0.00098","compared":256,"seconds":"20 samples","flop_per_second":"#"}]}
gemm-tf32.speed 0 pass information: # FLOP/s, no reference for this GPU {"value":"#","unit":"FLOP/s"}
gemm-fp16 0 pass functional: correct up to n = 16, # FLOP/s {"library":"DOUBLES/libcublas.so.12","lt_library":"DOUBLES/libcublasLt.so.12","sizes":[{"n":16,"error":"0.0002","bound":"0.00049","compared":256,"seconds":"20 samples","flop_per_second":"#"}]}
gemm-fp16.speed 0 pass information: # FLOP/s, no reference for this GPU {"value":"#","unit":"FLOP/s"}
gemm-bf16 0 pass functional: correct up to n = 16, # FLOP/s {"library":"DOUBLES/libcublas.so.12","lt_library":"DOUBLES/libcublasLt.so.12","sizes":[{"n":16,"error":"0.0017","bound":"0.0039","compared":256,"seconds":"20 samples","flop_per_second":"#"}]}
gemm-bf16.speed 0 pass information: # FLOP/s, no reference for this GPU {"value":"#","unit":"FLOP/s"}
gemm-fp8 0 pass functional: correct up to n = 16, # FLOP/s {"library":"DOUBLES/libcublas.so.12","lt_library":"DOUBLES/libcublasLt.so.12","sizes":[{"n":16,"error":"0.0017","bound":"0.0042","compared":256,"seconds":"20 samples","flop_per_second":"#"}]}
gemm-fp8.speed 0 pass information: # FLOP/s, no reference for this GPU {"value":"#","unit":"FLOP/s"}
vector 0 pass functional: # B/s for 131072 floats {"sizes":[{"floats":4096,"seconds":"20 samples","bytes_per_second":"#","l2_resident":true},{"floats":4096,"seconds":"20 samples","bytes_per_second":"#","l2_resident":true},{"floats":4096,"seconds":"20 samples","bytes_per_second":"#","l2_resident":true},{"floats":8192,"seconds":"20 samples","bytes_per_second":"#","l2_resident":true},{"floats":131072,"seconds":"20 samples","bytes_per_second":"#","l2_resident":true}]}
vector.speed 0 pass information: # B/s, no reference for this GPU {"value":"#","unit":"B/s"}
block 0 pass functional: up to # FLOP/s in fp16 {"library":"DOUBLES/libcublas.so.12","precision":"fp16","parts":[{"part":"feed-forward","hidden":64,"sequence":16,"batch":2,"forward":{"seconds":"20 samples","flop_per_second":"#"},"backward":{"seconds":"20 samples","flop_per_second":"#"}},{"part":"attention","hidden":64,"sequence":16,"batch":2,"forward":{"seconds":"20 samples","flop_per_second":"#"},"backward":{"seconds":"20 samples","flop_per_second":"#"}}]}
peer 0 pass functional: direct, # B/s one way, # B/s both ways {"direct":true,"bytes":524288,"one_way_seconds":"20 samples","both_ways_seconds":"20 samples","one_way_bytes_per_second":"#","both_ways_bytes_per_second":"#","peer":1}
peer.one-way 0 pass information: # B/s, no reference for this GPU {"value":"#","unit":"B/s","peer":1}
peer.both-ways 0 pass information: # B/s, no reference for this GPU {"value":"#","unit":"B/s","peer":1}
peer 1 pass functional: direct, # B/s one way, # B/s both ways {"direct":true,"bytes":524288,"one_way_seconds":"20 samples","both_ways_seconds":"20 samples","one_way_bytes_per_second":"#","both_ways_bytes_per_second":"#","peer":0}
peer.one-way 1 pass information: # B/s, no reference for this GPU {"value":"#","unit":"B/s","peer":0}
peer.both-ways 1 pass information: # B/s, no reference for this GPU {"value":"#","unit":"B/s","peer":0}
cuda-ipc 0 pass functional: another process read and wrote 16 MiB of this process's GPU memory {"bytes":16777216}
nccl - pass functional: the sum over 2 GPUs is correct, busbw # B/s {"library":"DOUBLES/libnccl.so.2","gpus":2,"floats":131072,"seconds":"20 samples","bus_bytes_per_second":"#"}
shm - pass functional: 0 MiB from 4 workers, hashed; /dev/shm has # MiB {"workers":4,"batches":8,"batch_bytes":73728,"shm_bytes":"#","seconds":"#"}
storage - pass information: write # B/s, read # B/s, random 4 KiB: # reads and # writes per second {"folder":"WORK","bytes":2097152,"write_bytes_per_second":"#","read_bytes_per_second":"#","random_reads_per_second":"#","random_writes_per_second":"#"}
image-files - pass information: 1 libraries of the driver, the CUDA Runtime and cuDNN among 1 entries of WORK/lib {"entries":1,"complete":true,"closed":0,"some_closed":[],"mounts":[],"left_out":0,"files":[{"path":"WORK/lib/libcudnn.so.9","library":"libcudnn","version":"9","bytes":4,"inode":"#"}],"packages":[],"root":"WORK/lib"}
)=";

TEST(Report, TheSpeedOfALayerIsThatOfItsOperations) {
  const auto layers = run_bench(on_doubles({"--tests=block"})).row("block", 0).at("evidence").at("parts");
  const auto flop = [&](std::size_t part, const char* way) {
    const auto& timed = layers.at(part).at(way);
    return timed.at("flop_per_second").get<double>() * timed.at("seconds").at("median").get<double>();
  };
  EXPECT_NEAR(flop(0, "forward"), 2'097'152, 1);
  EXPECT_NEAR(flop(0, "backward"), 2 * 2'097'152, 1);
  EXPECT_NEAR(flop(1, "forward"), 1'179'648, 1);
  EXPECT_NEAR(flop(1, "backward"), 2 * 1'179'648, 1);
}

TEST(Report, OfAWholeRunOnTwoDoubles) {
  const auto work = fs::temp_directory_path() / ("envgen-report-" + std::to_string(::getpid()));
  fs::create_directories(work / "lib");
  std::ofstream(work / "lib/libcudnn.so.9") << "four";
  const auto ran =
      run_bench(on_doubles({"--work", work.string(), "--files-of", (work / "lib").string(), "--report-nonce=5c0ffee"}),
                {{"ENVGEN_DOUBLE_DEVICES", "2"}, {"NVIDIA_VISIBLE_DEVICES", "all"}});
  const std::vector<std::pair<std::string, std::string>> places{{fs::canonical(work).string(), "WORK"},
                                                                {fs::canonical(BENCH_DOUBLES).string(), "DOUBLES"}};
  fs::remove_all(work);
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  auto report = ran.json();
  EXPECT_EQ(report.at("nonce"), "5c0ffee");
  EXPECT_EQ(report.at("profile"), "full");
  EXPECT_THAT(report.at("started").get<std::string>(), testing::MatchesRegex("20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9:]+Z"));
  EXPECT_GT(report.at("seconds").get<double>(), 0.1);
  EXPECT_EQ(report.at("interrupted"), false);
  EXPECT_EQ(report.at("exit_status"), 0);
  EXPECT_EQ(report.at("driver").at("nvml"), "580.65.06");

  const auto gpus = report.at("gpus");
  std::string lines;
  std::string of_first;
  std::string of_second;
  for (auto& row : report.at("tests")) {
    EXPECT_EQ(row.at("seconds").get<double>() > 0, row.at("id").get<std::string>().find('.') == std::string::npos) << row;
    EXPECT_TRUE(row.at("failure").is_null());
    auto& evidence = row.at("evidence");
    if (evidence.contains("before")) {
      const auto& state = gpus.at(row.at("device").get<std::size_t>()).at("state");
      EXPECT_EQ(evidence.at("before"), state);
      EXPECT_EQ(evidence.at("after"), state);
      evidence.erase("before");
      evidence.erase("after");
    }
    const auto id = row.at("id").get<std::string>();
    if (id == "ipc") continue;  // what it says is this machine's
    if (id == "storage") {      // whose folder may have no O_DIRECT
      evidence.erase("direct");
      row["message"] = row.at("message").get<std::string>().substr(0, row.at("message").get<std::string>().find(" (no O_DIRECT"));
    }
    const auto line = line_of(row, places) + "\n";
    if (row.at("device") != 1 || id.starts_with("peer")) lines += line;
    if (!row.at("device").is_null() && !id.starts_with("peer")) (row.at("device") == 0 ? of_first : of_second) += line;
  }
  EXPECT_EQ(lines, whole_run);
  EXPECT_EQ(of_second, std::regex_replace(of_first, std::regex("(^|\n)([a-z0-9.-]+) 0 "), "$1$2 1 "));

  EXPECT_EQ(report.at("summary").at("pass"), report.at("tests").size());
  EXPECT_EQ(report.at("doubles").dump(), R"(["libcuda","libnvidia-ml","libcudart","libcublasLt","libcublas","libnccl"])");
  EXPECT_EQ(report.at("scale"), 512);
  if (!fs::exists("/dev/nvidiactl")) {
    EXPECT_EQ(report.at("device_nodes"), Json::array());
  }
}

Row row_of(const char* id, Status status, const char* message) {
  Row row;
  row.id = id;
  row.status = status;
  row.message = message;
  return row;
}

Report small_report() {
  Report report;
  report.driver = {{"kernel_module", "550.54.14"}, {"cuda", "12.4"}};
  report.gpus = Json::array({{{"ordinal", 3}, {"name", "A"}, {"capability", "9.0"}, {"memory_bytes", (5ULL << 20) - 1}}});
  report.libraries = Json::array({{{"name", "libcuda"}, {"path", "/a"}, {"version", "12.4"}, {"double", false}},
                                  {{"name", "libnvidia-ml"}, {"path", "/b"}, {"version", nullptr}, {"double", true}},
                                  {{"name", "libnccl"}, {"path", nullptr}, {"version", nullptr}, {"double", false}}});
  report.rows = {row_of("probe", Status::skip, "no GPU"),         row_of("kernel", Status::pass, "fine"),
                 row_of("gemm-fp16.speed", Status::warn, "slow"), row_of("peer", Status::fail, "broken"),
                 row_of("nccl", Status::skip, "not here"),        row_of("ipc", Status::unknown, "who knows")};
  report.rows[1].device = 3;
  report.rows[3].failure = Failure{"p2p-hang", "broken", {}, "", ""};
  report.rows[2].failure = Failure{"", "slow", {}, "", ""};
  report.seconds = 1.26;
  return report;
}

TEST(ReportText, LinesUp) {
  auto report = small_report();
  Options options;
  const std::string rows = R"(GPU 3      A, 9.0, 4 MiB
libcuda    12.4  /a
libnvidia-ml -  /b  (a test double)

skip    probe               no GPU
pass    kernel           3  fine
warn    gemm-fp16.speed     slow
fail    peer                broken  [p2p-hang]
skip    nccl                not here
unknown ipc                 who knows

)";
  auto expected = "driver     550.54.14, CUDA 12.4\n" + rows;
  EXPECT_EQ(report_text(report, options), expected + "1 pass, 1 warn, 1 fail, 2 skip, 1 unknown in 1.3 s\n");
  report.driver = Json::object();
  report.gpu_absent = report.interrupted = report.out_of_time = true;
  options.scale = 2;
  expected = "driver     no kernel module, CUDA none\n" + rows;
  EXPECT_EQ(report_text(report, options), expected +
                                              "no GPU: the tests that need one did not run\n"
                                              "interrupted: the tests after the last one did not run\n"
                                              "out of time (--total-timeout): not every test ran\n"
                                              "sizes were divided by 2\n"
                                              "1 pass, 1 warn, 1 fail, 2 skip, 1 unknown in 1.3 s\n");
}

TEST(ReportJson, CountsItsRows) {
  const auto json = report_json(small_report(), {});
  EXPECT_EQ(json.at("summary").dump(), R"({"pass":1,"warn":1,"fail":1,"skip":2,"unknown":1})");
  EXPECT_EQ(json.at("not_made").dump(), R"([{"id":"nccl","why":"not here"}])");  // the probe says of a GPU what it says
  EXPECT_EQ(json.at("doubles").dump(), R"(["libnvidia-ml"])");
  EXPECT_EQ(json.at("exit_status"), 5);
  EXPECT_TRUE(json.at("nonce").is_null());
  Options options;
  options.profile = Profile::smoke;
  EXPECT_EQ(report_json({}, options).at("profile"), "smoke");
  EXPECT_EQ(report_json({}, options).at("summary").dump(), R"({"pass":0,"warn":0,"fail":0,"skip":0,"unknown":0})");
}

TEST(Row, ComesBackAsItWasSent) {
  auto row = row_of("it", Status::warn, "message");
  row.kind = Kind::information;
  row.seconds = 2.5;
  const auto again = [](const Row& each) { return to_json(row_from_json(to_json(each))); };
  EXPECT_EQ(again(row).dump(), R"({"id":"it","device":null,"status":"warn","kind":"information","seconds":2.5,)"
                               R"("message":"message","evidence":{},"failure":null})");
  row.device = 1;
  row.failure = Failure{"an-id", "why", 7, "NAME", "call"};
  EXPECT_EQ(again(row), to_json(row));
  EXPECT_EQ(again(row).at("failure").dump(), R"({"id":"an-id","message":"why","code":7,"name":"NAME","call":"call"})");
  auto json = to_json(row);
  json["status"] = "good";
  EXPECT_THROW(row_from_json(json), std::invalid_argument);
}

}  // namespace
}  // namespace envgen::bench
