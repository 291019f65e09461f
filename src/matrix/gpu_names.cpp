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

/// A board and its slice, which begins at `slice`; `board_size` is that of the name before it, without the word MIG.
struct SlicePlace {
  std::size_t board_size = 0;
  std::size_t slice = 0;
};

bool names_something(std::string_view text) { return !std::all_of(text.begin(), text.end(), is_separator); }

/// By the word MIG, as CUDA writes it, or by the profile alone: `A100 1g.5gb`, `B200:1g.23gb`. `text` is in small letters.
std::optional<SlicePlace> find_slice(std::string_view text) {
  if (const auto mark = text.rfind(mark_of_slice); mark != std::string_view::npos && names_something(text.substr(0, mark))) {
    const auto* const begin = std::find_if_not(text.begin() + mark + mark_of_slice.size(), text.end(), is_separator);
    const auto slice = static_cast<std::size_t>(begin - text.begin());
    const bool named = slice == text.size() || (is_digit(*begin) && text.find("g.", slice) != std::string_view::npos);
    return named ? std::optional(SlicePlace{mark, slice}) : std::nullopt;
  }
  for (std::size_t at = 1; at < text.size(); ++at) {
    if ((!is_separator(text[at - 1]) && text[at - 1] != ':') || !mig_profile(text.substr(at))) continue;
    const auto board = text.substr(0, at - 1);
    return names_something(board) && !board.ends_with(mark_of_slice) ? std::optional(SlicePlace{at - 1, at}) : std::nullopt;
  }
  return std::nullopt;
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

std::optional<MigProfile> mig_profile(std::string_view text) {
  const auto number = [&](std::string_view unit) -> std::optional<int> {
    constexpr std::size_t most_digits = 4;
    std::size_t digits = 0;
    int value = 0;
    for (; digits < text.size() && digits <= most_digits && is_digit(text[digits]); ++digits)
      value = value * 10 + (text[digits] - '0');
    if (digits == 0 || digits > most_digits || !text.substr(digits).starts_with(unit)) return std::nullopt;
    text.remove_prefix(digits + unit.size());
    return value;
  };
  number("c.");
  const auto slices = number("g.");
  const auto gigabytes = number("gb");
  const bool ends = text.empty() || text.front() == '+' || text.front() == '-';
  return slices && gigabytes && ends ? std::optional(MigProfile{*slices, *gigabytes}) : std::nullopt;
}

std::string MigProfile::name() const { return std::to_string(slices) + "g." + std::to_string(gigabytes) + "gb"; }

std::optional<std::string> slice_of(std::string_view name) {
  const auto text = lower(name);
  const auto place = find_slice(text);
  if (!place) return std::nullopt;
  auto slice = text.substr(place->slice);
  std::erase_if(slice, [](char c) { return is_separator(c) && c != '-'; });  // 1g.24gb-me is another one than 1g.24gb
  return slice;
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
  if (const auto place = find_slice(lower(name))) name = name.substr(0, place->board_size);
  std::string key;
  key.reserve(name.size());
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_separator(c)) continue;
    key += static_cast<char>(std::tolower(byte));
  }
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
