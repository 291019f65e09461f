#include "inspect/wheel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/elf_maker.hpp"
#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"
#include "support/zip_maker.hpp"
#include "util/file_source.hpp"

namespace envgen::inspect {
namespace {

using test::MemorySource;
using test::PackedFile;
using test::zip_of;

const std::string metadata = "Name: torch\nVersion: 2.9.1\nRequires-Python: >=3.10\nRequires-Dist: filelock\n\nA readme\n";

std::string error_of(const std::vector<PackedFile>& files) {
  MemorySource source(zip_of(files));
  const auto index = read_wheel_index(source, "x.whl");
  return index ? "none" : test::text_of(index.error());
}

TEST(WheelIndex, IsReadFromTheEnd) {
  MemorySource source(zip_of({{"torch/lib/libtorch.so", std::string(2'000'000, 'x'), false},
                              {"torch/_vendor/six.dist-info/METADATA", "Name: six\n"},
                              {"torch-2.9.1.dist-info/METADATA", metadata}}));
  const auto index = read_wheel_index(source, "x.whl");
  ASSERT_TRUE(index) << test::text_of(index.error());
  EXPECT_EQ(index->folder, "torch-2.9.1.dist-info");
  EXPECT_EQ(index->metadata.name, "torch");
  EXPECT_EQ(index->metadata.requires_dist.size(), 1U);
  EXPECT_EQ(index->archive.find("torch/lib/libtorch.so")->size, 2'000'000U);
  EXPECT_EQ(source.reads, 1);
  EXPECT_EQ(source.read_bytes, 65536U);
}

TEST(WheelIndex, AMemberBeforeTheDirectoryTakesOneMoreRead) {
  std::vector<PackedFile> files{{"torch-2.9.1.dist-info/METADATA", metadata + std::string(50'000, 'x')}};
  for (int i = 0; i < 3000; ++i) files.push_back({"torch/include/file-" + std::to_string(i), "x", false});
  MemorySource source(zip_of(files));
  ASSERT_TRUE(read_wheel_index(source, "x.whl"));
  EXPECT_EQ(source.reads, 3);
}

TEST(WheelIndex, WhatIsNoWheelIsSaid) {
  EXPECT_EQ(error_of({{"a-1.dist-info/METADATA", metadata}}), "none");
  EXPECT_EQ(error_of({{"a.txt", "x"}, {"deep/a-1.dist-info/METADATA", metadata}}),
            "bad_input | x.whl | the archive is not a wheel: it has no METADATA in a .dist-info folder | ");
  EXPECT_EQ(error_of({{"a-1.dist-info/METADATA", metadata}, {"b-1.dist-info/METADATA", metadata}}),
            "bad_input | x.whl | the archive is not a wheel: it has METADATA of several packages | ");
  EXPECT_EQ(error_of({{"a-1.dist-info/METADATA", "Name: a\n"}}),
            "bad_input | x.whl | the metadata has the version '', which is not one | ");
  EXPECT_EQ(error_of({{"a-1.dist-info/METADATA", metadata + std::string(20'000'000, 'x')}}),
            "bad_input | x.whl | 'a-1.dist-info/METADATA' in the archive has 20000085 bytes, and 16777216 are read at most | ");
}

/// A wheel of torch, small.
std::vector<PackedFile> torch_wheel(const std::string& listed) {
  const auto fatbin = test::fatbin_of({{2, 80}, {2, 90}, {1, 90}});
  return {
      {"torch-2.9.1.dist-info/METADATA", "Name: torch\nVersion: 2.9.1+cu128\n"},
      {"torch-2.9.1.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: cp312-cp312-manylinux_2_28_x86_64\n"},
      {"torch/version.py",
       "from typing import Optional\n__version__ = '2.9.1+cu128'\ndebug = False\ncuda: Optional[str] = '12.8'\nhip: "
       "Optional[str] = None\n"},
      {"torch/lib/libtorch_python.so", test::elf_of({.needed = {"libtorch_cuda.so"},
                                                     .versions = {"GLIBC_2.28"},
                                                     .body = std::string(1, '\0') + listed + std::string(1, '\0')})},
      {"torch/lib/libtorch_cuda.so", test::elf_of({.needed = {"libcudart.so.12", "libcudnn.so.9", "libc10.so", "libnvrtc.so.12"},
                                                   .versions = {"GLIBC_2.17"},
                                                   .body = fatbin + test::fatbin_of({{2, 80}, {2, 90}, {1, 90}, {2, 89}})})},
      {"torch/lib/libnvrtc.so.12", test::elf_of({.needed = {"libcuda.so.1", "libcudart.so.12"}})}};
}

std::string names_of_code(const std::vector<GpuCode>& all) {
  std::string text;
  for (const auto& code : all) text += fmt::format("{}{} ", name_of(code.kind), code.arch.to_string());
  return text;
}

TEST(Wheel, TellsItsBuild) {
  MemorySource source(zip_of(torch_wheel("sm_80 sm_90 compute_90")));
  const auto wheel = inspect_wheel(source, "x.whl");
  ASSERT_TRUE(wheel) << test::text_of(wheel.error());
  EXPECT_EQ(wheel->release, Version(2, 9, 1));
  EXPECT_EQ(wheel->local, "cu128");
  EXPECT_THAT(wheel->tags, testing::ElementsAre("cp312-cp312-manylinux_2_28_x86_64"));
  EXPECT_EQ(wheel->tagged_glibc, Version(2, 28));
  EXPECT_EQ(wheel->binaries.glibc(), Version(2, 28));
  EXPECT_THAT(wheel->binaries.cuda_libraries(), testing::ElementsAre("libcuda.so.1", "libcudart.so.12", "libcudnn.so.9"));
  EXPECT_EQ(names_of_code(wheel->binaries.compiled()), "sass8.0 sass8.9 sass9.0 ptx9.0 ");
  EXPECT_EQ(wheel->binaries.largest()->name, "torch/lib/libtorch_cuda.so");
  ASSERT_TRUE(wheel->binaries.torch);
  EXPECT_EQ(wheel->binaries.torch->version, "2.9.1+cu128");
  EXPECT_EQ(wheel->binaries.torch->cuda, Version(12, 8));
  EXPECT_EQ(wheel->binaries.torch->hip, "");
  EXPECT_EQ(wheel->binaries.torch->sass.size(), 2U);
  EXPECT_EQ(wheel->binaries.torch->ptx.size(), 1U);
  EXPECT_FALSE(disagreement(wheel->binaries));
}

TEST(Wheel, AListThatTheCodeContradictsIsSaid) {
  MemorySource source(zip_of(torch_wheel("sm_75 sm_90")));
  const auto wheel = inspect_wheel(source, "x.whl");
  ASSERT_TRUE(wheel);
  const auto differ = disagreement(wheel->binaries);
  ASSERT_TRUE(differ);
  EXPECT_EQ(names_of_code(differ->only_listed), "sass7.5 ");
  EXPECT_EQ(names_of_code(differ->only_compiled), "sass8.0 ptx9.0 ");
}

TEST(Wheel, OneWithoutBinariesIsOne) {
  MemorySource source(
      zip_of({{"a-1.dist-info/METADATA", "Name: a\nVersion: 1.dev0\n"}, {"a-1.dist-info/WHEEL", "Tag: py3-none-any\n"}}));
  const auto wheel = inspect_wheel(source, "x.whl");
  ASSERT_TRUE(wheel);
  EXPECT_FALSE(wheel->release);
  EXPECT_FALSE(wheel->tagged_glibc);
  EXPECT_FALSE(wheel->binaries.torch);
  EXPECT_EQ(wheel->binaries.largest(), nullptr);
}

TEST(Wheel, WhatIsWrongWithAMemberIsSaid) {
  const auto error = [](const std::vector<PackedFile>& files) {
    MemorySource source(zip_of(files));
    const auto wheel = inspect_wheel(source, "x.whl");
    return wheel ? "none" : test::text_of(wheel.error());
  };
  EXPECT_EQ(error({{"a-1.dist-info/METADATA", metadata}}),
            "bad_input | x.whl | the archive is not a wheel: it has no WHEEL in its .dist-info folder | ");
  auto files = torch_wheel("sm_80");
  files.back().text = "INPUT(libx.so)";
  EXPECT_EQ(error(files), "bad_input | x.whl | 'torch/lib/libnvrtc.so.12' is not an ELF file | ");

  std::vector<PackedFile> many{
      {"a-1.dist-info/METADATA", metadata}, {"a-1.dist-info/WHEEL", ""}, {"a.so", "x"}, {"b.so", "x"}, {"c.so", "x"}};
  auto bomb = zip_of(many, {.zip64 = true});
  for (const std::string name : {"a.so", "b.so", "c.so"}) {
    const auto entry = bomb.rfind(name);
    test::overwrite(bomb, entry + name.size() + 9, std::uint64_t{16} << 30, 8);
  }
  MemorySource source(bomb);
  const auto wheel = inspect_wheel(source, "x.whl");
  ASSERT_FALSE(wheel);
  EXPECT_EQ(test::text_of(wheel.error()),
            "bad_input | x.whl | the libraries in the wheel unpack to 51539607552 bytes, more than any wheel has | ");
}

TEST(Wheel, TablesInTheMiddleOfAMemberAreUnpackedAgain) {
  std::vector<PackedFile> files{{"a-1.dist-info/METADATA", metadata}, {"a-1.dist-info/WHEEL", ""}};
  files.push_back({"liba.so", test::elf_of({.needed = {"libcudart.so.12"},
                                            .versions = {"GLIBC_2.34"},
                                            .before = std::size_t{17} << 20,
                                            .after = std::size_t{17} << 20})});
  MemorySource source(zip_of(files));
  const auto wheel = inspect_wheel(source, "x.whl");
  ASSERT_TRUE(wheel) << test::text_of(wheel.error());
  EXPECT_EQ(wheel->binaries.glibc(), Version(2, 34));
  EXPECT_THAT(wheel->binaries.cuda_libraries(), testing::ElementsAre("libcudart.so.12"));
}

TEST(Wheel, TagsTellTheirGlibc) {
  EXPECT_EQ(glibc_of_tag("cp312-cp312-manylinux_2_28_x86_64"), Version(2, 28));
  EXPECT_EQ(glibc_of_tag("py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64"), Version(2, 17));
  EXPECT_EQ(glibc_of_tag("cp37-cp37m-manylinux1_x86_64"), Version(2, 5));
  EXPECT_EQ(glibc_of_tag("cp37-cp37m-manylinux2010_x86_64"), Version(2, 12));
  for (const auto* tag : {"cp312-cp312-linux_x86_64", "py3-none-any", "manylinux_2", "manylinux_x_y_z", ""})
    EXPECT_FALSE(glibc_of_tag(tag)) << tag;
}

TEST(Wheel, TheVersionOfTorchIsReadAsItsReleasesWriteIt) {
  const auto old = parse_torch_version("__version__ = '1.13.1+cu117'\ndebug = False\ncuda = '11.7'\nhip = None\n");
  EXPECT_EQ(old.version, "1.13.1+cu117");
  EXPECT_EQ(old.cuda, Version(11, 7));
  const auto cpu = parse_torch_version("__version__ = '2.9.1+cpu'\ncuda: Optional[str] = None\nhip: Optional[str] = '6.4'\n");
  EXPECT_FALSE(cpu.cuda);
  EXPECT_EQ(cpu.hip, "6.4");
  EXPECT_EQ(parse_torch_version("cudax = '1.2'\ncuda\n__version__ = '\x1b'").version, "");
}

TEST(FileSource, ReadsWhereItIsTold) {
  const test::TemporaryFolder folder;
  folder.write("x.whl", zip_of({{"a-1.dist-info/METADATA", metadata}}));
  const auto file = util::open_file(folder.path() / "x.whl");
  ASSERT_TRUE(file);
  EXPECT_TRUE(read_wheel_index(**file, "x.whl"));
  std::array<std::byte, 4> four{};
  ASSERT_TRUE((*file)->read(0, four));
  EXPECT_EQ(std::to_integer<char>(four[0]), 'P');
  const auto path = (folder.path() / "x.whl").string();
  const auto outside = (*file)->read((*file)->size() - 3, four);
  ASSERT_FALSE(outside);
  EXPECT_EQ(test::text_of(outside.error()), "bad_input | " + path + " | the file ends too early | ");
  folder.write("x.whl", "short");
  const auto cut = (*file)->read(3, four);
  ASSERT_FALSE(cut);
  EXPECT_EQ(test::text_of(cut.error()), "bad_input | " + path + " | the file became shorter while it was read | ");
}

TEST(FileSource, OnlyFilesAreOpened) {
  const test::TemporaryFolder folder;
  const auto error = [](const std::filesystem::path& path) { return test::text_of(util::open_file(path).error()); };
  EXPECT_EQ(error(folder.path()), "bad_input | " + folder.path().string() + " | not a regular file | ");
  EXPECT_EQ(error(folder.path() / "no"),
            "bad_input | " + (folder.path() / "no").string() + " | cannot open the file (No such file or directory) | ");
}

}  // namespace
}  // namespace envgen::inspect
