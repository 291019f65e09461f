#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace envgen::util {

/// SHA-256 (FIPS 180-4) by libmd. Each `add` is followed by a separator, so that ("ab","c") and ("a","bc") differ.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void add(std::string_view text);
  /// 64 lower-case hexadecimal digits. Ends the computation.
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Of a file's bytes, as sha256sum prints it.
std::string sha256_of(std::string_view bytes);

}  // namespace envgen::util
