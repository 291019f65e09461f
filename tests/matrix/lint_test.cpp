#include "matrix/lint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/lint_findings.hpp"
#include "support/small_matrix.hpp"

namespace envgen::matrix {
namespace {

using Json = nlohmann::ordered_json;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class MatrixLint : public testing::Test, protected test::SmallMatrix {
 protected:
  std::vector<std::string> findings() { return test::findings_of(*this); }
};

TEST_F(MatrixLint, FindsNothingInASoundMatrix) { EXPECT_THAT(findings(), IsEmpty()); }

TEST_F(MatrixLint, ReportsWhatTheLoaderRefuses) {
  row("torch.json", "builds")["colour"] = "red";
  EXPECT_THAT(findings(), ElementsAre("torch.json#/builds/0: unknown field 'colour'"));
}

TEST_F(MatrixLint, NamesRowsWithoutASource) {
  row("torch.json", "releases")["source"] = "";
  EXPECT_THAT(findings(), ElementsAre("torch.json#/releases/0/source: the row has no source"));
}

TEST_F(MatrixLint, NamesSourcesThatAreNotThere) {
  row("os.json", "os")["source"] = "nowhere";
  EXPECT_THAT(findings(), ElementsAre("os.json#/os/0/source: the source 'nowhere' is not in this file's sources"));
}

TEST_F(MatrixLint, NamesFieldSourcesOfFieldsThatAreNotThere) {
  row("os.json", "os")["field_sources"] = Json{{"kernel", "s"}};
  EXPECT_THAT(findings(), ElementsAre("os.json#/os/0/field_sources/kernel: the row has no field 'kernel'"));
}

TEST_F(MatrixLint, NamesCompanionsWithoutARow) {
  row("torch.json", "releases")["torchaudio"] = "2.3.1";
  EXPECT_THAT(findings(), ElementsAre("torch.json#/releases/0/torchaudio: no torchaudio 2.3.1 is in torch.json"));
}

TEST_F(MatrixLint, NamesReleasesWithoutABuild) {
  auto release = row("torch.json", "releases");
  release["version"] = "2.4.0";
  release["torchvision"] = nullptr;
  release["default_cuda"] = Json::object();
  files["torch.json"]["releases"].push_back(release);
  EXPECT_THAT(findings(), ElementsAre("torch.json#/releases/1: torch 2.4.0 has no build"));
}

TEST_F(MatrixLint, NamesADefaultWithoutABuild) {
  row("torch.json", "releases")["default_cuda"]["linux-x86_64"] = "12.4";
  row("torch.json", "releases")["default_cuda"]["linux-aarch64"] = nullptr;
  EXPECT_THAT(findings(),
              ElementsAre("torch.json#/releases/0/default_cuda/linux-x86_64: torch 2.3.1 has no CUDA 12.4 build for linux-x86_64",
                          "torch.json#/releases/0/default_cuda/linux-aarch64: torch 2.3.1 has no CPU build for linux-aarch64"));
}

TEST_F(MatrixLint, NamesCudaVersionsWithoutTheirRows) {
  files["cuda.json"]["minors"] = Json::array();
  const auto found = findings();
  EXPECT_THAT(found, Contains("torch.json#/builds/0/cuda: CUDA 12.1 is not in the minors of cuda.json"));
  files["cuda.json"]["toolkits"] = Json::array();
  EXPECT_THAT(findings(), Contains("torch.json#/builds/0/cuda: cuda.json has no CUDA 12.1 toolkit"));
}

TEST_F(MatrixLint, NamesPinnedCudnnWithoutARow) {
  row("torch.json", "builds")["cudnn"] = "8.9.7.29";
  EXPECT_THAT(findings(), ElementsAre("torch.json#/builds/0/cudnn: cuDNN 8.9.7.29 is not in cudnn.json"));
}

TEST_F(MatrixLint, NamesCudnnOfAChannelWithoutARow) {
  row("conda.json", "cudnn")["cudnn"] = "9.10.2.22";
  EXPECT_THAT(findings(), ElementsAre("conda.json#/cudnn/0/cudnn: cuDNN 9.10.2.22 is not in cudnn.json"));
}

TEST_F(MatrixLint, NamesUnknownSystemsOfImages) {
  row("images.json", "cuda")["os"] = "ubuntu22.10";
  row("images.json", "cuda")["tag"] = "12.1.1-cudnn8-devel-ubuntu22.10";
  EXPECT_THAT(findings(), ElementsAre("images.json#/cuda/0/os: the operating system 'ubuntu22.10' is not in os.json"));
}

TEST_F(MatrixLint, NamesTagsThatDoNotSayWhatTheirRowSays) {
  row("images.json", "cuda")["tag"] = "12.1.0-devel-ubuntu22.04";
  EXPECT_THAT(findings(),
              ElementsAre("images.json#/cuda/0/tag: the tag '12.1.0-devel-ubuntu22.04' does not begin with its CUDA 12.1.1",
                          "images.json#/cuda/0/cudnn: the tag '12.1.0-devel-ubuntu22.04' has no cuDNN"));
  row("torch.json", "builds")["tag"] = "cu118";
  EXPECT_THAT(findings(), Contains("torch.json#/builds/0/tag: the tag 'cu118' does not match CUDA 12.1"));
}

TEST_F(MatrixLint, NamesSpellingsOfBoardsOfSeveralCapabilities) {
  row("gpus.json", "gpus", 1)["aliases"] = Json::array({"Tesla A-100"});
  EXPECT_THAT(findings(),
              ElementsAre("gpus.json#/gpus/1/aliases/0: the name 'a100' matches both A100 (8.0) and A10 (8.6) (list it "
                          "in 'ambiguous' if users must choose one)"));
  files["gpus.json"]["ambiguous"] = Json::parse(
      R"([{"name": "A100", "members": ["A100", "A10"], "source": "s"}, {"name": "Tesla A100", "members": ["A100", "A10"], "source": "s"}])");
  EXPECT_THAT(findings(), IsEmpty());
}

TEST_F(MatrixLint, NamesAliasesThatAreNoName) {
  row("gpus.json", "gpus")["aliases"] = Json::array({"", " - "});
  EXPECT_THAT(findings(),
              ElementsAre("gpus.json#/gpus/0/aliases/0: '' is not a name", "gpus.json#/gpus/0/aliases/1: ' - ' is not a name"));
}

TEST_F(MatrixLint, NamesFiguresBelowZero) {
  row("gpus.json", "gpus")["bandwidth_gbs"] = -1555.5;
  EXPECT_THAT(findings(), Contains("gpus.json#/gpus/0/bandwidth_gbs: -1555.5 is negative"));
}

TEST_F(MatrixLint, NamesTextsThatATerminalWouldObey) {
  row("gpus.json", "gpus")["aliases"] = Json::array({"A\u001b[31m100"});
  EXPECT_THAT(findings(), Contains("gpus.json#/gpus/0/aliases/0: 'A\\x1b[31m100' contains a control character"));
  files["matrix.json"]["revision"] = "2026\n";
  EXPECT_THAT(findings(), Contains("matrix.json#/revision: '2026\\x0a' contains a control character"));
}

TEST_F(MatrixLint, NamesSharedAndMalformedPciIds) {
  row("gpus.json", "gpus", 1)["pci_ids"] = Json::array({"10de:20b0", "10DE:2236"});
  EXPECT_THAT(findings(),
              ElementsAre("gpus.json#/gpus/1/pci_ids/1: '10DE:2236' is not a PCI ID (10de:2684, lower case)",
                          "gpus.json#/gpus/1/pci_ids/0: the PCI ID '10de:20b0' matches both A100 (8.0) and A10 (8.6)"));
}

TEST_F(MatrixLint, NamesRowsThatStandTwice) {
  files["os.json"]["pythons"].push_back(row("os.json", "pythons"));
  const auto found = findings();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found.front(), testing::StartsWith("os.json#/pythons/1: duplicate row: "));
}

TEST_F(MatrixLint, NamesSpecifiersThatCannotBeParsedOrMet) {
  row("pitfalls.json", "rules")["when"] =
      Json{{"torch", ">=2.4"}, {"cuda", ">=12.4,<12.1"}, {"python", "abc"}, {"installer", "pipp"}, {"os", "jammy|mint"}};
  // The loader parses the specifiers of rules too, so each malformed one is named by both.
  const std::string impossible =
      "pitfalls.json#/rules/0/when/cuda: '>=12.4,<12.1' is an empty range: its bounds exclude each other";
  EXPECT_THAT(findings(),
              ElementsAre(impossible, testing::StartsWith("pitfalls.json#/rules/0/when/python: 'abc' is not a version"),
                          "pitfalls.json#/rules/0/when/torch: no torch in the matrix satisfies '>=2.4'", impossible,
                          testing::StartsWith("pitfalls.json#/rules/0/when/python: 'abc' is not a version"),
                          "pitfalls.json#/rules/0/when/installer: 'pipp' is not one of pip, uv, conda",
                          "pitfalls.json#/rules/0/when/os: the operating system 'jammy' is not in os.json",
                          "pitfalls.json#/rules/0/when/os: the operating system 'mint' is not in os.json"));
}

TEST_F(MatrixLint, NamesPinsOfTensorFlowThatNothingMeets) {
  row("tensorflow.json", "releases")["pins"]["nvidia-cudnn-cu12"] = "==8.9.4.25";
  EXPECT_THAT(findings(),
              ElementsAre("tensorflow.json#/releases/0/pins/nvidia-cudnn-cu12: no cuDNN in the matrix satisfies '==8.9.4.25'"));
}

TEST_F(MatrixLint, NamesCompanionsThatAskForAnotherTorch) {
  row("torch.json", "torchvision")["requires_torch"] = "==2.3.0";
  EXPECT_THAT(findings(), ElementsAre("torch.json#/torchvision/0/requires_torch: 0.18.1 requires torch ==2.3.0, but torch 2.3.1 "
                                      "names it as its torchvision",
                                      "torch.json#/torchvision/0/requires_torch: no torch in the matrix satisfies '==2.3.0'"));
}

TEST_F(MatrixLint, NamesSwappedEnds) {
  row("cudnn.json", "releases")["gpus"][0]["min"] = "9.1";
  row("drivers.json", "branches")["latest"] = "530.29.01";
  row("drivers.json", "branches")["eol"] = "2022-12";
  EXPECT_THAT(findings(),
              ElementsAre("cudnn.json#/releases/0/gpus/0: the minimum 9.1 is above the maximum 9.0",
                          "drivers.json#/branches/0/latest: the latest release 530.29.01 is older than the first, 530.30.02",
                          "drivers.json#/branches/0/eol: eol '2022-12' is before released '2023-02'"));
}

TEST_F(MatrixLint, NamesMalformedGlibcDriversAndDates) {
  row("torch.json", "builds")["glibc"] = "217";
  row("cuda.json", "minors")["native_driver"] = "53.1";
  row("torch.json", "releases")["released"] = "June 2024";
  EXPECT_THAT(findings(), ElementsAre("torch.json#/releases/0/released: 'June 2024' is not a date (2024-06-05, 2024-06 or 2024)",
                                      "torch.json#/builds/0/glibc: '217' is not a glibc version (2.28)",
                                      "cuda.json#/minors/0/native_driver: '53.1' is not a driver version (535.183.01)"));
}

TEST_F(MatrixLint, NamesTargetsThatNoToolkitCompilesFor) {
  row("torch.json", "builds")["sass"] = Json::array({"8.0", "12.0"});
  EXPECT_THAT(findings(), ElementsAre("torch.json#/builds/0/sass/1: no CUDA 12.1 toolkit compiles for 12.0"));
}

TEST_F(MatrixLint, CannotReadWhatIsNoJson) {
  files.erase("os.json");
  folder.write("os.json", "{");
  EXPECT_THAT(findings(), ElementsAre("unreadable: the file is truncated (line 1, column 2)"));
}

TEST(MatrixLintOfTheRepository, FindsNothing) {
  const auto found = lint({ENVGEN_MATRIX_FOLDER});
  ASSERT_TRUE(found);
  for (const auto& finding : *found) ADD_FAILURE() << finding.origin << ": " << finding.message;
}

}  // namespace
}  // namespace envgen::matrix
