#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "matrix/documents.hpp"
#include "matrix/matrix.hpp"
#include "model/error.hpp"

namespace envgen::matrix {

/// A packed matrix together with the memory it lives in.
class Block {
 public:
  /// A copy of these.
  explicit Block(std::span<const std::byte> bytes);
  /// What stands from `offset`, a multiple of 16, on in a file that was mapped (mmap), which is unmapped with this object.
  Block(std::span<const std::byte> mapped, std::size_t offset);
  std::span<const std::byte> bytes() const { return bytes_; }
  Matrix matrix() const { return Matrix(*reinterpret_cast<const Root*>(bytes_.data())); }

 private:
  struct Free {
    std::size_t mapped;  ///< bytes; 0: it was allocated
    void operator()(const std::byte* memory) const;
  };
  std::unique_ptr<const std::byte, Free> memory_;
  std::span<const std::byte> bytes_;
};

/// What loading found: the block when there is no problem, else every problem with file and JSON pointer.
struct Loaded {
  std::unique_ptr<Block> block;
  std::vector<Error> problems;
};

/// Reads the matrix files of the folders, later ones over earlier ones, and packs them.
/// The build runs this for the embedded matrix; `--matrix` runs it when envgen starts.
Loaded load(const std::vector<std::filesystem::path>& layers, LayerKind kind = LayerKind::folder);

/// Packs what was read.
Loaded load(const Documents& documents);

/// The block, or the first problem, with the number of the others.
Expected<std::unique_ptr<Block>> block_of(Loaded loaded);

}  // namespace envgen::matrix
