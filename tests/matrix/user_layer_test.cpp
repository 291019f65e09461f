#include "matrix/user_layer.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "matrix/block_cache.hpp"
#include "support/small_matrix.hpp"

namespace envgen::matrix {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;
using Words = std::vector<std::string>;

/// A built-in matrix of a few rows, of revision 2026.11.21, and a folder of the user's own.
class UserLayer : public testing::Test {
 protected:
  UserLayer() {
    small_.write();
    block_ = small_.load().block;
    const auto bytes = block_->bytes();
    packed_ = *pack_documents(small_.folder.path(), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

  BuiltIn built_in() const { return {block_->matrix(), packed_}; }
  const fs::path& folder() const { return folder_.path(); }
  fs::path cache() const { return caches_.path() / "cache" / "envgen"; }
  void write(std::string_view file, std::string_view text) const { folder_.write(file, text); }
  void write_head(std::string_view members) const {
    write("matrix.json", "{\"schema_version\": 1" + std::string(members.empty() ? "" : ", ") + std::string(members) + "}");
  }
  /// A row of cuda.json, whose minor has the native driver `driver`.
  void write_minor(const std::string& minor, const std::string& driver) const {
    write("cuda.json", R"({"sources": {"mine": {"what": "seen here", "url": null, "read": "2026-11-25"}},
                           "minors": [{"cuda": ")" +
                           minor + R"(", "native_driver": ")" + driver + R"(", "source": "mine"}]})");
  }

  Expected<std::unique_ptr<Block>> pack() const { return packed_with_user_layer(built_in(), folder(), cache()); }
  /// The native driver of a CUDA minor in the facts of both; empty: there is no such minor.
  std::string driver_of(const std::string& minor) const {
    const auto block = pack();
    EXPECT_TRUE(block) << block.error().origin << ": " << block.error().message;
    if (!block || *block == nullptr) return "no layer";
    for (const auto& row : (*block)->matrix()->cuda_minors) {
      if (row.cuda.to_string() == minor) return row.native_driver.to_string();
    }
    return "";
  }
  std::string refusal() const {
    const auto block = pack();
    if (block) return "none";
    EXPECT_EQ(block.error().code, ErrorCode::bad_input);
    auto text = block.error().origin + ": " + block.error().message;
    if (text.starts_with(folder().string())) text = text.substr(folder().string().size() + 1);
    for (const auto& hint : block.error().hints) text += " (" + hint + ")";
    return text;
  }
  std::vector<fs::path> cached() const {
    std::vector<fs::path> files;
    if (fs::exists(cache())) {
      for (const auto& entry : fs::directory_iterator(cache())) files.push_back(entry.path());
    }
    return files;
  }
  static ::ino_t number_of(const fs::path& file) {
    struct ::stat state {};
    EXPECT_EQ(::stat(file.c_str(), &state), 0);
    return state.st_ino;
  }

 private:
  test::SmallMatrix small_;
  std::unique_ptr<Block> block_;
  std::string packed_;
  test::MatrixFolder folder_;
  test::MatrixFolder caches_;
};

TEST_F(UserLayer, NoFilesAreNoLayer) {
  EXPECT_EQ(*pack(), nullptr);
  EXPECT_EQ(*packed_with_user_layer(built_in(), folder() / "none", cache()), nullptr);
  EXPECT_FALSE(holds_matrix_files(folder()));
  EXPECT_EQ(cached(), std::vector<fs::path>());
}

TEST_F(UserLayer, ItsRowsStandOverThoseThatAreBuiltIn) {
  EXPECT_EQ(built_in().matrix->cuda_minors.size(), 1U);
  write_minor("12.1", "530.99");
  EXPECT_TRUE(holds_matrix_files(folder()));
  EXPECT_EQ(driver_of("12.1"), "530.99");
  write_minor("12.9", "575.51.03");
  EXPECT_EQ(driver_of("12.9"), "575.51.03");
  EXPECT_EQ(driver_of("12.1"), built_in().matrix->cuda_minors.front().native_driver.to_string());
}

TEST_F(UserLayer, IsNamedBesideTheBuiltInFacts) {
  write_minor("12.9", "575.51.03");
  write_head(R"("revision": "2026.11.25", "read": "2026-11-25", "over": "2026.11.21")");
  const auto block = pack();
  ASSERT_TRUE(block);
  const auto facts = (*block)->matrix();
  Words layers;
  for (const auto& layer : facts->layers)
    layers.push_back(std::string(layer.name.view()) + " " + std::string(layer.revision.view()) + " " +
                     std::string(layer.read.view()) + (layer.kind == LayerKind::user ? " user" : " built in"));
  EXPECT_THAT(layers, ElementsAre("built in 2026.11.21 2026-11-21 built in", folder().string() + " 2026.11.25 2026-11-25 user"));
  EXPECT_EQ(facts->revision.view(), "2026.11.25");
  EXPECT_EQ(facts->read.view(), "2026-11-25");
}

TEST_F(UserLayer, AnOlderRevisionIsNotTheOneOfAll) {
  write_minor("12.9", "575.51.03");
  write_head(R"("revision": "2026.11.20.7", "read": "2026-11-20")");
  const auto block = pack();
  ASSERT_TRUE(block);
  EXPECT_EQ((*block)->matrix()->revision.view(), "2026.11.21");
  EXPECT_EQ((*block)->matrix()->read.view(), "2026-11-21");
}

/// Made over an envgen that was older than this one, which has since learned the same.
TEST_F(UserLayer, GivesWayToNewerBuiltInFacts) {
  const auto built_in_driver = built_in().matrix->cuda_minors.front().native_driver.to_string();
  write_minor("12.1", "530.99");
  write_head(R"("revision": "2026.11.20", "read": "2026-11-20", "over": "2026.11.01")");
  EXPECT_EQ(driver_of("12.1"), built_in_driver);
  write_minor("12.9", "575.51.03");
  EXPECT_EQ(driver_of("12.9"), "575.51.03") << "what is not built in stays";
  EXPECT_EQ(driver_of("12.1"), built_in_driver);
}

TEST_F(UserLayer, StandsWhereItWasReadLaterOrOverTheseFactsOrByHand) {
  write_minor("12.1", "530.99");
  for (const auto* head : {R"("read": "2026-11-21", "over": "2026.11.01")", R"("read": "2026-11-20", "over": "2026.11.21")",
                           R"("read": "2026-11-20")", ""}) {
    write_head(head);
    EXPECT_EQ(driver_of("12.1"), "530.99") << head;
  }
}

TEST_F(UserLayer, WhatCannotBeLoadedIsNamed) {
  write("torch.json", "{\n]");
  EXPECT_EQ(refusal(), "torch.json: not JSON (line 2, column 1)");
  write("torch.json", R"({"builds": {}})");
  EXPECT_EQ(refusal(), "torch.json#/builds: must be a list");
  fs::remove(folder() / "torch.json");
  write_minor("12.9", "soon");
  EXPECT_THAT(refusal(), testing::StartsWith("cuda.json#/minors/0/native_driver: 'soon' is "));
  write("cuda.json",
        R"({"minors": [{"cuda": "12.9", "native_driver": 1, "source": "x"}, {"cuda": "12.8", "native_driver": 2}]})");
  EXPECT_THAT(refusal(), testing::EndsWith(" (and 4 more: see 'envgen matrix lint')"));
}

TEST_F(UserLayer, AHeadThatIsNoneIsNamed) {
  write_minor("12.9", "575.51.03");
  write("matrix.json", R"({"schema_version": 2})");
  EXPECT_EQ(refusal(), "matrix.json#/schema_version: this envgen reads schema_version 1");
  write("matrix.json", R"({"revision": "2026.11.25"})");
  EXPECT_EQ(refusal(), "matrix.json#: the field 'schema_version' is missing");
  write_head(R"("revision": "newest")");
  EXPECT_EQ(refusal(), "matrix.json#/revision: 'newest' is neither a revision nor a date");
  write_head(R"("read": 3)");
  EXPECT_EQ(refusal(), "matrix.json#/read: must be a string");
  write_head(R"("over": "the last one")");
  EXPECT_EQ(refusal(), "matrix.json#/over: 'the last one' is neither a revision nor a date");
}

TEST_F(UserLayer, AFileInPlaceOfTheFolderIsNamed) {
  const auto file = folder() / "torch.json";
  write("torch.json", "{}");
  const auto block = packed_with_user_layer(built_in(), file, cache());
  ASSERT_FALSE(block);
  EXPECT_EQ(block.error().origin, (file / "matrix.json").string());
  EXPECT_EQ(block.error().message, "cannot read the file (Not a directory)");
}

TEST_F(UserLayer, DamagedDocumentsAreAnError) {
  write_minor("12.9", "575.51.03");
  auto damaged = std::string(built_in().documents);
  for (const auto& text : {damaged.substr(0, damaged.size() / 2), damaged.substr(0, 30), std::string("x\n")}) {
    const auto documents = with_user_layer({built_in().matrix, text}, folder());
    ASSERT_FALSE(documents);
    EXPECT_EQ(documents.error().origin, "built in");
    EXPECT_EQ(documents.error().message, "the compressed data is damaged");
  }
}

TEST_F(UserLayer, IsPackedOnceAndAgainWhenItChanges) {
  write_minor("12.9", "575.51.03");
  EXPECT_EQ(driver_of("12.9"), "575.51.03");
  ASSERT_EQ(cached().size(), 1U);
  const auto file = cached().front();
  struct ::stat state {};
  ASSERT_EQ(::stat(file.c_str(), &state), 0);
  EXPECT_EQ(state.st_mode & 0777U, 0600U);
  const auto first = number_of(file);
  EXPECT_EQ(driver_of("12.9"), "575.51.03");
  EXPECT_EQ(number_of(file), first) << "it was packed again";
  write_minor("12.9", "575.51.04");
  EXPECT_EQ(driver_of("12.9"), "575.51.04");
  EXPECT_EQ(cached(), std::vector<fs::path>{file});
  EXPECT_NE(number_of(file), first);
  write_head(R"("read": "2026-11-25")");
  const auto second = number_of(file);
  EXPECT_EQ(driver_of("12.9"), "575.51.04");
  EXPECT_NE(number_of(file), second) << "a file that is new is a change";
}

TEST_F(UserLayer, ADamagedCacheIsPackedAgain) {
  write_minor("12.9", "575.51.03");
  driver_of("12.9");
  const auto file = cached().front();
  const auto size = fs::file_size(file);
  for (const std::size_t place :
       {std::size_t{0}, std::size_t{20}, std::size_t{72}, std::size_t{80}, std::size_t{96}, size / 2, size - 1}) {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekg(static_cast<std::streamoff>(place));
    const char old = static_cast<char>(bytes.get());
    bytes.seekp(static_cast<std::streamoff>(place));
    bytes.put(static_cast<char>(old ^ 0x40));
    bytes.close();
    const auto damaged = number_of(file);
    EXPECT_EQ(driver_of("12.9"), "575.51.03") << place;
    EXPECT_NE(number_of(file), damaged) << place;
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{50}, std::size_t{96}, size / 2, size - 1}) {
    fs::resize_file(file, length);
    EXPECT_EQ(driver_of("12.9"), "575.51.03") << length;
    EXPECT_EQ(fs::file_size(file), size) << length;
  }
}

TEST_F(UserLayer, ACacheThatOthersMayHaveWrittenIsNotRead) {
  write_minor("12.9", "575.51.03");
  driver_of("12.9");
  const auto file = cached().front();
  for (const ::mode_t mode : {0620U, 0602U, 0666U}) {
    const auto before = number_of(file);
    ASSERT_EQ(::chmod(file.c_str(), mode), 0);
    EXPECT_EQ(driver_of("12.9"), "575.51.03");
    EXPECT_NE(number_of(file), before) << mode;
    struct ::stat state {};
    ASSERT_EQ(::stat(file.c_str(), &state), 0);
    EXPECT_EQ(state.st_mode & 0777U, 0600U);
  }
  if (::geteuid() != 0) return;  // none but root gives a file away
  ASSERT_EQ(::chown(file.c_str(), 12345, 12345), 0);
  const auto before = number_of(file);
  EXPECT_EQ(driver_of("12.9"), "575.51.03");
  EXPECT_NE(number_of(file), before);
}

TEST_F(UserLayer, IsOfTheBuiltInFactsThatItWasPackedOver) {
  write_minor("12.9", "575.51.03");
  driver_of("12.9");
  auto other = std::string(built_in().documents);
  other.front() = other.front() == 'a' ? 'b' : 'a';  // the digest of another block
  ASSERT_TRUE(packed_with_user_layer({built_in().matrix, other}, folder(), cache()));
  EXPECT_EQ(cached().size(), 2U);
}

TEST_F(UserLayer, NoCacheIsNoError) {
  write_minor("12.9", "575.51.03");
  for (const auto& nowhere : {fs::path("/dev/null/cache"), fs::path()}) {
    const auto block = packed_with_user_layer(built_in(), folder(), nowhere);
    ASSERT_TRUE(block) << nowhere;
    EXPECT_EQ((*block)->matrix()->cuda_minors.size(), 2U);
  }
}

TEST(BlockCache, IsForWhatItWasMadeOf) {
  test::SmallMatrix small;
  small.write();
  const auto block = std::move(small.load().block);
  const test::MatrixFolder folder;
  const std::string made_of(64, 'a');
  const auto file = folder.path() / "cache" / "a.block";
  ASSERT_TRUE(BlockCache(file, made_of).write(*block));
  const auto kept = BlockCache(file, made_of).read();
  ASSERT_NE(kept, nullptr);
  EXPECT_TRUE(std::ranges::equal(kept->bytes(), block->bytes()));
  EXPECT_EQ(kept->matrix()->revision.view(), block->matrix()->revision.view());
  EXPECT_EQ(BlockCache(file, std::string(64, 'b')).read(), nullptr);
  EXPECT_EQ(BlockCache(folder.path() / "b.block", made_of).read(), nullptr);
  fs::create_symlink(file, folder.path() / "link.block");
  EXPECT_EQ(BlockCache(folder.path() / "link.block", made_of).read(), nullptr);
  EXPECT_EQ(BlockCache(folder.path(), made_of).read(), nullptr);
}

}  // namespace
}  // namespace envgen::matrix
