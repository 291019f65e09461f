#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "matrix/loader.hpp"

namespace envgen::matrix {

/// A packed block that an earlier run left in a file, and what it was made of.
class BlockCache {
 public:
  /// `made_of`: 64 characters that differ where the block would.
  BlockCache(std::filesystem::path file, std::string made_of) : file_(std::move(file)), made_of_(std::move(made_of)) {}

  /// None: there is no such file, it is made of something else, it is damaged, or somebody else may have written it.
  std::unique_ptr<Block> read() const;
  /// Leaves the block for later runs, to this user alone. Where that cannot be done they pack it again, so nobody is told.
  /// Errors: (interrupted) a signal came meanwhile.
  Expected<void> write(const Block& block) const;

 private:
  std::filesystem::path file_;
  std::string made_of_;
};

}  // namespace envgen::matrix
