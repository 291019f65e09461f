#pragma once

#include <optional>
#include <span>
#include <vector>

#include "resolver/resolver.hpp"

namespace envgen::test {

/// The request that a nearest environment proposes; none where a change names a value that was not asked for.
std::optional<Request> changed_request(Request request, const std::vector<resolver::Change>& changes);

/// What an answer proposes instead: none where it is an environment itself.
std::span<const resolver::Nearest> nearest_of(const resolver::Resolution& answer);

}  // namespace envgen::test
