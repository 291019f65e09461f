#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "model/error.hpp"

namespace envgen::validate {

/// envgen-bench as `named` (--bench) or $ENVGEN_BENCH names it; none: neither does. Errors as below.
Expected<std::optional<std::filesystem::path>> named_bench(const std::string& named);

/// envgen-bench for a processor as images call it (`amd64`, `arm64`; empty: of this machine): the named one, else
/// what was installed or built beside this program. Errors (missing): it is not there, or cannot be executed
/// by every user.
Expected<std::filesystem::path> find_bench(const std::string& named, const std::string& architecture);

}  // namespace envgen::validate
