#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspect/elf_maker.hpp"
#include "inspect/library.hpp"

namespace envgen::inspect {
namespace {

using test::elf_of;
using test::ElfShape;
using test::fatbin_of;
using test::overwrite;
using ::testing::ElementsAre;

Expected<Library> read(const std::string& bytes, std::size_t piece = 100, const std::string& path = "lib/libx.so") {
  LibraryReader reader(path, bytes.size(), "w.whl");
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    if (!reader.feed(bytes_of(std::string_view(bytes).substr(at, piece)))) break;
  }
  return reader.finish();
}

std::string problem(const std::string& bytes) {
  const auto library = read(bytes);
  if (library) return "";
  EXPECT_EQ(library.error().origin, "w.whl");
  EXPECT_EQ(library.error().code, ErrorCode::bad_input);
  constexpr std::string_view prefix = "cannot read 'lib/libx.so': ";
  EXPECT_TRUE(library.error().message.starts_with(prefix)) << library.error().message;
  return library.error().message.substr(prefix.size());
}

const ElfShape ordinary{{{"libcudart.so.12", {"libcudart.so.12"}},
                         {"libc.so.6", {"GLIBC_2.2.5", "GLIBC_2.28", "GLIBC_2.4", "GLIBC_PRIVATE"}},
                         {"libm.so.6", {"GLIBC_2.27"}}},
                        fatbin_of({{2, 80}, {1, 90}}),
                        fatbin_of({{2, 70}})};

TEST(Library, NeedsLibrariesAndAGlibc) {
  for (const std::size_t piece : {1U, 100U, 1'000'000U}) {
    const auto library = read(elf_of(ordinary).bytes, piece);
    ASSERT_TRUE(library) << library.error().message;
    ASSERT_TRUE(library->needed);
    EXPECT_THAT(*library->needed, ElementsAre("libcudart.so.12", "libc.so.6", "libm.so.6"));
    EXPECT_EQ(library->glibc, Version(2, 28));
    EXPECT_EQ(library->targets.to_string(), "sm_80 compute_90");
    EXPECT_EQ(library->embedded.to_string(), "sm_70");
    EXPECT_EQ(library->arch_list, std::nullopt);
  }
}

TEST(Library, WithoutSectionsHasAllOfItsCode) {
  auto shape = ordinary;
  shape.sections = false;
  const auto library = read(elf_of(shape).bytes);
  ASSERT_TRUE(library);
  EXPECT_EQ(library->targets.to_string(), "sm_70 sm_80 compute_90");
  EXPECT_TRUE(library->embedded.empty());
}

TEST(Library, WithPackedRelocationsNeedsTheGlibcThatReadsThem) {
  const auto library = read(elf_of({{{"libc.so.6", {"GLIBC_2.17", "GLIBC_ABI_DT_RELR"}}}}).bytes);
  ASSERT_TRUE(library);
  EXPECT_EQ(library->glibc, Version(2, 36));
}

TEST(Library, ThatNeedsNothing) {
  const auto library = read(elf_of({}).bytes);
  ASSERT_TRUE(library);
  EXPECT_THAT(*library->needed, ElementsAre());
  EXPECT_EQ(library->glibc, Version(0, 0));
}

TEST(Library, WhoseDynamicSectionIsFarFromBothEnds) {
  ElfShape shape = ordinary;
  // Strings, versions and the dynamic section in the part that is not kept: only the last is known beforehand.
  shape.before_dynamic = KeptBytes::kept_head;
  shape.data += std::string(KeptBytes::kept_tail, 'z');
  const auto library = read(elf_of(shape).bytes, 1U << 20);
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ(library->needed, std::nullopt);
  EXPECT_EQ(library->glibc, std::nullopt);
  EXPECT_EQ(library->targets.to_string(), "sm_80 compute_90");
}

TEST(Library, OfTorchHoldsTheListOfItsArchitectures) {
  const auto list = [](const std::string& data, const std::string& path = "torch/lib/libtorch_python.so") {
    const auto library = read(elf_of({{}, {}, data + std::string(1, '\0')}).bytes, 4096, path);
    return library && library->arch_list ? library->arch_list->to_string() : std::string("none");
  };
  EXPECT_EQ(list("std::string ipc_hsm_70 sm_90a compute_90"), "sm_70 sm_90a compute_90");
  EXPECT_EQ(list("sm_70 and more"), "none");
  EXPECT_EQ(list("sm_90"), "sm_90");
  EXPECT_EQ(list(std::string("sm_90\0sm_90", 11)), "sm_90");
  EXPECT_EQ(list(std::string("sm_90\0sm_80", 11)), "none");
  EXPECT_EQ(list("sm_70 sm_75", "torch/lib/libtorch_cuda.so"), "none");
}

TEST(Library, OfAnotherKind) {
  EXPECT_EQ(problem("just text"), "it is not an ELF file");
  EXPECT_EQ(problem(""), "it is not an ELF file");
  EXPECT_EQ(problem("\x7F"
                    "ELF\x02\x01"),
            "its header is truncated");
  auto other = elf_of(ordinary).bytes;
  other[4] = 1;
  EXPECT_EQ(problem(other), "it is 32-bit, and only 64-bit ELF files are supported");
  other[4] = 3;
  EXPECT_EQ(problem(other), "its ELF header is damaged");
  other[4] = 2;
  other[5] = 2;
  EXPECT_EQ(problem(other), "it is big-endian, and only little-endian ELF files are supported");
  other[5] = 0;
  EXPECT_EQ(problem(other), "its ELF header is damaged");
}

TEST(Library, ThatIsCutOff) {
  const auto whole = elf_of(ordinary).bytes;
  EXPECT_EQ(problem(whole.substr(0, whole.size() - 1)), "it is truncated: its section table is outside the file");
  auto segments = whole;
  overwrite(segments, 32, UINT64_MAX - 10, 8);
  EXPECT_EQ(problem(segments), "it is truncated: its segment table is outside the file");
  auto dynamic = whole;
  overwrite(dynamic, 120 + 8, whole.size(), 8);
  EXPECT_EQ(problem(dynamic), "it is truncated: its dynamic section is outside the file");
  overwrite(dynamic, 54, 32, 2);
  EXPECT_EQ(problem(dynamic), "its ELF header is damaged");
}

TEST(Library, WhoseTablesLie) {
  const auto file = elf_of(ordinary);
  auto name = file.bytes;
  overwrite(name, file.dynamic + 8, 5000, 8);
  EXPECT_EQ(problem(name), "a name is outside its string table");
  auto strings = file.bytes;
  overwrite(strings, file.dynamic + 3 * 16 + 8, 1, 8);
  EXPECT_EQ(problem(strings), "its string table is missing");
  auto cut = file.bytes;
  overwrite(cut, file.dynamic + 4 * 16 + 8, 3, 8);
  EXPECT_EQ(problem(cut), "a name in its string table is not terminated");
  auto versions = file.bytes;
  overwrite(versions, file.dynamic + 5 * 16 + 8, 1, 8);
  EXPECT_EQ(problem(versions), "its version requirements table is missing");
  auto outside = file.bytes;
  overwrite(outside, file.versions + 12, 0xFFFFFFFF, 4);
  EXPECT_EQ(problem(outside), "its version requirements table is outside the file");
  auto long_strings = file.bytes;
  overwrite(long_strings, file.dynamic + 4 * 16 + 8, 1 << 20, 8);
  EXPECT_EQ(problem(long_strings), "its string table is outside the file");
  EXPECT_EQ(problem(elf_of({std::vector<test::Needed>(70'000, {"l", {}})}).bytes), "its dynamic section is too large");
  const std::vector<std::string> many(40'000, "v");
  EXPECT_EQ(problem(elf_of({{{"a", many}, {"b", many}}}).bytes), "its version requirements table is not terminated");
}

TEST(Library, WhoseDynamicSectionIsTooLarge) {
  auto shape = ordinary;
  shape.data += std::string(2 << 20, 'z');
  auto bytes = elf_of(shape).bytes;
  overwrite(bytes, 120 + 32, (1 << 20) + 1, 8);
  EXPECT_EQ(problem(bytes), "its dynamic section is too large");
}

TEST(Library, WhoseFatBinariesLie) {
  auto shape = ordinary;
  overwrite(shape.fatbin, 8, 1 << 30, 8);
  EXPECT_THAT(problem(elf_of(shape).bytes), ::testing::MatchesRegex("the fat binary at 0x[0-9a-f]+ claims 1073741824 bytes, but "
                                                                    "only [0-9]+ follow it"));
}

}  // namespace
}  // namespace envgen::inspect
