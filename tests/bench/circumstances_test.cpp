// The program where circumstances differ: little memory, other GPUs, other times, and what the machine has of IPC.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"
#include "runner.hpp"
#include "sizes.hpp"
#include "support/ipc.hpp"
#include "tests/tests.hpp"
#include "variable.hpp"

namespace envgen::bench {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Sizes, OfProfilesAndScales) {
  Options options;
  EXPECT_EQ(sizes_for(options).gemm, (std::vector<int>{128, 512, 2048, 8192}));
  EXPECT_EQ(sizes_for(options).warm_up_seconds, 0.5);
  options.profile = Profile::smoke;
  EXPECT_EQ(sizes_for(options).gemm, (std::vector<int>{128, 2048}));
  options.profile = Profile::full;
  options.scale = 128;
  const auto small = sizes_for(options);
  EXPECT_EQ(small.gemm, (std::vector<int>{16, 64}));  // each once
  EXPECT_EQ(small.kernel_words, 131072U);
  EXPECT_EQ(small.warm_up_seconds, 0);
}

TEST(Circumstances, SizesThatDoNotFillTheirTiles) {
  auto arguments = on_doubles({"--tests", "gemm", "--scale", "170"});
  arguments.erase(arguments.begin(), arguments.begin() + 2);
  const auto ran = run_bench(arguments);
  for (const char* test : {"gemm-fp32", "gemm-tf32", "gemm-fp16", "gemm-bf16", "gemm-fp8"}) {
    const auto row = ran.row(test, 0);
    EXPECT_THAT(message(row), StartsWith("correct up to n = 48, "));
    EXPECT_EQ(row.at("evidence").at("sizes").at(1).at("compared"), 48 * 48);
  }
}

TEST(Circumstances, TooLittleMemoryOnTheGpu) {
  const auto ran = run_bench(on_doubles({"--tests", "gemm-fp32,gemm-fp8,block"}), {{"ENVGEN_DOUBLE_FREE", "0"}});
  EXPECT_EQ(ran.status, 0);
  for (const char* test : {"gemm-fp32", "gemm-fp8", "block"}) {
    EXPECT_EQ(ran.row(test, 0).at("status"), "skip");
    EXPECT_EQ(message(ran.row(test, 0)), "not enough free memory on the GPU");
  }
}

TEST(Circumstances, WhatALibraryDoesNotSupportIsLeftOut) {
  const auto ran = run_bench(on_doubles({"--tests", "gemm-fp32,gemm-fp8"}),
                             {{"ENVGEN_DOUBLE_FAULTS", "cublasGemmEx=15,cublasLtMatmulAlgoGetHeuristic=none"}});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(message(ran.row("gemm-fp32", 0)), "cublasGemmEx: cuBLAS status 15 (not supported here)");
  EXPECT_EQ(message(ran.row("gemm-fp8", 0)), "cublasLt has no algorithm for fp8 here");
}

TEST(Circumstances, EachPrecisionFromItsCapabilityOn) {
  const auto status = [](const char* capability, const char* test) {
    return run_bench(on_doubles({"--tests", test}), {{"ENVGEN_DOUBLE_CAPABILITY", capability}}).row(test, 0);
  };
  EXPECT_EQ(status("8.0", "gemm-bf16").at("status"), "pass");
  EXPECT_EQ(status("8.9", "gemm-fp8").at("status"), "pass");
  EXPECT_EQ(message(status("8.6", "gemm-fp8")), "fp8 needs a GPU of compute capability 8.9");
  EXPECT_EQ(message(status("7.5", "gemm-tf32")), "tf32 needs a GPU of compute capability 8.0");
}

TEST(Circumstances, ASmallProductIsNotJudgedByALargeOne) {
  const auto row =
      run_bench(on_doubles({"--tests", "gemm-bf16"}), {{"ENVGEN_DOUBLE_NAME", "NVIDIA H200"}}).row("gemm-bf16.speed", 0);
  EXPECT_EQ(row.at("kind"), "information");
  EXPECT_TRUE(row.at("evidence").at("expected").is_null());
  EXPECT_THAT(message(row), EndsWith(", no reference for this GPU"));
}

TEST(Circumstances, OnlyDirectCopiesBetweenGpusAreJudged) {
  const auto ran = [](const char* direct) {
    return run_bench(
        on_doubles({"--tests", "peer"}),
        {{"ENVGEN_DOUBLE_DEVICES", "2"}, {"ENVGEN_DOUBLE_DIRECT", direct}, {"ENVGEN_DOUBLE_NAME", "NVIDIA RTX A6000"}});
  };
  const auto through_host = ran("0");
  EXPECT_THAT(message(through_host.row("peer", 0)), StartsWith("through the host, "));
  EXPECT_TRUE(through_host.row("peer.one-way", 0).at("evidence").at("expected").is_null());
  const auto direct = ran("1");
  EXPECT_THAT(message(direct.row("peer", 0)), StartsWith("direct, "));
  EXPECT_EQ(direct.row("peer.one-way", 0).at("evidence").at("expected"), 21.8e9);
}

TEST(Circumstances, AccessBetweenGpusMayBeThereAlready) {
  const auto row = [](const char* fault) {
    return run_bench(on_doubles({"--tests", "peer"}), {{"ENVGEN_DOUBLE_DEVICES", "2"}, {"ENVGEN_DOUBLE_FAULTS", fault}})
        .row("peer", 0);
  };
  EXPECT_EQ(row("cuCtxEnablePeerAccess=704").at("status"), "pass");
  EXPECT_EQ(message(row("cuCtxEnablePeerAccess=201")), "cuCtxEnablePeerAccess: invalid device context (error 201)");
}

TEST(Circumstances, RatesAreBytesBySeconds) {
  const auto ran =
      run_bench(on_doubles({"--tests", "h2d,d2h,copy-both,d2d,gemm-fp16,vector,peer,nccl"}), {{"ENVGEN_DOUBLE_DEVICES", "2"}});
  const auto bytes = [](const Json& rate, const Json& seconds) {
    return rate.get<double>() * seconds.at("median").get<double>();
  };
  for (const auto& [copy, expected] :
       {std::pair{"h2d", 524288}, std::pair{"d2h", 524288}, std::pair{"copy-both", 2 * 524288}, std::pair{"d2d", 2 * 1048576}}) {
    const auto copied = ran.row(copy, 0).at("evidence");
    EXPECT_NEAR(bytes(copied.at("bytes_per_second"), copied.at("seconds")), expected, 0.1) << copy;
    EXPECT_EQ(ran.row(std::string(copy) + ".speed", 0).at("evidence").at("value"), copied.at("bytes_per_second"));
  }
  const auto product = ran.row("gemm-fp16", 0).at("evidence").at("sizes").at(0);
  EXPECT_NEAR(bytes(product.at("flop_per_second"), product.at("seconds")), 2.0 * 16 * 16 * 16, 0.01);
  const auto vector = ran.row("vector", 0).at("evidence").at("sizes").at(0);
  EXPECT_NEAR(bytes(vector.at("bytes_per_second"), vector.at("seconds")), 8.0 * 4096, 0.01);  // read and written
  const auto peer = ran.row("peer", 0).at("evidence");
  EXPECT_NEAR(bytes(peer.at("one_way_bytes_per_second"), peer.at("one_way_seconds")), 524288, 0.1);
  EXPECT_NEAR(bytes(peer.at("both_ways_bytes_per_second"), peer.at("both_ways_seconds")), 2 * 524288, 0.1);
  const auto nccl = ran.row("nccl").at("evidence");
  EXPECT_NEAR(bytes(nccl.at("bus_bytes_per_second"), nccl.at("seconds")), 131072 * 4, 0.1);  // 2 (n - 1) / n is 1 of two
}

TEST(Circumstances, AGpuInMigModeIsNotJudged) {
  const auto ran = run_bench(on_doubles({"--tests", "d2d"}), {{"ENVGEN_DOUBLE_NAME", "NVIDIA H200"}, {"ENVGEN_DOUBLE_MIG", "1"}});
  EXPECT_EQ(ran.row("d2d.speed", 0).at("evidence").at("excuse"), "the GPU is in MIG mode");
  EXPECT_EQ(ran.row("d2d.speed", 0).at("evidence").at("after").at("mig"), true);
}

TEST(Circumstances, WhatALibraryPrintsNamesTheFailure) {
  const auto row = run_bench(on_doubles({"--tests", "nccl"}),
                             {{"ENVGEN_DOUBLE_FAULTS", "ncclCommInitAll=shm"}, {"ENVGEN_DOUBLE_DEVICES", "2"}})
                       .row("nccl");
  EXPECT_EQ(row.at("failure").at("id"), "nccl-shm");
  EXPECT_THAT(row.at("evidence").at("output").get<std::string>(), HasSubstr("failed to extend /dev/shm/nccl-a1b2c3"));
}

TEST(Circumstances, OneGpuOfSeveral) {
  const auto rows = [](const char* device) {
    const auto ran = run_bench(on_doubles({"--tests", "kernel,peer", "--device", device}), {{"ENVGEN_DOUBLE_DEVICES", "3"}});
    std::multiset<std::string> found;
    const auto report = ran.json();
    for (const auto& row : report.at("tests")) {
      const auto id = row.at("id").get<std::string>();
      if (id == "kernel") found.insert(id + row.at("device").dump());
      if (id == "peer") found.insert(id + row.at("device").dump() + row.at("evidence").value("peer", Json()).dump());
    }
    return found;
  };
  EXPECT_EQ(rows("1"), (std::multiset<std::string>{"kernel1", "peer10", "peer12"}));
  EXPECT_EQ(rows("2"), (std::multiset<std::string>{"kernel2", "peer20", "peer21"}));
  EXPECT_EQ(rows("3"), (std::multiset<std::string>{"kernelnull", "peernullnull"}));
}

TEST(Circumstances, TheSmokeProfile) {
  const auto ran = run_bench(on_doubles({"--profile", "smoke"}));
  for (const char* left_out : {"vector", "block", "copy-both", "gemm-fp8", "nccl"}) EXPECT_TRUE(ran.row(left_out, 0).is_null());
  EXPECT_EQ(ran.row("gemm-bf16", 0).at("status"), "pass");
  EXPECT_EQ(ran.json().at("not_made").size(), 2U);  // peer, image-files
}

TEST(Circumstances, SpeedsFailOnlyWhereTheyAreAskedFor) {
  const auto strict = run_bench(on_doubles({"--tests", "gemm-fp32", "--strict-perf"}));
  EXPECT_EQ(strict.status, 0);  // nothing to judge by
}

TEST(Circumstances, WithoutItsOwnTimeAProgramDoesNotRunAfterTheTests) {
  const auto then = [](const char* total) {
    return run_bench({"--format=json", "--tests=ipc", "--timeout=60", "--total-timeout", total, "--then=true", "--library",
                      "libcuda=/nonexistent/libcuda.so.1"})
        .json()
        .at("then")
        .at("end");
  };
  EXPECT_EQ(then("30"), "not-started");
  EXPECT_EQ(then("120"), "exited");
}

TEST(Circumstances, AfterAnInterruptNothingRuns) {
  const auto ran =
      run_bench(on_doubles({"--tests", "kernel", "--then=true"}), {{"ENVGEN_DOUBLE_FAULTS", "cuLaunchKernel=hang"}}, 0.7);
  EXPECT_EQ(ran.status, 130);
  EXPECT_TRUE(ran.json().at("then").is_null());
}

TEST(Circumstances, TheTextSaysWhatItIsOf) {
  auto arguments = on_doubles({"--tests", "kernel", "--format", "text"});
  arguments.erase(arguments.begin() + 2, arguments.begin() + 4);  // not as JSON
  const auto ran = run_bench(arguments);
  EXPECT_THAT(ran.out, HasSubstr("libcuda    13.0  "));
  EXPECT_THAT(ran.out, HasSubstr("/libcuda.so.1  (a test double)\n"));
  EXPECT_THAT(ran.out, HasSubstr("sizes were divided by 512\n"));
  EXPECT_THAT(ran.out, ::testing::Not(HasSubstr("interrupted")));
  EXPECT_THAT(ran.out, HasSubstr("2 pass, 0 warn, 0 fail, 0 skip, 0 unknown in "));
}

TEST(Circumstances, TheRuntimesTestIsOfItsOwnGpu) {
  const auto ran =
      run_bench(on_doubles({"--tests", "runtime"}), {{"ENVGEN_DOUBLE_FAULTS", "cudaMalloc:1=2"}, {"ENVGEN_DOUBLE_DEVICES", "2"}});
  EXPECT_EQ(ran.row("runtime", 0).at("status"), "pass");
  EXPECT_EQ(message(ran.row("runtime", 1)), "cudaMalloc: unknown error (error 2)");
  EXPECT_EQ(
      ran.row("runtime", 1).at("failure").dump(),
      R"=({"id":null,"message":"cudaMalloc: unknown error (error 2)","code":2,"name":"cudaErrorUnknown","call":"cudaMalloc"})=");
}

/// What a GPU does of two streams first is its own choice: the time is that of both directions all the same.
TEST(Circumstances, BothDirectionsTakeTheTimeOfTheSlowerOne) {
  for (const char* youngest : {"0", "1"}) {
    const auto ran = run_bench(on_doubles({"--tests", "copy-both,peer", "--device=0"}),
                               {{"ENVGEN_DOUBLE_FAULTS", "cuMemcpyDtoHAsync_v2=slow,cuMemcpyPeerAsync:1>0=slow"},
                                {"ENVGEN_DOUBLE_DEVICES", "2"},
                                {"ENVGEN_DOUBLE_YOUNGEST", youngest}});
    EXPECT_GE(ran.row("copy-both", 0).at("evidence").at("seconds").at("p5").get<double>(), 0.003) << youngest;
    const auto peer = ran.row("peer", 0).at("evidence");
    EXPECT_GE(peer.at("both_ways_seconds").at("p5").get<double>(), 0.003) << youngest;
    EXPECT_LT(peer.at("one_way_seconds").at("p5").get<double>(), 0.003) << youngest;
  }
}

TEST(Circumstances, CopiesOnAGpuOutgrowItsCache) {
  const Options options;
  Sizes sizes;
  sizes.device_copy_bytes = 1U << 20;
  sizes.warm_up_seconds = 0;
  sizes.samples = 1;
  Places places;
  for (const char* library : {"libcuda.so.1", "libnvidia-ml.so.1"})
    places.overrides[std::string(library).substr(0, std::string(library).find(".so"))] =
        std::string(BENCH_DOUBLES) + "/" + library;
  const auto bytes = [&](const char* l2) {
    const Variable cache("ENVGEN_DOUBLE_L2", l2);
    Context context{options, places, sizes};
    context.limit = {60, false};
    return run_test({"d2d", "", Kind::functional, Scope::device, true, "", tests::device_copy}, context)
        .front()
        .evidence.at("bytes");
  };
  EXPECT_EQ(bytes("0"), 1U << 20U);
  EXPECT_EQ(bytes("1"), 8U << 20U);
}

TEST(Circumstances, AGpuThatIsRequiredAndThere) {
  const auto ran = run_bench(on_doubles({"--tests", "ipc", "--require-gpu"}));
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.row("probe").at("status"), "pass");
}

TEST(Circumstances, AReportThatStandardOutputDoesNotTake) {
  std::FILE* program = ::popen(BENCH_PROGRAM " --tests=ipc --library=libcuda=/nonexistent/a 2>&1 >/dev/full", "r");
  ASSERT_NE(program, nullptr);
  char text[300] = "";
  EXPECT_NE(std::fgets(text, sizeof text, program), nullptr);
  EXPECT_EQ(WEXITSTATUS(::pclose(program)), 1);
  EXPECT_STREQ(text, "envgen-bench: cannot write the report to standard output\n");
}

TEST(Circumstances, OneGpuIsTold) {
  const auto ran = run_bench(on_doubles({"--tests", "runtime,nccl"}));
  EXPECT_EQ(message(ran.row("probe")), "1 GPU");
  EXPECT_EQ(message(ran.row("runtime", 0)), "CUDA Runtime 12.4 sees 1 GPU");
  EXPECT_EQ(message(ran.row("nccl")), "the sum over 1 GPU is correct");  // nothing goes over a bus
  EXPECT_TRUE(ran.row("nccl").at("evidence").at("bus_bytes_per_second").is_null());
}

TEST(Circumstances, WhatFailsInAnotherProcessIsTold) {
  const auto row =
      run_bench(on_doubles({"--tests", "cuda-ipc"}), {{"ENVGEN_DOUBLE_FAULTS", "cuIpcCloseMemHandle=999"}}).row("cuda-ipc", 0);
  EXPECT_EQ(row.at("failure").dump(),
            R"=({"id":"cuda-999","message":"cuIpcCloseMemHandle: unknown error (error 999)","code":999,)="
            R"=("name":"CUDA_ERROR_UNKNOWN","call":"cuIpcCloseMemHandle"})=");
}

TEST(Circumstances, EachCallOfNcclIsChecked) {
  for (const char* call : {"ncclCommInitAll", "ncclGroupStart", "ncclAllReduce", "ncclGroupEnd", "ncclCommDestroy"}) {
    const auto row = run_bench(on_doubles({"--tests", "nccl"}), {{"ENVGEN_DOUBLE_FAULTS", call + std::string("=2")}}).row("nccl");
    EXPECT_EQ(row.at("status"), "fail") << call;
    EXPECT_EQ(row.at("failure").at("call"), call);
    EXPECT_EQ(row.at("failure").at("code"), 2);
  }
}

TEST(Circumstances, LibrariesOfTheImagesLibraryPath) {
  const auto ran = run_bench({"--format=json", "--scale=512", "--tests=nccl",
                              std::string("--library=libcuda=") + BENCH_DOUBLES + "/libcuda.so.1",
                              std::string("--library-path=/nowhere:") + BENCH_DOUBLES});
  EXPECT_EQ(ran.row("nccl").at("evidence").at("library"), fs::canonical(BENCH_DOUBLES "/libnccl.so.2").string());
}

/// `trap '' CHLD` in what starts it: then the system keeps nothing of a child that has ended, unless it is told to.
TEST(Circumstances, WhoeverStartedItMayIgnoreChildren) {
  std::FILE* program =
      ::popen("trap '' CHLD; exec " BENCH_PROGRAM " --tests=ipc --timeout=20 --library=libcuda=/nonexistent/a", "r");
  ASSERT_NE(program, nullptr);
  std::string out;
  for (char text[300]; std::fgets(text, sizeof text, program) != nullptr;) out += text;
  EXPECT_EQ(::pclose(program), 0);
  EXPECT_THAT(out, HasSubstr("pass    ipc       "));
}

TEST(Circumstances, WhatIsInterruptedKeepsItsKind) {
  const auto ran = run_bench(on_doubles({"--tests", "kernel,storage"}), {{"ENVGEN_DOUBLE_FAULTS", "cuLaunchKernel=hang"}}, 0.5);
  EXPECT_EQ(ran.row("storage").at("kind"), "information");
  EXPECT_EQ(message(ran.row("storage")), "interrupted");
  EXPECT_EQ(ran.row("kernel", 0).at("kind"), "functional");
}

TEST(Circumstances, TheTests) {
  EXPECT_EQ(run_bench({"--list"}).out, R"(probe       functional, smoke: the driver, its libraries, device nodes and GPUs
ipc         information, smoke: which IPC namespace and /dev/shm are in use
kernel      functional, smoke: a kernel writes 16 Mi words; the CPU compares each
runtime     functional, smoke: the image's CUDA Runtime finds the GPU and copies both ways
h2d         functional, smoke: copies from pinned memory to the GPU
d2h         functional, smoke: copies from the GPU to pinned memory
copy-both   functional: copies in both directions at once
d2d         functional, smoke: copies within the GPU, read and write
gemm-fp32   functional, smoke: fp32 matrix products with the image's cuBLAS
gemm-tf32   functional: the same with tf32
gemm-fp16   functional, smoke: the same with fp16
gemm-bf16   functional, smoke: the same with bf16
gemm-fp8    functional: the same with fp8 (e4m3), by the image's cublasLt
vector      functional: element-wise multiplication, 64 Ki to 64 Mi floats
block       functional: the matrix products of a transformer layer, forward and backward
peer        functional, smoke: copies from each GPU to every other
cuda-ipc    functional, smoke: another process reads and writes this process's GPU memory
nccl        functional: a sum over all GPUs with the image's NCCL
shm         functional, smoke: 294 MiB of batches from 4 workers through /dev/shm
storage     information: the work folder: sequential, and random 4 KiB
image-files information, smoke: libraries of the driver, the CUDA Runtime and cuDNN in a file system
)");
}

/// A file in /dev/shm, or a link there, gone with the test.
struct SharedName {
  explicit SharedName(const std::string& beginning) : name(beginning + std::to_string(::getpid())), path("/dev/shm/" + name) {}
  ~SharedName() { fs::remove(path); }
  SharedName(const SharedName&) = delete;
  SharedName& operator=(const SharedName&) = delete;
  std::string name;
  fs::path path;
};

Json ipc_evidence(const std::vector<std::string>& flags) {
  std::vector<std::string> arguments{"--format=json", "--tests=ipc", "--library", "libcuda=/nonexistent/libcuda.so.1"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return run_bench(arguments).row("ipc").at("evidence");
}

TEST(IpcCanary, IsAFileOfSharedMemoryAndNothingElse) {
  const SharedName canary("envgen-test-canary-");
  std::ofstream(canary.path) << "5c0ffeeabc not of it";
  const auto read = [](const std::string& name) { return ipc_evidence({"--ipc-posix", name, "--ipc-nonce=5c0ffee"}); };
  EXPECT_EQ(read(canary.name).at("posix_nonce_read"), true);
  EXPECT_EQ(read(canary.name).at("posix_rest"), "abc");
  const auto elsewhere = fs::temp_directory_path() / canary.name;
  fs::copy_file(canary.path, elsewhere);
  EXPECT_EQ(read("../.." + elsewhere.string()).at("posix_nonce_read"), false);
  EXPECT_EQ(read("../shm/" + canary.name).at("posix_nonce_read"), false);
  const SharedName link("envgen-test-link-");
  fs::create_symlink(elsewhere, link.path);
  EXPECT_EQ(read(link.name).at("posix_nonce_read"), false);
  fs::remove(elsewhere);
  EXPECT_TRUE(
      ipc_evidence({"--ipc-posix", canary.name}).at("posix_nonce_read").is_null());  // without a nonce there is nothing to read
}

TEST(IpcCanary, WhatNobodyHoldsIsRemoved) {
  leave_shared_ipc();
  const SharedName left("envgen-canary-left-");
  const SharedName held("envgen-canary-held-");
  const SharedName other("envgen-other-");
  const fs::path not_yet_held = "/dev/shm/envgen-other-" + held.name;  // a holder of another test removes what has no lock
  for (const auto& path : {left.path, not_yet_held, other.path}) std::ofstream(path) << "x";
  const int lock = ::open(not_yet_held.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0);
  fs::rename(not_yet_held, held.path);
  const int number = static_cast<int>(::getpid() & 0x7fff);
  const int unattached = ::shmget(0x45570000 + number, 16, IPC_CREAT | IPC_EXCL | 0600);
  const int attached = ::shmget(0x45570000 + number + 0x8000, 16, IPC_CREAT | IPC_EXCL | 0600);
  const int foreign = ::shmget(0x45580000 + number, 16, IPC_CREAT | IPC_EXCL | 0600);
  if (unattached < 0 || attached < 0 || foreign < 0) GTEST_SKIP() << "no SysV shared memory here";
  void* memory = ::shmat(attached, nullptr, 0);
  std::FILE* holder = ::popen(BENCH_PROGRAM " --hold-ipc 0.1", "r");
  ASSERT_NE(holder, nullptr);
  EXPECT_EQ(::pclose(holder), 0);
  EXPECT_FALSE(fs::exists(left.path));
  EXPECT_TRUE(fs::exists(held.path));
  EXPECT_TRUE(fs::exists(other.path));
  shmid_ds about{};
  EXPECT_NE(::shmctl(unattached, IPC_STAT, &about), 0);
  EXPECT_EQ(::shmctl(attached, IPC_STAT, &about), 0);
  EXPECT_EQ(about.shm_perm.mode & SHM_DEST, 0);  // nor goes it with its holder
  EXPECT_EQ(::shmctl(foreign, IPC_STAT, &about), 0);
  ::shmdt(memory);
  for (const int segment : {unattached, attached, foreign}) ::shmctl(segment, IPC_RMID, nullptr);
  ::close(lock);
}

}  // namespace
}  // namespace envgen::bench
