// How what was found is shown.
#include "diagnosis/report.hpp"

#include <gtest/gtest.h>

namespace envgen::diagnosis {
namespace {

Diagnosis row() {
  Diagnosis row;
  row.id = "an-id";
  row.title = "A title";
  row.cause = "The cause has some words, and more of them than a narrow terminal has columns for.";
  row.fix = "Do it.";
  row.commands = "one --with words and words that are not broken\ntwo";
  row.source = "a source";
  row.proof = Proof::documented;
  return row;
}

TEST(Findings, AreShownWithTheirLine) {
  const auto one = row();
  EXPECT_EQ(findings_text({{&one, {7, "the line"}}, {&one, {}}}, {}), R"(an-id: A title
  line 7  the line
  cause   The cause has some words, and more of them than a narrow terminal has
          columns for.
  fix     Do it.
  run     one --with words and words that are not broken
          two
  source  a source (documentation)

an-id: A title
  cause   The cause has some words, and more of them than a narrow terminal has
          columns for.
  fix     Do it.
  run     one --with words and words that are not broken
          two
  source  a source (documentation)
)");
}

TEST(Findings, HaveWhatTheLogNamesInTheirCommands) {
  auto one = row();
  one.commands =
      "envgen resolve --gpu GPU --torch TORCH\nenvgen show gpu GPU\nGPU=1 run --os GPUS 'GPU' --driver DRIVER\n"
      "apt-get install nvidia-driver-BRANCH-server BRANCHES-BRANCH_1";
  Seen seen;
  seen[Named::gpu] = {"Tesla T4", 3};
  seen[Named::torch] = {"2.4.0", 4};
  seen[Named::last_branch] = {"470", 5};
  const auto text = findings_text({{&one, {}}}, {}, seen);
  EXPECT_NE(text.find("  run     envgen resolve --gpu 'Tesla T4' --torch 2.4.0\n"
                      "          envgen show gpu 'Tesla T4'\n"
                      "          GPU=1 run --os GPUS 'GPU' --driver DRIVER\n"
                      "          apt-get install nvidia-driver-470-server BRANCHES-BRANCH_1\n"),
            std::string::npos)
      << text;
}

/// The commands that are shown of a failure on this line.
std::string commands_of(const Diagnosis& one, const std::string& line) {
  const auto text = findings_text({{&one, {7, line}}}, {});
  const auto begin = text.find("  run     ") + 10;
  return text.substr(begin, text.find("  source") - begin);
}

TEST(Findings, HaveWhatTheLineOfTheFailureNamesInTheirCommands) {
  auto one = row();
  one.commands = "pip install PACKAGE\nss -ltnp | grep PORT\nip address show INTERFACE";
  const auto commands = [&](const std::string& line) { return commands_of(one, line); };
  const auto expected = [](const std::string& package, const std::string& port, const std::string& interface) {
    return "pip install " + package + "\n          ss -ltnp | grep " + port + "\n          ip address show " + interface + "\n";
  };
  EXPECT_EQ(commands("nothing"), expected("PACKAGE", "PORT", "INTERFACE"));
  EXPECT_EQ(commands("No module named 'flash_attn_2_cuda'"), expected("flash-attn", "PORT", "INTERFACE"));
  EXPECT_EQ(commands("No module named 'mmcv._ext'"), expected("mmcv", "PORT", "INTERFACE"));
  EXPECT_EQ(commands("No module named 'amp_C'"), expected("PACKAGE", "PORT", "INTERFACE"));
  EXPECT_EQ(commands("hint: This error likely indicates that `flash-attn@2.8.1` depends on `torch`, but"),
            expected("flash-attn", "PORT", "INTERFACE"));
  EXPECT_EQ(commands("hint: This error likely indicates that `git+https://x.example/y.git` depends on `torch`, but"),
            expected("PACKAGE", "PORT", "INTERFACE"));
  for (const std::string imported : {"pkg_resources", "distutils", "packaging", "wheel", "imp"})
    EXPECT_EQ(commands("No module named '" + imported + "'"), expected("PACKAGE", "PORT", "INTERFACE"));
  EXPECT_EQ(commands("/venv/lib/python3.10/site-packages/torch_scatter/_scatter_cuda.so: undefined symbol"),
            expected("torch-scatter", "PORT", "INTERFACE"));
  EXPECT_EQ(commands("/venv/lib/python3.10/site-packages/torch/lib/libtorch_cuda.so: undefined symbol"),
            expected("PACKAGE", "PORT", "INTERFACE"));
  EXPECT_EQ(commands("failed to bind to [::]:12211 (errno: 98"), expected("PACKAGE", "12211", "INTERFACE"));
  EXPECT_EQ(commands("port: 29500, useIpv6: false"), expected("PACKAGE", "29500", "INTERFACE"));
  EXPECT_EQ(commands("port: 295001"), expected("PACKAGE", "PORT", "INTERFACE"));
  EXPECT_EQ(commands("Unable to find address for: bond1"), expected("PACKAGE", "PORT", "bond1"));
}

TEST(Findings, HaveTheCompilersOfTheLineInTheirCommands) {
  auto one = row();
  one.commands = "g++-GCC\napt-get install g++-GCC cuda-nvcc=CUDA\nenvgen show cuda CUDA\nenvgen resolve --cuda NVCC";
  const auto commands = [&](const std::string& line) { return commands_of(one, line); };
  const auto expected = [](const std::string& gcc, const std::string& cuda, const std::string& nvcc) {
    return "g++-" + gcc + "\n          apt-get install g++-" + gcc + " cuda-nvcc=" + cuda + "\n          envgen show cuda " +
           cuda + "\n" + (nvcc.empty() ? "" : "          envgen resolve --cuda " + nvcc + "\n");
  };
  EXPECT_EQ(commands("nothing"), expected("GCC", "CUDA", ""));
  EXPECT_EQ(
      commands("/usr/local/cuda-11.8/include/crt/host_config.h:132:2: #error -- unsupported GNU version! gcc versions later "
               "than 11 are not supported!"),
      expected("11", "11.8", ""));
  EXPECT_EQ(commands("#error -- unsupported GNU version! gcc versions later than 4.9 are not supported!"),
            expected("4.9", "CUDA", ""));
  EXPECT_EQ(commands("#error -- unsupported GNU version! gcc versions later than 5.3 are not supported!"),
            expected("5", "CUDA", ""));
  EXPECT_EQ(commands("greater than the maximum required version by CUDA 11.8. Please use g++ (>=6.0.0, <12.0)."),
            expected("11", "11.8", ""));
  EXPECT_EQ(commands("greater than the maximum required version by CUDA 12.1. Please use g++ (>=6.0.0, <12.3)."),
            expected("12", "12.1", ""));
  EXPECT_EQ(commands("greater than the maximum required version by CUDA 11.1 (10.0.0). Please use g++ (>=5.0.0, <=10.0.0)."),
            expected("10", "11.1", ""));
  EXPECT_EQ(commands("C:\\CUDA\\v12.1\\include\\crt/host_config.h(153): #error"), expected("GCC", "12.1", ""));
  EXPECT_EQ(commands("The detected CUDA version (11.5) mismatches the version that was used to compile PyTorch (12.1)."),
            expected("GCC", "12.1", "11.5"));
  EXPECT_EQ(commands("Installed CUDA version 12.2 does not match the version torch was compiled with 11.7, unable"),
            expected("GCC", "11.7", "12.2"));
  EXPECT_EQ(commands("Pytorch binaries were compiled with Cuda 10.0.130."), expected("GCC", "10.0", ""));
}

TEST(Findings, InstallNoExtraThatTheTensorflowOfTheLogLacks) {
  auto one = row();
  one.commands = "pip install -U 'tensorflow[and-cuda]'\nenvgen resolve --tensorflow TENSORFLOW\nldconfig -p";
  const auto commands = [&](const char* tensorflow) {
    Seen seen;
    if (tensorflow != nullptr) seen[Named::tensorflow] = {tensorflow, 1};
    const auto text = findings_text({{&one, {7, "a line"}}}, {}, seen);
    const auto begin = text.find("  run     ") + 10;
    return text.substr(begin, text.find("  source") - begin);
  };
  EXPECT_EQ(commands("2.8.0"), "envgen resolve --tensorflow 2.8.0\n          ldconfig -p\n");
  EXPECT_EQ(commands("2.13"), "envgen resolve --tensorflow 2.13\n          ldconfig -p\n");
  EXPECT_EQ(commands("2.14.0"),
            "pip install -U 'tensorflow[and-cuda]'\n          envgen resolve --tensorflow 2.14.0\n          ldconfig -p\n");
  EXPECT_EQ(commands(nullptr), "pip install -U 'tensorflow[and-cuda]'\n          ldconfig -p\n");
}

TEST(Findings, HaveTheProtobufOfTheCodeInTheirCommands) {
  auto one = row();
  one.commands = "pip install protobuf==GENCODE";
  EXPECT_EQ(commands_of(one, "versions when loading x.proto: gencode 5.29.2 runtime 5.27.2. Runtime"),
            "pip install protobuf==5.29.2\n");
  EXPECT_EQ(commands_of(one, "cannot import name 'runtime_version'"), "pip install protobuf==GENCODE\n");
}

TEST(Findings, LeaveOutAFlagThatTheLogDoesNotFillIn) {
  auto one = row();
  one.commands = "envgen resolve --torch TORCH --variant devel\nenvgen resolve --gpu GPU\nenvgen show gpu GPU";
  const auto of_log = findings_text({{&one, {7, "the line"}}}, {});
  EXPECT_NE(of_log.find("  run     envgen resolve --variant devel\n          envgen show gpu GPU\n  source"), std::string::npos)
      << of_log;
  EXPECT_NE(findings_text({{&one, {}}}, {}).find("envgen resolve --gpu GPU\n"), std::string::npos);
}

TEST(Findings, AskForNoTorchWhereAProgramBringsItsOwn) {
  auto one = row();
  one.commands = "nvidia-smi\nenvgen resolve --host auto";
  Seen seen;
  seen.pins_torch = "vLLM";
  EXPECT_NE(findings_text({{&one, {7, "the line"}}}, {}, seen).find("  run     nvidia-smi\n  source"), std::string::npos);
}

TEST(Findings, SayOnceHowTheyAreKnown) {
  auto one = row();
  one.source = "the code (documented)";
  EXPECT_NE(findings_text({{&one, {}}}, {}).find("  source  the code (documented)\n"), std::string::npos);
  one.source = "documented by NVIDIA";
  EXPECT_NE(findings_text({{&one, {}}}, {}).find("  source  documented by NVIDIA\n"), std::string::npos);
}

/// envgen does not run there.
TEST(Findings, AskNothingOfTheMachineOnAnotherPlatform) {
  auto one = row();
  one.commands = "nvidia-smi\nenvgen resolve --host auto";
  Seen seen;
  EXPECT_NE(findings_text({{&one, {}}}, {}, seen).find("--host auto"), std::string::npos);
  seen[Named::platform] = {"windows", 1};
  const auto text = findings_text({{&one, {}}}, {}, seen);
  EXPECT_EQ(text.find("--host auto"), std::string::npos);
  EXPECT_NE(text.find("nvidia-smi"), std::string::npos);
}

TEST(Findings, AsJsonWithWhatTheLogNames) {
  util::JsonWriter json;
  Seen seen;
  seen[Named::driver] = {"550.54.15", 3};
  write_seen(json, seen);
  EXPECT_EQ(
      json.take(),
      R"({"gpu":null,"torch":null,"cuda":null,"driver":"550.54.15","driver_cuda":null,"last_branch":null,"python":null,"wsl":null,"platform":null,"tensorflow":null})");
}

TEST(Findings, FitTheTerminalAndStayReadable) {
  const auto one = row();
  const auto cause = [&](std::size_t width) {
    const auto text = findings_text({{&one, {}}}, {width, false});
    const auto begin = text.find("  cause");
    return text.substr(begin, text.find("  fix") - begin);
  };
  EXPECT_EQ(cause(50),
            "  cause   The cause has some words, and more of\n"
            "          them than a narrow terminal has columns\n"
            "          for.\n");
  const std::string narrow =
      "  cause   The cause has some\n"
      "          words, and more of\n"
      "          them than a narrow\n"
      "          terminal has columns\n"
      "          for.\n";
  EXPECT_EQ(cause(30), narrow);
  EXPECT_EQ(cause(10), narrow);
  EXPECT_EQ(cause(1000), cause(100));
  EXPECT_EQ(cause(0), cause(80));
}

TEST(Findings, AreNoWiderThanOneCanRead) {
  std::string many;
  for (int i = 0; i < 50; ++i) many += "word ";
  auto wide = row();
  wide.cause = many;
  const auto shown = [&](std::size_t width) { return findings_text({{&wide, {}}}, {width, false}); };
  EXPECT_EQ(shown(1000), shown(100));
  EXPECT_NE(shown(90), shown(100));
}

TEST(Parts, AreThoseThatAreNotEmpty) {
  EXPECT_EQ(parts(" a  b ", ' '), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_TRUE(parts("", ' ').empty());
}

TEST(Findings, AsJson) {
  const auto one = row();
  util::JsonWriter json;
  json.begin_array();
  write_finding(json, {&one, {7, "the \"line\""}});
  write_finding(json, {&one, {}});
  const std::string begin =
      R"({"id":"an-id","title":"A title","cause":"The cause has some words, and more of them than a narrow terminal has columns for.",)"
      R"("fix":"Do it.","commands":["one --with words and words that are not broken","two"],"evidence":)";
  const std::string end = R"(,"source":"a source","proof":"documented"})";
  EXPECT_EQ(json.end_array().take(),
            "[" + begin + R"({"line":7,"text":"the \"line\""})" + end + "," + begin + "null" + end + "]");
}

}  // namespace
}  // namespace envgen::diagnosis
