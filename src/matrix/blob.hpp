#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <unordered_set>

/// The packed matrix is one block of bytes that holds the rows as they are used: nothing is parsed and nothing allocated
/// when envgen starts. References inside it are offsets from the field that holds them, so the block may lie anywhere.
namespace envgen::matrix {

/// A string inside the block. Cannot be copied, because its offset holds only where it stands.
class PackedString {
 public:
  PackedString() = default;
  PackedString(const PackedString&) = delete;
  PackedString& operator=(const PackedString&) = delete;

  std::string_view view() const { return {reinterpret_cast<const char*>(this) + offset_, size_}; }
  operator std::string_view() const { return view(); }
  bool empty() const { return size_ == 0; }

 private:
  friend class Packer;
  std::int32_t offset_ = 0;
  std::uint32_t size_ = 0;
};

/// A row of values inside the block.
template <class T>
class List {
 public:
  List() = default;
  List(const List&) = delete;
  List& operator=(const List&) = delete;

  const T* begin() const { return reinterpret_cast<const T*>(reinterpret_cast<const char*>(this) + offset_); }
  const T* end() const { return begin() + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t index) const { return begin()[index]; }
  const T& front() const { return *begin(); }
  const T& back() const { return begin()[size_ - 1]; }

 private:
  friend class Packer;
  std::int32_t offset_ = 0;
  std::uint32_t size_ = 0;
};

/// A number, kept as its bits: equal rows are equal bytes. NaN = unknown, as it is before it is set.
class Number {
 public:
  constexpr Number() = default;
  constexpr Number(double value) : bits_(std::bit_cast<std::uint64_t>(value)) {}
  constexpr operator double() const { return std::bit_cast<double>(bits_); }

 private:
  std::uint64_t bits_ = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
};

/// The bytes that a compiler would leave between two fields, or behind the last one, with whatever happened to be there.
template <std::size_t size>
using Filler = std::uint8_t[size];

/// Writes a block. All rows are reserved from one allocation that never moves, so references into it stay good.
class Packer {
 public:
  /// `capacity`: more bytes than the block can need; untouched pages of it cost nothing. At most 2 GiB.
  explicit Packer(std::size_t capacity)
      : memory_(static_cast<std::byte*>(::operator new(capacity, alignment))), capacity_(capacity) {}

  /// `count` value-initialised rows.
  template <class T>
  T* reserve(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    static_assert(std::has_unique_object_representations_v<T>,
                  "padding would get into the block, and no two builds would be alike: name it as a Filler");
    static_assert(alignof(T) <= 16);
    const auto at = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    if (at + count * sizeof(T) > capacity_) throw std::bad_alloc();
    std::memset(memory_.get() + used_, 0, at - used_);
    used_ = at;
    T* first = nullptr;
    for (std::size_t i = 0; i < count; ++i) {
      T* row = ::new (memory_.get() + used_ + i * sizeof(T)) T();
      if (i == 0) first = row;
    }
    used_ += count * sizeof(T);
    return first;
  }

  /// Makes `list` refer to rows made by `reserve`.
  template <class T>
  static void refer(List<T>& list, const T* rows, std::size_t count) {
    list.size_ = static_cast<std::uint32_t>(count);
    list.offset_ = count == 0 ? 0 : offset_between(&list, rows);
  }

  template <class T>
  T* fill(List<T>& list, std::size_t count) {
    T* rows = reserve<T>(count);
    refer(list, rows, count);
    return rows;
  }

  /// Equal texts are kept once.
  void put(PackedString& text, std::string_view value) {
    text.size_ = static_cast<std::uint32_t>(value.size());
    if (value.empty()) return;
    auto known = texts_.find(value);
    if (known == texts_.end()) {
      if (used_ + value.size() > capacity_) throw std::bad_alloc();
      char* bytes = reinterpret_cast<char*>(memory_.get() + used_);
      std::memcpy(bytes, value.data(), value.size());
      used_ += value.size();
      known = texts_.insert(std::string_view(bytes, value.size())).first;
    }
    text.offset_ = offset_between(&text, known->data());
  }

  const std::byte* data() const { return memory_.get(); }
  std::size_t size() const { return used_; }
  std::size_t capacity() const { return capacity_; }

 private:
  static constexpr std::align_val_t alignment{16};
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete(memory, alignment); }
  };
  static std::int32_t offset_between(const void* from, const void* to) {
    return static_cast<std::int32_t>(static_cast<const char*>(to) - static_cast<const char*>(from));
  }

  std::unique_ptr<std::byte, Free> memory_;
  std::size_t capacity_;
  std::size_t used_ = 0;
  std::unordered_set<std::string_view> texts_;
};

}  // namespace envgen::matrix
