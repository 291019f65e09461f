// What is made of what was seen: the image's own report, who owns what is written into a mount, what is required.
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnosis/diagnosis.hpp"
#include "support/literals.hpp"
#include "util/process.hpp"
#include "validate/mount_owner.hpp"
#include "validate/report.hpp"
#include "validate/self_report.hpp"

namespace envgen::validate {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Environment locked() {
  Environment environment;
  environment.torch = Environment::FrameworkBuild();
  environment.torch->version = "2.6.0";
  environment.torch->cuda = "12.4"_version;
  environment.torch->nccl = "2.21.5";
  environment.torch->archs = {{"8.6"_arch, "9.0a"_arch}};
  environment.torch->ptx = {{"9.0"_arch}};
  environment.cudnn = Environment::Cudnn{"9.1.0.70"_version, 9, CudnnFrom::wheel};
  environment.python = "3.12"_python;
  environment.variant = Variant::devel;
  return environment;
}

SelfReport as_locked() {
  SelfReport report;
  report.python = "3.12.3";
  report.framework = "torch";
  report.version = "2.6.0";
  report.cuda = "12.4";
  report.cudnn = 90100;
  report.nccl = "2.21.5";
  report.archs = {"compute_90", "sm_86", "sm_90a"};
  report.sees_gpu = true;
  report.gpus = 1;
  report.products = {{0, "", 1e-7}};
  report.nvcc = "12.4";
  return report;
}

/// `check status message` of each.
std::string judged(const SelfReport& report, const Environment* lock, bool gpu_asked = false) {
  std::string text;
  for (const auto& result : judge_self_report(report, {.lock = lock}, gpu_asked))
    text += result.check + " " + std::string(name_of(result.status)) + " " + result.message + "\n";
  return text;
}

TEST(SelfReport, AsLocked) {
  const auto lock = locked();
  EXPECT_EQ(judged(as_locked(), &lock, true),
            "python pass Python 3.12.3, as locked\n"
            "framework pass installed: torch 2.6.0, as locked\n"
            "framework-cuda pass torch is built for 12.4, as locked\n"
            "cudnn pass cuDNN 90100, as locked\n"
            "nccl-version pass NCCL 2.21.5, as locked\n"
            "archs pass compiled for compute_90 sm_86 sm_90a, as locked\n"
            "framework-gpu pass torch's matrix product matches the CPU's\n"
            "nvcc pass nvcc 12.4, the CUDA that torch is built for\n");
}

TEST(SelfReport, AFreeThreadedPythonIsNotTheRegularOne) {
  auto lock = locked();
  auto report = as_locked();
  lock.python = "3.13t"_python;
  report.python = "3.13.1";
  EXPECT_THAT(judged(report, &lock), HasSubstr("python fail Python 3.13.1, but 3.13t is locked\n"));
  report.free_threaded = true;
  EXPECT_THAT(judged(report, &lock), HasSubstr("python pass free-threaded Python 3.13.1, as locked\n"));
  lock.python = "3.13"_python;
  EXPECT_THAT(judged(report, &lock), HasSubstr("python fail free-threaded Python 3.13.1, but 3.13 is locked\n"));
}

TEST(SelfReport, TheLockOfACpuBuildHasNoArchitectures) {
  auto lock = locked();
  lock.torch->cuda = std::nullopt;
  lock.torch->archs.emplace();
  lock.torch->ptx.emplace();
  EXPECT_THAT(judged(as_locked(), &lock, false),
              HasSubstr("archs unknown compiled for compute_90 sm_86 sm_90a, but the lock has no value for it\n"));
}

TEST(SelfReport, OtherThanLocked) {
  const auto lock = locked();
  auto report = as_locked();
  report.python = "3.11.2";
  report.version = "2.6.1";
  report.cuda = "12.6";
  report.cudnn = 90200;
  report.nccl = "2.22.3";
  report.archs = {"sm_86"};
  report.sees_gpu = false;
  report.nvcc = std::nullopt;
  EXPECT_EQ(judged(report, &lock, true),
            "python fail Python 3.11.2, but 3.12 is locked\n"
            "framework fail installed: torch 2.6.1, but torch 2.6.0 is locked\n"
            "framework-cuda fail torch is built for 12.6, but 12.4 is locked\n"
            "cudnn fail cuDNN 90200, but 90100 (9.1.0.70) is locked\n"
            "nccl-version fail NCCL 2.22.3, but 2.21.5 is locked\n"
            "archs fail compiled for sm_86, but compute_90 sm_86 sm_90a is locked\n"
            "framework-gpu fail a GPU was requested, but torch falls back to the CPU although it is built for CUDA\n"
            "nvcc fail the variant devel is locked, but there is no nvcc\n");
}

TEST(SelfReport, OfABuildForTheCpu) {
  SelfReport report;
  report.python = "3.11.2";
  report.framework = "torch";
  report.version = "2.6.0";
  report.sees_gpu = false;
  EXPECT_THAT(judged(report, nullptr),
              AllOf(HasSubstr("framework-cuda skip torch is built for cpu;"), HasSubstr("\ncudnn skip not in a CPU build\n")));
  EXPECT_THAT(judged(report, nullptr, true),
              HasSubstr("framework-gpu fail a GPU was requested, but torch falls back to the CPU because it is a CPU build\n"));
}

TEST(SelfReport, NvccOfAnotherCudaAndInARuntimeImage) {
  auto lock = locked();
  auto report = as_locked();
  report.nvcc = "12.8";
  EXPECT_THAT(judged(report, &lock), HasSubstr("nvcc fail nvcc 12.8, but torch is built for CUDA 12.4\n"));
  EXPECT_THAT(judged(report, nullptr), HasSubstr("nvcc warn nvcc 12.8, but torch is built for CUDA 12.4\n"));
  lock.variant = Variant::runtime;
  EXPECT_THAT(judged(report, &lock), HasSubstr("a runtime image contains nvcc 12.8\n"));
  report.nvcc = std::nullopt;
  EXPECT_THAT(judged(report, &lock), HasSubstr("nvcc pass the image has no nvcc\n"));
  EXPECT_THAT(judged(report, nullptr), HasSubstr("nvcc skip the image has no nvcc\n"));
}

TEST(SelfReport, WithoutALockItIsToldAndNotJudged) {
  EXPECT_THAT(judged(as_locked(), nullptr),
              HasSubstr("framework skip installed: torch 2.6.0; nothing to compare with (--lock FILE, --torch VERSION ...)\n"));
  SelfReport plain;
  plain.python = "3.11.2";
  EXPECT_THAT(judged(plain, nullptr), HasSubstr("framework skip Python has neither torch nor TensorFlow\n"));
  const auto lock = locked();
  EXPECT_THAT(judged(plain, &lock), HasSubstr("framework fail torch 2.6.0 is locked but not installed\n"));
}

TEST(SelfReport, AnImportThatFailsIsDiagnosed) {
  SelfReport report;
  report.python = "3.11.2";
  report.framework = "torch";
  report.error = "libtorch_cuda.so: undefined symbol: cublasLtGetStatusString, version libcublasLt.so.11";
  const auto results = judge_self_report(report, {}, false);
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[1].message, "torch cannot be imported: " + report.error);
  ASSERT_NE(results[1].diagnosis, nullptr);
  EXPECT_EQ(results[1].diagnosis->id, "cublaslt-mixed");
}

TEST(SelfReport, AProductMayBeOffAsFp16Is) {
  SelfReport report;
  report.python = "3.11.2";
  report.framework = "torch";
  report.sees_gpu = true;
  const auto status = [&](std::optional<double> off) {
    report.products = {{0, "", off}};
    for (const auto& result : judge_self_report(report, {}, true)) {
      if (result.check == "framework-gpu") return result.status;
    }
    return Status::skip;
  };
  EXPECT_EQ(status(0.0), Status::pass);
  EXPECT_EQ(status(0.01), Status::pass);
  EXPECT_EQ(status(0.011), Status::fail);
  EXPECT_EQ(status(0.1), Status::fail);
  EXPECT_EQ(status(std::nullopt), Status::fail);
}

TEST(SelfReport, WhatTheLockDoesNotTellIsUnknown) {
  auto lock = locked();
  lock.cudnn.reset();
  lock.torch->nccl.reset();
  lock.torch->ptx.reset();
  const auto text = judged(as_locked(), &lock);
  for (const auto* line : {"cudnn unknown cuDNN 90100, but the lock has no value for it\n",
                           "nccl-version unknown NCCL 2.21.5, but the lock has no value for it\n",
                           "archs unknown compiled for compute_90 sm_86 sm_90a, but the lock has no value for it\n"})
    EXPECT_THAT(text, HasSubstr(line));
}

TEST(SelfReport, WhatIsNotToldHasNoResult) {
  auto report = as_locked();
  report.cudnn.reset();
  report.nccl.reset();
  report.archs.clear();
  report.sees_gpu.reset();
  const auto lock = locked();
  EXPECT_EQ(judged(report, &lock, true),
            "python pass Python 3.12.3, as locked\n"
            "framework pass installed: torch 2.6.0, as locked\n"
            "framework-cuda pass torch is built for 12.4, as locked\n"
            "nvcc pass nvcc 12.4, the CUDA that torch is built for\n");
  report.sees_gpu = true;
  report.products.clear();
  EXPECT_THAT(judged(report, &lock, true),
              HasSubstr("framework-gpu unknown torch sees 1 GPU(s) but reported no matrix product on them\n"));
  EXPECT_THAT(judged(report, &lock, false), testing::Not(HasSubstr("framework-gpu")));
}

TEST(SelfReport, NvccInEachKindOfImage) {
  const auto nvcc = [](Variant variant, Installer installer, std::optional<std::string> found, bool in_image = true) {
    auto lock = locked();
    lock.variant = variant;
    lock.installer = installer;
    auto report = as_locked();
    report.nvcc = std::move(found);
    const auto results = judge_self_report(report, {.lock = &lock, .in_image = in_image}, false);
    return std::string(name_of(results.back().status)) + " " + results.back().message;
  };
  const std::string same = "pass nvcc 12.4, the CUDA that torch is built for";
  EXPECT_EQ(nvcc(Variant::runtime, Installer::pip, "12.4"), "fail a runtime image contains nvcc 12.4");
  EXPECT_EQ(nvcc(Variant::runtime, Installer::conda, "12.4"), same);  // conda's toolkit comes with a compiler
  EXPECT_EQ(nvcc(Variant::runtime, Installer::pip, "12.4", false), same);
  EXPECT_EQ(nvcc(Variant::devel, Installer::pip, "12.4"), same);
  EXPECT_EQ(nvcc(Variant::devel, Installer::pip, "12.5"), "fail nvcc 12.5, but torch is built for CUDA 12.4");
  EXPECT_EQ(nvcc(Variant::runtime, Installer::conda, "12.5"), "warn nvcc 12.5, but torch is built for CUDA 12.4");
  EXPECT_EQ(nvcc(Variant::runtime, Installer::pip, std::nullopt), "pass the image has no nvcc");
  EXPECT_EQ(nvcc(Variant::runtime, Installer::pip, std::nullopt, false), "pass there is no nvcc");
}

TEST(SelfReport, AnImportThatEndedThePythonLeavesTheFrameworkToItsFailure) {
  auto report = as_locked();
  report.doing = "importing torch";
  const auto lock = locked();
  EXPECT_EQ(judged(report, &lock, true),
            "python pass Python 3.12.3, as locked\nnvcc pass nvcc 12.4, the CUDA that torch is built for\n");
}

TEST(SelfReport, AFrameworkThatWasImportedAndCannotBeAsked) {
  SelfReport report;
  report.python = "3.11.2";
  report.framework = "torch";
  report.error = "AttributeError()";
  report.imported = true;
  EXPECT_THAT(judged(report, nullptr), HasSubstr("framework fail torch cannot be queried: AttributeError()\n"));
}

TEST(SelfReport, EachMemberIsReadFromItsLastLine) {
  const std::string line =
      R"({"nonce": "n0", "python": "3.13.1", "library": "/l", "file": "/f", "framework": "torch", "error": "e", "doing": "d",)"
      R"( "imported": true, "version": "2.6.0", "cuda": "12.4", "cudnn": 90100, "nccl": "2.21.5", "archs": ["sm_90"], "prefix": "/p",)"
      R"( "free_threaded": true, "gpu_error": "g", "sees_gpu": false, "gpus": 2, "nvcc": "12.4",)"
      R"( "products": [{"device": 1, "off": 0.5}, {"device": 2, "error": "x", "off": "0"}],)"
      R"( "extensions": [{"name": "a", "version": "1", "targets": ["sm_80"], "error": "y", "built_for": {"torch": "2.5", "cuda": "12.1"}}]})";
  for (const auto& text : {line, "{\"python\": \"1\"}\n" + line, "noise\n" + line + "\n\n"}) {
    const auto parsed = parse_self_report(text, "n0");
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->python + parsed->library + parsed->file + parsed->framework + parsed->error + parsed->doing +
                  parsed->version + *parsed->cuda + *parsed->nccl + parsed->prefix + parsed->gpu_error + *parsed->nvcc,
              "3.13.1/l/ftorched2.6.012.42.21.5/pg12.4");
    EXPECT_TRUE(parsed->imported && parsed->free_threaded);
    EXPECT_EQ(parsed->cudnn, 90100);
    EXPECT_THAT(parsed->archs, testing::ElementsAre("sm_90"));
    EXPECT_EQ(parsed->sees_gpu, false);
    EXPECT_EQ(parsed->gpus, 2);
    ASSERT_EQ(parsed->products.size(), 2U);
    EXPECT_EQ(parsed->products[0].device, 1);
    EXPECT_EQ(parsed->products[0].off, 0.5);
    EXPECT_EQ(parsed->products[1].error, "x");
    EXPECT_EQ(parsed->products[1].off, std::nullopt);
    ASSERT_EQ(parsed->extensions->size(), 1U);
    const auto& extension = parsed->extensions->front();
    EXPECT_EQ(extension.name + extension.version + extension.error + *extension.torch + *extension.cuda, "a1y2.512.1");
    EXPECT_THAT(extension.targets, testing::ElementsAre("sm_80"));
  }
}

TEST(SelfReport, WhatItDoesNotTellIsEmpty) {
  const auto parsed = parse_self_report(R"({"nonce": "n0", "python": "3.11", "products": 1, "extensions": {}})", "n0");
  ASSERT_TRUE(parsed);
  EXPECT_FALSE(parsed->imported || parsed->free_threaded || parsed->cuda || parsed->cudnn || parsed->nccl || parsed->nvcc ||
               parsed->sees_gpu || parsed->extensions);
  EXPECT_EQ(parsed->gpus, 0);
  EXPECT_TRUE(parsed->products.empty());
}

TEST(SelfReport, SomethingElseWasPrinted) {
  EXPECT_FALSE(parse_self_report("Traceback", "n0"));
  EXPECT_EQ(parse_self_report("{}", "n0").error().message, "it does not report its version");
  EXPECT_EQ(parse_self_report("", "n0").error().message, "the report is empty");
  for (const auto* nonce : {"", R"("nonce": "n1", )"})
    EXPECT_EQ(parse_self_report("{" + std::string(nonce) + R"("python": "3.11"})", "n0").error().message,
              "it does not return the nonce it was given: another program printed this, not envgen's script");
}

TEST(MountOwner, IsTheCallerOrToldHowToBecomeIt) {
  const auto text = [](uid_t uid, uid_t caller) {
    MountSeen seen;
    seen.launched.end = Launched::End::done;
    seen.touch_error = "";
    seen.owner = FileOwner{uid, 100};
    seen.caller = caller;
    const auto result = judge_mount(seen);
    return std::string(name_of(result.status)) + " " + result.message;
  };
  EXPECT_EQ(text(1000, 1000), "pass files it writes to a mount belong to 1000:100, like your own files");
  EXPECT_EQ(text(0, 0), "pass files it writes to a mount belong to 0:100, like your own files");
  EXPECT_EQ(text(1234, 0), "pass files it writes to a mount belong to 1234:100, which you, as root, can change");
  for (const uid_t uid : {0U, 1234U}) {
    EXPECT_EQ(text(uid, 1000), "warn files it writes to a mount belong to " + std::to_string(uid) +
                                   ":100, and you are 1000: build the image with --build-arg USER_UID=1000 (envgen's "
                                   "Dockerfiles take it), or start it with --user 1000");
  }
}

TEST(Require, MakesAFailureOfWhatWasNotProven) {
  Report report;
  report.add("ipc", Status::pass, "private: x").evidence = {{"mode", "private"}};
  report.add("gpu", Status::skip, "no GPU was asked for");
  report.add("shm", Status::warn, "small");
  report.require({"ipc-host", "gpu", "shm"});
  EXPECT_EQ(report.results[0].message, "--require ipc-host: not satisfied: private: x");
  EXPECT_EQ(report.results[1].message, "--require gpu: not proven: no GPU was asked for");
  EXPECT_EQ(report.results[2].message, "--require shm: not proven: small");
  EXPECT_EQ(report.count(Status::fail), 3U);
}

TEST(Checks, EachDiagnosisIsKnownAndEachIdStandsOnce) {
  for (const auto& check : checks()) {
    EXPECT_EQ(find_check(check.id), &check);
    for (const auto id : diagnosis::parts(check.diagnoses, ' ')) EXPECT_NE(diagnosis::find(id), nullptr) << id;
  }
}

TEST(Checks, HoldEveryTestOfTheBench) {
  const auto listed = util::run_process({ENVGEN_BENCH_TOOL, "--list"});
  ASSERT_TRUE(listed && listed->ok());
  std::istringstream lines(listed->out);
  std::size_t tests = 0;
  for (std::string line; std::getline(lines, line); ++tests) {
    const auto id = line.substr(0, line.find(' '));
    const auto* name = id == "probe" ? "gpu" : id.c_str();
    if (id == "storage" || id == "image-files") continue;  // of a folder that is named; driver-files judges the latter
    EXPECT_NE(find_check(name), nullptr) << id;
  }
  EXPECT_GT(tests, 10U);
}

}  // namespace
}  // namespace envgen::validate
