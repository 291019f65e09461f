#include "inspect/fatbin.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace envgen::inspect {
namespace {

// A fat binary: its mark, version 1, the 16 bytes of the header; the size of what follows. Then entries, each with a header of
// its own, 64 bytes or more, and its code.
constexpr std::uint64_t fatbin_mark = 0x0010'0001'BA55'ED50;
constexpr std::size_t word_size = 8;
constexpr std::size_t fatbin_entry_size = 64;
constexpr std::uint16_t kind_ptx = 1;
constexpr std::uint16_t kind_elf = 2;
constexpr std::uint64_t flag_a = std::uint64_t{1} << 20;
constexpr std::uint64_t flag_f = std::uint64_t{1} << 21;
/// A library has some thousands of them; beyond this the file was made to fill our memory.
constexpr std::size_t most_fatbins = 1'000'000;

/// The word as a machine of either byte order loads it: the loop over a gigabyte is worth it.
std::uint64_t word_at(Bytes bytes, std::size_t offset) {
  if constexpr (std::endian::native == std::endian::little) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + offset, sizeof word);
    return word;
  }
  return number_at<std::uint64_t>(bytes, offset);
}

/// The two bytes before an immediate of 64 bits: `movabs $imm64, %reg` of x86-64 (REX.W or REX.WB, B8 to BF).
bool is_movabs(std::uint16_t opcode) {
  const auto rex = opcode & 0xFFU;
  return (rex == 0x48U || rex == 0x49U) && (opcode >> 8U & 0xF8U) == 0xB8U;
}

}  // namespace

bool FatbinFinder::feed(Bytes bytes) {
  while (!bytes.empty() && !problem_) {
    std::size_t used = 0;
    if (skip_ > 0) {
      used = static_cast<std::size_t>(std::min<std::uint64_t>(skip_, bytes.size()));
      skip_ -= used;
      offset_ += used;
    } else if (state_ == State::search) {
      used = offset_ % word_size == 0 && bytes.size() >= word_size ? search(bytes) : fill_word(bytes);
    } else {
      const std::size_t wanted = state_ == State::entry ? fatbin_entry_size : word_size;
      used = std::min(wanted - held_size_, bytes.size());
      std::copy_n(bytes.begin(), used, held_.begin() + static_cast<std::ptrdiff_t>(held_size_));
      held_size_ += used;
      offset_ += used;
      if (held_size_ == wanted) {
        held_size_ = 0;
        if (state_ == State::entry) {
          take_entry();
        } else {
          take_header();
        }
      }
    }
    bytes = bytes.subspan(used);
  }
  return !problem_;
}

/// A part of a word at the end or the beginning of a piece. A word whose beginning was not seen, behind a fat binary that ends in
/// the middle of one, is none.
std::size_t FatbinFinder::fill_word(Bytes bytes) {
  const auto place = static_cast<std::size_t>(offset_ % word_size);
  const auto used = std::min(word_size - place, bytes.size());
  if (place == 0) held_size_ = 0;
  if (place == held_size_) {
    std::copy_n(bytes.begin(), used, held_.begin() + static_cast<std::ptrdiff_t>(place));
    held_size_ += used;
  }
  offset_ += used;
  if (offset_ % word_size == 0) {
    const bool whole = held_size_ == word_size;
    held_size_ = 0;
    if (whole) take_word(word_at(held_, 0));
  }
  return used;
}

/// How many bytes of whole words were looked at, the mark included.
std::size_t FatbinFinder::search(Bytes bytes) {
  const auto words = bytes.size() / word_size;
  std::size_t i = 0;
  while (i < words && word_at(bytes, i * word_size) != fatbin_mark) ++i;
  const bool found = i < words;
  const auto used = (found ? i + 1 : i) * word_size;
  offset_ += used;
  if (i > 0) before_ = word_at(bytes, (i - 1) * word_size);
  if (found) take_word(fatbin_mark);
  return used;
}

void FatbinFinder::take_word(std::uint64_t word) {
  if (word != fatbin_mark) {
    before_ = word;
    return;
  }
  // A program that looks for fat binaries has their mark in its code.
  is_operand_ = is_movabs(static_cast<std::uint16_t>(before_ >> 48U));
  now_ = {offset_ - word_size, {}};
  state_ = State::header;
}

/// What begins with the mark is no fat binary. It lies about itself, or it never was one.
void FatbinFinder::refuse(std::string problem) {
  if (!is_operand_) {
    problem_ = std::move(problem);
    return;
  }
  skip_ = 0;
  state_ = State::search;
}

void FatbinFinder::take_header() {
  const auto size = word_at(held_, 0);
  if (!lies_inside(offset_, size, size_)) {
    refuse(fmt::format("the fat binary at {:#x} claims {} bytes, but only {} follow it", now_.offset, size, size_ - offset_));
    return;
  }
  end_ = offset_ + size;
  end_or_next_entry();
}

void FatbinFinder::end_or_next_entry() {
  // skip_ leads behind the code of the entry.
  const auto next = offset_ + skip_;
  if (end_ - next >= fatbin_entry_size) {
    state_ = State::entry;
    return;
  }
  skip_ = end_ - offset_;
  state_ = State::search;
  before_ = 0;
  if (now_.targets.empty()) return;
  if (found_.size() == most_fatbins) {
    problem_ = fmt::format("more than {} fat binaries", most_fatbins);
    return;
  }
  found_.push_back(std::move(now_));
}

void FatbinFinder::take_entry() {
  const Bytes entry(held_);
  const auto kind = number_at<std::uint16_t>(entry, 0);
  const auto header = number_at<std::uint32_t>(entry, 4);
  const auto code = number_at<std::uint64_t>(entry, 8);
  const auto sm = number_at<std::uint32_t>(entry, 28);
  const auto flags = number_at<std::uint64_t>(entry, 40);
  if (header == 0 && code == 0 && kind == 0) {  // nothing follows but padding
    skip_ = end_ - offset_;
    end_or_next_entry();
    return;
  }
  const auto begin = offset_ - fatbin_entry_size;
  if (header < fatbin_entry_size || !lies_inside(header, code, end_ - begin)) {
    refuse(fmt::format("an entry of the fat binary at {:#x} exceeds its bounds: {} bytes at {:#x}", now_.offset, code, begin));
    return;
  }
  constexpr std::uint32_t largest_sm = 999;
  if (kind == kind_ptx || kind == kind_elf) {
    if (sm < 10 || sm > largest_sm) {
      refuse(fmt::format("an entry of the fat binary at {:#x} is for an unknown architecture: {}", now_.offset, sm));
      return;
    }
    Arch arch{{static_cast<std::uint8_t>(sm / 10), static_cast<std::uint8_t>(sm % 10)}, 0};
    if ((flags & flag_a) != 0) arch.suffix = 'a';
    if ((flags & flag_f) != 0) arch.suffix = 'f';
    auto& archs = kind == kind_ptx ? now_.targets.ptx : now_.targets.sass;
    const auto place = std::lower_bound(archs.begin(), archs.end(), arch);
    if (place == archs.end() || *place != arch) archs.insert(place, arch);
  }
  skip_ = header - fatbin_entry_size + code;
  end_or_next_entry();
}

}  // namespace envgen::inspect
