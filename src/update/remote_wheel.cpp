#include "update/remote_wheel.hpp"

#include <algorithm>
#include <cstring>

namespace envgen::update {

Expected<std::unique_ptr<RemoteWheel>> RemoteWheel::open(net::Client& client, const std::string& url) {
  auto ranges = net::RangedSource::open(client, url);
  if (!ranges) return tl::unexpected(ranges.error());
  return std::unique_ptr<RemoteWheel>(new RemoteWheel(std::move(*ranges)));
}

Expected<void> RemoteWheel::read(std::uint64_t offset, std::span<std::byte> into) {
  constexpr std::uint64_t window = std::uint64_t{4} << 20;
  const bool goes_on = offset == last_end_ && offset != 0;
  last_end_ = offset + into.size();
  const bool held = offset >= ahead_offset_ && offset - ahead_offset_ <= ahead_.size() &&
                    into.size() <= ahead_.size() - (offset - ahead_offset_);
  if (!held) {
    if (!goes_on || offset > size() || into.size() > size() - offset || into.size() > window) return ranges_->read(offset, into);
    std::vector<std::byte> ahead(static_cast<std::size_t>(std::min(window, size() - offset)));
    if (auto got = ranges_->read(offset, ahead); !got) return got;
    ahead_ = std::move(ahead);
    ahead_offset_ = offset;
  }
  std::memcpy(into.data(), ahead_.data() + (offset - ahead_offset_), into.size());
  return {};
}

}  // namespace envgen::update
