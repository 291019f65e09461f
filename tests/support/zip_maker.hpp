#pragma once

#include <zlib.h>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "util/byte_source.hpp"

/// Zip archives in memory, honest ones and others. Who uses this links zlib.
namespace envgen::test {

/// Appends numbers least significant byte first.
inline void put(std::string& to, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(number >> (8 * i) & 0xFF);
}
inline void overwrite(std::string& in, std::size_t at, std::uint64_t number, int bytes) {
  std::string text;
  put(text, number, bytes);
  in.replace(at, text.size(), text);
}

struct PackedFile {
  std::string name;
  std::string text;
  bool deflate = true;
};

struct ZipShape {
  bool zip64 = false;  ///< sizes, offsets and the end in the records of ZIP64
  std::string comment = {};
  std::size_t local_extra = 0;  ///< bytes of an extra field that the directory does not have
};

inline std::string raw_deflated(const std::string& text) {
  ::z_stream stream{};
  if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("deflateInit2");
  std::string result(::deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int ended = ::deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  ::deflateEnd(&stream);
  if (ended != Z_STREAM_END) throw std::runtime_error("deflate");
  return result;
}

inline std::string zip_of(const std::vector<PackedFile>& files, const ZipShape& shape = {}) {
  constexpr std::uint64_t elsewhere = 0xFFFFFFFF;
  std::string bytes;
  std::string directory;
  for (const auto& file : files) {
    const auto packed = file.deflate ? raw_deflated(file.text) : file.text;
    const auto crc = ::crc32_z(0, reinterpret_cast<const Bytef*>(file.text.data()), file.text.size());
    const auto offset = bytes.size();
    const auto method = file.deflate ? 8U : 0U;
    put(bytes, 0x04034b50, 4);
    put(bytes, 20, 2);
    put(bytes, 0, 2);
    put(bytes, method, 2);
    put(bytes, 0, 4);
    put(bytes, crc, 4);
    put(bytes, packed.size(), 4);
    put(bytes, file.text.size(), 4);
    put(bytes, file.name.size(), 2);
    put(bytes, shape.local_extra, 2);
    bytes += file.name + std::string(shape.local_extra, 'x') + packed;

    std::string extra;
    if (shape.zip64) {
      put(extra, 0x5455, 2);  // a time, to be passed over
      put(extra, 1, 2);
      put(extra, 0, 1);
      put(extra, 1, 2);
      put(extra, 24, 2);
      put(extra, file.text.size(), 8);
      put(extra, packed.size(), 8);
      put(extra, offset, 8);
    }
    put(directory, 0x02014b50, 4);
    put(directory, 20, 2);
    put(directory, 20, 2);
    put(directory, 0, 2);
    put(directory, method, 2);
    put(directory, 0, 4);
    put(directory, crc, 4);
    put(directory, shape.zip64 ? elsewhere : packed.size(), 4);
    put(directory, shape.zip64 ? elsewhere : file.text.size(), 4);
    put(directory, file.name.size(), 2);
    put(directory, extra.size(), 2);
    put(directory, 0, 2);
    put(directory, 0, 2);
    put(directory, 0, 2);
    put(directory, 0, 4);
    put(directory, shape.zip64 ? elsewhere : offset, 4);
    directory += file.name + extra;
  }
  const auto directory_offset = bytes.size();
  bytes += directory;
  if (shape.zip64) {
    const auto record = bytes.size();
    put(bytes, 0x06064b50, 4);
    put(bytes, 44, 8);
    put(bytes, 45, 2);
    put(bytes, 45, 2);
    put(bytes, 0, 8);
    put(bytes, files.size(), 8);
    put(bytes, files.size(), 8);
    put(bytes, directory.size(), 8);
    put(bytes, directory_offset, 8);
    put(bytes, 0x07064b50, 4);
    put(bytes, 0, 4);
    put(bytes, record, 8);
    put(bytes, 1, 4);
  }
  put(bytes, 0x06054b50, 4);
  put(bytes, 0, 4);
  put(bytes, shape.zip64 ? 0xFFFF : files.size(), 2);
  put(bytes, shape.zip64 ? 0xFFFF : files.size(), 2);
  put(bytes, shape.zip64 ? elsewhere : directory.size(), 4);
  put(bytes, shape.zip64 ? elsewhere : directory_offset, 4);
  put(bytes, shape.comment.size(), 2);
  return bytes + shape.comment;
}

/// Bytes in memory, and how often and how much of them was asked for.
class MemorySource final : public util::ByteSource {
 public:
  explicit MemorySource(std::string bytes) : bytes_(std::move(bytes)) {}

  std::uint64_t size() const override { return bytes_.size(); }
  Expected<void> read(std::uint64_t offset, std::span<std::byte> into) override {
    ++reads;
    read_bytes += into.size();
    if (offset > bytes_.size() || into.size() > bytes_.size() - offset)
      return fail(ErrorCode::internal, "read outside", "memory");
    if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
    return {};
  }

  int reads = 0;
  std::uint64_t read_bytes = 0;

 private:
  std::string bytes_;
};

}  // namespace envgen::test
