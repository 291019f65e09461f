#include "inspect/gpu_code.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace envgen::inspect {
namespace {

constexpr std::uint64_t region_header = 16;
constexpr std::uint64_t word_size = 8;
/// Magic 0xBA55ED50, version 1, and a header of 16 bytes, as one word.
constexpr std::uint64_t region_begin = 0x0010'0001'BA55'ED50;
constexpr std::size_t most_regions = std::size_t{1} << 20;

/// As far as it is read: its flags are the last.
constexpr std::uint64_t entry_header = 48;
constexpr std::uint16_t kind_ptx = 1;
constexpr std::uint16_t kind_sass = 2;
constexpr std::uint64_t specific_flag = 0x100000;  ///< `a`: the notes of such cubins say `-arch sm_90a`
constexpr std::uint64_t family_flag = 0x200000;    ///< `f`: likewise `-arch sm_100f`

tl::unexpected<Error> damaged(std::uint64_t offset, std::string_view why) {
  return fail(ErrorCode::bad_input, fmt::format("the GPU code at byte {} {}", offset, why));
}

}  // namespace

Expected<void> FatbinScan::take(Bytes piece) {
  if (!carry_.empty()) {
    // What is left of the piece before, and enough of this one to read any header.
    const auto before = carry_.size();
    const auto enough = piece.first(std::min<std::size_t>(piece.size(), 4 * entry_header));
    carry_.insert(carry_.end(), enough.begin(), enough.end());
    const auto base = at_ - before;
    if (auto done = go_on(carry_, base); !done) return done;
    if (next_ < at_) {
      // Not even with this piece, which is a short one.
      carry_.erase(carry_.begin(), carry_.begin() + static_cast<std::ptrdiff_t>(next_ - base));
      at_ += piece.size();
      return {};
    }
    carry_.clear();
  }
  if (auto done = go_on(piece, at_); !done) return done;
  const auto end = at_ + piece.size();
  if (next_ < end) {
    const auto rest = piece.subspan(static_cast<std::size_t>(next_ - at_));
    carry_.assign(rest.begin(), rest.end());
  }
  at_ = end;
  return {};
}

Expected<void> FatbinScan::go_on(Bytes bytes, std::uint64_t base) {
  const auto end = base + bytes.size();
  while (next_ < end) {
    const auto rest = bytes.subspan(static_cast<std::size_t>(next_ - base));
    if (region_end_ == 0) {
      std::size_t at = 0;
      while (at + word_size <= rest.size() && number_at<std::uint64_t>(rest, at) != region_begin) at += word_size;
      next_ += at;
      if (at + region_header > rest.size()) return {};
      if (auto done = take_region(rest.subspan(at, region_header)); !done) return done;
    } else if (next_ == region_end_) {
      close_region();
    } else {
      if (region_end_ - next_ < entry_header) return damaged(next_, "ends within an entry");
      if (rest.size() < entry_header) return {};
      const auto size = take_entry(rest.first(entry_header));
      if (!size) return tl::unexpected(size.error());
      next_ += *size;
    }
  }
  return {};
}

Expected<void> FatbinScan::take_region(Bytes header) {
  const auto size = number_at<std::uint64_t>(header, word_size);
  if (!lies_inside(next_ + region_header, size, file_size_)) return damaged(next_, "reaches beyond the end of the file");
  if (found_.size() == most_regions) return damaged(next_, "is one region more than any library has");
  found_.push_back({next_, {}});
  next_ += region_header;
  region_end_ = next_ + size;
  if (size == 0) close_region();
  return {};
}

Expected<std::uint64_t> FatbinScan::take_entry(Bytes header) {
  const auto kind = number_at<std::uint16_t>(header, 0);
  const std::uint64_t header_size = number_at<std::uint32_t>(header, 4);
  const auto payload = number_at<std::uint64_t>(header, 8);
  const auto target = number_at<std::uint32_t>(header, 28);
  const auto flags = number_at<std::uint64_t>(header, 40);
  const auto left = region_end_ - next_;
  if (header_size < entry_header || header_size > left || payload > left - header_size)
    return damaged(next_, "has a size that reaches beyond its region");
  if (kind == kind_ptx || kind == kind_sass) {
    constexpr std::uint32_t ten = 10;
    constexpr std::uint32_t largest_target = 999;
    if (target < ten || target > largest_target) return damaged(next_, fmt::format("is for sm_{}, which no GPU has", target));
    GpuCode code;
    code.kind = kind == kind_ptx ? CodeKind::ptx : CodeKind::sass;
    code.arch.capability = {static_cast<std::uint8_t>(target / ten), static_cast<std::uint8_t>(target % ten)};
    code.arch.suffix = (flags & specific_flag) != 0 ? 'a' : (flags & family_flag) != 0 ? 'f' : '\0';
    auto& codes = found_.back().code;
    const auto place = std::lower_bound(codes.begin(), codes.end(), code);
    if (place == codes.end() || *place != code) codes.insert(place, code);
  }
  return header_size + payload;
}

void FatbinScan::close_region() {
  region_end_ = 0;
  next_ = (next_ + word_size - 1) / word_size * word_size;
}

Expected<std::vector<Fatbin>> FatbinScan::finish() {
  if (region_end_ != 0 && region_end_ != next_) return damaged(found_.back().offset, "reaches beyond the end of the file");
  return std::move(found_);
}

}  // namespace envgen::inspect
