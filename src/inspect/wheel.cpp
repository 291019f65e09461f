#include "inspect/wheel.hpp"

namespace envgen::inspect {
namespace {

/// The largest that was seen has 300 KB, most of it a README.
constexpr std::uint64_t largest_metadata = std::uint64_t{16} << 20;

}  // namespace

Expected<WheelIndex> read_wheel_index(util::ByteSource& source, const std::string& origin) {
  auto archive = Zip::open(source, origin);
  if (!archive) return tl::unexpected(archive.error());
  constexpr std::string_view file = ".dist-info/METADATA";
  const ZipMember* found = nullptr;
  for (const auto& member : archive->members()) {
    // Of the wheel itself: what a package carries along lies deeper.
    if (!member.name.ends_with(file) || member.name.find('/') + 1 != member.name.size() - std::string_view("METADATA").size())
      continue;
    if (found != nullptr)
      return fail(ErrorCode::bad_input, "the archive is not a wheel: it has METADATA for several packages", origin);
    found = &member;
  }
  if (found == nullptr)
    return fail(ErrorCode::bad_input, "the archive is not a wheel: it has no METADATA in a .dist-info folder", origin);
  const auto text = archive->text(*found, largest_metadata);
  if (!text) return tl::unexpected(text.error());
  auto metadata = parse_metadata(*text, origin);
  if (!metadata) return tl::unexpected(metadata.error());
  auto folder = found->name.substr(0, found->name.find('/'));
  return WheelIndex{std::move(*archive), std::move(folder), std::move(*metadata)};
}

}  // namespace envgen::inspect
