#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "model/error.hpp"

namespace envgen::util {

/// The bytes of a file. Errors (bad_input): it cannot be opened or read, or is larger than `largest` bytes.
Expected<std::string> read_file(const std::filesystem::path& path, std::size_t largest);

/// 0666 or 0777 less the umask, for a file that is new; one that is replaced keeps its own mode, and gains the permission to run
/// for whoever may read it. What is `for_its_owner` is nobody else's to read or write, whatever stood there.
enum class FileMode { plain, executable, for_its_owner };

/// Writes to a temporary beside the target and renames it, so that a reader (or a full disk) never sees half a file, and removes
/// the temporaries of runs that were killed. An interrupt waits until the file is whole.
/// Errors (bad_input): the folder cannot be written, the disk is full, or the target is no regular file (a device, a folder);
/// what was there stays whole. (interrupted): a signal came; the file was written.
Expected<void> write_file(const std::filesystem::path& path, std::string_view bytes, FileMode mode = FileMode::plain);

/// A file that is to be written, or replaced.
struct NewFile {
  std::filesystem::path path;
  std::string bytes;
};

/// Writes several so, all or none: each is whole beside its place before the first one is renamed, and an interrupt waits.
/// Errors: those of `write_file`.
Expected<void> write_files(std::span<const NewFile> files);

/// Whether `write_file` would do so now, before work that takes long. Nothing is written. Errors: those of `write_file`, of which
/// a full disk alone does not show.
Expected<void> check_writable(const std::filesystem::path& path);

}  // namespace envgen::util
