#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/elf.hpp"
#include "inspect/gpu_code.hpp"
#include "util/byte_source.hpp"

namespace envgen::inspect {

/// For how many of a library's fatbins there is code of one kind and target.
struct Compiled {
  GpuCode code;
  std::uint64_t fatbins = 0;

  friend bool operator==(const Compiled&, const Compiled&) = default;
};

/// One shared library.
struct Library {
  std::string name;  ///< its path in the wheel or the image
  std::string machine;
  std::optional<Linkage> linkage;  ///< none: it passed by once, and its tables lie in its middle
  std::uint64_t fatbins = 0;       ///< those that a program can load: relocatable ones count where there are no others
  std::vector<Compiled> compiled;  ///< ascending
  std::vector<Arch> listed_sass;   ///< what torch.cuda.get_arch_list() answers, where it is the library that says so
  std::vector<Arch> listed_ptx;

  /// The targets that most of its fatbins have: those it was built for. What a few kernels have beyond them is theirs alone.
  std::vector<Arch> built_for(CodeKind kind) const;
};

/// What torch's own list of its targets is in a binary: `sm_80 sm_90 compute_90`, one text of at least one word.
class ArchListScan {
 public:
  void take(std::string_view piece);
  /// The longest that was there; empty: none.
  const std::string& text() const { return longest_; }

 private:
  void end_of_text();
  std::string run_;  ///< what may be a part of one, until the byte that ends it
  std::string longest_;
};

/// A library that passes by.
class LibraryReader {
 public:
  LibraryReader(std::string name, std::uint64_t size);

  /// False: it cannot be read, and `finish` says why.
  bool take(Bytes piece);
  /// A part of it that did not stay, and is needed: for `give`.
  std::optional<Range> lacks();
  void give(Range range, std::vector<std::byte> bytes) { elf_.give(range, std::move(bytes)); }
  /// `origin`: of the whole. Errors (bad_input): no 64-bit little-endian ELF file; it, or the GPU code in it, is damaged.
  Expected<Library> finish(const std::string& origin);

 private:
  Error named(const Error& error, const std::string& origin) const;

  std::string name_;
  ElfReader elf_;
  FatbinScan fatbins_;
  ArchListScan list_;
  bool has_list_;
  std::optional<Error> error_;
};

/// A library where it lies. Errors (bad_input): those of LibraryReader; what the source says.
Expected<Library> read_library(util::ByteSource& source, const std::string& name, const std::string& origin);

/// True of the name of a shared library: `libtorch.so`, `libcudart-1234.so.12.1`, `_C.cpython-312-x86_64-linux-gnu.so`.
bool is_library_name(std::string_view path);

/// True of what NVIDIA's toolkit, driver or deep-learning libraries bring: `libcudnn.so.9`.
bool is_cuda_library(std::string_view name);

}  // namespace envgen::inspect
