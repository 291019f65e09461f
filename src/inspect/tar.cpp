#include "inspect/tar.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace envgen::inspect {
namespace {

constexpr std::uint64_t largest_pax = std::uint64_t{1} << 20;
constexpr std::uint64_t largest_size = std::uint64_t{1} << 44;

/// Octal digits between spaces, or GNU's form of a large number: a set first bit, then the number, most significant byte first.
std::optional<std::uint64_t> number_of(Bytes field) {
  constexpr auto large = std::byte{0x80};
  std::uint64_t number = 0;
  if ((field[0] & large) != std::byte{0}) {
    for (std::size_t i = 0; i < field.size(); ++i) {
      if (number > largest_size) return std::nullopt;
      number = number << 8 | std::to_integer<std::uint64_t>(i == 0 ? field[i] & ~large : field[i]);
    }
    return number;
  }
  auto text = text_of(field);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  text = text.substr(0, text.find_first_of(std::string_view("\0 ", 2)));
  for (const char c : text) {
    if (c < '0' || c > '7') return std::nullopt;
    number = number * 8 + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

std::optional<std::uint64_t> decimal(std::string_view text) {
  std::uint64_t number = 0;
  if (text.empty()) return std::nullopt;
  for (const char c : text) {
    if (c < '0' || c > '9' || number > largest_size) return std::nullopt;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

std::string text_field(Bytes header, std::size_t offset, std::size_t size) {
  const auto text = text_of(header.subspan(offset, size));
  return std::string(text.substr(0, text.find('\0')));
}

bool checksum_holds(Bytes header) {
  constexpr std::size_t begin = 148;
  constexpr std::size_t end = 156;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < header.size(); ++i)
    sum += i >= begin && i < end ? std::uint64_t{' '} : std::to_integer<std::uint64_t>(header[i]);
  return number_of(header.subspan(begin, end - begin)) == sum;
}

std::string path_of(Bytes header) {
  auto name = text_field(header, 0, 100);
  if (!text_of(header.subspan(257)).starts_with(std::string_view("ustar\0", 6))) return name;
  const auto prefix = text_field(header, 345, 155);
  return prefix.empty() ? name : prefix + "/" + name;
}

}  // namespace

bool TarReader::fails(std::string problem) {
  error_ = Error{ErrorCode::bad_input, std::move(problem), {}, {}};
  return false;
}

bool TarReader::feed(Bytes bytes) {
  while (!bytes.empty() && !error_ && !ended_) {
    std::size_t used = 0;
    if (left_ > 0) {
      used = static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size()));
      const auto part = bytes.first(used);
      if (taking_ == Taking::file && feeding_) {
        feeding_ = files_.feed(part);
      } else if (taking_ != Taking::file && taking_ != Taking::nothing) {
        text_ += text_of(part);
      }
      left_ -= used;
      if (left_ == 0 && !end_of_member()) return false;
    } else if (padding_ > 0) {
      used = static_cast<std::size_t>(std::min<std::uint64_t>(padding_, bytes.size()));
      padding_ -= used;
    } else {
      used = std::min(block - header_size_, bytes.size());
      std::copy_n(bytes.begin(), used, header_.begin() + static_cast<std::ptrdiff_t>(header_size_));
      header_size_ += used;
      if (header_size_ == block) {
        header_size_ = 0;
        if (auto problem = take_header())
          return fails(fmt::format("its file archive is damaged at byte {}: {}", offset_ + used - block, *problem));
        if (!ended_ && left_ == 0 && !end_of_member()) return false;
      }
    }
    offset_ += used;
    bytes = bytes.subspan(used);
  }
  return !error_;
}

std::optional<std::string> TarReader::take_header() {
  const Bytes header(header_);
  if (std::all_of(header.begin(), header.end(), [](std::byte byte) { return byte == std::byte{0}; })) {
    ended_ = true;
    return std::nullopt;
  }
  if (!checksum_holds(header)) return "a header with a wrong checksum";
  const auto size = number_of(header.subspan(124, 12));
  if (!size || *size > largest_size) return "an invalid size";
  const auto type = std::to_integer<char>(header[156]);
  left_ = *size;
  taking_ = Taking::nothing;
  text_.clear();
  const bool of_next = type == 'x' || type == 'L' || type == 'K' || type == 'g';
  const auto path = of_next ? std::string() : next_path_.value_or(path_of(header));
  if (!of_next) tell_member(path, type);
  if (of_next && type != 'g') {
    if (left_ > largest_pax) return "a name that is too long";
    taking_ = type == 'x' ? Taking::pax : type == 'L' ? Taking::long_name : Taking::long_target;
  } else if (type == '0' || type == '\0' || type == '7') {
    taking_ = Taking::file;
    left_ = next_size_.value_or(left_);
    const bool wanted = files_.begin(path, left_);
    feeding_ = wanted;
    if (!wanted) taking_ = Taking::nothing;
  } else if (type >= '1' && type <= '6') {
    left_ = 0;  // links, devices and folders have no bytes, whatever they say
  }
  padding_ = (block - left_ % block) % block;
  if (!of_next) {
    next_path_.reset();
    next_target_.reset();
    next_size_.reset();
  }
  return std::nullopt;
}

void TarReader::tell_member(std::string path, char type) const {
  if (!files_.member) return;
  using Kind = TarMember::Kind;
  TarMember member{std::move(path), Kind::other, {}};
  if (type == '0' || type == '\0' || type == '7') {
    member.kind = Kind::file;
  } else if (type == '1' || type == '2') {
    member.kind = type == '1' ? Kind::hard_link : Kind::symlink;
    member.target = next_target_.value_or(text_field(header_, 157, 100));
  }
  files_.member(member);
}

bool TarReader::end_of_member() {
  if (taking_ == Taking::file) {
    // Also where its reader wanted no more: it knows why.
    taking_ = Taking::nothing;
    if (auto ended = files_.end(); !ended) {
      error_ = ended.error();
      return false;
    }
  } else if (taking_ == Taking::pax) {
    if (auto problem = take_pax()) return fails(fmt::format("its file archive is damaged before byte {}: {}", offset_, *problem));
  } else if (taking_ == Taking::long_name) {
    next_path_ = text_.substr(0, text_.find('\0'));
  } else if (taking_ == Taking::long_target) {
    next_target_ = text_.substr(0, text_.find('\0'));
  }
  return true;
}

/// Lines of `LENGTH KEY=VALUE`, the length of the whole line.
std::optional<std::string> TarReader::take_pax() {
  for (std::string_view rest(text_); !rest.empty();) {
    const auto space = rest.find(' ');
    const auto length = decimal(rest.substr(0, space));
    if (space == std::string_view::npos || !length || *length <= space + 1 || *length > rest.size())
      return "an invalid pax header";
    const auto line = rest.substr(space + 1, static_cast<std::size_t>(*length) - space - 2);
    rest.remove_prefix(static_cast<std::size_t>(*length));
    if (line.starts_with("path=")) next_path_ = std::string(line.substr(5));
    if (line.starts_with("linkpath=")) next_target_ = std::string(line.substr(9));
    if (line.starts_with("size=")) {
      next_size_ = decimal(line.substr(5));
      if (!next_size_) return "an invalid size";
    }
  }
  return std::nullopt;
}

Expected<void> TarReader::finish() const {
  if (error_) return tl::unexpected(*error_);
  if (!ended_) return fail(ErrorCode::bad_input, fmt::format("its file archive is truncated at byte {}", offset_));
  return {};
}

}  // namespace envgen::inspect
