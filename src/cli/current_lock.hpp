#pragma once

#include <filesystem>

#include "matrix/matrix.hpp"
#include "project/lock.hpp"
#include "project/project_file.hpp"

namespace envgen::cli {

/// The lock of a project, which must answer what the project asks for: the same values, in whatever order. What `auto` stands
/// for is not asked again: the lock holds what was found when it was written.
/// Errors: those of read_lock; (differs) the lock answers another request; (usage) the project's preset does not exist.
Expected<project::Lock> current_lock(const project::WrittenProject& project, const std::filesystem::path& path,
                                     const matrix::Matrix& matrix);

}  // namespace envgen::cli
