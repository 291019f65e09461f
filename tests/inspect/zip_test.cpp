#include "inspect/zip.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_text.hpp"
#include "support/zip_maker.hpp"

namespace envgen::inspect {
namespace {

using test::MemorySource;
using test::overwrite;
using test::PackedFile;
using test::zip_of;
using test::ZipShape;

/// What does not compress, and does not repeat at the distance of a page.
std::string noise(std::size_t size) {
  std::string text;
  std::uint32_t state = 1;
  while (text.size() < size) {
    state = state * 1664525 + 1013904223;
    text += static_cast<char>(state >> 24);
  }
  return text;
}

const std::vector<PackedFile> three{
    {"a/one.txt", "first"}, {"two.bin", noise(700'000)}, {"three-with-a-name-as-long-as-an-entry-is", "", false}};

std::string error_of(const std::string& bytes) {
  MemorySource source(bytes);
  const auto zip = Zip::open(source, "x.whl");
  return zip ? "none" : test::text_of(zip.error());
}

/// The error of unpacking the first member.
std::string error_of_first(const std::string& bytes) {
  MemorySource source(bytes);
  const auto zip = Zip::open(source, "x.whl");
  if (!zip) return "open: " + test::text_of(zip.error());
  const auto text = zip->text(zip->members().at(0), 1'000'000);
  return text ? "none" : test::text_of(text.error());
}

std::size_t directory_of(const std::string& bytes) { return bytes.find("PK\x01\x02"); }
std::size_t end_of(const std::string& bytes) { return bytes.rfind("PK\x05\x06"); }

TEST(Zip, GivesBackWhatWasPacked) {
  for (const auto& shape :
       {ZipShape{}, ZipShape{.zip64 = true}, ZipShape{.comment = "said at the end"}, ZipShape{.local_extra = 9}}) {
    for (const bool deflate : {true, false}) {
      auto files = three;
      for (auto& file : files) file.deflate = deflate;
      MemorySource source(zip_of(files, shape));
      const auto zip = Zip::open(source, "x.whl");
      ASSERT_TRUE(zip) << test::text_of(zip.error());
      ASSERT_EQ(zip->members().size(), files.size());
      for (const auto& file : files) {
        const auto* member = zip->find(file.name);
        ASSERT_NE(member, nullptr);
        EXPECT_EQ(member->size, file.text.size());
        const auto text = zip->text(*member, file.text.size());
        ASSERT_TRUE(text) << test::text_of(text.error());
        EXPECT_EQ(*text, file.text);
      }
      EXPECT_EQ(zip->find("four"), nullptr);
    }
  }
  MemorySource empty(zip_of({}));
  const auto zip = Zip::open(empty, "x.whl");
  ASSERT_TRUE(zip);
  EXPECT_TRUE(zip->members().empty());
}

TEST(Zip, TheEndIsReadOnceAndServesWhatLiesInIt) {
  MemorySource source(zip_of({{"large", noise(300'000)}, {"small", "of the end"}}));
  const auto zip = Zip::open(source, "x.whl");
  ASSERT_TRUE(zip);
  EXPECT_EQ(*zip->text(*zip->find("small"), 100), "of the end");
  EXPECT_EQ(source.reads, 1);
  EXPECT_EQ(source.read_bytes, 65536U);
}

TEST(Zip, ALargeDirectoryIsReadInTwo) {
  std::vector<PackedFile> files;
  for (int i = 0; i < 3000; ++i) files.push_back({"folder/file-" + std::to_string(i), "x", false});
  MemorySource source(zip_of(files));
  const auto zip = Zip::open(source, "x.whl");
  ASSERT_TRUE(zip);
  EXPECT_EQ(zip->members().size(), files.size());
  EXPECT_EQ(source.reads, 2);
}

TEST(Zip, ALongCommentIsFound) {
  MemorySource source(zip_of(three, {.comment = std::string(65535, 'c')}));
  EXPECT_TRUE(Zip::open(source, "x.whl"));
}

TEST(Zip, ASinkThatHasEnoughIsGivenNoMore) {
  MemorySource source(zip_of({{"large", noise(3'000'000)}}));
  const auto zip = Zip::open(source, "x.whl");
  ASSERT_TRUE(zip);
  int pieces = 0;
  EXPECT_TRUE(zip->unpack(zip->members()[0], [&](Bytes) { return ++pieces < 2; }));
  EXPECT_EQ(pieces, 2);
}

TEST(Zip, WhatIsNoArchiveIsSaid) {
  const std::string none = "bad_input | x.whl | not a zip archive, or truncated: no end of central directory | ";
  EXPECT_EQ(error_of(""), none);
  EXPECT_EQ(error_of("PK\x05\x06"), none);
  EXPECT_EQ(error_of(std::string(200'000, 'x')), none);
  const auto good = zip_of(three);
  EXPECT_EQ(error_of(good.substr(0, good.size() - 1)), none);
  EXPECT_EQ(error_of(good.substr(0, good.size() / 2)), none);
  EXPECT_EQ(error_of(good + "x"), none);
}

TEST(Zip, ALyingEndIsFound) {
  const auto good = zip_of(three);
  const auto end = end_of(good);
  const auto with = [&](std::size_t at, std::uint64_t number, int bytes) {
    auto bad = good;
    overwrite(bad, end + at, number, bytes);
    return error_of(bad);
  };
  const std::string elsewhere = "bad_input | x.whl | the directory of the archive is not where its end record says | ";
  EXPECT_EQ(with(16, 0, 4), elsewhere);
  EXPECT_EQ(with(16, 0xFFFFFF00, 4), elsewhere);
  EXPECT_EQ(with(12, 7, 4), elsewhere);
  EXPECT_EQ(error_of("before" + good), elsewhere);
  EXPECT_EQ(with(4, 1, 2), "bad_input | x.whl | the archive is one part of a multi-part archive | ");
  EXPECT_EQ(with(6, 1, 2), "bad_input | x.whl | the archive is one part of a multi-part archive | ");
  EXPECT_EQ(with(8, 2, 2), "bad_input | x.whl | the archive is one part of a multi-part archive | ");
  auto many = good;
  overwrite(many, end + 8, 60000, 2);
  overwrite(many, end + 10, 60000, 2);
  EXPECT_EQ(error_of(many), "bad_input | x.whl | the directory of the archive is too short for the number of files | ");
  auto four = good;
  overwrite(four, end + 8, 4, 2);
  overwrite(four, end + 10, 4, 2);
  EXPECT_EQ(error_of(four), "bad_input | x.whl | file 4 of 4 in the directory of the archive is damaged | ");
  auto two = good;
  overwrite(two, end + 8, 2, 2);
  overwrite(two, end + 10, 2, 2);
  EXPECT_EQ(error_of(two), "bad_input | x.whl | the directory of the archive is too long for the number of files | ");
}

TEST(Zip, ALyingZip64EndIsFound) {
  const auto good = zip_of(three, {.zip64 = true});
  const auto lost = "bad_input | x.whl | the ZIP64 end record of the archive is missing or damaged | ";
  const auto record = good.rfind("PK\x06\x06");
  const auto locator = good.rfind("PK\x06\x07");
  for (const auto& [at, number] : {std::pair{locator, 0}, {locator + 8, 5}, {record, 0}, {record + 24, 9}}) {
    auto bad = good;
    overwrite(bad, at, static_cast<std::uint64_t>(number), 8);
    EXPECT_EQ(error_of(bad), lost) << at - record;
  }
  EXPECT_EQ(error_of(good.substr(end_of(good))), lost);
  auto huge = good;
  overwrite(huge, record + 48, ~std::uint64_t{0}, 8);
  EXPECT_EQ(error_of(huge), "bad_input | x.whl | the directory of the archive is not where its end record says | ");
  auto no_sizes = good;
  overwrite(no_sizes, directory_of(good) + 46 + 9 + 5, 2, 2);  // another extra field than that of ZIP64
  EXPECT_EQ(error_of(no_sizes), "bad_input | x.whl | the ZIP64 sizes of 'a/one.txt' in the archive are missing | ");
  auto short_sizes = good;
  overwrite(short_sizes, directory_of(good) + 46 + 9 + 7, 16, 2);
  EXPECT_EQ(error_of(short_sizes), "bad_input | x.whl | the ZIP64 sizes of 'a/one.txt' in the archive are missing | ");
}

TEST(Zip, ALyingDirectoryIsFound) {
  const auto good = zip_of(three);
  const auto directory = directory_of(good);
  const auto with = [&](std::size_t at, std::uint64_t number, int bytes) {
    auto bad = good;
    overwrite(bad, directory + at, number, bytes);
    return error_of(bad);
  };
  EXPECT_EQ(with(0, 0, 4), "bad_input | x.whl | file 1 of 3 in the directory of the archive is damaged | ");
  EXPECT_EQ(with(28, 60000, 2), "bad_input | x.whl | file 1 of 3 in the directory of the archive is damaged | ");
  const std::string over = "bad_input | x.whl | 'a/one.txt' in the archive overlaps another file or exceeds the archive | ";
  EXPECT_EQ(with(20, 100, 4), over);
  EXPECT_EQ(with(20, 0xFFFFFFF0, 4), over);
  EXPECT_EQ(with(42, 0xFFFFFFF0, 4), over);
  EXPECT_EQ(with(42, 3, 4), over);
}

TEST(Zip, NoNameLeadsAwayOrHidesAnything) {
  const auto named = [](const std::string& name) { return error_of(zip_of({{name, "x"}})); };
  const auto message = [](const std::string& name, const std::string& why) {
    return "bad_input | x.whl | the name '" + name + "' of a file in the archive " + why + " | ";
  };
  EXPECT_EQ(named(""), message("", "is empty"));
  EXPECT_EQ(named("/etc/passwd"), message("/etc/passwd", "is an absolute path"));
  EXPECT_EQ(named("a\\b"), message("a\\b", "contains a backslash"));
  for (const std::string name : {"..", "../a", "a/..", "a/../b"})
    EXPECT_EQ(named(name), message(name, "points outside the archive"));
  EXPECT_EQ(named("a\x1b[2J"), message("a\\x1b[2J", "contains a control character"));
  EXPECT_EQ(named("a\nb"), message("a\\x0ab", "contains a control character"));
  EXPECT_EQ(named("a..b/..c/d.."), "none");
  EXPECT_EQ(error_of(zip_of({{"a", "x"}, {"b", "y"}, {"a", "z"}})), "bad_input | x.whl | 'a' is in the archive twice | ");
}

TEST(Zip, ALyingMemberIsFound) {
  const auto text = noise(1000) + std::string(5000, 'a');
  const auto good = zip_of({{"a", text}});
  const auto directory = directory_of(good);
  const auto with = [&](std::size_t at, std::uint64_t number, int bytes) {
    auto bad = good;
    overwrite(bad, at, number, bytes);
    return error_of_first(bad);
  };
  EXPECT_EQ(error_of_first(good), "none");
  EXPECT_EQ(with(directory + 8, 1, 2), "bad_input | x.whl | 'a' in the archive is encrypted | ");
  EXPECT_EQ(
      with(directory + 10, 93, 2),
      "bad_input | x.whl | 'a' in the archive uses compression method 93; only 0 (stored) and 8 (deflate) are supported | ");
  EXPECT_EQ(with(directory + 10, 0, 2), "bad_input | x.whl | 'a' in the archive is stored with a different size than its own | ");
  EXPECT_EQ(with(directory + 16, 0, 4), "bad_input | x.whl | 'a' in the archive is damaged: its checksum does not match | ");
  EXPECT_EQ(with(directory + 24, 5999, 4),
            "bad_input | x.whl | 'a' in the archive unpacks to more than the 5999 bytes listed in the directory | ");
  EXPECT_EQ(with(directory + 24, 6001, 4),
            "bad_input | x.whl | 'a' in the archive unpacks to less than the 6001 bytes listed in the directory | ");
  EXPECT_EQ(with(directory + 20, 500, 4),
            "bad_input | x.whl | 'a' in the archive unpacks to less than the 6000 bytes listed in the directory | ");
  const std::string contradicts = "bad_input | x.whl | the header of 'a' in the archive contradicts its directory | ";
  EXPECT_EQ(with(0, 0, 4), contradicts);
  EXPECT_EQ(with(8, 0, 2), contradicts);
  EXPECT_EQ(with(26, 2, 2), contradicts);
  EXPECT_EQ(with(30, 'b', 1), contradicts);
  EXPECT_EQ(with(31, 7, 1), "bad_input | x.whl | 'a' in the archive is damaged and cannot be unpacked | ");
  EXPECT_EQ(with(28, 60000, 2), "bad_input | x.whl | 'a' in the archive overlaps another file or exceeds the archive | ");

  MemorySource source(good);
  const auto zip = Zip::open(source, "x.whl");
  ASSERT_TRUE(zip);
  const auto large = zip->text(zip->members()[0], 5999);
  ASSERT_FALSE(large);
  EXPECT_EQ(test::text_of(large.error()), "bad_input | x.whl | 'a' in the archive has 6000 bytes; the limit is 5999 | ");
}

TEST(Zip, DataBehindTheEndOfAMemberIsFound) {
  // The packed text is followed by more, which the sizes of both headers count.
  const std::string text(100, 'a');
  auto bytes = zip_of({{"a", text}});
  const auto packed = test::raw_deflated(text).size();
  bytes.insert(31 + packed, "more");
  overwrite(bytes, directory_of(bytes) + 20, packed + 4, 4);
  overwrite(bytes, end_of(bytes) + 16, directory_of(bytes), 4);
  EXPECT_EQ(error_of_first(bytes), "bad_input | x.whl | 'a' in the archive continues after its end | ");
}

TEST(Zip, ABombIsNotUnpacked) {
  auto bytes = zip_of({{"a", std::string(100, 'a')}}, {.zip64 = true});
  overwrite(bytes, directory_of(bytes) + 46 + 1 + 9, (std::uint64_t{16} << 30) + 1, 8);
  MemorySource source(bytes);
  const auto zip = Zip::open(source, "x.whl");
  ASSERT_TRUE(zip);
  const auto unpacked = zip->unpack(zip->members()[0], [](Bytes) { return true; });
  ASSERT_FALSE(unpacked);
  EXPECT_EQ(test::text_of(unpacked.error()),
            "bad_input | x.whl | 'a' in the archive unpacks to 17179869185 bytes, which is too large | ");
}

}  // namespace
}  // namespace envgen::inspect
