#pragma once

#include <optional>
#include <string_view>

#include "model/error.hpp"
#include "model/request.hpp"
#include "model/version.hpp"

namespace envgen::resolver {

/// What people ask for that envgen has no facts of: other systems than Linux, GPUs of other makers, builds that are no releases.
/// The error (usage) says what envgen covers, where to look instead, and what it can answer anyway. None: the text names no such
/// thing.
std::optional<Error> not_covered(Field field, std::string_view text);

/// The same for a version of it that reads like any other: torch 1.8.2 and its companions, the only release with long-term
/// support, are on an index of their own. https://github.com/pytorch/pytorch/issues/143953
std::optional<Error> not_covered(Field field, Version version);

}  // namespace envgen::resolver
