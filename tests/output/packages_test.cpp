// What is installed, in which steps, by which tools.
#include "output/packages.hpp"

#include <gmock/gmock.h>

#include "output/conda_packages.hpp"
#include "output/interpreter.hpp"
#include "output/proof_of_build.hpp"
#include "output/resolved.hpp"
#include "output/tools.hpp"

namespace envgen::output {
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

TEST(CondaPackages, OfCondaForgeHoldCudaToOneVersion) {
  auto environment = test::environment_of("torch=2.8 installer=conda");
  const Options options;
  const auto specs_for = [&](const char* cuda) {
    environment.torch->cuda = cuda;
    return conda_packages({environment, options, "sha256:0"})->specs;
  };
  EXPECT_THAT(specs_for("11.8"), Contains("cudatoolkit=11.8"));
  EXPECT_THAT(specs_for("12.0"), Contains("cuda-version=12.0"));
  EXPECT_THAT(specs_for("12.6"), Contains("cuda-version=12.6"));
}

TEST(Tools, OfPythonsBefore38AreOlder) {
  EXPECT_TRUE(is_before_python_38("3.7"));
  EXPECT_FALSE(is_before_python_38("3.8"));
  EXPECT_FALSE(is_before_python_38("3.10"));
  EXPECT_FALSE(is_before_python_38("of the image"));
  EXPECT_EQ(pip_by_hash("3.7"), pip_for_python_37);
  EXPECT_EQ(pip_by_hash("3.8"), pip_for_python_38);
}

TEST(Interpreter, IsTheVirtualEnvironmentsOrTheImages) {
  auto environment = test::environment_of("torch=2.3 gpu=4090");
  const auto of = [&](const char* installer, const char* provider, const char* layout, bool pep668) {
    environment.installer = installer;
    environment.python_provider = provider;
    environment.image_layout.reset();
    if (*layout != '\0') environment.image_layout = layout;
    environment.system->pep668 = pep668;
    return interpreter(environment);
  };
  EXPECT_EQ(of("pip", "system", "", true), "/opt/venv/bin/python");
  EXPECT_EQ(of("uv", "uv", "", false), "/opt/venv/bin/python");
  EXPECT_EQ(of("conda", "conda", "", false), "/opt/env/bin/python");
  EXPECT_EQ(of("pip", "image", "conda", false), "/opt/conda/bin/python");
  EXPECT_EQ(of("pip", "image", "conda", true), "/opt/conda/bin/python");
  EXPECT_EQ(of("pip", "image", "system", false), "python");
  // The Python of such a system refuses pip.
  EXPECT_EQ(of("pip", "image", "system", true), "/opt/venv/bin/python");
  environment.system.reset();
  EXPECT_EQ(interpreter(environment), "python");
}

TEST(ProofOfBuild, HoldsCudnnAsItNumbersItself) {
  EXPECT_EQ(cudnn_number("8.9.2.26"), 8902);
  EXPECT_EQ(cudnn_number("9.1.0.70"), 90100);
  EXPECT_EQ(cudnn_number("9.10.2.21"), 91002);
  EXPECT_EQ(cudnn_number("8.9"), 0);
  EXPECT_EQ(cudnn_number("8.9.7"), 8907);
  EXPECT_EQ(cudnn_number("new"), 0);
}

}  // namespace
}  // namespace envgen::output
