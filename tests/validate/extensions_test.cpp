// What was compiled against torch: how it is judged, and how the program in the image's Python tells of it.
#include "files/extension_program.hpp"
#include "validate/self_report.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/embedded/embedded.hpp"
#include "util/process.hpp"
#include "util/temporary_folder.hpp"
#include "validate/checks.hpp"

namespace envgen::validate {
namespace {

const matrix::Matrix facts = matrix::embedded();

SelfReport report_with(std::vector<CompiledPackage> packages) {
  SelfReport report;
  report.framework = "torch";
  report.version = "2.7.1";
  report.cuda = "12.6";
  report.extensions = std::move(packages);
  return report;
}

CompiledPackage flash_attn() { return {"flash-attn", "2.8.3", "2.7.1+cu126", "12.6", {"sm_80", "sm_90"}, {}}; }

std::string judged(const SelfReport& report, const Wanted& wanted = {}) {
  const auto result = judge_extensions(report, wanted);
  if (!result) return "no result";
  return std::string(name_of(result->status)) + " " + result->message +
         (result->diagnosis == nullptr ? "" : " [" + std::string(result->diagnosis->id) + "]");
}

TEST(Extensions, FitTorchAndGpus) {
  const Wanted wanted{.matrix = &facts, .gpus = {{"GeForce RTX 4090", Capability{8, 9}}, {"H100", Capability{9, 0}}}};
  auto vision = flash_attn();
  vision.name = "torchvision";
  vision.torch = vision.cuda = std::nullopt;
  vision.targets = {};
  EXPECT_EQ(judged(report_with({flash_attn()}), wanted), "pass flash-attn 2.8.3 loads with torch 2.7.1");
  EXPECT_EQ(judged(report_with({flash_attn(), vision}), wanted),
            "pass flash-attn 2.8.3, torchvision 2.8.3 load with torch 2.7.1");
  auto update = flash_attn();
  update.torch = "2.7.0";
  EXPECT_EQ(judged(report_with({update}), wanted), "pass flash-attn 2.8.3 loads with torch 2.7.1");
}

TEST(Extensions, OfAnotherTorch) {
  auto older = flash_attn();
  older.torch = "2.6.0+cu126";
  EXPECT_EQ(judged(report_with({older})),
            "fail flash-attn 2.8.3 was compiled for torch 2.6.0+cu126, CUDA 12.6, but torch 2.7.1, CUDA 12.6 is installed "
            "[extension-abi]");
  auto cpu = flash_attn();
  cpu.cuda = std::nullopt;
  EXPECT_EQ(
      judged(report_with({cpu})),
      "fail flash-attn 2.8.3 was compiled for torch 2.7.1+cu126, CPU, but torch 2.7.1, CUDA 12.6 is installed [extension-abi]");
}

TEST(Extensions, ThatDoNotLoad) {
  auto broken = flash_attn();
  broken.torch = broken.cuda = std::nullopt;
  broken.error = "flash_attn_2_cuda.so: undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationESs";
  EXPECT_EQ(judged(report_with({broken})),
            "fail flash-attn 2.8.3 does not load: flash_attn_2_cuda.so: undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationESs "
            "[extension-abi]");
  broken.error = "libcudart.so.11.0: cannot open shared object file: No such file or directory";
  EXPECT_EQ(judged(report_with({broken})),
            "fail flash-attn 2.8.3 does not load: libcudart.so.11.0: cannot open shared object file: No such file or directory "
            "[cuda-library-missing]");
  broken.error = "a.so: it was killed by signal 11 as it was loaded";
  EXPECT_EQ(judged(report_with({broken})),
            "fail flash-attn 2.8.3 does not load: a.so: it was killed by signal 11 as it was loaded");
  // That of a library which the package itself loads first.
  broken.error = "transformer_engine_torch.so: undefined symbol: nvte_gelu";
  EXPECT_EQ(judged(report_with({broken, flash_attn()})),
            "warn flash-attn 2.8.3 does not load: transformer_engine_torch.so: undefined symbol: nvte_gelu");
}

TEST(Extensions, WithoutCodeForAGpu) {
  const Wanted wanted{.matrix = &facts, .gpus = {{"GeForce RTX 5090", Capability{12, 0}}, {"H100", Capability{9, 0}}}};
  EXPECT_EQ(judged(report_with({flash_attn()}), wanted),
            "fail flash-attn 2.8.3 has neither binaries nor PTX for GeForce RTX 5090 (12.0): it was compiled for sm_80 sm_90 "
            "[cuda-209]");
  auto ptx = flash_attn();
  ptx.targets.emplace_back("compute_90");
  EXPECT_EQ(judged(report_with({ptx}), wanted), "pass flash-attn 2.8.3 loads with torch 2.7.1");
  auto unknown = flash_attn();
  unknown.targets = {"sm_x"};
  EXPECT_EQ(judged(report_with({unknown}), wanted), "pass flash-attn 2.8.3 loads with torch 2.7.1");
}

TEST(Extensions, AreHeldAgainstTheGpusThatAreKnownAlone) {
  Wanted wanted{.matrix = &facts, .gpus = {{"a GPU", std::nullopt}, {"GeForce RTX 5090", Capability{12, 0}}}};
  EXPECT_THAT(judged(report_with({flash_attn()}), wanted), testing::HasSubstr(" for GeForce RTX 5090 (12.0): "));
  wanted.gpus.pop_back();
  EXPECT_EQ(judged(report_with({flash_attn()}), wanted), "pass flash-attn 2.8.3 loads with torch 2.7.1");
  wanted.gpus = {{"GeForce RTX 5090", Capability{12, 0}}};
  auto host_code = flash_attn();
  host_code.targets = {};
  EXPECT_EQ(judged(report_with({host_code}), wanted), "pass flash-attn 2.8.3 loads with torch 2.7.1");
  wanted.matrix = nullptr;
  EXPECT_EQ(judged(report_with({flash_attn()}), wanted), "pass flash-attn 2.8.3 loads with torch 2.7.1");
}

TEST(Extensions, EachThatIsWrongIsToldAndTheFirstFailureIsTheDiagnosis) {
  auto older = flash_attn();
  older.torch = "2.6.0";
  auto odd = flash_attn();
  odd.name = "odd";
  odd.error = "undefined symbol: nvte_gelu";
  auto broken = flash_attn();
  broken.name = "broken";
  broken.error = "libcudart.so.11.0: cannot open shared object file: No such file or directory";
  EXPECT_EQ(
      judged(report_with({odd, older, broken})),
      "fail flash-attn 2.8.3 was compiled for torch 2.6.0, CUDA 12.6, but torch 2.7.1, CUDA 12.6 is installed; broken 2.8.3 "
      "does not load: libcudart.so.11.0: cannot open shared object file: No such file or directory [extension-abi]");
  const auto evidence = judge_extensions(report_with({odd}), {})->evidence;
  EXPECT_EQ(evidence.dump(), R"({"packages":[{"name":"odd","version":"2.8.3","torch":"2.7.1+cu126","cuda":"12.6",)"
                             R"("targets":"sm_80 sm_90","error":"undefined symbol: nvte_gelu"}]})");
  odd.torch = odd.cuda = std::nullopt;
  EXPECT_EQ(judge_extensions(report_with({odd}), {})->evidence["packages"][0]["torch"].dump(), "null");
}

TEST(Extensions, ThatAreNotThere) {
  EXPECT_EQ(judged(report_with({})), "skip no installed package was compiled against torch");
  auto silent = report_with({});
  silent.extensions = std::nullopt;
  EXPECT_EQ(judged(silent), "no result");
  silent.framework = "tensorflow";
  EXPECT_EQ(judged(silent), "skip only extensions of torch are checked");
}

TEST(Extensions, AreUntrusted) {
  auto hostile = flash_attn();
  hostile.name = "a\n::stop-commands::x";
  hostile.error = std::string(100'000, 'x') + "\x1b[31m";
  const auto message = judged(report_with({hostile}));
  EXPECT_LT(message.size(), 1000U);
  EXPECT_THAT(message, testing::Not(testing::AnyOf(testing::HasSubstr("\n"), testing::HasSubstr("\x1b"))));
}

/// The program in a Python whose torch is a double, beside an extension that the machine's compiler makes.
TEST(Extensions, AreToldByTheScript) {
  const auto folder = *util::TemporaryFolder::make("envgen-script");
  const auto write = [&](const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder.path() / name).parent_path());
    std::ofstream(folder.path() / name) << text;
  };
  const auto compile = [&](const std::string& name, const std::string& source, std::vector<std::string> flags) {
    write("source.c", source);
    flags.insert(flags.begin(), {"cc", "-shared", "-fPIC", "-o", folder.path() / name, folder.path() / "source.c"});
    const auto ran = util::run_process(flags, {});
    EXPECT_TRUE(ran && ran->ok()) << (ran ? ran->err : ran.error().message);
  };
  write("torch/__init__.py", R"(
import types
__version__ = "2.7.1+cu126"
version = types.SimpleNamespace(cuda="12.6")
backends = types.SimpleNamespace(cudnn=types.SimpleNamespace(version=lambda: 90501))
cuda = types.SimpleNamespace(nccl=types.SimpleNamespace(version=lambda: (2, 26, 2)), is_available=lambda: False, device_count=lambda: 0, init=lambda: None)
_C = types.SimpleNamespace(_cuda_getArchFlags=lambda: "sm_90")
)");
  compile("libc10.so", "int f(void) { return 1; }", {"-Wl,-soname,libc10.so"});
  compile("other.so", "int f(void) { return 1; }", {});
  compile("flash_attn.so", R"(int f(void); extern int g(void) __asm__("_ZN3c101gEv"); int h(void) { return f() + g(); })",
          {"-L" + folder.path().string(), "-lc10", "-Wl,-rpath," + folder.path().string()});
  write("Flash_Attn-2.8.3.dist-info/RECORD", "flash_attn.so,sha256=x,1\nother.so,,\n");
  write("Flash_Attn-2.8.3.dist-info/envgen-built-for.json", R"({"torch": "2.6.0", "cuda": "12.4"})");
  write("plain-1.0.dist-info/RECORD", "other.so,,\n");
  write("mute-1.0.dist-info/RECORD", "flash_attn.so,,\n");
  write("mute-1.0.dist-info/envgen-built-for.json", "[1]");
  util::ProcessLimits limits;
  limits.environment = {"PYTHONPATH=" + folder.path().string()};
  const auto ran = util::run_process({"python3", "-c", *files::self_report_program(), "n0"}, limits);
  ASSERT_TRUE(ran && ran->ok()) << (ran ? ran->err : ran.error().message);
  const auto report = parse_self_report(ran->out, "n0");
  ASSERT_TRUE(report && report->extensions) << ran->out;
  std::vector<CompiledPackage> ours;
  for (const auto& package : *report->extensions) {
    if (package.name == "flash-attn" || package.name == "mute" || package.name == "plain") ours.push_back(package);
  }
  ASSERT_EQ(ours.size(), 2U);
  EXPECT_EQ(ours[0].name + " " + ours[0].version, "flash-attn 2.8.3");
  EXPECT_EQ(ours[0].torch, "2.6.0");
  EXPECT_EQ(ours[0].cuda, "12.4");
  EXPECT_THAT(ours[0].error, testing::EndsWith("flash_attn.so: undefined symbol: _ZN3c101gEv"));
  EXPECT_EQ(ours[1].torch, std::nullopt);
}

}  // namespace
}  // namespace envgen::validate
