#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inspect/bytes.hpp"
#include "inspect/fatbin.hpp"
#include "inspect/kept_bytes.hpp"
#include "inspect/targets.hpp"
#include "model/error.hpp"
#include "model/version.hpp"

namespace envgen::inspect {

/// What a library for Linux says of itself.
struct Library {
  std::string path;
  Targets targets;  ///< of the code that the CUDA runtime registers: what cuobjdump lists
  /// Those of them that most of its fat binaries have: what the library is built for. Single kernels are compiled for more GPUs,
  /// or for other ones: of the 397 of torch 2.9.1's libtorch_cuda, one has code for 8.9.
  Targets built_for;
  std::size_t fatbins = 0;  ///< how many the CUDA runtime registers
  Targets embedded;         ///< of what lies elsewhere in it, as data: code that it links or loads itself
  /// DT_NEEDED; none: the table lies in a part of a large file that is not kept.
  std::optional<std::vector<std::string>> needed;
  /// The highest GLIBC_x.y that its symbols need (.gnu.version_r); 0.0: it needs no glibc. None: likewise.
  std::optional<Version> glibc;
  /// What torch.cuda.get_arch_list() returns, if it is libtorch_python.
  std::optional<Targets> arch_list;
};

/// Reads a library that passes by once, piece by piece, in bounded memory.
class LibraryReader {
 public:
  /// `size`: of the whole file. `origin`: what its path is in, for errors.
  LibraryReader(std::string path, std::uint64_t size, std::string origin);

  /// False: it is damaged, and `finish` says how; the rest is not wanted.
  bool feed(Bytes bytes);
  /// After all of it. Errors (bad_input): no ELF file of 64 bits with the least significant byte first; cut off; tables or fat
  /// binaries that lie outside of it.
  Expected<Library> finish();

  /// Whether a file begins as ELF files do. A `.so` can be a linker script, too.
  static bool is_elf(Bytes beginning);

 private:
  bool read_header();
  bool fails(std::string problem);
  tl::unexpected<Error> problem() const;

  std::string path_;
  std::uint64_t size_;
  std::string origin_;
  KeptBytes kept_;
  FatbinFinder fatbins_;
  bool header_read_ = false;
  std::optional<std::string> problem_;
};

}  // namespace envgen::inspect
