#include "model/utf8.hpp"

namespace envgen {

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto tail = [&](std::size_t i) { return i < text.size() && is_utf8_tail(text[i]); };
  const auto lead = byte(0);
  if (lead < 0x80U) return 1;
  if (lead >= 0xC2U && lead <= 0xDFU) return tail(1) ? 2 : 0;
  if (lead >= 0xE0U && lead <= 0xEFU) {
    if (!tail(1) || !tail(2)) return 0;
    if ((lead == 0xE0U && byte(1) < 0xA0U) || (lead == 0xEDU && byte(1) > 0x9FU)) return 0;  // overlong, surrogate
    return 3;
  }
  if (lead >= 0xF0U && lead <= 0xF4U) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    if ((lead == 0xF0U && byte(1) < 0x90U) || (lead == 0xF4U && byte(1) > 0x8FU)) return 0;  // overlong, beyond U+10FFFF
    return 4;
  }
  return 0;
}

bool is_control(std::string_view character) {
  const auto byte = [&](std::size_t i) { return i < character.size() ? static_cast<unsigned char>(character[i]) : 0U; };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return true;
  if (byte(0) >= 0x80 && byte(0) <= 0x9F) return true;  // C1 to a terminal that reads single bytes
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) <= 0x9F) return true;
  if (byte(0) == 0xE2 && byte(1) == 0x80 && byte(2) >= 0xA8 && byte(2) <= 0xAE) return true;  // and what turns lines round
  return byte(0) == 0xE2 && byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;
}

}  // namespace envgen
