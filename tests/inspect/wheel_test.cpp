#include "inspect/wheel.hpp"

#include <gtest/gtest.h>

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
            "bad_input | x.whl | the archive is not a wheel: it has METADATA for several packages | ");
  EXPECT_EQ(error_of({{"a-1.dist-info/METADATA", "Name: a\n"}}),
            "bad_input | x.whl | the metadata has the version '', which is not a version | ");
  EXPECT_EQ(error_of({{"a-1.dist-info/METADATA", metadata + std::string(20'000'000, 'x')}}),
            "bad_input | x.whl | 'a-1.dist-info/METADATA' in the archive has 20000085 bytes; the limit is 16777216 | ");
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
  EXPECT_EQ(test::text_of(outside.error()), "bad_input | " + path + " | the file is truncated | ");
  folder.write("x.whl", "short");
  const auto cut = (*file)->read(3, four);
  ASSERT_FALSE(cut);
  EXPECT_EQ(test::text_of(cut.error()), "bad_input | " + path + " | the file shrank while it was being read | ");
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
