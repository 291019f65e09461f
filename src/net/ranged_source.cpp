#include "net/ranged_source.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

namespace envgen::net {
namespace {

Expected<Reply> get_range(Client& client, const std::string& url, Range range, std::uint64_t most_bytes) {
  const std::array<Request, 1> requests{Request{url, "*/*", range, most_bytes, true}};
  auto replies = client.get(requests);
  auto& reply = replies.front();
  if (reply && reply->status != 206) return fail(ErrorCode::network, fmt::format("no such file (HTTP {})", reply->status), url);
  return std::move(reply);
}

}  // namespace

Expected<std::unique_ptr<RangedSource>> RangedSource::open(Client& client, std::string url, std::uint64_t end_bytes) {
  auto end = get_range(client, url, Range{std::nullopt, end_bytes}, end_bytes);
  if (!end) return tl::unexpected(end.error());
  const auto size = end->whole_size.value_or(end->body.size());
  return std::unique_ptr<RangedSource>(new RangedSource(client, std::move(url), size, std::move(end->body)));
}

Expected<void> RangedSource::read(std::uint64_t offset, std::span<std::byte> into) {
  if (into.empty()) return {};
  if (offset > size_ || into.size() > size_ - offset)
    return fail(ErrorCode::bad_input, fmt::format("{} bytes at {} extend past its end at {}", into.size(), offset, size_), url_);
  if (offset >= size_ - end_.size()) {
    std::memcpy(into.data(), end_.data() + (offset - (size_ - end_.size())), into.size());
    return {};
  }
  const auto last = offset + into.size();
  if (offset < part_offset_ || last > part_offset_ + part_.size()) {
    ahead_ = offset == next_ ? std::min(most_ahead, std::max(ahead_, std::uint64_t{into.size()}) * 2) : 0;
    const auto bytes = std::min(std::max(std::uint64_t{into.size()}, ahead_), size_ - offset);
    auto part = get_range(client_, url_, Range{offset, offset + bytes - 1}, bytes);
    if (!part) return tl::unexpected(part.error());
    // The client lets a part end where the server says that the file ends, which may be elsewhere by now.
    if (part->whole_size != size_ || part->body.size() != bytes)
      return fail(ErrorCode::network, "the file changed while it was being read", url_, {"run the command again"});
    part_offset_ = offset;
    part_ = std::move(part->body);
  }
  next_ = last;
  std::memcpy(into.data(), part_.data() + (offset - part_offset_), into.size());
  return {};
}

}  // namespace envgen::net
