#pragma once

#include "api/answer.hpp"
#include "model/say.hpp"
#include "project/lock.hpp"
#include "project/project_file.hpp"

namespace envgen::api {

/// The answer that a lock holds: the same values give the same, in whatever order they were written. Errors: those of `answer`.
Expected<Answer> answer_to_lock(const matrix::Matrix& matrix, Request request);

/// Its lock. `answer` has an environment.
project::Lock lock_of(const matrix::Matrix& matrix, Answer answer);

/// That a lock answers what the project asks for: the same values, in whatever order. What `auto` stands for is not asked again:
/// the lock holds what was found when it was written. `path`: where the lock lies, for the error.
/// Errors: (differs) it answers another request; (usage) the project's preset does not exist.
Expected<void> check_current(const project::Lock& lock, const std::string& path, const project::WrittenProject& project,
                             const matrix::Matrix& matrix, const Say& say);

}  // namespace envgen::api
