#include "util/deflate.hpp"

#include <zlib.h>
#include <new>

namespace envgen::util {
namespace {

const Bytef* bytes_of(std::string_view text) { return reinterpret_cast<const Bytef*>(text.data()); }

}  // namespace

std::string deflated(std::string_view text) {
  auto size = ::compressBound(text.size());
  std::string bytes(size, '\0');
  if (::compress2(reinterpret_cast<Bytef*>(bytes.data()), &size, bytes_of(text), text.size(), Z_BEST_COMPRESSION) != Z_OK)
    throw std::bad_alloc();  // what else zlib may lack is room, and there is enough
  bytes.resize(size);
  return bytes;
}

Expected<std::string> inflated(std::string_view bytes, std::size_t size, const std::string& origin) {
  std::string text(size, '\0');
  auto got = static_cast<uLongf>(size);
  const int ended = ::uncompress(reinterpret_cast<Bytef*>(text.data()), &got, bytes_of(bytes), bytes.size());
  if (ended != Z_OK || got != size) return fail(ErrorCode::bad_input, "the compressed data is damaged", origin);
  return text;
}

std::uint32_t crc32_of(std::string_view bytes) { return static_cast<std::uint32_t>(::crc32_z(0, bytes_of(bytes), bytes.size())); }

}  // namespace envgen::util
