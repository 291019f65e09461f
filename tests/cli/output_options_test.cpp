// What a project says of its files, and the flags over it.
#include "cli/output_options.hpp"

#include <gmock/gmock.h>

namespace envgen::cli {
namespace {

using files::Options;

/// What the command line makes of an option's word.
OutputFlags::value_type given(std::string_view option, const std::string& text) {
  for (const auto& row : files::option_rows()) {
    if (row.option == option) return {&row, text};
  }
  throw std::invalid_argument(std::string(option));
}

struct OneSwitch {
  const char* flag;
  bool Options::*option;
};
constexpr std::array switches{OneSwitch{"--explicit-toolkit", &Options::explicit_toolkit},
                              OneSwitch{"--multi-stage", &Options::multi_stage},
                              OneSwitch{"--jupyter", &Options::jupyter},
                              OneSwitch{"--ssh", &Options::ssh},
                              OneSwitch{"--require-gpu", &Options::gpu_required},
                              OneSwitch{"--podman", &Options::podman},
                              OneSwitch{"--legacy-builder", &Options::legacy_builder}};

TEST(OutputOptions, ASwitchIsOnWhereTheProjectOrTheFlagSaysSo) {
  for (const auto& one : switches) {
    for (const bool by_project : {false, true}) {
      for (const bool by_flag : {false, true}) {
        Options project;
        project.*one.option = by_project;
        OutputFlags flags;
        if (by_flag) flags.push_back(given(one.flag, one.flag));
        const auto options = output_options(flags, project);
        ASSERT_TRUE(options) << options.error().message;
        for (const auto& other : switches)
          EXPECT_EQ((*options).*other.option, (by_project || by_flag) && other.flag == one.flag) << one.flag << other.flag;
      }
    }
  }
}

struct Value {
  const char* flag;
  files::GivenText Options::*option;
  const char* project;
  const char* text;
};
const std::vector<Value> values{{"--user", &Options::user, "jane", "joe"},
                                {"--base-image", &Options::base_image, "a:1", "b:1"},
                                {"--pip-index", &Options::pip_index, "https://a/simple", "https://b/simple"},
                                {"--mirror", &Options::mirror, "tuna", "sjtug"},
                                {"--apt-mirror", &Options::apt_mirror, "http://a/ubuntu", "http://b/ubuntu"},
                                {"--conda-mirror", &Options::conda_mirror, "https://a/conda", "https://b/conda"},
                                {"--torch-mirror", &Options::torch_mirror, "https://a/whl", "https://b/whl"},
                                {"--image-name", &Options::image_name, "mine", "ours"},
                                {"--container-gpus", &Options::container_gpus, "1", "none"},
                                {"--shm-size", &Options::shm_size, "8g", "16g"},
                                {"--ca-cert", &Options::ca_cert, "a.pem", "b.pem"},
                                {"--for", &Options::ci_for, "github", "gitlab"},
                                {"--envgen-url", &Options::envgen_url, "https://a/e", "https://b/e"},
                                {"--envgen-version", &Options::envgen_version, "1.0.0", "2.0.0"}};

TEST(OutputOptions, AFlagStandsOverTheProjectAndNamesItself) {
  for (const auto& value : values) {
    Options project;
    project.*value.option = {value.project, "envgen.json"};
    const auto kept = output_options({}, project);
    ASSERT_TRUE(kept) << kept.error().message;
    EXPECT_EQ(((*kept).*value.option).value, value.project);
    EXPECT_EQ(((*kept).*value.option).where, "envgen.json");
    const auto changed = output_options({given(value.flag, value.text)}, project);
    ASSERT_TRUE(changed) << changed.error().message;
    EXPECT_EQ(((*changed).*value.option).value, value.text);
    EXPECT_EQ(((*changed).*value.option).where, value.flag);
  }
}

std::vector<std::string> texts(const std::vector<files::GivenText>& all) {
  std::vector<std::string> result;
  for (const auto& one : all) result.push_back(one.where + " " + one.value);
  return result;
}

TEST(OutputOptions, PackagesAreAddedAndRunnersReplaced) {
  Options project;
  project.apt = {{"git", "envgen.json"}};
  project.pip = {{"einops", "envgen.json"}};
  project.gpu_runner = {{"gpu", "envgen.json"}};
  const auto kept = output_options({}, project);
  ASSERT_TRUE(kept);
  EXPECT_THAT(texts(kept->gpu_runner), testing::ElementsAre("envgen.json gpu"));
  EXPECT_EQ(kept->needs_nvcc.value, "");
  const auto changed = output_options({given("--apt", "curl"), given("--pip", "numpy"), given("--gpu-runner", "large"),
                                       given("--gpu-runner", "a100"), given("--needs-nvcc", "--needs-nvcc")},
                                      project);
  ASSERT_TRUE(changed);
  EXPECT_THAT(texts(changed->apt), testing::ElementsAre("envgen.json git", "--apt curl"));
  EXPECT_THAT(texts(changed->pip), testing::ElementsAre("envgen.json einops", "--pip numpy"));
  EXPECT_THAT(texts(changed->gpu_runner), testing::ElementsAre("--gpu-runner large", "--gpu-runner a100"));
  EXPECT_EQ(changed->needs_nvcc.value, "--needs-nvcc");
}

}  // namespace
}  // namespace envgen::cli
