#include "update/local_wheel.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspect/elf_maker.hpp"
#include "support/temporary_folder.hpp"
#include "support/zip_maker.hpp"
#include "update/shipped.hpp"

/// A wheel of torch that lies on this machine, and a torch that is installed in an image.
namespace envgen::update {
namespace {

using test::elf_of;
using testing::ElementsAre;
using testing::IsEmpty;
using Words = std::vector<std::string>;

const std::string today = "2026-12-01";

/// What a wheel holds that is read: METADATA, version.py, and the list of architectures in libtorch_python.
struct Wheel {
  std::string version = "2.8.0";
  std::string cuda = "'12.8'";
  std::string pins =
      "Requires-Dist: nvidia-cudnn-cu12==9.10.2.21; platform_system == \"Linux\"\n"
      "Requires-Dist: nvidia-nccl-cu12==2.27.3; platform_system == \"Linux\"\n"
      "Requires-Dist: nvidia-cuda-runtime-cu12==12.8.90; platform_system == \"Linux\"\n"
      "Requires-Dist: triton==3.4.0; platform_system == \"Linux\"\n";
  std::string code;    ///< fat binaries in libtorch_cuda
  std::string stated;  ///< by version.py; empty: the same
  std::string file;    ///< the version in its name; empty: the same
  std::string platform = "manylinux_2_28_x86_64";
  std::string archs = "sm_70 sm_75 sm_80 sm_86 sm_90 sm_100 sm_120";

  std::string bytes() const {
    auto list = archs;
    list += '\0';
    return test::zip_of(
        {{"torch-" + version + ".dist-info/METADATA",
          "Metadata-Version: 2.1\nName: torch\nVersion: " + version + "\n" + pins + "\n"},
         {"torch/version.py", "__version__ = '" + (stated.empty() ? version + "+cu128" : stated) + "'\ncuda = " + cuda + "\n"},
         {"torch/lib/libtorch_cuda.so", elf_of({{}, code}).bytes},
         {"torch/lib/libtorch_python.so", elf_of({{{"libc.so.6", {"GLIBC_2.28"}}}, {}, list}).bytes}});
  }
};

class LocalWheel : public ::testing::Test {
 protected:
  std::filesystem::path written(const Wheel& wheel) const {
    const auto path = folder_.path() /
                      ("torch-" + (wheel.file.empty() ? wheel.version : wheel.file) + "-cp312-cp312-" + wheel.platform + ".whl");
    std::ofstream(path, std::ios::binary) << wheel.bytes();
    return path;
  }
  Place place() const {
    Place result;
    result.folder = folder_.path() / "own";
    result.user = true;
    result.below = result.facts = [] { return shipped(); };
    return result;
  }
  auto add_unknown_release(Draft& draft) const {
    Wheel wheel;
    wheel.version = "2.16.0";
    return add_wheel(draft, written(wheel), "2.16.0", today);
  }
  /// What `add` and `verify` alike say of a wheel that neither takes.
  std::string refusal_of(const Wheel& wheel) const {
    const auto path = written(wheel);
    auto draft = Draft::of(place(), today).value();
    const auto added = add_wheel(draft, path, "2.16.0", today);
    const auto verified = verify_wheel(shipped().value(), path, today);
    if (added || verified) return std::string("taken");
    EXPECT_FALSE(draft.changed());
    EXPECT_EQ(added.error().code, ErrorCode::bad_input);
    EXPECT_EQ(added.error().origin, path.string());
    EXPECT_EQ(verified.error().message, added.error().message);
    return added.error().message;
  }
  test::TemporaryFolder folder_;
};

TEST_F(LocalWheel, AgreesWithTheFactsThatItIsOf) {
  const auto result = verify_wheel(shipped().value(), written({}), today);
  ASSERT_TRUE(result) << result.error().message;
  const auto& merged = result->sources.front().merged;
  EXPECT_THAT(merged.refused, IsEmpty());
  EXPECT_EQ(merged.differing, 0U);
  EXPECT_EQ(merged.agreeing, 7U) << "CUDA, cuDNN, NCCL, Triton, glibc, and both lists of code";
}

/// The tag of torch's wheels up to 2.6, which need the glibc of CentOS 7.
TEST_F(LocalWheel, OfManylinux1SaysNothingOfItsGlibc) {
  Wheel wheel;
  wheel.platform = "manylinux1_x86_64";
  const auto result = verify_wheel(shipped().value(), written(wheel), today);
  ASSERT_TRUE(result) << result.error().message;
  const auto& merged = result->sources.front().merged;
  EXPECT_THAT(merged.refused, IsEmpty());
  EXPECT_EQ(merged.agreeing, 6U) << "all but glibc";
}

TEST_F(LocalWheel, DiffersWhereItSaysOtherwise) {
  Wheel wheel;
  wheel.archs = "sm_80 sm_90";
  const auto result = verify_wheel(shipped().value(), written(wheel), today);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->sources.front().merged.differing, 1U);
  EXPECT_THAT(result->sources.front().merged.refused,
              ElementsAre(testing::AllOf(
                  testing::StartsWith("torch 2.8.0 cu128 linux-x86_64: GPU code (SASS) is 7.0, 7.5, 8.0, 8.6, 9.0, 10.0, 12.0 ("),
                  testing::EndsWith("), but the wheel torch-2.8.0-cp312-cp312-manylinux_2_28_x86_64.whl says 8.0, 9.0"))));
}

TEST_F(LocalWheel, IsAddedAsAReleaseThatWasNotKnown) {
  auto draft = Draft::of(place(), today).value();
  ASSERT_TRUE(add_unknown_release(draft));
  ASSERT_TRUE(draft.write());
  const auto own = matrix::Documents::read({folder_.path() / "own"}).value();
  ASSERT_EQ(own.rows(matrix::tables::torch_releases).size(), 1U);
  EXPECT_EQ(own.rows(matrix::tables::torch_releases).front().value->at("gap_before"), true);
  ASSERT_EQ(own.rows(matrix::tables::wheel_builds).size(), 1U);
  const auto& row = *own.rows(matrix::tables::wheel_builds).front().value;
  EXPECT_EQ(row.at("torch"), "2.16.0");
  EXPECT_EQ(row.at("cuda"), "12.8");
  EXPECT_EQ(row.at("cudnn"), "9.10.2.21");
  EXPECT_EQ(row.at("glibc"), "2.28");
  EXPECT_TRUE(row.at("wheel_index").is_null()) << "which index has it, a wheel does not say";
}

TEST_F(LocalWheel, LeavesOpenWhereItIsPublished) {
  auto draft = Draft::of(place(), today).value();
  const auto result = add_unknown_release(draft);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(result->sources.front().merged.notes,
              ElementsAre("a wheel does not say which index has it, or for which Pythons there are others: until that is known, "
                          "resolve answers 'unknown'; 'envgen matrix update' reads it from the indexes"));
}

/// They name no CUDA, and were taken for builds for processors.
TEST_F(LocalWheel, ForAnotherAcceleratorIsRefusedByItsName) {
  const auto refused = [&](const std::string& local, const std::string& more) {
    Wheel wheel;
    wheel.version = "2.16.0" + local;
    wheel.stated = wheel.version;
    wheel.cuda = "None" + more;
    wheel.pins.clear();
    return refusal_of(wheel);
  };
  EXPECT_EQ(refused("+rocm6.2", ""), "it is a build for ROCm, but envgen covers only CUDA and CPU builds");
  EXPECT_EQ(refused("+xpu", ""), "it is a build for XPU, but envgen covers only CUDA and CPU builds");
  EXPECT_EQ(refused("", "\nhip: Optional[str] = '6.2.41133'"),
            "it is a build for ROCm, but envgen covers only CUDA and CPU builds");
  EXPECT_EQ(refused("", "\nxpu: Optional[str] = '20250101'"),
            "it is a build for XPU, but envgen covers only CUDA and CPU builds");
  Wheel cpu;
  cpu.version = "2.16.0";
  cpu.stated = "2.16.0+cpu";
  cpu.cuda = "None\nhip: Optional[str] = None\nxpu: Optional[str] = None";
  cpu.pins.clear();
  auto draft = Draft::of(place(), today).value();
  EXPECT_TRUE(add_wheel(draft, written(cpu), "2.16.0", today)) << "one for processors says that of both";
}

TEST_F(LocalWheel, WhoseCudaCannotBeReadIsNoBuildForProcessors) {
  const auto refused = [&](const std::string& cuda) {
    Wheel wheel;
    wheel.version = "2.16.0";
    wheel.cuda = cuda;
    wheel.pins.clear();
    wheel.code = test::fatbin_of({{2, 80}});
    return refusal_of(wheel);
  };
  EXPECT_EQ(refused("'13.2\x1b'"), "'torch/version.py' gives '13.2\\x1b' as its CUDA, which is not a version");
  EXPECT_EQ(refused("'4294967296.1'"), "'torch/version.py' gives '4294967296.1' as its CUDA, which is not a version");
  EXPECT_EQ(refused("'1' + '2.8'"), "'torch/version.py' gives ''1' + '2.8'' as its CUDA, which is not a version");
  EXPECT_EQ(refused("None"),
            "cannot tell which CUDA its torch was built for: torch/version.py says None, but torch/lib/libtorch_cuda.so contains "
            "GPU code");
}

TEST_F(LocalWheel, ThatContradictsItselfIsRefused) {
  const auto refused = [&](Wheel wheel) {
    wheel.version = "2.16.0";
    return refusal_of(wheel);
  };
  Wheel version;
  version.stated = "2.3.0+cu118";
  version.cuda = "'11.8'";
  EXPECT_EQ(refused(version), "it contradicts itself: METADATA says 2.16.0, but torch/version.py says 2.3.0+cu118");
  Wheel name;
  name.file = "2.8.0";
  EXPECT_EQ(refused(name), "it contradicts itself: the file name says 2.8.0, but METADATA says 2.16.0");
  Wheel tag;
  tag.cuda = "'11.8'";
  EXPECT_EQ(refused(tag), "it contradicts itself: torch/version.py says 2.16.0+cu128, but CUDA 11.8");
  Wheel pins;
  pins.stated = "2.16.0";
  pins.cuda = "'11.8'";
  EXPECT_EQ(refused(pins), "it contradicts itself: METADATA requires CUDA 12.8, but torch/version.py says CUDA 11.8");
  pins.cuda = "None";
  EXPECT_EQ(refused(pins), "it contradicts itself: METADATA requires CUDA 12.8, but torch/version.py says no CUDA");
}

TEST_F(LocalWheel, OfAnotherReleaseIsNotAdded) {
  auto draft = Draft::of(place(), today);
  ASSERT_TRUE(draft);
  const auto path = written({});
  const auto result = add_wheel(*draft, path, "2.16.0", today);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "this is a wheel of torch 2.8.0, but 2.16.0 was to be added");
  EXPECT_FALSE(draft->changed());
}

inspect::Inspected image_of(const Wheel& wheel, std::vector<std::string> tags) {
  inspect::Inspected image;
  image.origin = "mine:latest";
  image.packages.push_back(
      {inspect::parse_metadata("Name: torch\nVersion: " + wheel.version + "+cu128\n" + wheel.pins + "\n", "METADATA").value(),
       std::move(tags)});
  inspect::TorchBuild torch;
  torch.version = wheel.version + "+cu128";
  torch.cuda = Version(12, 8);
  image.torch = torch;
  return image;
}

TEST(InstalledTorch, IsComparedByTheTagOfItsWheel) {
  const auto result = verify_image(shipped().value(), image_of({}, {"cp312-cp312-manylinux_2_28_x86_64"}), today);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->sources.front().source->name, "image");
  EXPECT_EQ(result->sources.front().merged.differing, 0U);
  EXPECT_EQ(result->sources.front().merged.agreeing, 5U) << "CUDA, cuDNN, NCCL, Triton, glibc";
  Wheel wheel;
  wheel.pins = "Requires-Dist: nvidia-cudnn-cu12==9.1.0.70\nRequires-Dist: nvidia-cuda-runtime-cu12==12.8.90\n";
  const auto other = verify_image(shipped().value(), image_of(wheel, {"cp312-cp312-manylinux_2_28_x86_64"}), today);
  ASSERT_TRUE(other);
  EXPECT_THAT(other->sources.front().merged.refused, testing::Contains(testing::HasSubstr("cuDNN is 9.10.2.21 ")));
}

TEST(InstalledTorch, WhoseCodeWasNotReadSaysNothingOfIt) {
  Wheel wheel;
  wheel.pins = "Requires-Dist: filelock\n";  // as before 2.0: which CUDA it is for stands in version.py alone
  const auto result = verify_image(shipped().value(), image_of(wheel, {"cp312-cp312-manylinux_2_28_x86_64"}), today);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(result->sources.front().merged.refused, IsEmpty());
  EXPECT_EQ(result->sources.front().merged.agreeing, 2U) << "CUDA and glibc";
}

TEST(InstalledTorch, OfWhichThereAreTwoIsNotGuessed) {
  const Words tags{"cp312-cp312-manylinux_2_28_x86_64"};
  const auto refused = [](const inspect::Inspected& image) {
    const auto result = verify_image(shipped().value(), image, today);
    if (result) return std::string("taken");
    EXPECT_EQ(result.error().code, ErrorCode::bad_input);
    EXPECT_EQ(result.error().origin, "mine:latest");
    return result.error().message;
  };
  auto two = image_of({}, tags);
  two.packages[0].folder = "a/site-packages/torch-2.8.0.dist-info";
  two.packages.push_back(two.packages[0]);
  two.packages[1].folder = "b/site-packages/torch-2.8.0.dist-info";
  EXPECT_EQ(refused(two), "taken") << "both are one release";
  two.packages[1].metadata.version = "2.0.0";
  EXPECT_EQ(refused(two),
            "cannot tell which torch in it is meant: 2.8.0+cu128 in 'a/site-packages/torch-2.8.0.dist-info', "
            "2.0.0 in 'b/site-packages/torch-2.8.0.dist-info'");
  auto builds = image_of({}, tags);
  builds.several = {*builds.torch, *builds.torch};
  builds.several[0].folder = "a/site-packages";
  builds.several[1].folder = "b/site-packages";
  builds.torch.reset();
  EXPECT_EQ(refused(builds),
            "cannot tell which torch in it is meant: 2.8.0+cu128 in 'a/site-packages', 2.8.0+cu128 in "
            "'b/site-packages'");
  auto contradicting = image_of({}, tags);
  contradicting.contradictions = {"METADATA says 2.8.0, but torch/version.py says 2.3.0"};
  EXPECT_EQ(refused(contradicting), "it contradicts itself: METADATA says 2.8.0, but torch/version.py says 2.3.0");
}

TEST(InstalledTorch, WithoutAVersionPyIsNoBuildForProcessors) {
  Wheel wheel;
  wheel.pins = "Requires-Dist: filelock\n";
  auto image = image_of(wheel, {"cp312-cp312-manylinux_2_28_x86_64"});
  image.torch->cuda_problem = "torch/version.py does not state it";
  const auto silent = verify_image(shipped().value(), image, today);
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().message, "cannot tell which CUDA its torch was built for: torch/version.py does not state it");
  image.torch.reset();
  const auto without = verify_image(shipped().value(), image, today);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().message, "cannot tell which CUDA its torch was built for: it has no torch/version.py");
}

TEST(InstalledTorch, WhoseFilesCannotBeReadIsNotSaidToBeMissing) {
  inspect::Inspected image;
  image.origin = "mine:latest";
  image.unreadable = {{"usr/lib/site-packages", "its link points to 'x', which is not in the image"}};
  const auto perhaps = verify_image(shipped().value(), image, today);
  ASSERT_FALSE(perhaps);
  EXPECT_EQ(perhaps.error().code, ErrorCode::bad_input);
  EXPECT_EQ(perhaps.error().message,
            "cannot tell whether torch is installed in it: cannot read 'usr/lib/site-packages': its link points to 'x', which "
            "is not in the image");
  Wheel wheel;
  wheel.pins = "Requires-Dist: filelock\n";
  auto of_no_cuda = image_of(wheel, {"cp312-cp312-manylinux_2_28_x86_64"});
  of_no_cuda.torch.reset();
  of_no_cuda.unreadable = {{"site-packages/torch/version.py", "its link leads in a circle"}};
  const auto unknown = verify_image(shipped().value(), of_no_cuda, today);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message,
            "cannot tell which CUDA its torch was built for: cannot read 'site-packages/torch/version.py': its link leads in "
            "a circle");
}

TEST(InstalledTorch, ThatIsNotThereIsAnError) {
  inspect::Inspected image;
  image.origin = "mine:latest";
  const auto none = verify_image(shipped().value(), image, today);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::bad_input);
  EXPECT_EQ(none.error().origin, "mine:latest");
  EXPECT_EQ(none.error().message, "no torch is installed in it");
  const auto untagged = verify_image(shipped().value(), image_of({}, {}), today);
  ASSERT_FALSE(untagged);
  EXPECT_EQ(untagged.error().message, "its torch 2.8.0+cu128 does not say for which platform it was built");
}

}  // namespace
}  // namespace envgen::update
