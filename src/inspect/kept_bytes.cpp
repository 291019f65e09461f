#include "inspect/kept_bytes.hpp"

#include <algorithm>

namespace envgen::inspect {

KeptBytes::KeptBytes(std::uint64_t size) : size_(size) {
  if (size <= kept_head + kept_tail) {
    keep(0, size);
  } else {
    keep(0, kept_head);
    keep(size - kept_tail, kept_tail);
  }
}

void KeptBytes::keep(std::uint64_t offset, std::uint64_t size) { ranges_.push_back({offset, size}); }

void KeptBytes::feed(Bytes bytes) {
  for (auto& range : ranges_) {
    // The first of its bytes that is missing.
    const auto next = range.offset + range.bytes.size();
    if (next < passed_ || next >= passed_ + bytes.size() || range.bytes.size() == range.size) continue;
    const auto part = bytes.subspan(static_cast<std::size_t>(next - passed_));
    const auto wanted = std::min<std::uint64_t>(range.size - range.bytes.size(), part.size());
    // Memory that nothing is written into costs nothing, and growing would copy it.
    if (range.bytes.empty()) range.bytes.reserve(static_cast<std::size_t>(range.size));
    range.bytes.insert(range.bytes.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(wanted));
  }
  passed_ += bytes.size();
}

Bytes KeptBytes::from(std::uint64_t offset, std::uint64_t size) const {
  Bytes most;
  for (const auto& range : ranges_) {
    if (offset < range.offset || offset - range.offset >= range.bytes.size()) continue;
    const auto part = Bytes(range.bytes).subspan(static_cast<std::size_t>(offset - range.offset));
    const auto got = part.first(static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), size)));
    if (got.size() > most.size()) most = got;
  }
  return most;
}

std::optional<Bytes> KeptBytes::at(std::uint64_t offset, std::uint64_t size) const {
  const auto bytes = from(offset, size);
  if (bytes.size() < size) return std::nullopt;
  return bytes;
}

}  // namespace envgen::inspect
