#include "inspect/library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/elf_maker.hpp"
#include "support/error_text.hpp"

namespace envgen::inspect {
namespace {

using test::elf_of;
using test::ElfShape;
using test::fatbin_of;
using test::MemorySource;
using test::overwrite;

constexpr std::uint64_t compressed = 0x2011;
constexpr std::uint64_t specific = 0x102011;
constexpr std::uint64_t family = 0x202011;

const ElfShape usual{
    .needed = {"libcudart.so.12", "libc.so.6"},
    .versions = {"GLIBC_2.2.5", "GLIBC_2.28", "GLIBC_PRIVATE", "GLIBC_2.17"},
    .body = fatbin_of({{2, 80, compressed}, {2, 90, compressed}, {1, 90, compressed}}) +
            fatbin_of({{2, 80, compressed}, {2, 90, specific}, {2, 90, compressed}}) +
            fatbin_of({{2, 80, compressed}, {2, 90, compressed}, {2, 100, family}, {2, 80, compressed}, {8, 90, 1}})};

/// A library read in pieces of this size.
Expected<Library> read_in_pieces(const std::string& bytes, std::size_t size, const std::string& name = "a/libx.so") {
  LibraryReader reader(name, bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    if (!reader.take(bytes_of(std::string_view(bytes).substr(at, size)))) break;
  }
  while (const auto range = reader.lacks()) {
    const auto part = bytes_of(std::string_view(bytes).substr(range->offset, range->size));
    reader.give(*range, {part.begin(), part.end()});
  }
  return reader.finish("x.whl");
}

std::string text_of_library(const Expected<Library>& library) {
  if (!library) return test::text_of(library.error());
  std::string text = library->machine;
  if (library->linkage) {
    text += " glibc " + library->linkage->glibc.to_string();
    for (const auto& name : library->linkage->needed) text += " " + name;
  }
  text += " |";
  for (const auto& each : library->compiled)
    text += fmt::format(" {} {}:{}", name_of(each.code.kind), each.code.arch.to_string(), each.fatbins);
  return text + fmt::format(" of {}", library->fatbins);
}

TEST(Library, IsReadWhateverPiecesItComesIn) {
  const std::string expected =
      "x86_64 glibc 2.28 libcudart.so.12 libc.so.6 | sass 8.0:3 sass 9.0:3 sass 9.0a:1 sass 10.0f:1 ptx 9.0:1 of 3";
  const auto bytes = elf_of(usual);
  for (const std::size_t size : {1, 3, 7, 8, 17, 48, 64, 65, 100, 1000, 1'000'000})
    EXPECT_EQ(text_of_library(read_in_pieces(bytes, size)), expected) << size;
  MemorySource source(bytes);
  EXPECT_EQ(text_of_library(read_library(source, "libx.so", "libx.so")), expected);
}

TEST(Library, WasBuiltForWhatMostOfItsKernelsHave) {
  const auto library = read_in_pieces(elf_of(usual), 1000);
  ASSERT_TRUE(library);
  EXPECT_EQ(library->built_for(CodeKind::sass), (std::vector<Arch>{{{8, 0}, 0}, {{9, 0}, 0}}));
  EXPECT_EQ(library->built_for(CodeKind::ptx), (std::vector<Arch>{{{9, 0}, 0}}));
}

TEST(Library, RelocatableCodeCountsWhereThereIsNoOther) {
  auto shape = usual;
  shape.body = fatbin_of({{2, 80, compressed}});
  shape.relocatable = fatbin_of({{2, 70, compressed}}) + fatbin_of({{2, 75, compressed}});
  EXPECT_EQ(text_of_library(read_in_pieces(elf_of(shape), 1000)),
            "x86_64 glibc 2.28 libcudart.so.12 libc.so.6 | sass 8.0:1 of 1");
  shape.body.clear();
  EXPECT_EQ(text_of_library(read_in_pieces(elf_of(shape), 1000)),
            "x86_64 glibc 2.28 libcudart.so.12 libc.so.6 | sass 7.0:1 sass 7.5:1 of 2");
}

TEST(Library, TablesInTheMiddleOfALargeFileAreAskedFor) {
  auto shape = usual;
  shape.before = std::size_t{17} << 20;
  shape.after = std::size_t{17} << 20;
  const auto bytes = elf_of(shape);
  const std::string code = " | sass 8.0:3 sass 9.0:3 sass 9.0a:1 sass 10.0f:1 ptx 9.0:1 of 3";
  EXPECT_EQ(text_of_library(read_in_pieces(bytes, 1'000'000)), "x86_64 glibc 2.28 libcudart.so.12 libc.so.6" + code);
  LibraryReader once("libx.so", bytes.size());
  once.take(bytes_of(bytes));
  EXPECT_EQ(text_of_library(once.finish("x")), "x86_64" + code);
}

TEST(Library, OneWithoutGpuCodeOrTablesIsOne) {
  EXPECT_EQ(text_of_library(read_in_pieces(elf_of({.machine = 183}), 100)), "aarch64 glibc  | of 0");
  EXPECT_EQ(text_of_library(read_in_pieces(elf_of({.needed = {"libm.so.6"}, .machine = 8}), 100)),
            "machine 8 glibc  libm.so.6 | of 0");
}

TEST(Library, WhatIsNoLibraryIsSaid) {
  const auto error = [](const std::string& bytes) { return text_of_library(read_in_pieces(bytes, 1000)); };
  const auto good = elf_of(usual);
  EXPECT_EQ(error(""), "bad_input | x.whl | 'a/libx.so' is not an ELF file | ");
  EXPECT_EQ(error("INPUT(libx.so.1)"), "bad_input | x.whl | 'a/libx.so' is not an ELF file | ");
  EXPECT_EQ(error(good.substr(0, 40)), "bad_input | x.whl | 'a/libx.so' is a damaged ELF file: it ends within its header | ");
  EXPECT_EQ(error(good.substr(0, good.size() - 1)),
            "bad_input | x.whl | 'a/libx.so' is a damaged ELF file: a table lies outside | ");
  auto small = good;
  small[4] = 1;
  EXPECT_EQ(error(small), "bad_input | x.whl | 'a/libx.so' is a 32-bit ELF file, and only 64-bit ones are read | ");
  auto big = good;
  big[5] = 2;
  EXPECT_EQ(error(big), "bad_input | x.whl | 'a/libx.so' is a big-endian ELF file, and only little-endian ones are read | ");
}

TEST(Library, DamagedTablesAreFound) {
  const auto good = elf_of(usual);
  const auto error = [&](std::size_t at, std::uint64_t number, int size) {
    auto bad = good;
    overwrite(bad, at, number, size);
    return text_of_library(read_in_pieces(bad, 1000));
  };
  const std::string broken = "bad_input | x.whl | 'a/libx.so' is a damaged ELF file: ";
  EXPECT_EQ(error(54, 57, 2), broken + "its tables have entries of a size that no such file has | ");
  EXPECT_EQ(error(32, good.size(), 8), broken + "a table lies outside | ");
  EXPECT_EQ(error(40, ~std::uint64_t{0}, 8), broken + "a table lies outside | ");
  EXPECT_EQ(error(64 + 32, good.size() + 1, 8), broken + "a segment lies outside | ");
  auto huge = usual;
  huge.after = std::size_t{2} << 20;
  auto large = elf_of(huge);
  overwrite(large, 64 + 56 + 32, (std::uint64_t{1} << 20) + 1, 8);
  EXPECT_EQ(text_of_library(read_in_pieces(large, 1000)), broken + "its dynamic section is larger than any library has | ");

  const auto dynamic = number_at<std::uint64_t>(bytes_of(good), 64 + 56 + 8);
  EXPECT_EQ(error(dynamic + 8, 100'000, 8), broken + "a name lies outside of its table | ");
  EXPECT_EQ(error(dynamic + 2 * 16 + 8, 1, 8), broken + "the table of its names lies outside | ");
  EXPECT_EQ(error(dynamic + 3 * 16 + 8, 100'000, 8), broken + "the table of its names lies outside | ");
  EXPECT_EQ(error(dynamic + 3 * 16 + 8, 10, 8), broken + "a name has no end | ");
  EXPECT_EQ(error(dynamic + 4 * 16 + 8, 1, 8), broken + "the table of the versions it needs lies outside | ");
  const auto versions = number_at<std::uint64_t>(bytes_of(good), dynamic + 4 * 16 + 8) - 0x1000;
  EXPECT_EQ(error(versions + 8, 0xFFFFFFF0, 4), broken + "the table of the versions it needs lies outside | ");
  auto endless = good;
  overwrite(endless, versions + 2, 20'000, 2);
  overwrite(endless, versions + 16 + 12, 0, 4);
  EXPECT_EQ(text_of_library(read_in_pieces(endless, 1000)), broken + "it needs more versions than any library has | ");
  auto control = usual;
  control.needed = {"lib\x1b[2J.so"};
  EXPECT_EQ(text_of_library(read_in_pieces(elf_of(control), 1000)),
            broken + "the name 'lib\\x1b[2J.so' holds a control character | ");
}

TEST(Library, DamagedGpuCodeIsFound) {
  const auto error = [](const std::string& body) {
    auto text = text_of_library(read_in_pieces(elf_of({.body = body}), 1000));
    return text;
  };
  const std::string at = "bad_input | x.whl | 'a/libx.so': the GPU code at byte ";
  const auto place = elf_of({.body = "HERE"}).find("HERE");
  auto outside = fatbin_of({{}});
  overwrite(outside, 8, 100'000, 8);
  EXPECT_EQ(error(outside), at + fmt::format("{} reaches beyond the end of the file | ", place));
  overwrite(outside, 8, ~std::uint64_t{0}, 8);
  EXPECT_EQ(error(outside), at + fmt::format("{} reaches beyond the end of the file | ", place));
  auto cut = fatbin_of({{}});
  overwrite(cut, 8, 100, 8);
  EXPECT_EQ(error(cut), at + fmt::format("{} ends within an entry | ", place + 16 + 80));
  overwrite(cut, 8, 40, 8);
  EXPECT_EQ(error(cut), at + fmt::format("{} ends within an entry | ", place + 16));
  for (const auto& [offset, number] : {std::pair{8, ~std::uint64_t{0}}, {8, std::uint64_t{100}}, {4, std::uint64_t{40}}}) {
    auto bad = fatbin_of({{}});
    overwrite(bad, 16 + static_cast<std::size_t>(offset), number, offset == 8 ? 8 : 4);
    EXPECT_EQ(error(bad), at + fmt::format("{} has a size that reaches beyond its region | ", place + 16));
  }
  EXPECT_EQ(error(fatbin_of({{2, 9}})), at + fmt::format("{} is for sm_9, which no GPU has | ", place + 16));
  EXPECT_EQ(error(fatbin_of({{1, 1000}})), at + fmt::format("{} is for sm_1000, which no GPU has | ", place + 16));
  EXPECT_EQ(error(fatbin_of({{2, 999}})), "x86_64 glibc  | sass 99.9:1 of 1");
  EXPECT_EQ(error(fatbin_of({})), "x86_64 glibc  | of 0");
}

TEST(ArchList, IsTheLongestTextOfTargets) {
  const auto found = [](const std::string& text) {
    ArchListScan whole;
    whole.take(text);
    ArchListScan bytewise;
    for (const char c : text) bytewise.take(std::string_view(&c, 1));
    EXPECT_EQ(whole.text(), bytewise.text());
    return whole.text();
  };
  const std::string nul(1, '\0');
  EXPECT_EQ(found(nul + "sm_75 sm_80 compute_80" + nul), "sm_75 sm_80 compute_80");
  EXPECT_EQ(found("std::string ipc_hsm_70 sm_90a sm_120" + nul), "sm_70 sm_90a sm_120");
  EXPECT_EQ(found("not for sm_70 sm_80" + nul + "sm_50 sm_60 sm_70" + nul + "sm_90" + nul), "sm_50 sm_60 sm_70");
  EXPECT_EQ(found("sm_75 sm_80, or later" + nul), "");
  EXPECT_EQ(found("sm_75 sm_80"), "");
  EXPECT_EQ(found("sm_%d" + nul + "compute_" + nul + "sm_" + nul + "sm_9000" + nul), "");
  EXPECT_EQ(found(std::string(5000, 'x') + "sm_75" + nul), "sm_75");
}

TEST(ArchList, IsReadOfTheLibraryThatAnswersIt) {
  auto shape = usual;
  shape.body = std::string("\0sm_80 sm_90 compute_90\0", 24);
  const auto read = [&](const std::string& name) {
    const auto library = read_in_pieces(elf_of(shape), 1000, name);
    return library->listed_sass.size() * 10 + library->listed_ptx.size();
  };
  EXPECT_EQ(read("torch/lib/libtorch_python.so"), 21U);
  EXPECT_EQ(read("torch/lib/libtorch_cpu.so"), 0U);
}

TEST(Library, IsKnownByItsName) {
  for (const auto* name : {"libx.so", "a/b/libx.so.1", "_C.cpython-312-x86_64-linux-gnu.so", "libcudart-d0da41ae.so.11.0"})
    EXPECT_TRUE(is_library_name(name)) << name;
  for (const auto* name : {"a.so.d/x", "libx.a", ".so", "x.sort", "libx.solib", ""}) EXPECT_FALSE(is_library_name(name)) << name;
  for (const auto* name : {"libcuda.so.1", "libcudart.so.12", "libcudart-d0da41ae.so.11.0", "libcudart.3eda8113.so.13",
                           "libcudnn_ops_infer.so.8", "libnccl.so.2", "libcublasLt.so.12"})
    EXPECT_TRUE(is_cuda_library(name)) << name;
  for (const auto* name : {"libcurl.so.4", "libcudf.so", "libc.so.6", "libtorch_cuda.so", ""})
    EXPECT_FALSE(is_cuda_library(name)) << name;
}

}  // namespace
}  // namespace envgen::inspect
