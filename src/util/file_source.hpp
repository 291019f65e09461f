#pragma once

#include <filesystem>
#include <memory>

#include "util/byte_source.hpp"

namespace envgen::util {

/// A file as bytes that are read where they lie.
/// Errors (bad_input): it cannot be opened, or is no regular file.
Expected<std::unique_ptr<ByteSource>> open_file(const std::filesystem::path& path);

}  // namespace envgen::util
