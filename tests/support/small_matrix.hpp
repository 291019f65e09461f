#pragma once

#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "support/matrix_folder.hpp"

namespace envgen::test {

/// A matrix without fault that has a row or two of each table: torch 2.3.1 for CUDA 12.1, an A100 and an A10. Each test changes
/// what it is about.
struct SmallMatrix {
  using Json = nlohmann::ordered_json;

  SmallMatrix();

  Json& row(const char* file, const char* list, std::size_t index = 0) { return files[file][list][index]; }
  /// `torch.json#/builds/0/tag="cu118"`; the last step `-` adds to a list, and without `=` the member is left out.
  void change(std::string_view line);
  void write() const;
  matrix::Loaded load() const;

  std::map<std::string, Json> files;
  MatrixFolder folder;
};

}  // namespace envgen::test
