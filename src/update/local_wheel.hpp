#pragma once

#include <filesystem>
#include <string>

#include "inspect/inspected.hpp"
#include "update/update.hpp"

namespace envgen::update {

/// The row of a wheel of torch that lies on this machine, as one source. Errors (bad_input): it is no such wheel.
Expected<Reading> read_local_wheel(const std::filesystem::path& wheel);

/// The row of the torch that is installed in an image, as one source. Errors (bad_input): there is none, or it does not say for
/// which platform it was built.
Expected<Reading> read_installed_torch(const inspect::Inspected& image);

/// Adds what a wheel says of its build. Errors (bad_input): those of read_local_wheel; it is a wheel of another release; the
/// facts contradict it or would not be sound with it.
Expected<Result> add_wheel(Draft& draft, const std::filesystem::path& wheel, const std::string& version,
                           const std::string& today);

/// Adds a release of torch as the package index has it. Errors: those of the source; (bad_input) it has no such release.
Expected<Result> add_release(Draft& draft, const std::string& version, const Run& run);

/// Holds what a wheel says against the facts.
Expected<Result> verify_wheel(const matrix::Documents& facts, const std::filesystem::path& wheel, const std::string& today);
/// Holds the torch of an image against the facts. Errors: those of read_installed_torch.
Expected<Result> verify_image(const matrix::Documents& facts, const inspect::Inspected& image, const std::string& today);

}  // namespace envgen::update
