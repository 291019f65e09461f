#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/embedded/embedded.hpp"
#include "support/answers.hpp"

/// Which board a name means: spellings of people, of shops and of drivers.
namespace envgen::matrix {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> boards(std::string_view name) {
  std::vector<std::string> names;
  for (const auto* gpu : embedded().gpus_named(name)) names.emplace_back(gpu->name.view());
  return names;
}

/// The name and the capability of the only board of a request.
std::string asked(std::string_view gpu) {
  const auto answered = test::ask("gpu=" + std::string(gpu));
  if (answered.query.boards.size() != 1) return "several boards";
  const auto& board = answered.query.boards.front();
  return board.name + ", " + board.capability.to_string();
}

TEST(GpuNames, AreFoundAsPeopleWriteThem) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> table{
      {{"4090", "RTX 4090", "RTX4090", "rtx4090", "RTX-4090", "rtx_4090", "GeForce RTX 4090", "NVIDIA GeForce RTX 4090",
        "nvidia geforce rtx 4090", "NVIDIA-GeForce-RTX-4090", "GEFORCE RTX 4090", "RTX 4090 GPU"},
       "GeForce RTX 4090"},
      {{"5090", "RTX5090", "rtx 5090"}, "GeForce RTX 5090"},
      {{"4090D", "4090 D", "RTX 4090 D"}, "GeForce RTX 4090 D"},
      {{"GTX1660ti", "GTX 1660 Ti", "1660 ti", "1660Ti"}, "GeForce GTX 1660 Ti"},
      {{"geforce 1070", "1070", "GTX 1070"}, "GeForce GTX 1070"},
      {{"3090ti", "RTX 3090 Ti"}, "GeForce RTX 3090 Ti"},
      {{"4070 Ti Super", "RTX 4070 TI SUPER"}, "GeForce RTX 4070 Ti SUPER"},
      {{"Tesla V100-SXM2-32GB", "v100-sxm2-32gb", "V100 SXM2 32GB", "NVIDIA Tesla V100-SXM2-32GB"}, "Tesla V100-SXM2-32GB"},
      {{"K80", "Tesla K80", "nvidia tesla k80"}, "Tesla K80"},
      {{"T4", "Tesla T4", "NVIDIA T4"}, "Tesla T4"},
      {{"L4", "l4", "NVIDIA L4"}, "L4"},
      {{"DGX Spark", "dgx spark", "GB10", "NVIDIA GB10"}, "GB10"},
      {{"H100 SXM", "h100 sxm5", "NVIDIA H100 80GB HBM3"}, "H100 80GB HBM3"},
      {{"A6000", "RTX A6000", "NVIDIA RTX A6000"}, "RTX A6000"},
      {{"RTX 6000 Ada", "NVIDIA RTX 6000 Ada Generation"}, "RTX 6000 Ada Generation"},
      {{"P4000", "Quadro P4000"}, "Quadro P4000"},
      {{"Titan Xp", "NVIDIA TITAN Xp"}, "TITAN Xp"},
      {{"T5000", "Jetson AGX Thor"}, "Jetson T5000"}};
  for (const auto& [spellings, name] : table) {
    for (const auto& spelling : spellings) EXPECT_THAT(boards(spelling), ElementsAre(name)) << spelling;
  }
}

TEST(GpuNames, OfLaptopsAreBoardsOfTheirOwn) {
  for (const auto* spelling : {"4090 Laptop", "RTX 4090 Laptop GPU", "RTX 4090 Mobile", "4090 mobile", "RTX 4090 Max-Q",
                               "NVIDIA GeForce RTX 4090 Laptop GPU"})
    EXPECT_THAT(boards(spelling), ElementsAre("GeForce RTX 4090 Laptop GPU")) << spelling;
  EXPECT_THAT(boards("GTX 1660 Ti Mobile"), ElementsAre("GeForce GTX 1660 Ti with Max-Q Design"));
}

TEST(GpuNames, OfAFamilyAreAllItsMembers) {
  for (const auto* spelling : {"A100", "a100", "NVIDIA A100", "NVIDIA-A100"})
    EXPECT_THAT(boards(spelling), ElementsAre("A100 80GB PCIe", "A100-PCIE-40GB", "A100-SXM4-40GB", "A100-SXM4-80GB"))
        << spelling;
  EXPECT_THAT(boards("V100 SXM2"), ElementsAre("Tesla V100-SXM2-16GB", "Tesla V100-SXM2-32GB"));
  EXPECT_EQ(boards("V100").size(), 8U);
  EXPECT_THAT(boards("Jetson Orin Nano"), ElementsAre("Jetson Orin Nano 4GB", "Jetson Orin Nano 8GB"));
}

TEST(GpuNames, AreNarrowedByTheMemory) {
  EXPECT_THAT(boards("A100 80GB"), ElementsAre("A100 80GB PCIe", "A100-SXM4-80GB"));
  EXPECT_THAT(boards("V100-32GB"),
              ElementsAre("Tesla V100-DGXS-32GB", "Tesla V100-PCIE-32GB", "Tesla V100-SXM2-32GB", "Tesla V100-SXM3-32GB"));
  EXPECT_THAT(boards("1060 6 GB"), ElementsAre("GeForce GTX 1060 6GB"));
  EXPECT_THAT(boards("RTX 3080 10GB"), ElementsAre("GeForce RTX 3080"));
  EXPECT_THAT(boards("RTX 4090 (24 GB)"), ElementsAre("GeForce RTX 4090"));
  EXPECT_EQ(boards("RTX 3080 8GB"), boards("RTX 3080")) << "a size that no board has changes nothing";
}

TEST(GpuNames, OfLaptopsAndOldWorkstationsAreKnown) {
  const std::pair<const char*, const char*> known[] = {{"Quadro P1000", "Quadro P1000"},
                                                       {"NVIDIA Quadro P3200 Mobile", "Quadro P3200"},
                                                       {"GTX 960M", "GeForce GTX 960M"},
                                                       {"GeForce 940MX", "GeForce 940MX"},
                                                       {"mx150", "GeForce MX150"},
                                                       {"GTX 1070 Laptop", "GeForce GTX 1070 with Max-Q Design"},
                                                       {"1050 Ti Mobile", "GeForce GTX 1050 Ti with Max-Q Design"},
                                                       {"T500 Laptop GPU", "T500"},
                                                       {"RTX 3000 Ada", "RTX 3000 Ada Generation Laptop GPU"},
                                                       {"NVIDIA RTX 3000 Ada Laptop", "RTX 3000 Ada Generation Laptop GPU"},
                                                       {"RTX PRO 5000 Blackwell 72GB", "RTX PRO 5000 72GB Blackwell"},
                                                       {"P106", "P106-100"},
                                                       {"K20m", "Tesla K20"},
                                                       {"10de:1cb1", "Quadro P1000"},
                                                       {"10de:1db8", "Tesla V100-SXM3-32GB"}};
  for (const auto& [asked, name] : known) EXPECT_THAT(boards(asked), ElementsAre(name)) << asked;
  EXPECT_EQ(boards("RTX 3000").size(), 2U) << "of two generations";
}

TEST(GpuNames, OfAVgpuFindItsBoard) {
  EXPECT_THAT(boards("NVIDIA A10-24Q"), ElementsAre("A10"));
  EXPECT_THAT(boards("GRID T4-8C"), ElementsAre("Tesla T4"));
  EXPECT_THAT(boards("A100X-40C"), ElementsAre("A100-SXM4-40GB"));
  EXPECT_THAT(boards("A100DX-80C"), ElementsAre("A100-SXM4-80GB"));
  EXPECT_THAT(boards("GRID V100-16C"), ElementsAre("Tesla V100-PCIE-16GB"));
  EXPECT_THAT(boards("GRID RTX6000-24Q"), ElementsAre("Quadro RTX 6000"));
  EXPECT_THAT(boards("NVIDIA RTX Pro 6000 Blackwell DC-4-96Q"), ElementsAre("RTX PRO 6000 Blackwell Server Edition"));
  EXPECT_THAT(boards("H100XM-80C"), ElementsAre("H100 80GB HBM3"));
  EXPECT_THAT(boards("A10-4B"), IsEmpty());
  EXPECT_THAT(boards("GRID -8C"), IsEmpty());
  EXPECT_EQ(asked("A10-24Q"), "A10-24Q, 8.6");
}

TEST(GpuNames, AreFoundByPciId) {
  for (const auto* id : {"10de:2684", "10DE:2684", "2684", "0x2684", "0x10de:0x2684"})
    EXPECT_THAT(boards(id), ElementsAre("GeForce RTX 4090")) << id;
  EXPECT_THAT(boards("10de:1DB5"), ElementsAre("Tesla V100-SXM2-32GB"));
  EXPECT_THAT(boards("10de:25b6"), ElementsAre("A16", "A2")) << "one id, two boards";
}

TEST(GpuNames, OfNobodyFindNothing) {
  for (const auto* name : {"",          " ",          "4900",      "RTX 4091", "GTX 4090", "RTX", "RTX309024GB", "GTX 980 Laptop",
                           "4090 4090", "24GB",       "nvidia",    "GeForce",  "Tesla",    "gpu", "MI300X",      "10de:",
                           "10de:ffff", "10de:26844", "1002:2684", "sm_89",    "8.9"})
    EXPECT_THAT(boards(name), IsEmpty()) << "'" << name << "'";
}

TEST(GpuNames, OfEachBoardFindIt) {
  for (const auto& gpu : embedded()->gpus) {
    const std::string name(gpu.name.view());
    EXPECT_THAT(boards(name), Contains(name));
    EXPECT_THAT(boards("NVIDIA " + name), Contains(name));
    for (const auto& alias : gpu.aliases) EXPECT_THAT(boards(alias.view()), Contains(name)) << alias.view();
    for (const auto& id : gpu.pci_ids) EXPECT_THAT(boards(id.view()), Contains(name)) << id.view();
  }
}

TEST(GpuNames, OfARequestAreBoards) {
  EXPECT_EQ(asked("geforce_1070"), "GeForce GTX 1070, 6.1");
  EXPECT_EQ(asked("10de:2684"), "GeForce RTX 4090, 8.9");
  EXPECT_EQ(asked("A100"), "A100, 8.0") << "a family keeps its name";
  EXPECT_EQ(asked("DGX_Spark"), "GB10, 12.1");
}

TEST(GpuNames, OfACapabilityAreNoBoard) {
  for (const auto* spelling : {"8.9", "sm89", "SM89"}) EXPECT_EQ(asked(spelling), "GPU of compute capability 8.9, 8.9");
  // An underscore is a space here.
  auto request = Request{{{envgen::Field::gpu, "sm_89", Origin::flag, "--gpu"}}};
  for (const auto* spelling : {"sm_89", "SM_89", "compute_89"}) {
    request.values.front().text = spelling;
    const auto query = resolver::interpret(embedded(), request);
    ASSERT_TRUE(query) << query.error().message;
    ASSERT_THAT(query->boards, SizeIs(1));
    EXPECT_EQ(query->boards.front().capability.to_string(), "8.9");
    EXPECT_EQ(query->boards.front().gpu, nullptr);
  }
}

TEST(GpuNames, OfSeveralGenerationsAreAskedFor) {
  EXPECT_THAT(boards("RTX 6000"), AllOf(SizeIs(5), Contains("Quadro RTX 6000"), Contains("RTX 6000 Ada Generation")));
  EXPECT_EQ(test::usage_error("gpu=RTX_6000"), "'RTX 6000' matches GPUs of several generations");
  EXPECT_EQ(test::usage_error("gpu=titan_x"), "'titan x' matches GPUs of several generations");
  EXPECT_EQ(test::usage_error("gpu=Quadro_RTX_6000"), "");
}

}  // namespace
}  // namespace envgen::matrix
