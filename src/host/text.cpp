#include "host/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/descriptor.hpp"

namespace envgen::host {
namespace {

constexpr bool is_blank(char c) { return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f; }

std::filesystem::path under(const std::filesystem::path& root, std::string_view path) {
  return root / std::filesystem::path(path).relative_path();
}

tl::unexpected<Error> unreadable(std::string_view path, std::string_view why) {
  return fail(ErrorCode::missing, fmt::format("{}: {}", printable(path), why));
}

std::string system_text(int number) { return std::error_code(number, std::generic_category()).message(); }

/// One part of an address; `max_digits` keeps 00000001:1 from being another spelling of 1:1.
std::optional<std::uint32_t> hex_part(std::string_view text, std::size_t max_digits) {
  if (text.empty() || text.size() > max_digits || text.starts_with("0x")) return std::nullopt;
  return parse_hex(text);
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
  std::string result;
  bool gap = false;
  for (const char c : text) {
    if (is_blank(c)) {
      gap = !result.empty();
      continue;
    }
    if (result.size() + (gap ? 1 : 0) >= most) break;
    if (gap) result += ' ';
    gap = false;
    result += static_cast<unsigned char>(c) < 0x80 ? c : '?';
  }
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    result.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

Expected<std::string> read_text(const std::filesystem::path& root, std::string_view path, std::size_t largest) {
  // O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
  const util::Descriptor file(::open(under(root, path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) return unreadable(path, system_text(errno));
  if (!S_ISREG(status.st_mode)) return unreadable(path, "not a regular file");
  std::string result;
  std::array<char, 4096> buffer{};
  for (;;) {  // where `largest` is reached, nothing more is asked for, and so nothing comes
    const auto count = ::read(file.get(), buffer.data(), std::min(buffer.size(), largest - result.size()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(path, system_text(errno));
    if (count == 0) return result;
    result.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

Expected<std::vector<std::string>> names_in(const std::filesystem::path& root, std::string_view path) {
  constexpr std::size_t most = 65536;  // a PCI domain has no more functions than this
  std::error_code error;
  std::vector<std::string> result;
  std::filesystem::directory_iterator entry(under(root, path), error);
  for (; entry != std::filesystem::directory_iterator() && result.size() < most; entry.increment(error)) {  // an error is an end
    result.push_back(entry->path().filename().string());
  }
  if (error) return unreadable(path, error.message());
  std::sort(result.begin(), result.end());
  return result;
}

std::optional<std::uint32_t> parse_hex(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  constexpr std::size_t most_digits = 8;
  if (text.empty() || text.size() > most_digits) return std::nullopt;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string pci_id_text(std::uint32_t vendor, std::uint32_t device) { return fmt::format("{:04x}:{:04x}", vendor, device); }

std::optional<PciAddress> PciAddress::parse(std::string_view text) {
  const auto first = text.find(':');
  if (first == std::string_view::npos) return std::nullopt;
  const auto second = text.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto dot = text.find('.', second + 1);
  if (dot == std::string_view::npos) return std::nullopt;
  const auto domain = hex_part(text.substr(0, first), 8);
  const auto bus = hex_part(text.substr(first + 1, second - first - 1), 2);
  const auto device = hex_part(text.substr(second + 1, dot - second - 1), 2);
  const auto function = hex_part(text.substr(dot + 1), 1);
  if (!domain || !bus || !device || !function) return std::nullopt;
  return PciAddress{*domain, *bus, *device, *function};
}

std::vector<std::string> in_bus_order(const std::vector<std::string>& names) {
  std::vector<std::pair<PciAddress, std::string>> found;
  for (const auto& name : names) {
    if (const auto address = PciAddress::parse(name)) found.emplace_back(*address, name);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> result;
  result.reserve(found.size());
  for (auto& [address, name] : found) result.push_back(std::move(name));
  return result;
}

}  // namespace envgen::host
