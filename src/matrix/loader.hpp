#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "matrix/matrix.hpp"
#include "model/error.hpp"

namespace envgen::matrix {

/// A packed matrix together with the memory it lives in.
class Block {
 public:
  explicit Block(std::span<const std::byte> bytes);
  std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }
  Matrix matrix() const { return Matrix(*reinterpret_cast<const Root*>(memory_.get())); }

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t size_;
};

/// What loading found: the block when there is no problem, else every problem with file and JSON pointer.
struct Loaded {
  std::unique_ptr<Block> block;
  std::vector<Error> problems;
};

/// Reads the matrix files of the folders, later ones over earlier ones, and packs them.
/// The build runs this for the embedded matrix; `--matrix` runs it when envgen starts.
Loaded load(const std::vector<std::filesystem::path>& layers);

}  // namespace envgen::matrix
