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

}  // namespace envgen::project
