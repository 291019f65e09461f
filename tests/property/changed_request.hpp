#pragma once

#include <optional>
#include <vector>

#include "resolver/resolver.hpp"

namespace envgen::property {

/// The request that a nearest environment proposes; none where a change names a value that was not asked for.
std::optional<Request> changed_request(Request request, const std::vector<resolver::Change>& changes);

}  // namespace envgen::property
