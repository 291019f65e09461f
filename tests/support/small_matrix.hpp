#pragma once

#include <string_view>

#include "support/json_files.hpp"
#include "support/matrix_folder.hpp"

namespace envgen::test {

/// A matrix without fault that has a row or two of each table: torch 2.3.1 for CUDA 12.1, an A100 and an A10. Each test changes
/// what it is about.
struct SmallMatrix {
  using Json = JsonFiles::mapped_type;

  SmallMatrix();

  Json& row(const char* file, const char* list, std::size_t index = 0) { return files[file][list][index]; }
  void change(std::string_view line) { test::change(files, line); }
  void write() const;
  matrix::Loaded load() const;

  JsonFiles files;
  MatrixFolder folder;
};

}  // namespace envgen::test
