#pragma once

#include <string>
#include <vector>

#include "json.hpp"

namespace envgen::bench {

/// One place where a library was looked for, and what the dynamic linker said; an empty error means that it was found there.
struct Tried {
  std::string path;
  std::string error;
};

/// A library of the image, opened for good: the process that opened it is a child that ends soon, and CUDA libraries do not like
/// to be closed.
struct LoadedLibrary {
  std::string name;  ///< `libcuda`, `libcublas` ...
  void* handle = nullptr;
  std::string path;        ///< where it really is, symbolic links followed
  bool is_double = false;  ///< a test double of ours, which says so by exporting `envgen_double`
  std::vector<Tried> tried;

  explicit operator bool() const { return handle != nullptr; }
  /// The first error that is not "no such file": what is there and cannot be opened says more than what is not there.
  std::string why_not() const;
};

/// Opens the first of `candidates` (names for the dynamic linker, or paths) that can be opened, or says of each why not.
LoadedLibrary open_library(std::string name, const std::vector<std::string>& candidates);

/// `{"name", "path", "double", "tried"}`, without a version: asking for that is each library's own matter.
Json to_json(const LoadedLibrary& library);

}  // namespace envgen::bench
