// A wheel or an image that says two things of one torch, and an image that holds two of them.
#include "inspect/contradictions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspect/elf_maker.hpp"
#include "inspect/image.hpp"
#include "inspect/report.hpp"
#include "support/tar_maker.hpp"
#include "support/zip_maker.hpp"

namespace envgen::inspect {
namespace {

using test::member;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Words = std::vector<std::string>;

TEST(Versions, ThatAreOneAsPep440ReadsThem) {
  const std::vector<std::pair<std::string, std::string>> same{{"2.9.1", "2.9.1+cu128"},
                                                              {"2.9.1+cu128", "2.9.1+cu128.with.pypi.cudnn"},
                                                              {"2.6.0a0+ecf3bae40a.nv25.1", "2.6.0a0+ecf3bae40a.nv25.01"},
                                                              {"2024.1.5", "2024.01.05"},
                                                              {"1.0", "1.0.0"},
                                                              {"1", "v1.0"},
                                                              {"1.0a1", "1.0.alpha-1"},
                                                              {"1.0rc2", "1.0.0c02"},
                                                              {"2.0b1", "2.0_BETA1"},
                                                              {"2.9.1+git1", "2.9.1+cu128"},
                                                              {"0.0", "0"}};
  for (const auto& [a, b] : same) EXPECT_TRUE(is_one_version(a, b) && is_one_version(b, a)) << a << " " << b;
}

TEST(Versions, ThatDiffer) {
  const std::vector<std::pair<std::string, std::string>> other{{"2.9.1", "2.9.0"},
                                                               {"2.9.1", "2.91"},
                                                               {"2.9.1+cu128", "2.9.1+cu118"},
                                                               {"2.9.1+cpu", "2.9.1+cu128"},
                                                               {"1.0a1", "1.0b1"},
                                                               {"1.0a1", "1.0"},
                                                               {"1.0a1", "1.0a10"},
                                                               {"2.9.1", "2.9.1\x1b[31m"},
                                                               {"1.0.post0", "1.0"},
                                                               {"1.0.dev1", "1.0.1"},
                                                               {"2.10", "2.1"}};
  for (const auto& [a, b] : other) EXPECT_FALSE(is_one_version(a, b) || is_one_version(b, a)) << a << " " << b;
}

Inspected wheel(const std::string& file, const std::string& stated, const std::string& version = "2.9.1") {
  test::MemorySource source(
      test::zip_of({{"torch/version.py", stated},
                    {"torch/other/torch/version.py", "__version__ = '1.0'\ncuda = '9.0'\n"},
                    {"torch-" + version + ".dist-info/METADATA", "Name: torch\nVersion: " + version + "\n"}}));
  return inspect_file(source, file).value();
}
Words of_wheel(const std::string& file, const std::string& stated) { return wheel(file, stated).contradictions; }
const std::string whl = "d/torch-2.9.1-cp312-cp312-manylinux_2_28_x86_64.whl";
const std::string agreeing = "__version__ = '2.9.1+cu128'\ncuda = '12.8'\n";

TEST(Contradictions, OfAWheel) {
  EXPECT_THAT(of_wheel(whl, agreeing), IsEmpty());
  EXPECT_THAT(of_wheel("t.whl", agreeing), IsEmpty());
  EXPECT_THAT(of_wheel("d/torch-2.9.1%2Bcu128-cp312-cp312-linux_x86_64.whl", agreeing), IsEmpty());
  EXPECT_THAT(of_wheel(whl, "__version__ = '2.3.0+cu118'\ncuda = '11.8'\n"),
              ElementsAre("METADATA says 2.9.1, but torch/version.py says 2.3.0+cu118"));
  EXPECT_THAT(of_wheel("d/torch-2.8.0-1-cp310-cp310-linux_x86_64.whl", agreeing),
              ElementsAre("the file name says 2.8.0, but METADATA says 2.9.1"));
  EXPECT_THAT(of_wheel("d/torchvision-2.9.1-cp310-cp310-linux_x86_64.whl", agreeing),
              ElementsAre("the file name says torchvision, but METADATA says torch"));
  EXPECT_THAT(of_wheel(whl, "__version__ = '2.9.1\x1b[31m'\ncuda = '12.8'\n"),
              ElementsAre("METADATA says 2.9.1, but torch/version.py says 2.9.1\\x1b[31m"));
}

TEST(Contradictions, OfVersionPyWithItself) {
  EXPECT_THAT(of_wheel(whl, "__version__ = '2.9.1+cu128'\ncuda = '11.8'\n"),
              ElementsAre("torch/version.py says 2.9.1+cu128, but CUDA 11.8"));
  EXPECT_THAT(of_wheel(whl, "__version__ = '2.9.1+cu128.with.pypi.cudnn'\ncuda = None\n"),
              ElementsAre("torch/version.py says 2.9.1+cu128.with.pypi.cudnn, but no CUDA"));
  EXPECT_THAT(of_wheel(whl, "__version__ = '2.9.1+cpu'\ncuda = '12.8'\n"),
              ElementsAre("torch/version.py says 2.9.1+cpu, but CUDA 12.8"));
  for (const auto* fine : {"__version__ = '2.9.1+cpu'\ncuda = None\n", "__version__ = '2.9.1+rocm6.4'\ncuda = None\n",
                           "__version__ = '2.9.1+cu92'\ncuda = '9.2.148'\n", "__version__ = '2.9.1+cu128'\n",
                           "__version__ = '2.9.1+custom'\ncuda = '12.8'\n"})
    EXPECT_THAT(of_wheel(whl, fine), IsEmpty()) << fine;
}

TEST(Contradictions, AreShown) {
  const auto inspected = wheel(whl, "__version__ = '2.3.0+cu118'\ncuda = '11.8'\n");
  EXPECT_THAT(inspected_text(inspected, {}),
              HasSubstr("contradiction          METADATA says 2.9.1, but torch/version.py says 2.3.0+cu118\n"));
  EXPECT_THAT(inspected_json(inspected),
              HasSubstr("\"contradictions\": [\n    \"METADATA says 2.9.1, but torch/version.py says 2.3.0+cu118\"\n  ]"));
}

const std::string system_folder = "usr/lib/python3.12/site-packages";
const std::string venv_folder = "opt/venv/lib/python3.11/site-packages";

std::string torch_in(const std::string& folder, const std::string& version, const std::string& tag, const std::string& cuda,
                     int capability) {
  return member(folder + "/torch/version.py", "__version__ = '" + version + "+" + tag + "'\ncuda = '" + cuda + "'\n") +
         member(folder + "/torch/lib/libtorch_cuda.so", test::elf_of({{}, test::fatbin_of({{2, capability}})}).bytes) +
         member(folder + "/torch-" + version + ".dist-info/METADATA", "Name: torch\nVersion: " + version + "\n");
}
Inspected image(const std::string& files) {
  ImageInspection inspection("mine:1");
  inspection.feed(bytes_of(files + test::tar_end));
  return inspection.finish().value();
}

TEST(Image, WithTwoTorchesSaysWhichIsWhose) {
  const auto inspected =
      image(torch_in(system_folder, "2.9.1", "cu128", "12.8", 90) + torch_in(venv_folder, "2.0.0", "cu117", "11.7", 80));
  EXPECT_FALSE(inspected.torch);
  EXPECT_THAT(inspected.contradictions, IsEmpty());
  ASSERT_EQ(inspected.several.size(), 2U);
  const auto text = inspected_text(inspected, {});
  EXPECT_THAT(text, HasSubstr("torch                  2.0.0 in " + venv_folder + "\ntorch                  2.9.1 in " +
                              system_folder + "\n"));
  EXPECT_THAT(text, HasSubstr("torch in version.py    2.0.0+cu117 in " + venv_folder +
                              "\n"
                              "CUDA version           11.7\n"
                              "get_arch_list()        not found\n"
                              "GPU code               sm_80\n"
                              "torch in version.py    2.9.1+cu128 in " +
                              system_folder +
                              "\n"
                              "CUDA version           12.8\n"
                              "get_arch_list()        not found\n"
                              "GPU code               sm_90\n"
                              "CUDA libraries needed  none\n\nlibrary                                                           "
                              "GPU code  in some kernels  embedded  glibc\n"));
  EXPECT_THAT(text, Not(HasSubstr("SASS")));
  const auto json = inspected_json(inspected);
  EXPECT_THAT(json,
              HasSubstr("\"torch\": null,\n  \"several\": [\n    {\n      \"version\": \"2.0.0+cu117\",\n      \"folder\": \"" +
                        venv_folder));
  EXPECT_THAT(json, HasSubstr("\"targets\": null,\n  \"glibc\""));
}

TEST(Image, WithOneTorchTwiceHoldsOneBuild) {
  const auto inspected =
      image(torch_in(system_folder, "2.9.1", "cu128", "12.8", 90) + torch_in(venv_folder, "2.9.1", "cu128", "12.8", 90));
  ASSERT_TRUE(inspected.torch);
  EXPECT_EQ(inspected.torch->compiled.to_string(), "sm_90");
  EXPECT_THAT(inspected.several, IsEmpty());
}

TEST(Image, WhoseTorchesDifferInOneThingHoldsTwo) {
  const auto first = torch_in(system_folder, "2.9.1", "cu128", "12.8", 90);
  EXPECT_EQ(image(first + torch_in(venv_folder, "2.9.1", "cu128", "12.8", 80)).several.size(), 2U);
  EXPECT_EQ(image(first + torch_in(venv_folder, "2.9.1", "cu126", "12.6", 90)).several.size(), 2U);
  EXPECT_EQ(image(first + torch_in(venv_folder, "2.9.0", "cu128", "12.8", 90)).several.size(), 2U);
}

TEST(Image, WithTheMetadataOfTwoForOneTorch) {
  const auto inspected = image(torch_in(system_folder, "2.9.1", "cu128", "12.8", 90) +
                               member(system_folder + "/torch-2.3.0.dist-info/METADATA", "Name: torch\nVersion: 2.3.0\n"));
  ASSERT_TRUE(inspected.torch);
  EXPECT_THAT(inspected.contradictions, ElementsAre(system_folder + "/torch-2.3.0.dist-info/METADATA says 2.3.0, but " +
                                                    system_folder + "/torch/version.py says 2.9.1+cu128"));
}

}  // namespace
}  // namespace envgen::inspect
