#pragma once

#include <optional>
#include <span>
#include <vector>

#include "resolver/resolver.hpp"

namespace envgen::resolver {

/// The request with these changes made, as a nearest environment names them; none where it holds no such value.
std::optional<Request> changed(Request request, const std::vector<Change>& changes);

/// The nearest environments that a proof, or an answer that is not known, comes with.
std::span<const Nearest> nearest_of(const Resolution& answer);

}  // namespace envgen::resolver
