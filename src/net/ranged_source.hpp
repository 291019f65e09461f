#pragma once

#include <string>

#include "net/client.hpp"
#include "util/byte_source.hpp"

namespace envgen::net {

/// A file behind a URL, read by HTTP ranges: what asks for the members of a remote archive. The end of it is fetched with its
/// size, and kept, for the table of contents of an archive stands there. Who reads on where the last read ended is given more and
/// more at once.
class RangedSource : public util::ByteSource {
 public:
  /// Errors (network): those of the client; the server does not serve parts of files; there is no such file.
  static Expected<std::unique_ptr<RangedSource>> open(Client& client, std::string url, std::uint64_t end_bytes = 65'536);

  std::uint64_t size() const override { return size_; }
  Expected<void> read(std::uint64_t offset, std::span<std::byte> into) override;

  static constexpr std::uint64_t most_ahead = std::uint64_t{4} << 20;  ///< bytes in one request

 private:
  RangedSource(Client& client, std::string url, std::uint64_t size, std::string end)
      : client_(client), url_(std::move(url)), size_(size), end_(std::move(end)) {}

  Client& client_;
  std::string url_;
  std::uint64_t size_;
  std::string end_;  ///< the last bytes of the file
  std::uint64_t part_offset_ = 0;
  std::string part_;         ///< what the last request brought
  std::uint64_t next_ = 0;   ///< where the last read ended
  std::uint64_t ahead_ = 0;  ///< bytes that the last request fetched because of that
};

}  // namespace envgen::net
