#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/embedded/embedded.hpp"

/// How far the shipped matrix reaches: what people may count on finding in it, whatever else is added.
namespace envgen::matrix {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Ge;
using testing::IsSupersetOf;

using Names = std::set<std::string>;

Matrix facts() { return embedded(); }

/// The minors of a row of versions, `2.3`.
template <class Rows>
std::set<Version> minors_of(const Rows& rows) {
  std::set<Version> minors;
  for (const auto& row : rows) minors.insert(row.version.at(2));
  return minors;
}

std::set<Version> releases_of(Framework framework) {
  std::set<Version> minors;
  for (const auto& release : facts()->releases) {
    if (release.framework == framework) minors.insert(release.version.at(2));
  }
  return minors;
}

/// `1.11`, `1.12` ... `1.13`: the minors of one major without a gap.
std::vector<Version> minors(std::uint16_t major, std::uint16_t first, std::uint16_t last) {
  std::vector<Version> result;
  for (std::uint16_t minor = first; minor <= last; ++minor) result.emplace_back(major, minor);
  return result;
}

// ---- boards

TEST(Coverage, HoldsAtLeast160Gpus) { EXPECT_GE(facts()->gpus.size(), 160U); }

TEST(Coverage, HoldsBoardsOfEveryClass) {
  std::vector<int> of_class(4);
  for (const auto& gpu : facts()->gpus) ++of_class.at(static_cast<std::size_t>(gpu.gpu_class));
  EXPECT_GE(of_class[static_cast<std::size_t>(GpuClass::consumer)], 80);
  EXPECT_GE(of_class[static_cast<std::size_t>(GpuClass::workstation)], 40);
  EXPECT_GE(of_class[static_cast<std::size_t>(GpuClass::datacenter)], 40);
  EXPECT_GE(of_class[static_cast<std::size_t>(GpuClass::jetson)], 10);
}

TEST(Coverage, HoldsLaptopsFromPascalToBlackwell) {
  Names architectures;
  for (const auto& gpu : facts()->gpus) {
    if (gpu.laptop) architectures.emplace(gpu.architecture.view());
  }
  EXPECT_THAT(architectures, IsSupersetOf({"Pascal", "Turing", "Ampere", "Ada Lovelace", "Blackwell"}));
}

TEST(Coverage, HoldsOldBoardsAndNewOnes) {
  Names names;
  for (const auto& gpu : facts()->gpus) names.emplace(gpu.name.view());
  EXPECT_THAT(names, IsSupersetOf({"Tesla K80", "Tesla K40m", "GeForce GTX 980 Ti", "GeForce GTX 1080 Ti", "Tesla V100-SXM2-32GB",
                                   "Tesla T4", "A100-SXM4-80GB", "GeForce RTX 4090", "GeForce RTX 4090 Laptop GPU", "L40S",
                                   "H100 80GB HBM3", "GH200 480GB", "B200", "GB10", "GeForce RTX 5090", "Jetson Nano",
                                   "Jetson AGX Orin 64GB", "Jetson T5000"}));
}

TEST(Coverage, EveryBoardHasACapabilityWithItsDrivers) {
  for (const auto& gpu : facts()->gpus) EXPECT_NE(facts().gpu_driver(gpu.capability), nullptr) << gpu.name.view();
}

// ---- releases

TEST(Coverage, HoldsEveryMinorOfTorchFrom1_11To2_15) {
  EXPECT_THAT(releases_of(Framework::torch), AllOf(IsSupersetOf(minors(1, 11, 13)), IsSupersetOf(minors(2, 0, 15))));
}

TEST(Coverage, HoldsEveryMinorOfTensorFlowFrom2_4To2_21) {
  EXPECT_THAT(releases_of(Framework::tensorflow), IsSupersetOf(minors(2, 4, 21)));
}

TEST(Coverage, EveryTorchReleaseHasAWheelForCudaAndOneForTheCpu) {
  for (const auto& release : facts()->releases) {
    if (release.framework != Framework::torch || !release.tags_complete) continue;
    bool cuda = false;
    bool cpu = false;
    for (const auto& build : facts()->builds) {
      if (!build.listed || build.channel != Channel::wheels || build.framework != Framework::torch) continue;
      if (build.version == release.version) (build.cpu ? cpu : cuda) = true;
    }
    EXPECT_TRUE(cuda) << release.text.view();
    EXPECT_TRUE(cpu) << release.text.view();
  }
}

TEST(Coverage, HoldsEveryCudaFrom10_2ToTheNewestThatABuildHas) {
  const auto held = minors_of(facts()->toolkits);
  EXPECT_THAT(held, AllOf(Contains(Version(10, 2)), IsSupersetOf(minors(11, 0, 8)), IsSupersetOf(minors(12, 0, 6)),
                          IsSupersetOf(minors(12, 8, 9)), IsSupersetOf(minors(13, 0, 3))));
  EXPECT_FALSE(held.contains(Version(12, 7))) << "was never published";
  for (const auto& build : facts()->builds) {
    if (build.cuda) {
      EXPECT_THAT(held, Contains(build.cuda)) << build.version_text.view() << " " << build.tag.view();
    }
  }
}

TEST(Coverage, HoldsEveryMinorOfCudnnFrom7_6) {
  EXPECT_THAT(minors_of(facts()->cudnns),
              AllOf(Contains(Version(7, 6)), IsSupersetOf(minors(8, 0, 9)), IsSupersetOf(minors(9, 0, 26))));
}

TEST(Coverage, HoldsTheDriverBranchesFrom396) {
  std::set<int> branches;
  for (const auto& branch : facts()->branches) branches.insert(branch.branch);
  EXPECT_EQ(*branches.begin(), 396);
  EXPECT_THAT(branches, IsSupersetOf({396, 410, 418, 440, 450, 455, 460, 465, 470, 495, 510, 515,
                                      520, 525, 530, 535, 545, 550, 555, 560, 565, 570, 575, 580}));
  EXPECT_THAT(branches, Contains(Ge(590)));
}

/// What a proof about a release with an incomplete list leans on.
TEST(Coverage, NoReleaseOfTorchGoesBackBehindTheOldestCudaOfTheOneBefore) {
  std::map<Version, Version> oldest;
  for (const auto& build : facts()->builds) {
    if (!build.listed || build.cpu || build.channel != Channel::wheels || build.framework != Framework::torch) continue;
    auto& first = oldest[build.version];
    if (!first || build.cuda < first) first = build.cuda;
  }
  ASSERT_GE(oldest.size(), 24U);
  Version before;
  for (const auto& [release, first] : oldest) {
    EXPECT_GE(first, before) << release.to_string();
    before = first;
  }
}

TEST(Coverage, NoReleaseOfTorchGoesBackBehindTheOldestGlibcOfTheOneBefore) {
  std::map<std::pair<Platform, Version>, Version> oldest;
  for (const auto& build : facts()->builds) {
    if (!build.listed || build.channel != Channel::wheels || build.framework != Framework::torch) continue;
    ASSERT_TRUE(build.glibc) << build.version_text.view() << " " << build.tag.view();
    auto& first = oldest[{build.platform, build.version}];
    if (!first || build.glibc < first) first = build.glibc;
  }
  ASSERT_GE(oldest.size(), 48U);
  std::map<Platform, Version> before;
  for (const auto& [of, first] : oldest) {
    EXPECT_GE(first, before[of.first]) << of.second.to_string();
    before[of.first] = first;
  }
}

bool is_wheel_of_x86_64(const Build& build) {
  return build.listed && build.channel == Channel::wheels && build.framework == Framework::torch &&
         build.platform == Platform::linux_x86_64;
}

/// matrix/README.md, Inferred facts: same Pythons.
TEST(Coverage, ABuildOfTorchUpTo2_5IsForThePythonsOfThePackageIndex) {
  std::map<Version, std::vector<PythonVersion>> of_release;
  for (const auto& build : facts()->builds) {
    if (is_wheel_of_x86_64(build) && !build.package_index.empty()) of_release[build.version] = build.package_index.list();
  }
  std::size_t seen = 0;
  for (const auto& build : facts()->builds) {
    if (!is_wheel_of_x86_64(build) || build.version >= Version(2, 6) || build.wheel_index.empty()) continue;
    EXPECT_EQ(build.wheel_index.list(), of_release.at(build.version)) << build.version_text.view() << " " << build.tag.view();
    ++seen;
  }
  EXPECT_GE(seen, 90U);
}

/// matrix/README.md, Inferred facts: first patches.
TEST(Coverage, AFirstPatchOfTorchHasTheCudasOfItsRelease) {
  std::map<Version, std::set<Version>> cudas;
  for (const auto& build : facts()->builds) {
    if (is_wheel_of_x86_64(build) && !build.cpu) cudas[build.version].insert(build.cuda);
  }
  std::size_t pairs = 0;
  for (const auto& [release, its] : cudas) {
    const auto patch = cudas.find(Version(release.major(), release.minor(), 1));
    if (release != Version(release.major(), release.minor(), 0) || patch == cudas.end()) continue;
    EXPECT_THAT(patch->second, IsSupersetOf(its)) << release.to_string();
    ++pairs;
  }
  EXPECT_GE(pairs, 16U);
}

/// Nobody read the wheel index itself: a row that rests on the copy says so, and no more rows do.
TEST(Coverage, OnTheCopyOfTheWheelIndexRestSixListsAlone) {
  const auto is_copy = [](std::uint16_t source) { return facts().source(source).id.view() == "wheel-index"; };
  Names releases;
  for (const auto& release : facts()->releases) {
    EXPECT_FALSE(is_copy(release.from.source)) << release.text.view();
    for (const auto& field : release.from.fields) {
      if (!is_copy(field.source)) continue;
      EXPECT_EQ(field.field.view(), "tags_complete") << release.text.view();
      EXPECT_EQ(facts().source(field.source).basis, Basis::unverified);
      releases.emplace(release.text.view());
    }
  }
  EXPECT_EQ(releases, (Names{"1.7.1", "1.8.0", "1.8.1", "1.9.0", "1.9.1", "2.4.1"}));
  for (const auto& build : facts()->builds) {
    EXPECT_FALSE(is_copy(build.from.source)) << build.version_text.view() << " " << build.tag.view();
    for (const auto& field : build.from.fields)
      EXPECT_FALSE(is_copy(field.source)) << build.version_text.view() << " " << build.tag.view();
  }
}

TEST(Coverage, HoldsFreeThreadedPythons) {
  std::set<PythonVersion> free_threaded;
  for (const auto& build : facts()->builds) {
    for (const auto python : build.pythons.list()) {
      if (python.free_threaded) free_threaded.insert(python);
    }
  }
  EXPECT_THAT(free_threaded, IsSupersetOf({PythonVersion{13, true}, PythonVersion{14, true}}));
}

// ---- images, TensorFlow and presets

TEST(Coverage, HoldsTheJupyterImagesOfTensorFlow) {
  Names tags;
  for (const auto& image : facts()->official_images) {
    if (image.framework == Framework::tensorflow && image.jupyter) tags.emplace(image.tag.view());
  }
  EXPECT_THAT(tags, IsSupersetOf({"2.10.0-gpu-jupyter", "2.15.0-gpu-jupyter", "2.19.0-gpu-jupyter"}));
}

TEST(Coverage, TensorFlowPinsExactVersionsThenRanges) {
  const auto cudnn_of = [](std::string_view version) {
    for (const auto& extra : facts()->tensorflow_extras) {
      if (extra.version != Version::parse(version).value()) continue;
      for (const auto& pin : extra.pins) {
        if (pin.package.view().starts_with("nvidia-cudnn")) return std::string(pin.package.view()) + std::string(pin.spec.view());
      }
    }
    return std::string("none");
  };
  EXPECT_EQ(cudnn_of("2.13.1"), "none") << "there was no [and-cuda] yet";
  EXPECT_EQ(cudnn_of("2.14.0"), "nvidia-cudnn-cu11==8.7.0.84");
  EXPECT_EQ(cudnn_of("2.15.1"), "nvidia-cudnn-cu12==8.9.4.25");
  EXPECT_EQ(cudnn_of("2.20.0"), "nvidia-cudnn-cu12<10.0,>=9.3.0.75");
}

TEST(Coverage, HoldsThePresetsOfTheField) {
  for (const auto* name : {"autodl", "colab-t4", "wsl2", "dgx-a100", "4090x2"}) EXPECT_NE(facts().preset(name), nullptr) << name;
  EXPECT_EQ(facts().preset("colab-t5"), nullptr);
}

}  // namespace
}  // namespace envgen::matrix
