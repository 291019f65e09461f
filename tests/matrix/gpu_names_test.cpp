#include "matrix/gpu_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/small_matrix.hpp"

namespace envgen::matrix {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(GpuKeys, LeaveOutWhatPeopleWriteAsTheyLike) {
  EXPECT_EQ(light_key("NVIDIA GeForce RTX-4090_Ti / (GPU)"), "geforcertx4090ti");
  EXPECT_EQ(full_key("NVIDIA GeForce RTX-4090_Ti"), "rtx4090ti");
  EXPECT_EQ(full_key("Quadro P4000"), "p4000");
  EXPECT_EQ(full_key("Tesla V100"), "v100");
  EXPECT_EQ(light_key("Tesla V100"), "teslav100");
}

TEST(GpuKeys, OfALaptopEndAlike) {
  for (const auto* name : {"RTX 4090 Laptop GPU", "RTX 4090 Mobile", "RTX 4090 Max-Q", "rtx4090 laptop mobile"})
    EXPECT_EQ(light_key(name), "rtx4090laptop") << name;
  EXPECT_EQ(light_key("Mobile 4090"), "mobile4090");
}

TEST(GpuKeys, LeaveOutASliceOfAMultiInstanceGpu) {
  EXPECT_EQ(light_key("NVIDIA A100-SXM4-40GB MIG 1g.5gb"), "a100sxm440gb");
  EXPECT_EQ(light_key("NVIDIA H100 80GB HBM3 MIG 1g.10gb+me"), "h10080gbhbm3");
  EXPECT_EQ(light_key("A100 MIG"), "a100");
  EXPECT_EQ(light_key("A100 1g.5gb"), "a100");
  EXPECT_EQ(light_key("A100-SXM4-40GB-1g.5gb+me"), "a100sxm440gb");
  EXPECT_EQ(light_key("NVIDIA B200:1g.23gb"), "b200");
  EXPECT_EQ(light_key("MIG 1g.5gb"), "mig1g.5gb");
  EXPECT_EQ(light_key("MIG"), "mig");
  EXPECT_EQ(light_key("Amigo 1"), "amigo1");
}

TEST(GpuKeys, TellTheSlice) {
  EXPECT_EQ(slice_of("NVIDIA A100-SXM4-40GB MIG 1g.5gb"), "1g.5gb");
  EXPECT_EQ(slice_of("a100 mig 1c.3g.20gb"), "1c.3g.20gb");
  EXPECT_EQ(slice_of("A100-MIG-1g.5gb"), "1g.5gb");
  EXPECT_EQ(slice_of("A100 MIG"), "");
  EXPECT_EQ(slice_of("A100 1g.5gb"), "1g.5gb");
  EXPECT_EQ(slice_of("A100-1c.3g.20gb"), "1c.3g.20gb");
  EXPECT_EQ(slice_of("B200:1g.23gb"), "1g.23gb");
  EXPECT_EQ(slice_of("RTX PRO 6000 MIG 1g.24gb-me"), "1g.24gb-me");
  EXPECT_EQ(slice_of("rtx pro 6000 1g.24gb+me.all"), "1g.24gb+me.all");
  for (const auto* name :
       {"A100", "MIG", "MIG 1g.5gb", "1g.5gb", "A100 MIG big", "Amigo 1", "A100 40gb", "A100 1g.5", "A1001g.5gb"})
    EXPECT_FALSE(slice_of(name)) << name;
}

TEST(Vgpu, IsNamedByItsBoardItsMemoryAndItsSeries) {
  const auto named = [](std::string_view name) {
    const auto vgpu = vgpu_of(name);
    return vgpu ? std::string(vgpu->board) + " " + std::to_string(vgpu->gigabytes) + (vgpu->has_cuda ? "" : ", no CUDA")
                : std::string();
  };
  EXPECT_EQ(named("NVIDIA A10-24Q"), "NVIDIA A10 24");
  EXPECT_EQ(named("GRID T4-8C"), "T4 8");
  EXPECT_EQ(named("grid v100-16q"), "v100 16");
  EXPECT_EQ(named("L40S-48c"), "L40S 48");
  EXPECT_EQ(named("A100-4-20C"), "A100 20");
  EXPECT_EQ(named("RTX Pro 6000 Blackwell DC-4-96Q"), "RTX Pro 6000 Blackwell DC 96");
  EXPECT_EQ(named("A10-24B"), "A10 24, no CUDA");
  EXPECT_EQ(named("T4-1B4"), "T4 1, no CUDA");
  EXPECT_EQ(named("A10-24A"), "A10 24, no CUDA");
  for (const auto* name : {"A10", "A10-Q", "A10 24Q", "Q", "", "-8Q", "GRID -8Q", "A10-1000Q", "A10-24D", "A10-8Q4"})
    EXPECT_EQ(named(name), "") << name;
}

TEST(GpuKeys, OfADeviceAreFourDigits) {
  for (const auto* id : {"2684", "10de:2684", "10DE:2684", "0x10de:0x2684", "0x2684"}) EXPECT_EQ(pci_key(id), "10de:2684") << id;
  EXPECT_EQ(pci_key("ABCF"), "10de:abcf");
  for (const auto* id : {"268", "26840", "268g", "26:4", "10df:2684", "", "10de:", "a100-40", "26/4\x60"})
    EXPECT_EQ(pci_key(id), "") << id;
}

TEST(GpuMemory, IsSplitFromTheName) {
  const auto split = [](std::string_view name) {
    const auto [bare, gigabytes] = split_memory(name);
    return std::string(bare) + "|" + std::to_string(gigabytes);
  };
  for (const auto* name : {"A100 40GB", "A100 40 GB", "A100 40G", "A100 40gb", "A100 40GiB", "A100 40GIB", "A100 40Gi",
                           "A100 (40GB)", "A100 ( 40 GB )", "A100-40GB", "A100_40GB", "A100 - 40GB ", "A100 (40 GB) "})
    EXPECT_EQ(split(name), "A100|40") << name;
  EXPECT_EQ(split("A100 1234GB"), "A100|1234");
  EXPECT_EQ(split("A100 6GB"), "A100|6");
}

TEST(GpuMemory, StandsApartFromTheName) {
  for (const auto* name : {"A10040GB", "40GB", " 40GB", "GB", "G", "", "A100", "A100 GB", "A100 40", "A100 40B", "A100 12345GB",
                           "A100 40MB", "A100/40GB", "A100-GB", "A100(GB", "GT 1030"}) {
    const auto [bare, gigabytes] = split_memory(name);
    if (std::string_view(name) == " 40GB") {
      EXPECT_EQ(bare, "") << "nothing is left of it";
      continue;
    }
    EXPECT_EQ(bare, name);
    EXPECT_EQ(gigabytes, 0) << name;
  }
}

class NamedGpus : public testing::Test, protected test::SmallMatrix {
 protected:
  NamedGpus() {
    auto other = row("gpus.json", "gpus");
    other["name"] = "A100-80";
    other["memory_gb"] = 79.6;
    other["pci_ids"] = Json::array({"10de:20b2"});
    files["gpus.json"]["gpus"].push_back(other);
    files["gpus.json"]["families"] = Json::parse(R"([{"name": "Ampere 100", "members": ["A100", "A100-80"], "source": "s"}])");
    loaded = load();
  }

  std::vector<std::string> boards(std::string_view name) const {
    std::vector<std::string> names;
    for (const auto* gpu : loaded.block->matrix().gpus_named(name)) names.emplace_back(gpu->name.view());
    return names;
  }

  matrix::Loaded loaded;
};

TEST_F(NamedGpus, AreNarrowedByTheMemoryWhereABoardHasIt) {
  EXPECT_THAT(boards("Ampere 100"), ElementsAre("A100", "A100-80"));
  EXPECT_THAT(boards("Ampere 100 40GB"), ElementsAre("A100"));
  EXPECT_THAT(boards("Ampere 100 80 GB"), ElementsAre("A100-80")) << "79.6 are sold as 80";
  EXPECT_THAT(boards("Ampere 100 79GB"), ElementsAre("A100", "A100-80")) << "a size that none has says nothing";
  EXPECT_THAT(boards("A10 40GB"), ElementsAre("A10"));
}

TEST_F(NamedGpus, AreNoneOfAnUnknownNameWhateverItsMemory) {
  for (const auto* name : {"Banana 40GB", "Banana", "", "40GB", "A100 80GB 40GB"}) EXPECT_THAT(boards(name), IsEmpty()) << name;
}

TEST_F(NamedGpus, AreFoundByTheirDevice) {
  EXPECT_THAT(boards("20b2"), ElementsAre("A100-80"));
  EXPECT_THAT(boards("0x10DE:0x20B0"), ElementsAre("A100"));
  EXPECT_THAT(boards("20b3"), IsEmpty());
}

}  // namespace
}  // namespace envgen::matrix
