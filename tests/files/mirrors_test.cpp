#include "files/mirrors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_tool.hpp"
#include "support/temporary_folder.hpp"
#include "util/process.hpp"

namespace envgen::files {
namespace {

using test::run_tool;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Environment on(const char* family, Platform platform = Platform::linux_x86_64) {
  Environment environment;
  environment.torch = Environment::FrameworkBuild();
  environment.system = Environment::System{family, "1", std::nullopt, std::nullopt, std::nullopt};
  environment.platform = platform;
  environment.base = Base::slim;
  return environment;
}

/// What the rules make of a list of sources, by sed itself.
std::string rewritten(const Environment& environment, const Options& options, const std::string& list) {
  const auto rules = apt_mirror_rules({environment, options, {}});
  EXPECT_TRUE(rules) << rules.error().message;
  const test::TemporaryFolder folder;
  folder.write("list", list);
  std::string command = "sed --regexp-extended";
  for (const auto& rule : *rules) command += " --expression=" + rule;
  const auto result = util::run_process({"sh", "-c", command + " " + (folder.path() / "list").string()});
  EXPECT_TRUE(result && result->exit_status == 0);
  return result->out;
}

Options archive(const char* url) {
  Options options;
  options.apt_mirror = {url, "--apt-mirror"};
  return options;
}
Options known(const char* root) {
  Options options;
  options.of_mirror.apt_root = root;
  return options;
}

// The hosts in parts: no committed line names a registry (scripts/checks/names.sh).
const std::string ubuntu = std::string("http://archive.") + "ubuntu.com/ubuntu/";
const std::string debian = std::string("http://deb.") + "debian.org/debian";
const std::string jammy = "deb " + ubuntu +
                          " jammy main\n"
                          "deb http://security.ubuntu.com/ubuntu/ jammy-security main\n"
                          "deb https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2204/x86_64 /\n";
const std::string bookworm = "URIs: " + debian +
                             "\n"
                             "Suites: bookworm\n"
                             "URIs: " +
                             debian +
                             "-security\n"
                             "deb http://security.debian.org/debian-security bookworm-security main\n";

TEST(AptMirror, OfTheUserStandsForTheArchiveAndItsSecurityUpdates) {
  EXPECT_EQ(rewritten(on("ubuntu"), archive("http://m.example.org/u+%/"), jammy),
            "deb http://m.example.org/u+%/ jammy main\n"
            "deb http://m.example.org/u+%/ jammy-security main\n"
            "deb https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2204/x86_64 /\n");
  EXPECT_EQ(rewritten(on("ubuntu", Platform::linux_aarch64), archive("http://m.example.org/ports"),
                      "URIs: http://ports.ubuntu.com/ubuntu-ports/\n"),
            "URIs: http://m.example.org/ports/\n");
  EXPECT_EQ(rewritten(on("debian"), archive("http://m.example.org/debian"), bookworm),
            "URIs: http://m.example.org/debian/\n"
            "Suites: bookworm\n"
            "URIs: http://m.example.org/debian-security/\n"
            "deb http://m.example.org/debian-security/ bookworm-security main\n");
  EXPECT_EQ(rewritten(on("debian"), archive("http://m.example.org/apt/remote"), bookworm),
            "URIs: http://m.example.org/apt/remote/\n"
            "Suites: bookworm\n"
            "URIs: " +
                debian +
                "-security\n"
                "deb http://security.debian.org/debian-security bookworm-security main\n");
}

TEST(AptMirror, ThatIsKnownLeavesUbuntusSecurityUpdates) {
  EXPECT_EQ(rewritten(on("ubuntu"), known("http://m.example.org"), jammy),
            "deb http://m.example.org/ubuntu/ jammy main\n"
            "deb http://security.ubuntu.com/ubuntu/ jammy-security main\n"
            "deb https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2204/x86_64 /\n");
  EXPECT_EQ(rewritten(on("ubuntu", Platform::linux_aarch64), known("http://m.example.org/"),
                      "URIs: http://ports.ubuntu.com/ubuntu-ports/\n"),
            "URIs: http://m.example.org/ubuntu-ports/\n");
  EXPECT_THAT(rewritten(on("debian"), known("http://m.example.org"), bookworm),
              HasSubstr("URIs: http://m.example.org/debian-security/\n"));
}

TEST(AptMirror, WithoutOneNothingIsRewritten) {
  const auto environment = on("ubuntu");
  const Options options;
  EXPECT_THAT(apt_mirror_rules({environment, options, {}}).value(), IsEmpty());
}

TEST(AptMirror, ByHttpsNeedsWhatAPlainImageLacks) {
  auto environment = on("ubuntu");
  auto options = archive("https://m.example.org/ubuntu");
  const auto refused = apt_mirror_rules({environment, options, {}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().origin, "--apt-mirror");
  EXPECT_EQ(refused.error().message,
            "this mirror uses https, but the distribution image trusts no certificates until ca-certificates is installed");
  EXPECT_THAT(refused.error().hints, ElementsAre("use its http address: apt verifies signatures either way", "--ca-cert FILE"));
  options.ca_cert = {"ca.pem", ""};
  EXPECT_TRUE(apt_mirror_rules({environment, options, {}}));
  options.ca_cert = {};
  options.base_image = {"registry.example.org/base:1", ""};
  EXPECT_TRUE(apt_mirror_rules({environment, options, {}}));
  options.base_image = {};
  environment.base = Base::cuda;
  EXPECT_TRUE(apt_mirror_rules({environment, options, {}}));
}

TEST(CondaMirror, HasTheChannelsThatItHas) {
  Options options;
  EXPECT_THAT(conda_channels(options, {"pytorch", "nvidia"}), ElementsAre("pytorch", "nvidia"));
  options.conda_mirror = {"https://m.example.org/conda/", ""};
  EXPECT_THAT(
      conda_channels(options, {"pytorch", "nvidia", "https://x.example.org/y"}),
      ElementsAre("https://m.example.org/conda/pytorch", "https://m.example.org/conda/nvidia", "https://x.example.org/y"));
  options.of_mirror.conda_channels = {"pytorch"};
  EXPECT_THAT(conda_channels(options, {"pytorch", "nvidia"}), ElementsAre("https://m.example.org/conda/pytorch", "nvidia"));
}

TEST(TorchMirror, StandsForTheWheelIndexAlone) {
  Options options;
  EXPECT_EQ(torch_index(options, "https://download.pytorch.org/whl/cu126"), "https://download.pytorch.org/whl/cu126");
  options.torch_mirror = {"https://m.example.org/whl/", ""};
  EXPECT_EQ(torch_index(options, "https://download.pytorch.org/whl/cu126"), "https://m.example.org/whl/cu126");
  EXPECT_EQ(torch_index(options, "https://elsewhere.example.org/cu126"), "https://elsewhere.example.org/cu126");
}

TEST(Mirror, IsBehindEveryOutput) {
  const auto made = [](const char* kind, std::vector<std::string> words) {
    words.insert(words.begin(), {"render", kind, "--mirror", "sjtug"});
    const auto outcome = run_tool(words);
    EXPECT_EQ(outcome.exit, 0) << outcome.err;
    return outcome.out;
  };
  const std::vector<std::string> on_wheel_index{"--torch", "2.9", "--cuda", "12.6"};
  EXPECT_THAT(made("dockerfile", on_wheel_index),
              testing::AllOf(HasSubstr("#http://mirror.sjtu.edu.cn/ubuntu/"), Not(HasSubstr("security")),
                             HasSubstr("ARG PIP_INDEX_URL=\"https://mirror.sjtu.edu.cn/pypi/web/simple\"\n"),
                             HasSubstr("ARG TORCH_INDEX_URL=\"https://mirror.sjtu.edu.cn/pytorch-wheels/cu126\"\n")));
  EXPECT_THAT(made("requirements", on_wheel_index),
              testing::AllOf(HasSubstr("--index-url https://mirror.sjtu.edu.cn/pypi/web/simple\n"),
                             HasSubstr("--extra-index-url https://mirror.sjtu.edu.cn/pytorch-wheels/cu126\n"),
                             HasSubstr("torch==2.9.1+cu126\n")));
  EXPECT_THAT(made("pyproject", on_wheel_index), HasSubstr("url = \"https://mirror.sjtu.edu.cn/pytorch-wheels/cu126\"\n"));
  EXPECT_THAT(made("setup", on_wheel_index), HasSubstr(":-https://mirror.sjtu.edu.cn/pytorch-wheels/cu126}"));
  const std::vector<std::string> by_conda{"--torch", "2.5", "--installer", "conda"};
  for (const auto* kind : {"conda", "dockerfile", "setup"}) {
    const auto text = made(kind, by_conda);
    EXPECT_THAT(text, HasSubstr("https://mirror.sjtu.edu.cn/anaconda/cloud/pytorch")) << kind;
    EXPECT_THAT(text, Not(HasSubstr("cloud/nvidia"))) << kind;
  }
}

TEST(Mirror, YieldsToWhatIsSaidBesides) {
  const auto outcome = run_tool({"render", "dockerfile", "--torch", "2.9", "--cuda", "12.6", "--mirror", "sjtug", "--pip-index",
                                 "https://p.example.org/simple", "--torch-mirror", "https://t.example.org", "--apt-mirror",
                                 "http://a.example.org/ubuntu"});
  EXPECT_THAT(outcome.out,
              testing::AllOf(HasSubstr("\"https://p.example.org/simple\""), HasSubstr("\"https://t.example.org/cu126\""),
                             HasSubstr("#http://a.example.org/ubuntu/"), Not(HasSubstr("sjtu"))));
}

TEST(Mirror, OfALayerMayNotSayWhatAShellObeys) {
  const auto refused = [](const char* field, const nlohmann::json& value) {
    const test::TemporaryFolder folder;
    nlohmann::json row{{"name", "ours"},   {"what", "x"},          {"apt", nullptr},   {"pip_index", nullptr},
                       {"conda", nullptr}, {"conda_channels", {}}, {"torch", nullptr}, {"source", "s"}};
    row["conda_channels"] = nlohmann::json::array();
    row[field] = value;
    if (std::string(field) == "conda_channels") row["conda"] = "https://m.example.org";
    const nlohmann::json layer{{"sources", {{"s", {{"what", "a test"}, {"url", nullptr}, {"read", "2026-11-22"}}}}},
                               {"mirrors", {row}}};
    folder.write("mirrors.json", layer.dump());
    const auto outcome = run_tool({"--matrix", ENVGEN_MATRIX_FOLDER, "--matrix", folder.path().string(), "render", "setup",
                                   "--torch", "2.9", "--cuda", "12.6", "--mirror", "ours"});
    EXPECT_EQ(outcome.exit, 4) << field;
    return outcome.err.substr(0, outcome.err.find('\n'));
  };
  const std::string where = "envgen: mirrors.json, the mirror ours: ";
  for (const auto* field : {"apt", "conda", "torch"})
    EXPECT_EQ(refused(field, "http://m/$(touch x)"),
              where + "'http://m/$(touch x)' is not an http, https or file URL without a password, query or fragment");
  EXPECT_EQ(refused("pip_index", "http://m/ --x"),
            where + "'http://m/ --x' is not an http, https or file URL without a password, query or fragment");
  EXPECT_EQ(refused("conda_channels", {"-c"}), where + "'-c' is not a conda channel");
}

TEST(Mirror, SaysWhatItLacks) {
  const auto said = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"render", words.back() == "conda" ? "conda" : "requirements"});
    return run_tool(words).err;
  };
  EXPECT_THAT(said({"--mirror", "tuna", "--torch", "2.9", "--cuda", "12.6"}),
              HasSubstr("tuna does not mirror these, so they come from their original hosts: PyTorch's wheels "
                        "(https://download.pytorch.org/whl/cu126), images\n"));
  EXPECT_THAT(
      said({"--mirror", "tuna", "--torch", "2.5", "--installer", "conda"}),
      HasSubstr(
          "tuna does not mirror these, so they come from their original hosts: conda's channel nvidia, Miniforge (build argument "
          "MINIFORGE_URL), images\n"));
}

TEST(Mirror, ThatIsNotKnownIsRefused) {
  const auto flag = run_tool({"render", "dockerfile", "--torch", "2.3", "--mirror", "tunna"});
  EXPECT_EQ(flag.exit, 2);
  EXPECT_EQ(flag.err,
            "envgen: --mirror: 'tunna' is not one of aliyun, bfsu, huawei, nju, sjtug, tencent, tuna, ustc\n"
            "  did you mean tuna?\n"
            "  'envgen list mirrors' shows what each provides\n");
  const auto url = run_tool({"render", "dockerfile", "--torch", "2.3", "--conda-mirror", "$(x)"});
  EXPECT_EQ(url.err,
            "envgen: --conda-mirror: '$(x)' is not an http, https or file URL without a password, query or fragment\n"
            "  such as https://mirror.example.org/path\n");
  const auto tag = run_tool({"render", "dockerfile", "--torch", "2.9", "--torch-mirror", "https://w.example.org/whl/cu126/"});
  EXPECT_EQ(tag.err,
            "envgen: --torch-mirror: 'https://w.example.org/whl/cu126/' is the index for one kind of build\n"
            "  use the parent address, such as https://download.pytorch.org/whl\n");
  const auto system =
      run_tool({"render", "dockerfile", "--torch", "2.9", "--os", "debian12", "--apt-mirror", "http://a.example.org/ubuntu"});
  EXPECT_THAT(system.err, testing::EndsWith("envgen: --apt-mirror: 'http://a.example.org/ubuntu' is an archive for Ubuntu, but "
                                            "the system is debian12\n  such as http://mirror.example.org/debian\n"));
}

}  // namespace
}  // namespace envgen::files
