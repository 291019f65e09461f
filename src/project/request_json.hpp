#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/request.hpp"
#include "util/json_cell.hpp"

namespace envgen::project {

/// A request as a file, or the flags, hold it: its values say where they stand (`envgen.json#/request/torch`, `--torch`).
struct WrittenRequest {
  Request request;
  std::string preset;  ///< empty: none
};

/// Reads a `request` object. Only shapes are checked here; what the values mean is for resolver::interpret.
/// `where` is its place: `envgen.json#/request`. Problems: an unknown member (with the nearest name), a wrong type.
WrittenRequest read_request(const util::JsonCell::Json& object, const std::string& where, util::Problems& problems);

/// Reports the first member of an object that is not one of `names`, with the nearest of them.
void refuse_unknown_members(const util::JsonCell::Json& object, const std::string& where, std::span<const std::string_view> names,
                            util::Problems& problems);

/// A line of a stream of requests: a request object, perhaps with an `id`, a text or a whole number, which becomes `"id":7,` as
/// soon as it is known, for an answer or an error to begin with. `where`: the place of the line.
/// Errors (usage): those of a request object; another id; a preset, or an `auto` that asks this machine.
Expected<Request> parse_request_line(const std::string& text, const std::string& where, std::string& id);

}  // namespace envgen::project
