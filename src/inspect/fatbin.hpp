#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inspect/bytes.hpp"
#include "inspect/targets.hpp"

namespace envgen::inspect {

/// A fat binary in a library: code for several GPUs, of which the driver takes one.
struct Fatbin {
  std::uint64_t offset = 0;  ///< in the file
  Targets targets;
};

/// Finds the fat binaries in a file that passes by, piece by piece: by the mark of their header, wherever they lie; the code in
/// them is passed over. NVIDIA publishes no layout; this one was compared with what cuobjdump lists (scripts/checks/inspect.sh).
class FatbinFinder {
 public:
  /// `size`: of the whole file.
  explicit FatbinFinder(std::uint64_t size) : size_(size) {}

  /// False: the file lies about them (`problem`), and the rest is not wanted.
  bool feed(Bytes bytes);
  /// What is wrong, without the file's name; none: nothing until now, and at the end of the file nothing.
  std::optional<std::string> problem() const { return problem_; }
  const std::vector<Fatbin>& found() const { return found_; }

 private:
  enum class State : std::uint8_t { search, header, entry };

  std::size_t search(Bytes bytes);
  std::size_t fill_word(Bytes bytes);
  void take_word(std::uint64_t word);
  void take_header();
  void take_entry();
  void end_or_next_entry();
  void refuse(std::string problem);

  std::uint64_t size_;
  std::uint64_t offset_ = 0;  ///< of the next byte
  std::uint64_t skip_ = 0;    ///< bytes that are passed over
  State state_ = State::search;
  std::uint64_t before_ = 0;          ///< the word before the one that is looked at
  bool is_operand_ = false;           ///< the mark may be an instruction's operand: what does not fit behind it is no fat binary
  std::array<std::byte, 64> held_{};  ///< the beginning of what is read now
  std::size_t held_size_ = 0;
  std::uint64_t end_ = 0;  ///< of the fat binary
  Fatbin now_;
  std::vector<Fatbin> found_;
  std::optional<std::string> problem_;
};

}  // namespace envgen::inspect
