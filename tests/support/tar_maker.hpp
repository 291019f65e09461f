#pragma once

#include <string>

#include <fmt/format.h>

/// Tar archives, made as tests want them.
namespace envgen::test {

struct TarShape {
  char type = '0';
  std::string prefix = {};
  bool base256 = false;
  std::string target = {};  ///< of a link
};

inline std::string member(const std::string& name, const std::string& text, const TarShape& shape = {}) {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  if (shape.base256) {
    header[124] = '\x80';
    for (std::size_t i = 0; i < 8; ++i) header[135 - i] = static_cast<char>(text.size() >> (8 * i));
  } else {
    header.replace(124, 12, fmt::format("{:011o} ", text.size()));
  }
  header[156] = shape.type;
  header.replace(157, shape.target.size(), shape.target);
  header.replace(257, 8, std::string("ustar\00000", 8));
  header.replace(345, shape.prefix.size(), shape.prefix);
  header.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  header.replace(148, 8, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  return header + text + std::string((512 - text.size() % 512) % 512, '\0');
}
inline const std::string tar_end(1024, '\0');

inline std::string symlink(const std::string& name, const std::string& target) {
  return member(name, "", {'2', {}, false, target});
}
inline std::string hard_link(const std::string& name, const std::string& target) {
  return member(name, "", {'1', {}, false, target});
}

}  // namespace envgen::test
