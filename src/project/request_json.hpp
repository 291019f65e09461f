#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/request.hpp"
#include "util/json_cell.hpp"

namespace envgen::project {

/// How a member of a `request` object is written.
enum class Shape { text, flag, boards, hosts, preset };

/// One member of a `request` object. Reading, the template of `envgen init` and the check of the schema go by this table.
struct RequestMember {
  std::string_view name;
  Shape shape;
  Field field;               ///< of no meaning for the preset
  std::string_view what;     ///< the explanation in the template
  std::string_view example;  ///< a value as JSON
};
std::span<const RequestMember> request_members();

/// A request as a file holds it: its values say where they stand (`envgen.json#/request/torch`).
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
