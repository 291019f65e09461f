#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "inspect/elf_maker.hpp"
#include "inspect/image.hpp"
#include "support/tar_maker.hpp"

namespace envgen::inspect {
namespace {

using test::elf_of;
using test::fatbin_of;
using test::member;
using test::tar_end;
using ::testing::ElementsAre;

std::vector<std::string> files_of(const std::string& bytes, std::size_t piece = 100) {
  std::vector<std::string> files;
  std::string text;
  TarReader reader({[&](const std::string& path, std::uint64_t size) {
                      files.push_back(fmt::format("{} {}", path, size));
                      text.clear();
                      return path.find("unwanted") == std::string::npos;
                    },
                    [&](Bytes part) {
                      text += text_of(part);
                      return true;
                    },
                    [&]() -> Expected<void> {
                      files.back() += " " + text;
                      return {};
                    }});
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    if (!reader.feed(bytes_of(std::string_view(bytes).substr(at, piece)))) break;
  }
  const auto finished = reader.finish();
  if (!finished) files.push_back(finished.error().message);
  return files;
}

TEST(Tar, HandsOutItsRegularFiles) {
  const std::string long_name(150, 'n');
  const auto bytes = member("a", "text") + member("unwanted", std::string(600, 'u')) + member("empty", "") +
                     member("folder/", "", {'5'}) + member("link", "", {'2'}) + member("b", "in", {'0', "some/folder"}) +
                     member("x", fmt::format("{} path={}\n", 10 + long_name.size(), long_name), {'x'}) + member("cut", "pax") +
                     member("././@LongLink", long_name + '\0', {'L'}) + member("cut", "gnu") +
                     member("big", "base", {'0', "", true}) + tar_end;
  const std::vector<std::string> expected{"a 4 text",           "unwanted 600",       "empty 0 ",  "some/folder/b 2 in",
                                          long_name + " 3 pax", long_name + " 3 gnu", "big 4 base"};
  for (const std::size_t piece : {1U, 100U, 512U, 100'000U}) EXPECT_EQ(files_of(bytes, piece), expected) << piece;
}

TEST(Tar, TellsOfEachMemberAndWhereLinksLead) {
  std::vector<std::string> told;
  TarFiles files{[](const std::string&, std::uint64_t) { return false; }, [](Bytes) { return true; },
                 []() -> Expected<void> { return {}; }};
  files.member = [&](const TarMember& one) {
    told.push_back(fmt::format("{} {} {}", one.path, static_cast<int>(one.kind), one.target));
  };
  TarReader reader(files);
  const std::string long_target(150, 't');
  const auto bytes = member("a", "text") + member("folder/", "", {'5'}) + test::symlink("s", "../a") + test::hard_link("h", "a") +
                     member("././@LongLink", long_target + '\0', {'K'}) + test::symlink("gnu", "cut") +
                     member("x", fmt::format("{} linkpath={}\n", 14 + long_target.size(), long_target), {'x'}) +
                     test::symlink("pax", "cut") + test::symlink("next", "short") + tar_end;
  for (std::size_t at = 0; at < bytes.size(); at += 100) reader.feed(bytes_of(std::string_view(bytes).substr(at, 100)));
  ASSERT_TRUE(reader.finish()) << reader.finish().error().message;
  EXPECT_THAT(told, ElementsAre("a 0 ", "folder/ 3 ", "s 1 ../a", "h 2 a", "gnu 1 " + long_target, "pax 1 " + long_target,
                                "next 1 short"));
}

TEST(Tar, TakesASizeFromItsPaxHeader) {
  auto bytes = member("x", "9 size=3\n", {'x'}) + member("a", "abc");
  EXPECT_THAT(files_of(bytes + tar_end), ElementsAre("a 3 abc"));
}

TEST(Tar, ThatIsDamaged) {
  EXPECT_THAT(files_of(member("a", "text")), ElementsAre("a 4 text", "its file archive is truncated at byte 1024"));
  EXPECT_THAT(files_of(""), ElementsAre("its file archive is truncated at byte 0"));
  auto wrong = member("a", "text") + member("b", "text") + tar_end;
  wrong[1024] = 'c';
  EXPECT_THAT(files_of(wrong),
              ElementsAre("a 4 text", "its file archive is damaged at byte 1024: a header with a wrong checksum"));
  EXPECT_THAT(files_of(member("x", "12 path", {'x'}) + tar_end),
              ElementsAre("its file archive is damaged before byte 512: an invalid pax header"));
  EXPECT_THAT(files_of(member("x", "9 size=x\n", {'x'}) + tar_end),
              ElementsAre("its file archive is damaged before byte 512: an invalid size"));
  EXPECT_THAT(files_of(member("x", std::string((1 << 20) + 1, 'n'), {'L'}) + tar_end),
              ElementsAre("its file archive is damaged at byte 0: a name that is too long"));
}

Expected<Inspected> inspect(const std::string& bytes) {
  ImageInspection inspection("mine:1");
  for (std::size_t at = 0; at < bytes.size(); at += 1000) {
    if (!inspection.feed(bytes_of(std::string_view(bytes).substr(at, 1000)))) break;
  }
  return inspection.finish();
}

TEST(Image, HoldsTorchAndWhatItNeeds) {
  const std::string folder = "usr/lib/python3/dist-packages/";
  const auto library = elf_of({{{"libcudart.so.12", {}}}, fatbin_of({{2, 80}})}).bytes;
  const auto inspected =
      inspect(member(folder + "torch/lib/libtorch_cuda.so", library) + member(folder + "numpy/core.so", library) +
              member("opt/conda/pkgs/p/site-packages/torch/lib/liba.so", library) + member("usr/lib/libc.so.6", library) +
              member(folder + "torch/version.py", "__version__ = '2.9.1'\ncuda = '12.8'\n") +
              member(folder + "torch-2.9.1.dist-info/METADATA", "Name: torch\nVersion: 2.9.1\n") +
              member(folder + "nvidia_nccl_cu12-2.27.5.dist-info/METADATA", "Name: nvidia-nccl-cu12\nVersion: 2.27.5\n") +
              member(folder + "nvidia_nccl_cu12-2.27.5.dist-info/WHEEL", "Tag: py3-none-manylinux2014_x86_64\n") + tar_end);
  ASSERT_TRUE(inspected) << inspected.error().message;
  ASSERT_EQ(inspected->packages.size(), 2U);
  EXPECT_EQ(inspected->packages[0].metadata.name, "nvidia-nccl-cu12");
  EXPECT_THAT(inspected->packages[0].tags, ElementsAre("py3-none-manylinux2014_x86_64"));
  EXPECT_EQ(inspected->packages[1].metadata.name, "torch");
  ASSERT_EQ(inspected->libraries.size(), 1U);
  EXPECT_EQ(inspected->torch->cuda, Version(12, 8));
  EXPECT_EQ(inspected->torch->compiled.to_string(), "sm_80");
}

TEST(Image, WithoutTorch) {
  const auto inspected = inspect(member("etc/passwd", "root") + tar_end);
  ASSERT_FALSE(inspected);
  EXPECT_EQ(inspected.error().message, "the image has neither torch nor NVIDIA packages in a site-packages folder");
  EXPECT_EQ(inspected.error().code, ErrorCode::missing);
  EXPECT_EQ(inspected.error().origin, "mine:1");
}

TEST(Image, ThatIsCutOffOrHoldsADamagedLibrary) {
  const auto cut = inspect(member("etc/passwd", "root"));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().message, "its file archive is truncated at byte 1024");
  EXPECT_EQ(cut.error().origin, "mine:1");
  auto library = elf_of({}).bytes;
  library[5] = 2;
  const auto damaged = inspect(member("usr/lib/python3.12/site-packages/torch/a.so", library) + tar_end);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().message,
            "cannot read 'usr/lib/python3.12/site-packages/torch/a.so': it is big-endian, and only little-endian ELF files "
            "are supported");
  EXPECT_EQ(damaged.error().origin, "mine:1");
}

}  // namespace
}  // namespace envgen::inspect
