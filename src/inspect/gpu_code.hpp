#pragma once

#include <cstdint>
#include <vector>

#include "inspect/bytes.hpp"
#include "model/capability.hpp"
#include "model/choices.hpp"
#include "model/error.hpp"

namespace envgen::inspect {

/// Code for a target: machine code (SASS), or PTX, which a driver compiles for that capability and all later ones.
struct GpuCode {
  CodeKind kind = CodeKind::sass;
  Arch arch;

  friend auto operator<=>(const GpuCode&, const GpuCode&) = default;
};

/// One region of GPU code in a file, as the linker put it there for one source file.
struct Fatbin {
  std::uint64_t offset = 0;
  std::vector<GpuCode> code;  ///< ascending, each once
};

/// Finds the fatbins of a file that passes by, once, in pieces of any size. NVIDIA documents no layout; what is read here was
/// measured: a region begins at a multiple of 8 with magic, version and the size of what follows; each entry has its kind (1 PTX,
/// 2 machine code), the sizes of its header and of its payload, the number of its target, and flags that tell the suffix of it.
/// scripts/checks/inspect.sh holds the result against NVIDIA's cuobjdump.
class FatbinScan {
 public:
  explicit FatbinScan(std::uint64_t file_size) : file_size_(file_size) {}

  /// The bytes that follow those of the call before. Errors (bad_input, without an origin): a region or an entry reaches beyond
  /// what holds it; a target that no GPU has; more regions than any library has.
  Expected<void> take(Bytes piece);
  /// Errors (bad_input): the file ended within a region.
  Expected<std::vector<Fatbin>> finish();

 private:
  /// Goes on in `bytes`, which begin at `base`, as far as they tell. What is left begins at `next_`.
  Expected<void> go_on(Bytes bytes, std::uint64_t base);
  Expected<void> take_region(Bytes header);
  Expected<std::uint64_t> take_entry(Bytes header);
  void close_region();

  std::uint64_t file_size_;
  std::uint64_t at_ = 0;          ///< how much came by
  std::uint64_t next_ = 0;        ///< where the next word or entry begins
  std::uint64_t region_end_ = 0;  ///< 0: not in a region
  std::vector<std::byte> carry_;  ///< what came by from `next_` on, where it is too little
  std::vector<Fatbin> found_;
};

}  // namespace envgen::inspect
