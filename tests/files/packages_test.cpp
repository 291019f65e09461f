// What is installed, in which steps, by which tools.
#include "files/packages.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "api/files.hpp"

#include "files/conda_packages.hpp"
#include "files/extension_program.hpp"
#include "files/frozen.hpp"
#include "files/interpreter.hpp"
#include "files/mirrors.hpp"
#include "files/proof_of_build.hpp"
#include "files/resolved.hpp"
#include "files/tools.hpp"
#include "support/error_text.hpp"
#include "support/literals.hpp"

namespace envgen::files {
namespace {

using testing::Contains;
using testing::ElementsAre;

/// `index: requirements` of each step.
std::vector<std::string> steps_of(const Environment& environment, const Options& options) {
  std::vector<std::string> result;
  for (const auto& step : pip_steps({environment, options, "sha256:0"})) {
    std::string text = step.index_url ? "wheel index:" : "package index:";
    if (step.frozen) text += " the tree";
    if (step.compiles) text += " compiled";
    for (const auto& requirement : step.requirements) text += " " + requirement;
    result.push_back(text);
  }
  return result;
}

Options with_extras() {
  Options options;
  options.pip = {{"einops", "--pip"}, {"flash-attn", "--pip"}};
  options.extensions = {{"flash-attn", false, {}, {}, {}}};
  return options;
}

TEST(PipSteps, TakeTheFrameworkFromTheIndexThatHasIt) {
  auto environment = test::environment_of("torch=2.3 cuda=12.1");
  environment.pins = {{"numpy", "<2", "", ""}};
  const Options none;
  EXPECT_THAT(steps_of(environment, none),
              ElementsAre("package index: torch==2.3.1 torchvision==0.18.1 torchaudio==2.3.1 numpy<2"));
  environment.torch->on_package_index = false;
  EXPECT_THAT(steps_of(environment, none),
              ElementsAre("package index: numpy<2", "wheel index: torch==2.3.1 torchvision==0.18.1 torchaudio==2.3.1"));
  environment.pins.clear();
  EXPECT_THAT(steps_of(environment, none), ElementsAre("wheel index: torch==2.3.1 torchvision==0.18.1 torchaudio==2.3.1"));
}

TEST(PipSteps, CompileAPackageOnceHoweverItIsSpelled) {
  auto options = with_extras();
  options.pip.push_back({"Flash_Attn[x]==2.8.3", "--pip"});
  options.pip.push_back({"flash.attn", "--pip"});
  EXPECT_THAT(steps_of(test::environment_of("torch=2.6 cuda=12.4 variant=devel"), options),
              Contains("package index: compiled torch==2.6.0 flash-attn[x]==2.8.3"));
  EXPECT_EQ(compiled_names(options), "flash-attn");
}

/// pip before 20.3 refuses two requirements of a package.
TEST(PipSteps, NameEachPackageOnce) {
  auto environment = test::environment_of("torch=2.3 cuda=12.1");
  environment.pins = {{"numpy", "<2", "", ""}, {"setuptools", "<82", "", ""}};
  Options options;
  for (const auto* one : {"NumPy[x] >= 1.26", "einops", "numpy!=1.26.1,<2", "setuptools", "Einops[y]", "einops [z, y]>=0.7"})
    options.pip.push_back({one, "--pip"});
  EXPECT_THAT(steps_of(environment, options), ElementsAre("package index: torch==2.3.1 torchvision==0.18.1 torchaudio==2.3.1 "
                                                          "numpy[x]<2,>=1.26,!=1.26.1 setuptools<82 einops[y,z]>=0.7"));
  environment.torch->on_package_index = false;
  EXPECT_THAT(steps_of(environment, options), ElementsAre("package index: numpy[x]<2,>=1.26,!=1.26.1 setuptools<82",
                                                          "wheel index: torch==2.3.1 torchvision==0.18.1 torchaudio==2.3.1",
                                                          "package index: torch==2.3.1 einops[y,z]>=0.7"));
}

/// cuDNN is pinned where [and-cuda] leaves a range of it. What a lock holds in its place and is no range pins nothing.
TEST(FrameworkRequirements, PinTheCudnnOfARangeOnly) {
  auto environment = test::environment_of("tensorflow=2.20 gpu=4090");
  EXPECT_THAT(framework_requirements(environment), testing::SizeIs(2));
  for (auto& [package, spec] : environment.tensorflow->cuda_pins) {
    if (package.starts_with("nvidia-cudnn-")) spec = "--pwned";
  }
  EXPECT_THAT(framework_requirements(environment), ElementsAre("tensorflow[and-cuda]==2.20.0"));
}

TEST(PipSteps, OfAFrozenTreeInstallNothingBesideItButWhatCompiles) {
  auto environment = test::environment_of("torch=2.3 cuda=12.1");
  environment.frozen = Environment::Frozen{"uv 0", {}, {}, {}};
  for (const bool on_package_index : {true, false}) {
    environment.torch->on_package_index = on_package_index;
    const std::string index = on_package_index ? "package index:" : "wheel index:";
    EXPECT_THAT(steps_of(environment, with_extras()),
                ElementsAre(index + " the tree", "package index: compiled torch==2.3.1 flash-attn"));
  }
}

TEST(PipSteps, OfExtrasStandBehindTheFrameworkOfTheWheelIndex) {
  auto environment = test::environment_of("torch=2.3 cuda=12.1");
  environment.pins.clear();
  environment.torch->on_package_index = false;
  Options options;
  options.pip = {{"einops", "--pip"}};
  EXPECT_THAT(steps_of(environment, options), ElementsAre("wheel index: torch==2.3.1 torchvision==0.18.1 torchaudio==2.3.1",
                                                          "package index: torch==2.3.1 einops"));
}

TEST(PipSteps, OfAFrozenTreeAskBothIndexesAlike) {
  auto environment = test::environment_of("torch=2.3 cuda=12.1");
  const auto words = [&](Installer installer, std::optional<std::string> index) {
    environment.installer = installer;
    return words_of({.index_url = std::move(index), .requirements = {}, .frozen = true}, environment, "/tree");
  };
  EXPECT_EQ(words(Installer::pip, std::nullopt), " --require-hashes --requirement /tree");
  EXPECT_EQ(words(Installer::pip, "x"), " --require-hashes --extra-index-url \"$TORCH_INDEX_URL\" --requirement /tree");
  EXPECT_EQ(words(Installer::uv, "x"),
            " --require-hashes --index \"$TORCH_INDEX_URL\" --index-strategy unsafe-best-match --requirement /tree");
}

/// What is said of a tree that was made for `requirements` and holds `packages`.
std::string frozen_as(std::vector<std::string> requirements, std::vector<Environment::Frozen::Package> packages,
                      const char* python = "3.10") {
  auto environment = test::environment_of("torch=2.3 cuda=12.1");
  environment.pins.clear();
  environment.python = PythonVersion::parse(python).value();
  environment.torch->torchvision.reset();
  environment.torch->torchaudio.reset();
  environment.frozen = Environment::Frozen{"uv 0", std::move(requirements), std::move(packages), {}};
  const Options options;
  const auto checked = check_frozen({environment, options, "sha256:0"});
  return checked ? "fine" : checked.error().message;
}

TEST(FrozenTree, IsWhatWasAskedForAndNothingElse) {
  EXPECT_EQ(frozen_as({"torch==2.3.1"}, {{"torch", "2.3.1", {}}}), "fine");
  EXPECT_EQ(frozen_as({"torch==2.3.1"}, {{"torch", "2.3.1+cu121", {}}}), "fine");
  EXPECT_EQ(frozen_as({}, {{"torch", "2.3.1", {}}}), "the frozen tree was made without 'torch==2.3.1'");
  EXPECT_EQ(frozen_as({"torch==2.3.1", "einops"}, {{"torch", "2.3.1", {}}}),
            "the frozen tree was made with 'einops', which is no longer requested");
  EXPECT_EQ(frozen_as({"torch==2.3.1"}, {{"numpy", "1", {}}}), "the frozen tree lacks 'torch==2.3.1'");
  EXPECT_EQ(frozen_as({"torch==2.3.1"}, {{"torch", "2.3.0", {}}}),
            "the frozen tree contains torch 2.3.0, but 'torch==2.3.1' was requested");
  EXPECT_EQ(frozen_as({"torch==2.3.1"}, {{"torch", "2.3.1", {}}, {"Torch", "2.3.1", {}}}),
            "the frozen tree contains Torch twice");
  EXPECT_EQ(frozen_as({"torch==2.3.1"}, {{"torch", "2.3.1", {}}}, "3.13t"),
            "uv cannot freeze for a free-threaded Python, and this is 3.13t");
}

TEST(ImagesByTag, AreThoseOfTheWorkflowToo) {
  const auto environment = test::environment_of("torch=2.3 cuda=12.1");
  Options options;
  const auto images = [&](const char* service) {
    options.ci_for = {service, "--for"};
    return images_by_tag({environment, options, "sha256:0", {"dockerfile", "ci"}});
  };
  EXPECT_THAT(images("gitlab"), ElementsAre("docker:28-dind", "ubuntu:22.04", "ubuntu:24.04"));
  EXPECT_THAT(images("github"), ElementsAre("ubuntu:22.04"));
}

TEST(NotOnTheMirror, IsWhatItHasNone) {
  auto environment = test::environment_of("torch=2.3 cuda=12.1");
  environment.torch->on_package_index = true;
  Options options;
  options.mirror = {"mine", "--mirror"};
  EXPECT_THAT(not_on_the_mirror({environment, options, "sha256:0"}), ElementsAre("system packages"));
  options.of_mirror.apt_root = "http://mirror.example.org";
  EXPECT_THAT(not_on_the_mirror({environment, options, "sha256:0"}), ElementsAre());
  environment.torch->on_package_index = false;
  EXPECT_THAT(not_on_the_mirror({environment, options, "sha256:0"}),
              ElementsAre("PyTorch's wheels (https://download.pytorch.org/whl/cu121)"));
}

TEST(CondaToolkit, OfCondaForgeBeginsWithCuda12) {
  auto environment = test::environment_of("torch=2.8 installer=conda");
  Options options;
  options.explicit_toolkit = true;
  const auto has_it = [&](const char* cuda) {
    environment.torch->cuda = Version::parse(cuda).value();
    return conda_packages_with_toolkit({environment, options, "sha256:0"}).has_value();
  };
  EXPECT_TRUE(has_it("12.0"));
  EXPECT_FALSE(has_it("11.8"));
}

TEST(CondaPackages, OfCondaForgeHoldCudaToOneVersion) {
  auto environment = test::environment_of("torch=2.8 installer=conda");
  const Options options;
  const auto specs_for = [&](const char* cuda) {
    environment.torch->cuda = Version::parse(cuda).value();
    return conda_packages({environment, options, "sha256:0"})->specs;
  };
  EXPECT_THAT(specs_for("11.8"), Contains("cudatoolkit=11.8"));
  EXPECT_THAT(specs_for("12.0"), Contains("cuda-version=12.0"));
  EXPECT_THAT(specs_for("12.6"), Contains("cuda-version=12.6"));
}

TEST(Tools, OfPythonsBefore38AreOlder) {
  auto environment = test::environment_of("torch=2.3 cuda=12.1");
  Options options;
  options.tools = {{"pip", "", "3.6", "21.3.1", {"sha256:oldest"}},
                   {"pip", "", "3.7", "24.0", {"sha256:old"}},
                   {"pip", "", "3.8", "25.0", {"sha256:a", "sha256:b"}}};
  const auto pip_for = [&](const char* python) {
    environment.python = PythonVersion::parse(python).value();
    return pip_by_hash({environment, options, "sha256:0"});
  };
  EXPECT_EQ(pip_for("3.6"), "pip==21.3.1 --hash=sha256:oldest");
  EXPECT_EQ(pip_for("3.7"), "pip==24.0 --hash=sha256:old");
  EXPECT_EQ(pip_for("3.8"), "pip==25.0 --hash=sha256:a --hash=sha256:b");
}

TEST(Tools, ThatAFileMayNeedAreThere) {
  auto options = api::with_packages({}, matrix::embedded());
  EXPECT_TRUE(check_tools(options));
  const auto without = [&](std::string_view name, auto loses) {
    auto fewer = options;
    const auto tool = std::find_if(fewer.tools.begin(), fewer.tools.end(), [&](const Tool& one) { return one.name == name; });
    loses(fewer, tool);
    const auto checked = check_tools(fewer);
    return checked ? "fine" : test::text_of(checked.error());
  };
  const auto itself = [](Options& fewer, auto tool) { fewer.tools.erase(tool); };
  const auto its_hash = [](Options&, auto tool) { tool->hashes.clear(); };
  EXPECT_EQ(without("ninja", itself),
            "bad_input | tools.json | envgen's data has no ninja for linux-x86_64 and Python 3.6 | a layer adds to other facts: "
            "name their folder before it");
  EXPECT_EQ(without("uv", itself),
            "bad_input | tools.json | envgen's data has no uv for linux-aarch64 and Python 3.6 with its hash | a layer adds to "
            "other facts: name their folder before it");
  EXPECT_EQ(without("pip", its_hash),
            "bad_input | tools.json | envgen's data has no pip for linux-x86_64 and Python 3.5 with its hash | a layer adds to "
            "other facts: name their folder before it");
  EXPECT_EQ(without("uv", [](Options&, auto tool) { tool->version = "1'; id; '"; }),
            "bad_input | tools.json, tool uv | '1'; id; '' is not a tool version | ");
  EXPECT_EQ(without("uv", [](Options&, auto tool) { tool->hashes = {"sha256:0"}; }),
            "bad_input | tools.json, tool uv | 'sha256:0' is not a file hash | such as sha256: followed by 64 digits");
}

TEST(Interpreter, IsTheVirtualEnvironmentsOrTheImages) {
  auto environment = test::environment_of("torch=2.3 gpu=4090");
  const auto of = [&](Installer installer, PythonProvider provider, const char* layout, bool pep668) {
    environment.installer = installer;
    environment.python_provider = provider;
    environment.image_layout.reset();
    if (*layout != '\0') environment.image_layout = layout;
    environment.system->pep668 = pep668;
    return interpreter(environment);
  };
  EXPECT_EQ(of(Installer::pip, PythonProvider::system, "", true), "/opt/venv/bin/python");
  EXPECT_EQ(of(Installer::uv, PythonProvider::uv, "", false), "/opt/venv/bin/python");
  EXPECT_EQ(of(Installer::conda, PythonProvider::conda, "", false), "/opt/env/bin/python");
  EXPECT_EQ(of(Installer::pip, PythonProvider::image, "conda", false), "/opt/conda/bin/python");
  EXPECT_EQ(of(Installer::pip, PythonProvider::image, "conda", true), "/opt/conda/bin/python");
  EXPECT_EQ(of(Installer::pip, PythonProvider::image, "system", false), "python");
  // The Python of such a system refuses pip.
  EXPECT_EQ(of(Installer::pip, PythonProvider::image, "system", true), "/opt/venv/bin/python");
  environment.system.reset();
  EXPECT_EQ(interpreter(environment), "python");
}

TEST(ProofOfBuild, HoldsCudnnAsItNumbersItself) {
  EXPECT_EQ(cudnn_number("8.9.2.26"_version), 8902);
  EXPECT_EQ(cudnn_number("9.1.0.70"_version), 90100);
  EXPECT_EQ(cudnn_number("9.10.2.21"_version), 91002);
  EXPECT_EQ(cudnn_number("8.9"_version), 0);
  EXPECT_EQ(cudnn_number("8.9.7"_version), 8907);
  EXPECT_EQ(cudnn_number(Version()), 0);
}

}  // namespace
}  // namespace envgen::files
