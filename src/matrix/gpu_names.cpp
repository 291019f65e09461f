#include "matrix/gpu_names.hpp"

#include <algorithm>
#include <cctype>

#include "model/spelling.hpp"

namespace envgen::matrix {
namespace {

constexpr std::string_view mark_of_slice = "mig";

bool is_separator(char c) { return c == ' ' || c == '-' || c == '_' || c == '/' || c == '(' || c == ')'; }

void erase_word(std::string& key, std::string_view word) {
  for (auto at = key.find(word); at != std::string::npos; at = key.find(word)) key.erase(at, word.size());
}

void erase_slice(std::string& key) {
  if (const auto slice = slice_of(key)) key.erase(key.size() - slice->size() - mark_of_slice.size());
}

/// The digits of a count that `text` begins or ends with: one to three.
std::size_t count_digits(std::string_view text, bool at_end) {
  constexpr std::size_t most = 3;
  std::size_t digits = 0;
  while (digits < text.size() && is_digit(at_end ? text[text.size() - 1 - digits] : text[digits])) ++digits;
  return digits > most ? 0 : digits;
}

bool is_zero(std::string_view digits) { return digits.find_first_not_of('0') == std::string_view::npos; }

bool is_times(char c) { return c == 'x' || c == 'X' || c == '*'; }

}  // namespace

std::string_view without_count(std::string_view text) {
  if (const auto digits = count_digits(text, false); digits > 0 && !is_zero(text.substr(0, digits))) {
    // `4xA100`, `4 x A100`, and with the sign of multiplication
    const auto rest = without_spaces_around(text.substr(digits));
    if (constexpr std::string_view times = "\u00d7"; rest.starts_with(times))
      return without_spaces_around(rest.substr(times.size()));
    if (rest.size() > 1 && is_times(rest.front()) && (rest.data() == text.data() + digits || rest[1] == ' '))
      return without_spaces_around(rest.substr(1));
  }
  const auto digits = count_digits(text, true);
  if (digits == 0 || digits + 2 > text.size() || is_zero(text.substr(text.size() - digits))) return text;
  const auto rest = text.substr(0, text.size() - digits - 1);
  const char before = text[rest.size()];
  // A PCI id has four digits after its colon; an `x` that no space precedes may be part of the name.
  if (before == ':' || (is_times(before) && rest.ends_with(' '))) return without_spaces_around(rest);
  return text;
}

std::string_view without_loose_count(std::string_view text) {
  constexpr std::size_t most_digits = 2;  // 535 is a driver
  const auto is_count = [](std::string_view digits) { return digits.size() <= most_digits && !is_zero(digits); };
  if (const auto digits = count_digits(text, false);
      digits > 0 && digits < text.size() && text[digits] == ' ' && is_count(text.substr(0, digits)))
    return without_spaces_around(text.substr(digits));
  const auto digits = count_digits(text, true);
  if (digits == 0 || digits + 2 > text.size() || !is_count(text.substr(text.size() - digits))) return text;
  const auto rest = text.substr(0, text.size() - digits);
  // The A100X is a board of its own.
  return rest.back() == 'x' || rest.back() == '*' ? rest.substr(0, rest.size() - 1) : text;
}

std::optional<std::string> slice_of(std::string_view name) {
  auto text = lower(name);
  std::erase_if(text, is_separator);
  const auto at = text.rfind(mark_of_slice);
  if (at == std::string::npos || at == 0) return std::nullopt;
  auto slice = text.substr(at + mark_of_slice.size());
  const bool named = slice.empty() || (is_digit(slice.front()) && slice.find("g.") != std::string::npos);
  return named ? std::optional(std::move(slice)) : std::nullopt;
}

std::optional<Vgpu> vgpu_of(std::string_view name) {
  constexpr std::string_view grid = "grid ";
  constexpr std::string_view with_cuda = "QqCc";
  constexpr std::string_view without_cuda = "AaBb";
  const auto is_of = [&](std::string_view series) { return !name.empty() && series.find(name.back()) != std::string_view::npos; };
  // The B series may end in how many displays it has: `T4-1B4`.
  if (name.size() > 1 && is_digit(name.back()) && lower(name.substr(name.size() - 2, 1)) == "b") name.remove_suffix(1);
  Vgpu vgpu{{}, 0, is_of(with_cuda)};
  if (!vgpu.has_cuda && !is_of(without_cuda)) return std::nullopt;
  name.remove_suffix(1);
  const auto digits = count_digits(name, true);
  for (const char digit : name.substr(name.size() - digits)) vgpu.gigabytes = vgpu.gigabytes * 10 + (digit - '0');
  name.remove_suffix(digits);
  if (digits == 0 || !name.ends_with('-')) return std::nullopt;
  name.remove_suffix(1);
  // How many slices of a MIG board: one digit, where a board's own name (V100-16) has two.
  if (count_digits(name, true) == 1 && name.size() > 2 && name[name.size() - 2] == '-') name.remove_suffix(2);
  if (lower(name.substr(0, grid.size())) == grid) name.remove_prefix(grid.size());
  if (name.empty()) return std::nullopt;
  vgpu.board = name;
  return vgpu;
}

std::string light_key(std::string_view name) {
  std::string key;
  key.reserve(name.size());
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_separator(c)) continue;
    key += static_cast<char>(std::tolower(byte));
  }
  erase_slice(key);
  erase_word(key, "nvidia");
  erase_word(key, "gpu");
  for (const std::string_view mobile : {"mobile", "maxq"}) {
    if (!key.ends_with(mobile)) continue;
    key.erase(key.size() - mobile.size());
    if (!key.ends_with("laptop")) key += "laptop";
  }
  return key;
}

std::string full_key(std::string_view name) {
  auto key = light_key(name);
  for (const std::string_view word : {"geforce", "tesla", "quadro"}) erase_word(key, word);
  return key;
}

std::string pci_key(std::string_view name) {
  constexpr std::string_view vendor = "10de:";
  constexpr std::size_t device_digits = 4;
  auto key = light_key(name);
  erase_word(key, "0x");
  if (key.starts_with(vendor)) key.erase(0, vendor.size());
  const bool is_hex = std::all_of(key.begin(), key.end(), [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
  return is_hex && key.size() == device_digits ? std::string(vendor) + key : std::string();
}

NameAndMemory split_memory(std::string_view name) {
  constexpr int longest_size = 4;
  auto rest = name;
  const auto drop_spaces = [&] {
    while (!rest.empty() && (rest.back() == ' ' || rest.back() == ')')) rest.remove_suffix(1);
  };
  drop_spaces();
  const auto drop = [&](char upper) {
    if (rest.empty() || std::toupper(static_cast<unsigned char>(rest.back())) != upper) return false;
    rest.remove_suffix(1);
    return true;
  };
  drop('B');
  if (!rest.empty() && (rest.back() == 'i' || rest.back() == 'I')) rest.remove_suffix(1);
  if (!drop('G')) return {name, 0};
  drop_spaces();
  int gigabytes = 0;
  int scale = 1;
  int digits = 0;
  while (!rest.empty() && is_digit(rest.back()) && digits < longest_size) {
    gigabytes += scale * (rest.back() - '0');
    scale *= 10;
    ++digits;
    rest.remove_suffix(1);
  }
  // The size must stand apart from the name, or `RTX309024GB` would lose digits of its own.
  if (digits == 0 || rest.empty() || (rest.back() != ' ' && rest.back() != '(' && rest.back() != '-' && rest.back() != '_'))
    return {name, 0};
  while (!rest.empty() && (rest.back() == ' ' || rest.back() == '(' || rest.back() == '-' || rest.back() == '_'))
    rest.remove_suffix(1);
  return {rest, gigabytes};
}

}  // namespace envgen::matrix
