#include "project/request_line.hpp"

#include <fmt/format.h>

#include "project/request_json.hpp"
#include "util/json_text.hpp"

namespace envgen::project {

Expected<Request> parse_request_line(const std::string& text, const std::string& where, std::string& id) {
  constexpr int deepest_nesting = 8;
  auto json = util::parse_json(text, where, {.deepest = deepest_nesting, .what = "line"});
  if (!json) {
    auto error = json.error();
    error.code = ErrorCode::usage;
    return tl::unexpected(std::move(error));
  }
  if (!json->is_object()) return fail(ErrorCode::usage, "not a request: an object is needed", where);
  if (const auto given = json->find("id"); given != json->end()) {
    if (!given->is_string() && !given->is_number_integer() && !given->is_null())
      return fail(ErrorCode::usage, "an id is a text or a whole number of at most 64 bits", where + "#/id");
    id = fmt::format("\"id\":{},", given->dump());
    json->erase(given);
  }
  util::Problems problems;
  auto written = read_request(*json, where + "#", problems);
  if (!problems.empty()) {
    auto problem = problems.front();
    problem.code = ErrorCode::usage;
    return tl::unexpected(std::move(problem));
  }
  if (!written.preset.empty())
    return fail(ErrorCode::usage, "a preset is for the command line: a line of a batch holds the values themselves",
                where + "#/preset");
  for (const auto& value : written.request.values) {
    if (asks_the_machine(value))
      return fail(ErrorCode::usage, "auto asks this machine: a line of a batch names the value", value.where);
  }
  return std::move(written.request);
}

}  // namespace envgen::project
