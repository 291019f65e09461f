// Where a driver carries CUDA by cuda-compat alone: an image brings it, and whatever cannot bring it says what is needed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "files/compat.hpp"
#include "files/frozen.hpp"
#include "files/image_base.hpp"
#include "rendered.hpp"
#include "resolved.hpp"

namespace envgen {
namespace {

using files::RunsIn;
using test::environment_of;
using test::Words;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string in_image =
    "The image contains cuda-compat-12-8, which CUDA 12.8 needs with driver 470 on the V100; the NVIDIA Container Toolkit uses "
    "it if the driver is too old.";
const std::string in_image_under_cdi =
    "The image contains cuda-compat-12-8, which CUDA 12.8 needs with driver 470 on the V100; under CDI, the NVIDIA Container "
    "Toolkit uses it from 1.17.5 on if the driver is too old (after an upgrade, generate its CDI specification again).";
const std::string on_machine =
    "CUDA 12.8 needs cuda-compat-12-8 with driver 470 on the V100: install that package on the machine and set "
    "LD_LIBRARY_PATH=/usr/local/cuda-12.8/compat there, or, better, install a newer driver (570.26 and newer support CUDA 12.8 "
    "in full).";

Words joined_words(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const Words old_driver{"--gpu", "V100", "--driver", "470", "--torch", "2.8.0"};
const Words beside_a_t4{"--host", "gpu=V100,driver=470", "--host", "gpu=T4,driver=535", "--torch", "2.8.0"};
const Words beside_a_3090{"--host", "gpu=V100,driver=470", "--host", "gpu=3090,driver=535", "--torch", "2.8.0"};

std::string image_of(const Words& words) { return test::rendered(joined_words({"dockerfile"}, words)); }

// ---- the image

TEST(Compat, IsCopiedIntoAnImageThatLacksIt) {
  const auto copy = HasSubstr(
      "\n# cuda-compat, for driver 470 on the V100.\n"
      "COPY --from=nvidia/cuda:12.8.1-base-ubuntu24.04 /usr/local/cuda-12.8/compat /usr/local/cuda/compat\n");
  EXPECT_THAT(image_of(old_driver), AllOf(HasSubstr("\nFROM ubuntu:24.04\n"), copy));
  EXPECT_THAT(image_of(joined_words(old_driver, {"--base", "pytorch"})),
              AllOf(HasSubstr("\nFROM pytorch/pytorch:2.8.0-cuda12.8-cudnn9-runtime\n"), copy));
  EXPECT_THAT(image_of(joined_words(old_driver, {"--os", "debian12"})), AllOf(HasSubstr("\nFROM debian:12-slim\n"), copy));
  EXPECT_THAT(image_of(beside_a_t4), AllOf(HasSubstr("\nFROM ubuntu:24.04\n"), copy));
  EXPECT_THAT(image_of(joined_words(old_driver, {"--legacy-builder"})), copy);
  EXPECT_THAT(image_of(joined_words(old_driver, {"--podman"})),
              HasSubstr("\nCOPY --from=docker.io/nvidia/cuda:12.8.1-base-ubuntu24.04 /usr/local/cuda-12.8/compat "));
  EXPECT_THAT(
      image_of({"--gpu", "GH200", "--driver", "535", "--torch", "2.9", "--cuda", "13.0"}),
      HasSubstr("\nCOPY --from=nvidia/cuda:13.0.2-base-ubuntu24.04 /usr/local/cuda-13.0/compat /usr/local/cuda/compat\n"));
}

TEST(Compat, IsThatOfTheBaseWhereThatIsNvidias) {
  for (const auto& request : {old_driver, beside_a_t4}) {
    const auto text = image_of(joined_words(request, {"--base", "cuda"}));
    EXPECT_THAT(text, AllOf(HasSubstr("# " + in_image + "\n"), HasSubstr("\nFROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\n"),
                            Not(HasSubstr("COPY --from")), Not(HasSubstr("RUN mv")), Not(HasSubstr("apt-get purge"))));
  }
}

TEST(Compat, IsInTheLastStageAlone) {
  const auto text = image_of(joined_words(old_driver, {"--variant", "devel", "--multi-stage"}));
  EXPECT_EQ(text.find("COPY --from=nvidia/cuda:"), text.rfind("COPY --from=nvidia/cuda:"));
  EXPECT_LT(text.find("\nFROM ubuntu:24.04\n"), text.find("COPY --from=nvidia/cuda:12.8.1-base-ubuntu24.04 "));
}

/// The container toolkit asks for no board: on a GeForce cuda-compat ends in error 804. So it lies where the toolkit does not
/// look.
TEST(Compat, IsUsedOnDemandWhereAnotherMachineMayNotTakeIt) {
  const auto note = HasSubstr(
      "# The image contains cuda-compat-12-8 in /opt/cuda-compat, which CUDA 12.8 needs with driver 470 on the V100: "
      "set LD_LIBRARY_PATH=/opt/cuda-compat in the container there. It is not used automatically because it is not known to work "
      "with driver 535 on the GeForce RTX 3090.\n");
  EXPECT_THAT(
      image_of(beside_a_3090),
      AllOf(note, HasSubstr("COPY --from=nvidia/cuda:12.8.1-base-ubuntu24.04 /usr/local/cuda-12.8/compat /opt/cuda-compat\n")));
  const Words gated{
      "--cuda", "12.1", "--torch", "2.3", "--base", "cuda", "--host", "gpu=A100,driver=470", "--host", "gpu=4090,driver=525"};
  EXPECT_THAT(image_of(gated),
              AllOf(HasSubstr("\n# cuda-compat, for driver 470 on the A100: moved so that the NVIDIA Container Toolkit does not "
                              "use it with other drivers.\nRUN mv /usr/local/cuda-12.1/compat /opt/cuda-compat\n"),
                    Not(HasSubstr("COPY --from"))));
}

/// A driver that is newer than cuda-compat stays in use.
TEST(Compat, IsUsedByItselfBesideANewerDriver) {
  const auto text =
      image_of({"--torch", "2.8.0", "--host", "gpu=V100,driver=470", "--host", "gpu=3090,driver=580", "--host", "gpu=B200"});
  EXPECT_THAT(text, AllOf(HasSubstr(" /usr/local/cuda/compat\n"), HasSubstr("# " + in_image + "\n")));
}

TEST(Compat, OfNoKnownImageIsToBeInstalled) {
  auto environment = environment_of("gpu=V100 driver=470 torch=2.8.0");
  ASSERT_EQ(environment.driver->compat_image, "nvidia/cuda:12.8.1-base-ubuntu24.04");
  environment.driver->compat_image.reset();
  EXPECT_FALSE(files::image_compat(environment)->is_there());
  const files::Options options;
  EXPECT_THAT(
      files::compat_notes({environment, options, {}}, RunsIn::image),
      ElementsAre(
          "CUDA 12.8 needs cuda-compat-12-8 with driver 470 on the V100, and no known image contains it: "
          "install that package in the image, or, on the machine, a newer driver (570.26 and newer support CUDA 12.8 in full)."));
}

/// The hook for it came with 1.17.5.
TEST(Compat, UnderCdiNeedsANewerToolkit) {
  const auto note = [](const char* more, bool podman = false) {
    const auto environment = environment_of(std::string("gpu=V100 driver=470 torch=2.8.0") + more);
    files::Options options;
    options.podman = podman;
    return files::compat_notes({environment, options, {}}, RunsIn::image).front();
  };
  EXPECT_EQ(note(""), in_image);
  for (const auto* engine : {" engine=podman", " engine=docker-cdi"}) EXPECT_EQ(note(engine), in_image_under_cdi);
  EXPECT_EQ(note("", true), in_image_under_cdi);
}

/// A lock of an envgen that did not tell what becomes of it on each machine.
TEST(Compat, OfAnOlderLockIsNotTrustedUnderADriverThatIsNotNewer) {
  auto environment = environment_of("host=gpu=V100,driver=470 host=gpu=T4,driver=535 torch=2.8.0 base=cuda");
  EXPECT_EQ(files::image_compat(environment)->place, "/usr/local/cuda/compat");
  for (auto& machine : environment.driver->machines) machine.compat.reset();
  environment.driver->compat_image.reset();
  const auto compat = files::image_compat(environment);
  EXPECT_TRUE(compat->in_base);
  EXPECT_EQ(compat->place, "/opt/cuda-compat");
}

TEST(Compat, IsPinnedByDigestWithTheOtherImages) {
  auto environment = environment_of("gpu=V100 driver=470 torch=2.8.0");
  const files::Options options;
  EXPECT_THAT(files::images_by_tag({environment, options, {}}),
              ElementsAre("nvidia/cuda:12.8.1-base-ubuntu24.04", "ubuntu:24.04"));
  environment.frozen.emplace().images = {{"nvidia/cuda:12.8.1-base-ubuntu24.04", "sha256:" + std::string(64, '7')}};
  const auto base = files::image_base({environment, options, {}});
  ASSERT_TRUE(base) << base.error().message;
  EXPECT_EQ(base->compat->copy_from, "nvidia/cuda:12.8.1-base-ubuntu24.04@sha256:" + std::string(64, '7'));
}

// ---- what is said of it

struct Said {
  Words words;
  std::string note;
  std::string comment = "# ";
};

/// In the head of the file, and once on standard error.
TEST(Compat, IsSpokenOfByAllThatMakesOrStartsTheEnvironment) {
  const std::vector<Said> all{{{"dockerfile"}, in_image},
                              {{"run"}, in_image},
                              {{"run", "--podman"}, in_image_under_cdi},
                              {{"compose"}, in_image},
                              {{"devcontainer"}, in_image, "// "},
                              {{"ci", "--for", "github"}, in_image},
                              {{"ci", "--for", "gitlab"}, in_image},
                              {{"setup"}, on_machine},
                              {{"requirements"}, on_machine},
                              {{"pyproject"}, on_machine}};
  for (const auto& [words, note, comment] : all) {
    const auto outcome = test::render(joined_words(words, old_driver));
    EXPECT_EQ(outcome.exit, 0) << words.front() << outcome.err;
    const auto head = outcome.out.substr(0, outcome.out.find(files::mark_begin));
    EXPECT_THAT(head, HasSubstr(fmt::format("\n{}{}\n", comment, note))) << words.front();
    EXPECT_THAT(outcome.err, testing::StartsWith("envgen: " + note + "\n")) << words.front();
    EXPECT_EQ(outcome.err.find(note), outcome.err.rfind(note)) << words.front();
  }
  const Words of_conda{"--gpu", "V100", "--driver", "470", "--torch", "2.5.1", "--cuda", "12.4", "--installer", "conda"};
  for (const auto* kind : {"conda", "setup"})
    EXPECT_THAT(
        test::render(joined_words({kind}, of_conda)).err,
        testing::StartsWith("envgen: CUDA 12.4 needs cuda-compat-12-4 with driver 470 on the V100: install that package on the "
                            "machine and set LD_LIBRARY_PATH=/usr/local/cuda-12.4/compat there, or, better, install a newer "
                            "driver (550.54.14 and newer support CUDA 12.4 in full).\n"))
        << kind;
  // A script says it to who runs it, too.
  EXPECT_THAT(test::render(joined_words({"setup"}, old_driver)).out, HasSubstr("\nprintf '== %s\\n' '" + on_machine + "' >&2\n"));
}

TEST(Compat, IsNoMatterOfAnEditorOrOfADriverThatDoesWithout) {
  EXPECT_THAT(test::rendered("vscode", old_driver), Not(HasSubstr("cuda-compat")));
  for (const auto* kind : {"dockerfile", "run", "setup", "requirements"})
    EXPECT_THAT(test::rendered(kind, {"--gpu", "V100", "--driver", "570", "--torch", "2.8.0"}), Not(HasSubstr("cuda-compat")));
  const auto environment = environment_of("gpu=V100 driver=570 torch=2.8.0");
  EXPECT_EQ(environment.driver->compat_image, std::nullopt);
  EXPECT_EQ(environment.driver->machines.front().compat, std::nullopt);
  const files::Options options;
  EXPECT_THAT(files::compat_notes({environment, options, {}}, RunsIn::machine), IsEmpty());
}

// ---- what the answer says of each machine

std::vector<std::string> compat_of(std::string_view request) {
  std::vector<std::string> result;
  const auto environment = environment_of(request);
  for (const auto& machine : environment.driver->machines)
    result.push_back(machine.compat ? std::string(name_of(*machine.compat)) : "none");
  return result;
}

TEST(Compat, IsJudgedMachineByMachine) {
  EXPECT_THAT(compat_of("torch=2.8.0 host=gpu=V100,driver=470 host=gpu=T4,driver=535"), ElementsAre("needed", "harmless"));
  EXPECT_THAT(compat_of("torch=2.8.0 host=gpu=V100,driver=470 host=gpu=3090,driver=535"), ElementsAre("needed", "unproven"));
  // 545 is none of the branches in NVIDIA's table.
  EXPECT_THAT(compat_of("torch=2.8.0 host=gpu=V100,driver=470 host=gpu=T4,driver=545"), ElementsAre("needed", "unproven"));
  // Any driver that the T4 runs with may be there; those of the B200 all report CUDA 12.8.
  EXPECT_THAT(compat_of("torch=2.8.0 host=gpu=V100,driver=470 host=gpu=T4 host=gpu=B200"),
              ElementsAre("needed", "unproven", "harmless"));
  EXPECT_THAT(compat_of("torch=2.8.0 host=gpu=V100,driver=470 host=gpu=3090,driver=>=570.26"), ElementsAre("needed", "harmless"));
  EXPECT_THAT(compat_of("torch=2.8.0 host=gpu=V100,driver=470 host=gpu=T4 driver=>=535,<536"), ElementsAre("needed", "harmless"));
  EXPECT_THAT(compat_of("torch=2.8.0 host=gpu=V100,driver=470 host=gpu=T4 driver=>=535,<551"), ElementsAre("needed", "unproven"));
}

}  // namespace
}  // namespace envgen
