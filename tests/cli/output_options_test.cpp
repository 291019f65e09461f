// What a project says of its files, and the flags over it.
#include "cli/output_options.hpp"

#include <gmock/gmock.h>

namespace envgen::cli {
namespace {

using output::Options;

struct Switch {
  const char* flag;
  bool OutputFlags::*given;
  bool Options::*option;
};
constexpr std::array switches{Switch{"--explicit-toolkit", &OutputFlags::explicit_toolkit, &Options::explicit_toolkit},
                              Switch{"--multi-stage", &OutputFlags::multi_stage, &Options::multi_stage},
                              Switch{"--jupyter", &OutputFlags::jupyter, &Options::jupyter},
                              Switch{"--ssh", &OutputFlags::ssh, &Options::ssh},
                              Switch{"--require-gpu", &OutputFlags::gpu_required, &Options::gpu_required},
                              Switch{"--podman", &OutputFlags::podman, &Options::podman},
                              Switch{"--classic", &OutputFlags::classic, &Options::classic}};

TEST(OutputOptions, ASwitchIsOnWhereTheProjectOrTheFlagSaysSo) {
  for (const auto& one : switches) {
    for (const bool by_project : {false, true}) {
      for (const bool by_flag : {false, true}) {
        Options project;
        project.*one.option = by_project;
        OutputFlags flags;
        flags.*one.given = by_flag;
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
  std::string OutputFlags::*given;
  output::Text Options::*option;
  const char* project;
  const char* text;
};
const std::vector<Value> values{
    {"--user", &OutputFlags::user, &Options::user, "jane", "joe"},
    {"--base-image", &OutputFlags::base_image, &Options::base_image, "a:1", "b:1"},
    {"--pip-index", &OutputFlags::pip_index, &Options::pip_index, "https://a/simple", "https://b/simple"},
    {"--mirror", &OutputFlags::mirror, &Options::mirror, "tuna", "sjtug"},
    {"--apt-mirror", &OutputFlags::apt_mirror, &Options::apt_mirror, "http://a/ubuntu", "http://b/ubuntu"},
    {"--conda-mirror", &OutputFlags::conda_mirror, &Options::conda_mirror, "https://a/conda", "https://b/conda"},
    {"--torch-mirror", &OutputFlags::torch_mirror, &Options::torch_mirror, "https://a/whl", "https://b/whl"},
    {"--image-name", &OutputFlags::image_name, &Options::image_name, "mine", "ours"},
    {"--container-gpus", &OutputFlags::container_gpus, &Options::container_gpus, "1", "none"},
    {"--shm-size", &OutputFlags::shm_size, &Options::shm_size, "8g", "16g"},
    {"--ca-cert", &OutputFlags::ca_cert, &Options::ca_cert, "a.pem", "b.pem"},
    {"--for", &OutputFlags::ci_for, &Options::ci_for, "github", "gitlab"},
    {"--envgen-source", &OutputFlags::envgen_source, &Options::envgen_source, "https://a/e.git", "https://b/e.git"},
    {"--envgen-ref", &OutputFlags::envgen_ref, &Options::envgen_ref, "v1", "v2"}};

TEST(OutputOptions, AFlagStandsOverTheProjectAndNamesItself) {
  for (const auto& value : values) {
    Options project;
    project.*value.option = {value.project, "envgen.json"};
    const auto kept = output_options({}, project);
    ASSERT_TRUE(kept) << kept.error().message;
    EXPECT_EQ(((*kept).*value.option).value, value.project);
    EXPECT_EQ(((*kept).*value.option).where, "envgen.json");
    OutputFlags flags;
    flags.*value.given = value.text;
    const auto changed = output_options(flags, project);
    ASSERT_TRUE(changed) << changed.error().message;
    EXPECT_EQ(((*changed).*value.option).value, value.text);
    EXPECT_EQ(((*changed).*value.option).where, value.flag);
  }
}

std::vector<std::string> texts(const std::vector<output::Text>& all) {
  std::vector<std::string> result;
  for (const auto& one : all) result.push_back(one.where + " " + one.value);
  return result;
}

TEST(OutputOptions, PackagesAreAddedAndRunnersReplaced) {
  Options project;
  project.apt = {{"git", "envgen.json"}};
  project.pip = {{"einops", "envgen.json"}};
  project.gpu_runner = {{"gpu", "envgen.json"}};
  OutputFlags flags;
  const auto kept = output_options(flags, project);
  ASSERT_TRUE(kept);
  EXPECT_THAT(texts(kept->gpu_runner), testing::ElementsAre("envgen.json gpu"));
  EXPECT_EQ(kept->needs_nvcc.value, "");
  flags.apt = {"curl"};
  flags.pip = {"numpy"};
  flags.gpu_runner = {"large", "a100"};
  flags.needs_nvcc = true;
  const auto changed = output_options(flags, project);
  ASSERT_TRUE(changed);
  EXPECT_THAT(texts(changed->apt), testing::ElementsAre("envgen.json git", "--apt curl"));
  EXPECT_THAT(texts(changed->pip), testing::ElementsAre("envgen.json einops", "--pip numpy"));
  EXPECT_THAT(texts(changed->gpu_runner), testing::ElementsAre("--gpu-runner large", "--gpu-runner a100"));
  EXPECT_EQ(changed->needs_nvcc.value, "--needs-nvcc");
}

}  // namespace
}  // namespace envgen::cli
