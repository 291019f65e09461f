#pragma once

#include <string>

#include "model/error.hpp"
#include "model/request.hpp"

namespace envgen::project {

/// A line of a stream of requests: a request object, perhaps with an `id`, a text or a whole number, which becomes `"id":7,` as
/// soon as it is known, for an answer or an error to begin with. `where`: the place of the line.
/// Errors (usage): those of a request object; another id; a preset, or an `auto` that asks this machine.
Expected<Request> parse_request_line(const std::string& text, const std::string& where, std::string& id);

}  // namespace envgen::project
