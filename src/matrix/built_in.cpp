#include "matrix/built_in.hpp"

#include <charconv>

#include <fmt/format.h>

#include "matrix/documents.hpp"
#include "util/deflate.hpp"
#include "util/sha256.hpp"

/// Packed documents: the digest, a blank, the size of the text, a line end, and the text compressed.
namespace envgen::matrix {
namespace {

constexpr std::size_t digest_digits = 64;

}  // namespace

Expected<std::string> pack_documents(const std::filesystem::path& folder, std::string_view block) {
  const auto documents = Documents::read({folder}, LayerKind::built_in);
  if (!documents) return tl::unexpected(documents.error());
  const auto text = documents->merged().dump();
  util::Sha256 digest;
  digest.add(block);
  return fmt::format("{} {}\n{}", digest.hex(), text.size(), util::deflated(text));
}

Expected<std::string> unpacked_documents(std::string_view packed) {
  constexpr std::size_t largest = std::size_t{256} << 20;
  const std::string name(built_in_name);
  const auto line_end = packed.find('\n');
  std::size_t size = 0;
  if (line_end == std::string_view::npos || line_end < digest_digits + 2 ||
      std::from_chars(packed.data() + digest_digits + 1, packed.data() + line_end, size).ptr != packed.data() + line_end ||
      size > largest)
    return fail(ErrorCode::bad_input, "the compressed data is damaged", name);
  return util::inflated(packed.substr(line_end + 1), size, name);
}

std::string_view digest_of_block(std::string_view packed) { return packed.substr(0, digest_digits); }

}  // namespace envgen::matrix
