// What a Dockerfile starts from, where the environment decides it: targets of nvcc, compilers.
#include "files/image_base.hpp"

#include <gmock/gmock.h>

#include "files/resolved.hpp"
#include "support/literals.hpp"

namespace envgen::files {
namespace {

using Board = Environment::Board;

Environment devel() { return test::environment_of("torch=2.9 variant=devel gpu=A100"); }

std::string targets_of(std::vector<Board> boards) {
  auto environment = devel();
  environment.gpus = std::move(boards);
  return arch_list(environment);
}

TEST(ArchList, HoldsEachTargetOnceInOrder) {
  EXPECT_EQ(targets_of({{"B200", "10.0"_capability, CodeKind::sass, "10.0"_arch, "10.0"},
                        {"A100", "8.0"_capability, CodeKind::sass, "8.0"_arch, "8.0"},
                        {"A30", "8.0"_capability, CodeKind::sass, "8.0"_arch, "8.0"}}),
            "8.0;10.0");
}

TEST(ArchList, OfATargetForOneArchitectureIsItsCapability) {
  EXPECT_EQ(targets_of({{"H100", "9.0"_capability, CodeKind::sass, "9.0a"_arch}}), "9.0");
  EXPECT_EQ(targets_of({{"B200", "10.0"_capability, CodeKind::sass, "10.0f"_arch}}), "10.0");
}

TEST(ArchList, KeepsPtxWhereTheBoardRunsByIt) {
  EXPECT_EQ(targets_of({{"GB10", "12.1"_capability, CodeKind::ptx, "12.0"_arch}}), "12.0+PTX");
  EXPECT_EQ(targets_of({{"GB10", "12.1"_capability, CodeKind::ptx, "12.0"_arch, "12.1"}}), "12.1");
  EXPECT_EQ(targets_of({{"GB10", "12.1"_capability, CodeKind::ptx, "12.0"_arch, "12.0+PTX"},
                        {"5090", "12.0"_capability, CodeKind::sass, "12.0"_arch, "12.0"}}),
            "12.0+PTX");
}

TEST(ArchList, WithoutBoardsIsThatOfTheBuild) {
  auto environment = devel();
  environment.gpus.clear();
  environment.torch->archs = {"8.0"_arch, "9.0a"_arch, "12.0"_arch};
  EXPECT_EQ(arch_list(environment), "8.0;9.0;12.0");
  environment.torch->archs.reset();
  EXPECT_EQ(arch_list(environment), "");
}

TEST(OlderGcc, IsOnlyWantedWhereTheSystemsIsTooNew) {
  auto environment = devel();
  const auto older = [&](std::optional<int> own, std::optional<int> most) {
    environment.system->gcc = own;
    environment.cuda->gcc_max = most;
    return older_gcc(environment);
  };
  EXPECT_EQ(older(13, 12), "12");
  EXPECT_EQ(older(12, 12), "");
  EXPECT_EQ(older(std::nullopt, 12), "");
  EXPECT_EQ(older(13, std::nullopt), "");
}

TEST(ImageBase, OfASlimEnvironmentWhoseCudnnIsNotKnown) {
  auto environment = test::environment_of("torch=2.3 gpu=A100");
  ASSERT_EQ(environment.base, Base::slim);
  environment.cudnn.reset();
  const Options options;
  const auto base = image_base({environment, options, "sha256:0"});
  ASSERT_TRUE(base) << base.error().message;
  EXPECT_EQ(base->image, "ubuntu:22.04");
}

TEST(ImageBase, DropsCudaCompatOfImagesThatHoldCudaAlone) {
  const Options options;
  const auto drops = [&](const char* request) {
    const auto environment = test::environment_of(request);
    return image_base({environment, options, "sha256:0"})->drops_compat;
  };
  EXPECT_TRUE(drops("torch=2.3 gpu=4090 base=cuda"));
  EXPECT_TRUE(drops("torch=2.3 gpu=4090 base=pytorch variant=devel"));
  EXPECT_FALSE(drops("torch=2.3 gpu=4090 base=pytorch variant=runtime"));
  EXPECT_FALSE(drops("torch=2.3 gpu=4090 base=slim"));
  EXPECT_TRUE(drops("tensorflow=2.15 base=tensorflow"));
}

}  // namespace
}  // namespace envgen::files
