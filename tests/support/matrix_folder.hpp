#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "matrix/loader.hpp"

namespace envgen::test {

/// A folder of matrix files for one test; removed with the object. It lies in memory (/dev/shm) where there is such a place.
class MatrixFolder {
 public:
  MatrixFolder();
  ~MatrixFolder();
  MatrixFolder(const MatrixFolder&) = delete;
  MatrixFolder& operator=(const MatrixFolder&) = delete;

  /// Writes (or replaces) one file: `write("torch.json", "{...}")`.
  void write(std::string_view file, std::string_view text) const;
  const std::filesystem::path& path() const { return path_; }
  /// Loads what was written. Problems are for the caller to look at.
  matrix::Loaded load() const;

 private:
  std::filesystem::path path_;
};

}  // namespace envgen::test
