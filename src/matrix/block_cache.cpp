#include "matrix/block_cache.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "util/deflate.hpp"
#include "util/descriptor.hpp"
#include "util/files.hpp"

namespace envgen::matrix {
namespace {

/// What a file of the cache begins with; the block stands behind it.
struct alignas(16) CacheHead {
  std::uint64_t magic = block_magic;
  std::array<char, 64> made_of{};
  std::uint64_t bytes = 0;
  std::uint32_t checksum = 0;
  Filler<12> filler{};
};
static_assert(std::has_unique_object_representations_v<CacheHead> && sizeof(CacheHead) == 96);

std::string_view view_of(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// Whether this user alone can have written it: an answer would be whatever another one put there.
bool is_ours(const struct ::stat& file) {
  return S_ISREG(file.st_mode) && file.st_uid == ::geteuid() && (file.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool is_whole(std::span<const std::byte> file, std::string_view made_of) {
  CacheHead head;
  std::memcpy(&head, file.data(), sizeof head);
  const auto block = file.subspan(sizeof head);
  const auto& root = *reinterpret_cast<const Root*>(block.data());
  return head.magic == block_magic && std::ranges::equal(head.made_of, made_of) && head.bytes == block.size() &&
         head.checksum == util::crc32_of(view_of(block)) && root.magic == block_magic && root.bytes == block.size();
}

}  // namespace

std::unique_ptr<Block> BlockCache::read() const {
  const util::Descriptor file(::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct ::stat state {};
  if (file.get() < 0 || ::fstat(file.get(), &state) != 0 || !is_ours(state)) return nullptr;
  const auto size = static_cast<std::size_t>(state.st_size);
  if (size < sizeof(CacheHead) + sizeof(Root)) return nullptr;
  // Files of the cache are replaced, never written again, so the mapping stays what it is.
  void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file.get(), 0);
  if (mapped == MAP_FAILED) return nullptr;
  const std::span bytes(static_cast<const std::byte*>(mapped), size);
  auto block = std::make_unique<Block>(bytes, sizeof(CacheHead));
  return is_whole(bytes, made_of_) ? std::move(block) : nullptr;
}

Expected<void> BlockCache::write(const Block& block) const {
  constexpr ::mode_t for_its_owner = 0700;
  const auto folder = file_.parent_path();
  std::error_code failed;
  std::filesystem::create_directories(folder.parent_path(), failed);
  if (failed) return {};
  ::mkdir(folder.c_str(), for_its_owner);
  CacheHead head;
  std::copy_n(made_of_.begin(), std::min(made_of_.size(), head.made_of.size()), head.made_of.begin());
  head.bytes = block.bytes().size();
  head.checksum = util::crc32_of(view_of(block.bytes()));
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes += view_of(block.bytes());
  auto written = util::write_file(file_, bytes, util::FileMode::for_its_owner);
  if (!written && written.error().code == ErrorCode::interrupted) return written;
  return {};
}

}  // namespace envgen::matrix
