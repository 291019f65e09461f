#include "element.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "generator.hpp"

namespace envgen::bench {
namespace {

constexpr unsigned table_seed = 256;

int bias_of(ElementFormat format) { return (1 << (format.exponent_bits - 1)) - 1; }

bool has_infinity(ElementFormat format) { return format.exponent_bits != format_e4m3.exponent_bits; }

}  // namespace

std::uint32_t encoded(double value, ElementFormat format) {
  const auto sign = std::signbit(value) ? 1U << (format.exponent_bits + format.mantissa_bits) : 0U;
  const double size = std::fabs(value);
  if (size == 0) return sign;
  // Below the smallest normal number the exponent stays, and the mantissa loses its leading one.
  const int exponent = std::max(std::ilogb(size), 1 - bias_of(format));
  const double steps = std::nearbyint(std::ldexp(size, format.mantissa_bits - exponent));
  // A carry out of the mantissa raises the exponent by itself, because the fields lie side by side.
  const auto one = 1U << format.mantissa_bits;
  const auto fraction = static_cast<std::uint32_t>(steps);
  const auto field = static_cast<std::uint32_t>(exponent + bias_of(format));
  return sign | (fraction < one ? fraction : field * one + (fraction - one));
}

double decoded(std::uint32_t bits, ElementFormat format) {
  const auto one = 1U << format.mantissa_bits;
  const auto field = (bits >> format.mantissa_bits) & ((1U << format.exponent_bits) - 1);
  const auto fraction = bits & (one - 1);
  const double sign = ((bits >> (format.exponent_bits + format.mantissa_bits)) & 1U) != 0 ? -1 : 1;
  const bool top = field == (1U << format.exponent_bits) - 1;
  if (top && has_infinity(format)) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  }
  if (top && fraction == one - 1) return std::numeric_limits<double>::quiet_NaN();
  const int exponent = std::max(static_cast<int>(field), 1) - bias_of(format) - format.mantissa_bits;
  return sign * std::ldexp(static_cast<double>(field == 0 ? fraction : fraction + one), exponent);
}

std::vector<unsigned char> ElementTable::packed() const {
  std::vector<unsigned char> bytes;
  for (const auto element : bits) {
    for (std::size_t i = 0; i < format.bytes; ++i) bytes.push_back(static_cast<unsigned char>(element >> (8 * i)));
  }
  return bytes;
}

ElementTable element_table(ElementFormat format) {
  ElementTable table{format, {}, {}};
  for (std::size_t i = 0; i < table.bits.size(); ++i) {
    // One in each of 256 parts of the interval, at a random place in its part, so that all bits of the mantissa are used.
    const double place = generated_word(table_seed, i) / 4294967296.0;
    table.bits[i] = encoded((static_cast<double>(i) + place) / 128 - 1, format);
    table.values[i] = decoded(table.bits[i], format);
  }
  return table;
}

double element_value(const ElementTable& table, unsigned seed, unsigned long long index) {
  return table.values[generated_word(seed, index) & 255U];
}

}  // namespace envgen::bench
