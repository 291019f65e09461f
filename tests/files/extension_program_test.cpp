// The program that looks after what compiles against torch, run by a real Python beside doubles of torch and of an extension,
// which the machine's compiler makes.
#include "files/extension_program.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "util/process.hpp"
#include "util/temporary_folder.hpp"

namespace envgen::files {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

struct Ran {
  int status = -1;
  std::string out, err;
};

class ExtensionProgram : public testing::Test {
 protected:
  void SetUp() override {
    const auto program = extension_program();
    ASSERT_TRUE(program) << program.error().message;
    write("program.py", program->text);
    torch("2.6.0+cu124", "12.4");
    ASSERT_EQ(compile("torch/lib/libc10.so", R"(int f(void) __asm__("_ZN3c104twoSixEv"); int f(void) { return 1; })",
                      {"-Wl,-soname,libc10.so"}),
              0);
    write("flash_attn-2.8.3.dist-info/RECORD", "flash_attn_2_cuda.so,,\nflash_attn-2.8.3.dist-info/RECORD,,\n");
  }

  std::filesystem::path path(const std::string& name) const { return folder_.path() / "site" / name; }

  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(path(name).parent_path());
    std::ofstream(path(name)) << text;
  }

  void torch(const std::string& version, const std::string& cuda) const {
    write("torch/version.py", fmt::format("__version__ = '{}'\ncuda = '{}'\n", version, cuda));
    write("torch/__init__.py",
          "import ctypes, os\nctypes.CDLL(os.path.join(os.path.dirname(__file__), 'lib/libc10.so'), ctypes.RTLD_GLOBAL)\n");
  }

  int compile(const std::string& name, const std::string& source, std::vector<std::string> more = {}) const {
    std::filesystem::create_directories(path(name).parent_path());
    write("source.c", source);
    std::vector<std::string> command{"cc", "-shared", "-fPIC", "-o", path(name), path("source.c")};
    command.insert(command.end(), more.begin(), more.end());
    const auto ran = util::run_process(command, {});
    EXPECT_TRUE(ran && ran->ok()) << (ran ? ran->err : ran.error().message);
    return ran ? ran->exit_status : -1;
  }

  /// The extension: it asks libc10.so for a symbol, and holds device code as nvcc 13.0 made it for 8.9, 9.0a and 10.3f, and the
  /// PTX for 12.0 (cuobjdump --list-elf --list-ptx tells the same).
  void extension(const std::string& symbol = "_ZN3c104twoSixEv", const std::string& more = {},
                 std::vector<std::string> flags = {}) const {
    flags.insert(flags.end(), {"-L" + path("torch/lib").string(), "-lc10"});
    compile("flash_attn_2_cuda.so",
            fmt::format("extern int f(void) __asm__(\"{}\"); int g(void) {{ return f(); }}\n"
                        "__asm__(\".section .nv_fatbin, \\\"a\\\"\\n.incbin \\\"{}\\\"\\n.text\");\n{}",
                        symbol, ENVGEN_TEST_DATA "/device_code/five.fatbin", more),
            flags);
  }

  Ran run(std::vector<std::string> arguments, std::vector<std::string> environment = {}) const {
    arguments.insert(arguments.begin(), {"python3", path("program.py")});
    util::ProcessLimits limits;
    limits.environment = std::move(environment);
    limits.environment.push_back("PYTHONPATH=" + path("").string());
    limits.environment.emplace_back("PYTHONDONTWRITEBYTECODE=1");
    const auto ran = util::run_process(arguments, limits);
    EXPECT_TRUE(ran) << ran.error().message;
    return ran ? Ran{ran->exit_status, ran->out, ran->err} : Ran{};
  }

  std::string key(std::vector<std::string> environment = {}) const {
    const auto ran = run({"key"}, std::move(environment));
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out.size(), 33U) << ran.out;
    return ran.out;
  }

  util::TemporaryFolder folder_ = *util::TemporaryFolder::make("envgen-extensions");
};

TEST_F(ExtensionProgram, KeyIsOfAllThatCodeDependsOn) {
  const auto before = key();
  EXPECT_EQ(key(), before);
  EXPECT_EQ(key({"MAX_JOBS=1", "https_proxy=http://proxy.example.org", "PIP_INDEX_URL=https://a:secret@example.org"}), before);
  for (const auto* variable : {"TORCH_CUDA_ARCH_LIST=8.9", "FLASH_ATTN_CUDA_ARCHS=80", "CFLAGS=-O1", "CC=cc-that-is-not-there"})
    EXPECT_NE(key({variable}), before) << variable;
  torch("2.6.0+cu126", "12.6");
  const auto other_torch = key();
  EXPECT_NE(other_torch, before);
  write("torch-2.6.0.dist-info/RECORD", "torch/lib/libtorch_cpu.so,sha256=another-build-of-it,1\n");
  EXPECT_NE(key(), other_torch);
  const auto numpy_1 = key();
  write("numpy-2.0.0.dist-info/RECORD", "");
  EXPECT_NE(key(), numpy_1);
  const auto beside = key();
  write("pandas-2.0.0.dist-info/RECORD", "");
  EXPECT_EQ(key(), beside) << "nothing is compiled with pandas";
}

TEST_F(ExtensionProgram, KeyNeedsTorch) {
  std::filesystem::remove_all(path("torch"));
  const auto ran = run({"key"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err, "torch is not installed\n");
}

TEST_F(ExtensionProgram, PassesWhatFits) {
  extension();
  EXPECT_EQ(run({"record", "flash-attn"}).status, 0);
  const auto ran = run({"--for", "8.9", "--for", "9.0", "--for", "10.3", "--for", "12.1", "check", "flash-attn"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, "flash-attn 2.8.3 was compiled for torch 2.6.0+cu124 and loads\n");
  EXPECT_EQ(run({"stale", "flash-attn"}).out, "\n");
}

TEST_F(ExtensionProgram, TellsWhichGpusItHasNoCodeFor) {
  extension();
  for (const auto* capability : {"8.0", "8.6", "10.0", "11.0"}) {
    const auto ran = run({"--for", capability, "--for", "8.9", "check", "flash-attn"});
    EXPECT_EQ(ran.status, 1);
    EXPECT_EQ(ran.err,
              fmt::format("error: flash-attn 2.8.3 has no code for compute capability {}: it was compiled for compute_120 "
                          "sm_103f sm_89 sm_90a\n",
                          capability));
  }
  compile("flash_attn_2_cuda.so", "extern int f(void) __asm__(\"_ZN3c104twoSixEv\"); int g(void) { return f(); }",
          {"-L" + path("torch/lib").string(), "-lc10"});
  EXPECT_EQ(run({"--for", "8.9", "check", "flash-attn"}).err,
            "error: flash-attn 2.8.3 has no code for compute capability 8.9: it was compiled for no GPU\n");
}

TEST_F(ExtensionProgram, TellsForWhichTorchItWasCompiled) {
  extension();
  EXPECT_EQ(run({"stale", "flash-attn"}).out, "flash-attn\n") << "nothing was noted";
  EXPECT_EQ(run({"record", "flash-attn"}).status, 0);
  torch("2.6.1+cu124", "12.4");
  EXPECT_EQ(run({"check", "flash-attn"}).status, 0) << "an update keeps its interface";
  torch("2.7.1+cu126", "12.6");
  EXPECT_EQ(run({"stale", "flash-attn", "mamba-ssm"}).out, "flash-attn\n");
  const auto ran = run({"check", "flash-attn"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err,
            "error: flash-attn 2.8.3 was compiled for torch 2.6.0+cu124 and CUDA 12.4, but torch 2.7.1+cu126 for CUDA 12.6 is "
            "installed\n");
  EXPECT_EQ(run({"record", "flash-attn"}).status, 0) << "what was noted stays";
  EXPECT_EQ(run({"check", "flash-attn"}).status, 1);
}

TEST_F(ExtensionProgram, TellsThatItDoesNotLoad) {
  extension("_ZN3c106twoFiveEv");
  const auto ran = run({"check", "flash-attn"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.err, AllOf(StartsWith("error: flash-attn 2.8.3 does not load: "),
                             EndsWith("flash_attn_2_cuda.so: undefined symbol: _ZN3c106twoFiveEv\n")));
  extension("_ZN3c104twoSixEv", "extern void abort(void); __attribute__((constructor)) static void h(void) { abort(); }");
  EXPECT_EQ(run({"check", "flash-attn"}).err,
            "error: flash-attn 2.8.3 does not load: flash_attn_2_cuda.so: it was killed by signal 6 while loading\n");
}

TEST_F(ExtensionProgram, KnowsTheDriversLibrariesFromCudas) {
  for (const auto& [library, loads] : {std::pair("libcuda.so.1", true), std::pair("libnvidia-ml.so.1", true),
                                       std::pair("libavutil.so.58", true), std::pair("libcudart.so.99", false)}) {
    compile(library, "int k(void) { return 1; }", {std::string("-Wl,-soname,") + library});
    extension("_ZN3c104twoSixEv", "extern int k(void); int m(void) { return k(); }", {path(library)});
    std::filesystem::remove(path(library));
    const auto ran = run({"check", "flash-attn"}, {"CUDA_HOME=/nowhere"});
    EXPECT_EQ(ran.status, loads ? 0 : 1) << library;
    if (loads) continue;
    EXPECT_EQ(
        ran.err,
        "error: flash-attn 2.8.3 does not load: flash_attn_2_cuda.so: libcudart.so.99: cannot open shared object file: No such "
        "file or directory\n");
  }
}

TEST_F(ExtensionProgram, TakesTheStubOfTheDriverWhereThereIsOne) {
  compile("cuda/lib64/stubs/libcuda.so", "int k(void) { return 1; }", {"-Wl,-soname,libcuda.so.1"});
  extension("_ZN3c106twoFiveEv", "extern int k(void); int m(void) { return k(); }", {path("cuda/lib64/stubs/libcuda.so")});
  const auto ran = run({"check", "flash-attn"}, {"CUDA_HOME=" + path("cuda").string()});
  EXPECT_THAT(ran.err, HasSubstr("undefined symbol: _ZN3c106twoFiveEv")) << "the stub serves, so the rest is looked at";
}

TEST_F(ExtensionProgram, TellsWhatIsNotInstalled) {
  const auto ran = run({"check", "mamba-ssm"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err, "error: mamba-ssm is not installed\n");
}

TEST_F(ExtensionProgram, BrokenLibrariesAreNone) {
  extension();
  std::ifstream file(path("flash_attn_2_cuda.so"), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t size = 0; size < whole.size(); size += 997) {
    write("flash_attn_2_cuda.so", whole.substr(0, size));
    EXPECT_EQ(run({"stale", "flash-attn"}).status, 0) << size;
  }
}

}  // namespace
}  // namespace envgen::files
