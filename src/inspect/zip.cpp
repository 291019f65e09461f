#include "inspect/zip.hpp"

#include <zlib.h>
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen::inspect {
namespace {

constexpr std::uint32_t local_signature = 0x04034b50;
constexpr std::uint16_t stored = 0;
constexpr std::uint16_t deflated = 8;
constexpr std::size_t piece_size = std::size_t{256} * 1024;

/// zlib's state, freed on every way out.
class Inflater {
 public:
  Inflater() { ready_ = ::inflateInit2(&stream_, -MAX_WBITS) == Z_OK; }
  ~Inflater() {
    if (ready_) ::inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  bool ready() const { return ready_; }
  ::z_stream& stream() { return stream_; }

 private:
  ::z_stream stream_{};
  bool ready_ = false;
};

}  // namespace

const ZipMember* Zip::find(std::string_view name) const {
  const auto found = std::find_if(members_.begin(), members_.end(), [&](const auto& member) { return member.name == name; });
  return found == members_.end() ? nullptr : &*found;
}

Expected<void> Zip::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (!lies_inside(offset, into.size(), source_->size())) return damaged("the archive is truncated");
  // What is in the tail was read already; a source may be behind a network.
  const auto before = offset < tail_offset_ ? std::min<std::uint64_t>(tail_offset_ - offset, into.size()) : 0;
  if (before > 0) {
    if (auto got = source_->read(offset, into.first(static_cast<std::size_t>(before))); !got) return got;
  }
  const auto rest = into.subspan(static_cast<std::size_t>(before));
  if (!rest.empty()) {
    const auto from = tail_.begin() + static_cast<std::ptrdiff_t>(offset + before - tail_offset_);
    std::copy_n(from, rest.size(), rest.begin());
  }
  return {};
}

Expected<Zip::Opened> Zip::open_member(const ZipMember& member) const {
  const auto head = local_header_size + member.name.size();
  // The header, what the directory does not tell the length of, and a small member as a whole: one read.
  constexpr std::uint64_t usual_extra = 64;
  const auto wanted = std::min<std::uint64_t>(piece_size, head + usual_extra + member.packed_size);
  Opened opened;
  opened.bytes.resize(static_cast<std::size_t>(std::min(wanted, source_->size() - member.offset)));
  if (auto got = read(member.offset, opened.bytes); !got) return tl::unexpected(got.error());
  const Bytes bytes = opened.bytes;
  if (number_at<std::uint32_t>(bytes, 0) != local_signature || number_at<std::uint16_t>(bytes, 8) != member.method ||
      number_at<std::uint16_t>(bytes, 26) != member.name.size() ||
      text_of(bytes.subspan(local_header_size, member.name.size())) != member.name)
    return damaged(fmt::format("the header of {} in the archive contradicts its directory", in_quotes(member.name)));
  opened.data = head + number_at<std::uint16_t>(bytes, 28);
  if (!lies_inside(opened.data, member.packed_size, source_->size() - member.offset))
    return damaged(fmt::format("{} in the archive overlaps another file or exceeds the archive", in_quotes(member.name)));
  return opened;
}

Expected<void> Zip::read_packed(const ZipMember& member, const PackedSink& take) const {
  auto opened = open_member(member);
  if (!opened) return tl::unexpected(opened.error());
  auto& buffer = opened->bytes;
  auto begin = std::min(opened->data, buffer.size());
  auto at = member.offset + opened->data;
  auto left = member.packed_size;
  // What came with the header, then piece by piece.
  auto piece = std::span(buffer).subspan(begin, static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size() - begin, left)));
  for (;;) {
    if (!piece.empty()) {
      const auto more = take(piece);
      if (!more || !*more) return more ? Expected<void>() : tl::unexpected(more.error());
      at += piece.size();
      left -= piece.size();
    }
    if (left == 0) return {};
    buffer.resize(piece_size);
    piece = std::span(buffer).first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), left)));
    if (auto got = read(at, piece); !got) return got;
  }
}

Expected<void> Zip::unpack(const ZipMember& member, const Sink& sink) const {
  const auto broken = [&](std::string_view why) {
    return damaged(fmt::format("{} in the archive {}", in_quotes(member.name), why));
  };
  if (member.encrypted) return broken("is encrypted");
  if (member.method != stored && member.method != deflated)
    return broken(fmt::format("uses compression method {}; only 0 (stored) and 8 (deflate) are supported", member.method));
  if (member.size > largest_member) return broken(fmt::format("unpacks to {} bytes, which is too large", member.size));
  if (member.method == stored && member.size != member.packed_size) return broken("is stored with a different size than its own");

  std::uint64_t made = 0;
  auto crc = ::crc32_z(0, nullptr, 0);
  bool wanted = true;
  const auto hand_over = [&](Bytes piece) {
    made += piece.size();
    crc = ::crc32_z(crc, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
    return wanted = sink(piece);
  };
  Inflater inflater;
  if (!inflater.ready()) return fail(ErrorCode::internal, "cannot initialise zlib", origin_);
  auto& stream = inflater.stream();
  std::vector<std::byte> unpacked(member.method == deflated ? piece_size : 0);
  bool ended = member.method == stored;
  const auto inflate_piece = [&](std::span<std::byte> piece) -> Expected<bool> {
    stream.next_in = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_in = static_cast<uInt>(piece.size());
    do {
      if (ended) return broken("continues after its end");
      stream.next_out = reinterpret_cast<Bytef*>(unpacked.data());
      stream.avail_out = static_cast<uInt>(unpacked.size());
      const int result = ::inflate(&stream, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) return broken("is damaged and cannot be unpacked");
      ended = result == Z_STREAM_END;
      const auto got = unpacked.size() - stream.avail_out;
      if (got > member.size - made)
        return broken(fmt::format("unpacks to more than the {} bytes listed in the directory", member.size));
      if (got > 0 && !hand_over(Bytes(unpacked).first(got))) return false;
    } while (stream.avail_in > 0 || (!ended && stream.avail_out == 0));
    return true;
  };
  auto read = member.method == stored ? read_packed(member, hand_over) : read_packed(member, inflate_piece);
  if (!read || !wanted) return read;
  if (!ended || made != member.size)
    return broken(fmt::format("unpacks to less than the {} bytes listed in the directory", member.size));
  if (crc != member.crc) return broken("is damaged: its checksum does not match");
  return {};
}

Expected<std::string> Zip::text(const ZipMember& member, std::uint64_t largest) const {
  if (member.size > largest)
    return damaged(fmt::format("{} in the archive has {} bytes; the limit is {}", in_quotes(member.name), member.size, largest));
  std::string text;
  text.reserve(static_cast<std::size_t>(member.size));
  const auto unpacked = unpack(member, [&](Bytes piece) {
    text += text_of(piece);
    return true;
  });
  if (!unpacked) return tl::unexpected(unpacked.error());
  return text;
}

}  // namespace envgen::inspect
