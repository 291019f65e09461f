#pragma once

#include <string>

#include "inspect/metadata.hpp"
#include "inspect/zip.hpp"

namespace envgen::inspect {

/// A wheel as its directory and its METADATA tell it. Where the source is behind a network this takes one read of 64 KiB for most
/// wheels, and two more for those with thousands of files: the rest of the directory, and METADATA.
struct WheelIndex {
  Zip archive;         ///< its members: the wheel's files with their sizes
  std::string folder;  ///< `torch-2.9.1.dist-info`
  Metadata metadata;
};

/// `source` must outlive it; `origin` (a path, a URL) names it in errors.
/// Errors (bad_input): those of Zip::open and of parse_metadata; no METADATA in it, or several.
Expected<WheelIndex> read_wheel_index(util::ByteSource& source, const std::string& origin);

}  // namespace envgen::inspect
