#pragma once

#include <memory>
#include <vector>

#include "net/ranged_source.hpp"
#include "util/byte_source.hpp"

namespace envgen::update {

/// A wheel on an index, read by ranges. What is read piece by piece, as a member is, comes in few requests.
class RemoteWheel : public util::ByteSource {
 public:
  /// Errors: those of net::RangedSource::open.
  static Expected<std::unique_ptr<RemoteWheel>> open(net::Client& client, const std::string& url);

  std::uint64_t size() const override { return ranges_->size(); }
  Expected<void> read(std::uint64_t offset, std::span<std::byte> into) override;

 private:
  explicit RemoteWheel(std::unique_ptr<net::RangedSource> ranges) : ranges_(std::move(ranges)) {}

  std::unique_ptr<net::RangedSource> ranges_;
  std::uint64_t ahead_offset_ = 0;
  std::vector<std::byte> ahead_;  ///< what was read beyond what was asked for
  std::uint64_t last_end_ = 0;    ///< where the last read ended: one that goes on there will go on
};

}  // namespace envgen::update
