// The program as a black box, on doubles of CUDA's libraries.
#include "program.hpp"

#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace envgen::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* no_library = "libcuda=/nonexistent/libcuda.so.1";

TEST(Program, WithoutGpuSaysSoAtOnceAndSucceeds) {
  const auto ran = run_bench({"--format", "json", "--profile", "smoke", "--scale", "64", "--library", no_library});
  EXPECT_EQ(ran.status, 0);
  EXPECT_LT(ran.seconds, 10) << "0.2 s where nothing else runs; a test that waits has 120";
  const auto report = ran.json();
  EXPECT_EQ(report.at("schema_version"), 1);
  EXPECT_EQ(report.at("gpu").dump(), R"({"present":false,"absent":true})");
  EXPECT_EQ(message(ran.row("probe")),
            "no GPU: no device node /dev/nvidia0 or higher, and no driver library: libcuda was not found (1 place tried)");
  EXPECT_EQ(ran.row("probe").at("status"), "skip");
  EXPECT_EQ(ran.row("probe").at("failure").at("id"), "cuda-35-no-driver");
  EXPECT_EQ(ran.row("kernel").dump(), R"({"id":"kernel","device":null,"status":"skip","kind":"functional","seconds":0.0,)"
                                      R"("message":"no GPU","evidence":{},"failure":null})");
  EXPECT_EQ(report.at("not_made").at(0).dump(), R"({"id":"kernel","why":"no GPU"})");
  EXPECT_EQ(ran.row("shm").at("status"), "pass");
}

/// What became of the program that runs after the tests.
Json then_of(std::vector<std::string> arguments) {
  for (const auto* more : {"--format=json", "--tests=ipc", "--library", no_library}) arguments.emplace_back(more);
  return run_bench(arguments).json().at("then");
}

TEST(Program, AProgramRunsAfterTheTests) {
  const auto then =
      then_of({"--then=no-such-program", "--then=sh", "--then-argument=-c", "--then-argument=echo a, b; echo c >&2; exit 3"});
  EXPECT_THAT(then.at("program").get<std::string>(), ::testing::EndsWith("/sh"));
  EXPECT_EQ(then.at("end"), "exited");
  EXPECT_EQ(then.at("exit_status"), 3);
  EXPECT_EQ(then.at("out"), "a, b\n");
  EXPECT_EQ(then.at("err"), "c\n");
}

TEST(Program, TheProgramAfterTheTestsFails) {
  EXPECT_TRUE(then_of({}).is_null());
  EXPECT_EQ(then_of({"--then=no-such-program"}).dump(), R"({"program":null,"end":"not-there"})");
  const auto killed = then_of({"--then=sh", "--then-argument=-c", "--then-argument=kill -TERM $$"});
  EXPECT_EQ(killed.at("end"), "killed");
  EXPECT_EQ(killed.at("signal"), 15);
  EXPECT_EQ(then_of({"--timeout=0.2", "--then=sleep", "--then-argument=60"}).at("end"), "timed-out");
  const auto much = then_of({"--then=head", "--then-argument=-c", "--then-argument=3000000", "--then-argument=/dev/zero"});
  EXPECT_EQ(much.at("out_cut"), true);
  EXPECT_EQ(much.at("out").get<std::string>().size(), 1U << 20);
}

TEST(Program, TheReportsFileIsTriedBeforeTheTests) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / ("envgen-bench-output-" + std::to_string(::getpid()));
  const auto refused = [](const std::string& file) {
    const auto ran = run_bench({"--tests=ipc", "--progress", "--library", no_library, "-o", file});
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.out, "");
    return ran.err;  // no test runs
  };
  const auto file = (folder / "report.json").string();
  EXPECT_EQ(refused(file), "envgen-bench: " + file + ": No such file or directory\n");
  std::filesystem::create_directory(folder);
  // A FIFO stands for /dev/null: a program that fails this test, run by root, would replace the machine's.
  const auto fifo = (folder / "fifo").string();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(refused(fifo), "envgen-bench: " + fifo + ": not a regular file; not replaced\n");
  std::filesystem::remove(fifo);

  // A folder that goes away meanwhile stands for a disk that fills up.
  const auto lost =
      run_bench({"--tests=ipc", "--library", no_library, "-o", file, "--then=rmdir", "--then-argument=" + folder.string()});
  EXPECT_EQ(lost.status, 1);
  EXPECT_EQ(lost.err, "envgen-bench: " + file + ": No such file or directory\n");
  EXPECT_EQ(lost.json().at("then").at("exit_status"), 0);
}

TEST(Program, ProgressForAProgramThatReadsIt) {
  EXPECT_EQ(run_bench({"--tests=ipc", "--progress", "--library", no_library}).err,
            "envgen-bench: running probe\nenvgen-bench: running ipc\n");
}

TEST(Program, IpcIsHeldAndRead) {
  std::FILE* holder = ::popen(BENCH_PROGRAM " --hold-ipc 3", "r");
  ASSERT_NE(holder, nullptr);
  char line[300] = "";
  ASSERT_NE(std::fgets(line, sizeof line, holder), nullptr);
  const auto held = Json::parse(line);
  const auto number = [&](const char* name) { return std::to_string(held.at(name).get<long long>()); };
  const std::string file = held.at("name");
  const std::vector<std::string> flags{"--format=json",
                                       "--tests=ipc",
                                       "--ipc-host-inode=" + number("inode"),
                                       "--ipc-sysv-key=" + number("key"),
                                       "--ipc-posix=" + file,
                                       "--ipc-nonce=" + held.at("nonce").get<std::string>()};
  const auto mode = [&] { return run_bench(flags).row("ipc").at("evidence").at("mode").get<std::string>(); };
  EXPECT_EQ(mode(), "host");
  EXPECT_TRUE(std::filesystem::exists("/dev/shm/" + file));
  EXPECT_EQ(::pclose(holder), 0);
  EXPECT_FALSE(std::filesystem::exists("/dev/shm/" + file));
  EXPECT_EQ(mode(), "unknown");
}

TEST(Program, AFileIsMade) {
  const auto path = std::filesystem::temp_directory_path() / ("envgen-touch-" + std::to_string(::getpid()));
  const auto touched = [&](const std::string& file) {
    return run_bench({"--format=json", "--tests=ipc", "--touch=" + file, "--library", no_library}).json().at("touched");
  };
  EXPECT_TRUE(touched(path.string()).at("error").is_null());
  EXPECT_EQ(touched(path.string()).at("error"), "File exists");
  EXPECT_EQ(touched("/nonexistent/file").at("error"), "No such file or directory");
  std::filesystem::remove(path);
}

TEST(Program, StorageIsTestedOnlyWhereAFolderIsNamed) {
  const auto ran = run_bench({"--format", "json", "--tests", "storage", "--library", no_library});
  EXPECT_EQ(message(ran.row("storage")), "no folder was given (--work)");
}

TEST(Program, WithoutGpuWhereOneIsRequired) {
  const auto ran = run_bench({"--format", "json", "--tests", "kernel", "--require-gpu", "--library", no_library});
  EXPECT_EQ(ran.status, 6);
  EXPECT_EQ(ran.row("probe").at("status"), "fail");
  EXPECT_EQ(ran.json().at("exit_status"), 6);
}

/// What a fault of a double makes of a test.
struct Case {
  const char* fault;
  const char* test;
  int device;  ///< -1: none
  const char* message;
  const char* id;  ///< of the failure; "": none fits
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.fault << " in " << each.test; }  // NOLINT: GoogleTest's name

class Fault : public ::testing::TestWithParam<Case> {};

TEST_P(Fault, IsTheTestsResult) {
  const auto& [fault, test, device, text, id] = GetParam();
  const auto ran = run_bench(on_doubles({"--tests", test, "--timeout", "3"}),
                             {{"ENVGEN_DOUBLE_FAULTS", fault}, {"ENVGEN_DOUBLE_DEVICES", "2"}});
  EXPECT_EQ(ran.status, 5);
  const auto row = ran.row(test, device);
  ASSERT_TRUE(row.is_object()) << ran.out;
  EXPECT_EQ(row.at("status"), "fail");
  EXPECT_EQ(message(row), text);
  EXPECT_EQ(row.at("failure").at("id"), *id == '\0' ? Json() : Json(id));
}

INSTANTIATE_TEST_SUITE_P(
    Faults, Fault,
    ::testing::Values(
        Case{"cuInit=802", "probe", -1, "cuInit: system not yet initialized (error 802)", "cuda-802"},
        Case{"cuInit=803", "probe", -1, "cuInit: system has unsupported display driver / cuda driver combination (error 803)",
             "cuda-803"},
        Case{"cuInit=804", "probe", -1, "cuInit: forward compatibility was attempted on non supported HW (error 804)",
             "cuda-804"},
        Case{"cuInit=999", "probe", -1, "cuInit: unknown error (error 999)", "cuda-999"},
        Case{"cuInit=hang", "probe", -1, "killed after 3.0 s without a result", ""},
        Case{"cuInit=crash", "probe", -1, "crashed: Segmentation fault", ""},
        Case{"cuDeviceGetCount=exit", "probe", -1, "a library exited the test's process with status 3", ""},
        Case{"cuModuleLoadData=209", "kernel", 1,
             "cuModuleLoadData: no kernel image is available for execution on the device (error 209)", "cuda-209"},
        Case{"cuModuleLoadData=221", "kernel", 0, "cuModuleLoadData: PTX JIT compiler library not found (error 221)", "cuda-221"},
        Case{"cuModuleLoadData=222", "kernel", 0,
             "cuModuleLoadData: the provided PTX was compiled with an unsupported toolchain. (error 222)", "cuda-222"},
        Case{"cuMemAlloc_v2=2", "kernel", 0, "cuMemAlloc: out of memory (error 2)", ""},
        Case{"cuLaunchKernel=hang", "kernel", 0, "killed after 3.0 s without a result", ""},
        Case{"cuLaunchKernel=bus", "kernel", 0, "crashed: Bus error", ""},
        Case{"cuMemcpyDtoHAsync_v2=corrupt", "kernel", 0,
             "1 of 32768 words are wrong; the first is word 16384: ef3a0e70, expected ef3a0e71", ""},
        Case{"cudaGetDeviceCount=35", "runtime", 0,
             "cudaGetDeviceCount: CUDA driver version is insufficient for CUDA runtime version (error 35)", "cuda-35-old-driver"},
        Case{"cublasGemmEx=13", "gemm-fp32", 0, "cublasGemmEx: cuBLAS status 13", ""},
        Case{"cublasLtMatmul=13", "gemm-fp8", 1, "cublasLtMatmul: cuBLAS status 13", ""},
        Case{"cublasGemmEx=13", "block", 0, "cublasGemmEx: cuBLAS status 13", ""},
        Case{"cuMemcpyPeerAsync=hang", "peer", 0, "killed after 3.0 s without a result", "p2p-hang"},
        Case{"cuIpcOpenMemHandle_v2=1", "cuda-ipc", 0, "cuIpcOpenMemHandle: invalid argument (error 1)", "cuda-ipc"},
        Case{"cuIpcOpenMemHandle_v2=crash", "cuda-ipc", 0, "the process that should open the handle exited with status 139", ""},
        Case{"ncclGroupEnd=hang", "nccl", -1, "killed after 3.0 s without a result", "p2p-hang"},
        Case{"ncclCommInitAll=2", "nccl", -1,
             "ncclCommInitAll: unhandled system error (run with NCCL_DEBUG=INFO for details) (error 2)", ""}),
    [](const auto& case_info) {
      std::string name = std::string(case_info.param.fault) + "_" + case_info.param.test;
      for (auto& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      }
      return name;
    });

TEST(Program, ProductsInBatchesThatFail) {
  const auto ran = run_bench(on_doubles({"--tests", "block"}), {{"ENVGEN_DOUBLE_FAULTS", "cublasGemmStridedBatchedEx=13"}});
  EXPECT_EQ(ran.status, 5);
  EXPECT_EQ(message(ran.row("block", 0)), "cublasGemmStridedBatchedEx: cuBLAS status 13");
}

TEST(Program, NoDeviceAndStubAreNoGpuWhereThereIsNoDeviceNode) {
  if (std::filesystem::exists("/dev/nvidia0")) GTEST_SKIP() << "a GPU is here";
  for (const auto& [fault, id] : {std::pair{"cuInit=100", "cuda-100"}, std::pair{"cuInit=34", "cuda-34"}}) {
    const auto ran = run_bench(on_doubles({"--tests", "kernel"}), {{"ENVGEN_DOUBLE_FAULTS", fault}});
    EXPECT_EQ(ran.status, 0);
    EXPECT_EQ(ran.row("probe").at("failure").at("id"), id);
    EXPECT_EQ(ran.json().at("gpu").at("absent"), true);
  }
}

TEST(Program, SpeedBelowTheReferenceFailsOnlyWhenStrict) {
  const std::map<std::string, std::string> h200{{"ENVGEN_DOUBLE_NAME", "NVIDIA H200"}};
  const auto lenient = run_bench(on_doubles({"--tests", "d2d"}), h200);
  EXPECT_EQ(lenient.status, 0);
  const auto row = lenient.row("d2d.speed", 0);
  EXPECT_EQ(row.at("status"), "fail");
  EXPECT_EQ(row.at("kind"), "performance");
  EXPECT_EQ(row.at("evidence").at("basis"), "measured");
  EXPECT_EQ(row.at("evidence").at("expected"), 4.3e12);
  EXPECT_EQ(run_bench(on_doubles({"--tests", "d2d", "--strict-perf"}), h200).status, 5);
}

TEST(Program, SpeedIsInformationWhereSomethingElseExplainsIt) {
  for (const auto& [name, value, why] : {std::tuple{"ENVGEN_DOUBLE_THROTTLE", "64", "the GPU is throttled"},
                                         std::tuple{"ENVGEN_DOUBLE_PROCESSES", "1", "other processes use the GPU"}}) {
    const auto ran = run_bench(on_doubles({"--tests", "d2d"}), {{"ENVGEN_DOUBLE_NAME", "NVIDIA H200"}, {name, value}});
    const auto row = ran.row("d2d.speed", 0);
    EXPECT_EQ(row.at("kind"), "information");
    EXPECT_EQ(row.at("evidence").at("excuse"), why);
  }
}

TEST(Program, OldGpuIsNotAskedForBf16) {
  const auto ran = run_bench(on_doubles({"--tests", "gemm"}), {{"ENVGEN_DOUBLE_CAPABILITY", "7.5"}});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(message(ran.row("gemm-bf16", 0)), "bf16 needs a GPU of compute capability 8.0");
  EXPECT_EQ(ran.row("gemm-bf16", 0).at("status"), "skip");
  EXPECT_EQ(ran.row("gemm-fp16", 0).at("status"), "pass");
}

TEST(Program, InterruptEndsItWithAReport) {
  const auto ran = run_bench(on_doubles({"--tests", "kernel,shm"}), {{"ENVGEN_DOUBLE_FAULTS", "cuLaunchKernel=hang"}}, 3);
  EXPECT_EQ(ran.status, 130);
  EXPECT_LT(ran.seconds, 20) << "the test that hangs has 120";
  EXPECT_EQ(ran.json().at("interrupted"), true);
  EXPECT_EQ(ran.row("probe").at("status"), "pass");
  EXPECT_EQ(message(ran.row("kernel", 0)), "interrupted");
  EXPECT_EQ(message(ran.row("shm")), "interrupted");
}

TEST(Program, AReportComesWhenTheTimeOfAllTestsIsOver) {
  const auto ran = run_bench(on_doubles({"--tests", "kernel,h2d", "--timeout", "4", "--total-timeout", "7", "--then=true"}),
                             {{"ENVGEN_DOUBLE_FAULTS", "cuLaunchKernel=hang"}, {"ENVGEN_DOUBLE_DEVICES", "2"}});
  EXPECT_EQ(ran.status, 5);
  EXPECT_LT(ran.seconds, 20);
  EXPECT_EQ(message(ran.row("kernel", 0)), "killed after 4.0 s without a result");
  EXPECT_THAT(message(ran.row("kernel", 1)), StartsWith("no time left: killed after "));
  EXPECT_EQ(ran.row("kernel", 1).at("status"), "unknown");
  EXPECT_TRUE(ran.row("kernel", 1).at("failure").is_null());
  for (const auto& row : {ran.row("h2d", 0), ran.row("h2d", 1)}) {
    EXPECT_EQ(message(row), "no time left (--total-timeout)");
    EXPECT_EQ(row.at("status"), "skip");
  }
  EXPECT_EQ(ran.json().at("out_of_time"), true);
  EXPECT_EQ(ran.json().at("then").at("end"), "not-started");
  EXPECT_EQ(run_bench({"--tests=ipc", "--format=json", "--total-timeout=60", "--library", no_library}).json().at("out_of_time"),
            false);
}

TEST(Program, ATextThatIsOutOfTimeSaysSo) {
  const auto ran = run_bench({"--tests=kernel", "--scale=512", "--timeout=2", "--total-timeout=3", "--library",
                              std::string("libcuda=") + BENCH_DOUBLES + "/libcuda.so.1"},
                             {{"ENVGEN_DOUBLE_FAULTS", "cuLaunchKernel=hang"}, {"ENVGEN_DOUBLE_DEVICES", "2"}});
  EXPECT_THAT(ran.out, HasSubstr("\nout of time (--total-timeout): not every test ran\n"));
}

TEST(Program, DeviceThatIsNotThere) {
  const auto ran = run_bench(on_doubles({"--tests", "kernel", "--device", "3"}));
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(message(ran.row("kernel")), "no GPU 3");
}

TEST(Program, OneGpuHasNoPeer) { EXPECT_EQ(message(run_bench(on_doubles({"--tests", "peer"})).row("peer")), "needs two GPUs"); }

TEST(Program, LibraryThatTheImageLacks) {
  const auto ran =
      run_bench({"--format", "json", "--scale", "512", "--tests", "gemm-fp32,runtime", "--library",
                 std::string("libcuda=") + BENCH_DOUBLES + "/libcuda.so.1", "--library", "libcublas=/nonexistent/a.so",
                 "--library", "libcublasLt=/nonexistent/b.so", "--library", "libcudart=/nonexistent/c.so"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(message(ran.row("gemm-fp32", 0)), "the image has no cublasLt");
  EXPECT_EQ(message(ran.row("runtime", 0)), "the image has no libcudart");
}

TEST(Program, AnImageOfCuda10IsSaidToBeTooOld) {
  const auto prefix = std::filesystem::temp_directory_path() / ("envgen-cuda10-" + std::to_string(::getpid()));
  std::filesystem::create_directories(prefix / "lib");
  const std::filesystem::path doubles = BENCH_DOUBLES;
  for (const auto& [from, to] :
       {std::pair{"libcudart.so.12", "libcudart.so.10.2"}, std::pair{"libcublasLt.so.12", "libcublasLt.so.10"}})
    std::filesystem::copy_file(doubles / from, prefix / "lib" / to);
  const auto ran = run_bench({"--format=json", "--scale=512", "--tests=runtime,gemm-fp32", "--library",
                              "libcuda=" + (doubles / "libcuda.so.1").string()},
                             {{"CONDA_PREFIX", prefix.string()}});
  std::filesystem::remove_all(prefix);
  const std::string said = ": envgen-bench requires CUDA 11 or newer";
  for (const auto& [test, library, file] : {std::tuple{"runtime", "libcudart", "lib/libcudart.so.10.2"},
                                            std::tuple{"gemm-fp32", "libcublasLt", "lib/libcublasLt.so.10"}}) {
    const auto libraries = ran.json().at("libraries");
    const auto found = std::find_if(libraries.begin(), libraries.end(),
                                    [wanted = library](const Json& one) { return one.at("name") == wanted; });
    ASSERT_NE(found, libraries.end()) << library;
    const auto old = (prefix / file).string();
    if (found->at("path").is_null()) {
      EXPECT_EQ(message(ran.row(test, 0)), "the image has " + old + said);
    } else {  // this machine has a newer one where the dynamic linker looks, and that is what counts
      EXPECT_THAT(found->at("path").get<std::string>(), Not(HasSubstr(prefix.string())));
      EXPECT_THAT(message(ran.row(test, 0)), Not(HasSubstr(old)));
    }
  }
}

TEST(Program, UsageErrors) {
  const auto usage = [](const std::vector<std::string>& arguments) {
    const auto ran = run_bench(arguments);
    EXPECT_EQ(ran.status, 2);
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_EQ(usage({"--profile", "build"}), "envgen-bench: --profile: 'build' is not one of full, smoke\n");
  EXPECT_EQ(usage({"--format", "xml"}), "envgen-bench: --format: 'xml' is not one of json, text\n");
  EXPECT_EQ(usage({"--tests", "gem"}), "envgen-bench: --tests: unknown test 'gem' (--list shows them)\n");
  EXPECT_EQ(usage({"--library", "libfoo=/x"}),
            "envgen-bench: --library: unknown library 'libfoo' (libcuda, libnvidia-ml, libcudart, libcublasLt, libcublas, "
            "libnccl)\n");
  EXPECT_EQ(usage({"--library", "libcuda"}), "envgen-bench: --library: 'libcuda' is not NAME=PATH\n");
  EXPECT_THAT(usage({"--profile", "quick"}), HasSubstr("--profile"));
  EXPECT_EQ(usage({"--total-timeout", "0"}), "envgen-bench: --total-timeout: '0' is not a number from 0.1 to 86400\n");
  EXPECT_EQ(usage({"--device", "one"}), "envgen-bench: --device: 'one' is not a number from 0 to 1023\n");
  EXPECT_EQ(usage({"--work", "/nonexistent"}), "envgen-bench: --work: there is no folder '/nonexistent'\n");
  EXPECT_EQ(usage({"--what"}), "envgen-bench: unknown option '--what'; see --help\n");
  EXPECT_EQ(usage({"--gpu"}), "envgen-bench: unknown option '--gpu' (--device N tests only that GPU); see --help\n");
  EXPECT_EQ(usage({"more", "--what"}), "envgen-bench: unexpected argument 'more'; see --help\n");
  EXPECT_EQ(usage({"--timeout"}), "envgen-bench: --timeout needs a value; see --help\n");
}

TEST(Program, ReportThatCannotBeWritten) {
  const auto ran = run_bench({"--tests", "ipc", "--library", no_library, "-o", "/nonexistent/report.json"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err, "envgen-bench: /nonexistent/report.json: No such file or directory\n");
}

TEST(Program, ReportIsWrittenAsItsNameEnds) {
  const auto written = [&](const std::string& ending, const std::vector<std::string>& more) {
    const auto file = testing::TempDir() + "envgen-bench-" + std::to_string(::getpid()) + ending;
    std::vector<std::string> arguments{"--tests", "kernel", "--library", no_library, "-o", file};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run_bench(arguments).status, 0);
    std::ifstream stream(file);
    const std::string first(1, static_cast<char>(stream.get()));
    std::filesystem::remove(file);
    return first;
  };
  EXPECT_EQ(written(".json", {}), "{");
  EXPECT_EQ(written(".txt", {}), "d");
  EXPECT_EQ(written(".json", {"--format", "TEXT"}), "d");
}

TEST(Program, TextForPeople) {
  const auto ran = run_bench({"--tests", "kernel", "--library", no_library});
  EXPECT_THAT(ran.out, HasSubstr("skip    kernel     no GPU\n"));
  EXPECT_THAT(ran.out, HasSubstr("no GPU: the tests that need one did not run\n"));
  EXPECT_EQ(ran.err, "");
}

TEST(Program, CanaryOfThisMachineIsTheHosts) {
  const std::string nonce = "5c0ffee5";
  const key_t key = 0x45470000 + static_cast<int>(::getpid() & 0xffff);
  const int id = ::shmget(key, 64, IPC_CREAT | IPC_EXCL | 0600);
  if (id < 0) GTEST_SKIP() << "no SysV shared memory here";
  void* memory = ::shmat(id, nullptr, 0);
  const std::string word = nonce + "abc123";
  std::memcpy(memory, word.data(), word.size());
  struct stat own {};
  ASSERT_EQ(::stat("/proc/self/ns/ipc", &own), 0);
  const auto ask = [&](unsigned long inode, const std::string& said) {
    const auto ran = run_bench({"--format", "json", "--tests", "ipc", "--library", no_library, "--ipc-host-inode",
                                std::to_string(inode), "--ipc-sysv-key", std::to_string(key), "--ipc-nonce", said});
    const auto evidence = ran.row("ipc").at("evidence");
    return evidence.at("mode").get<std::string>() + " " + evidence.at("sysv_rest").dump();
  };
  EXPECT_EQ(ask(own.st_ino, nonce), "host \"abc123\"");
  EXPECT_EQ(ask(own.st_ino, "another"), "unknown null");
  EXPECT_EQ(ask(own.st_ino + 1, "another"), "private null");
  ::shmdt(memory);
  ::shmctl(id, IPC_RMID, nullptr);
}

}  // namespace
}  // namespace envgen::bench
