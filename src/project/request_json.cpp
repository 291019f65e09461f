#include "project/request_json.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/options.hpp"
#include "model/spelling.hpp"
#include "util/json_text.hpp"

namespace envgen::project {
namespace {

using Json = util::JsonCell::Json;

class RequestReader {
 public:
  explicit RequestReader(util::Problems& problems) : problems_(problems) {}

  void problem(const std::string& where, std::string message, std::vector<std::string> hints = {}) {
    problems_.push_back(Error{ErrorCode::bad_input, std::move(message), where, std::move(hints)});
  }

  std::string text(const Json& value, const std::string& where, std::string_view example) {
    if (value.is_string()) return value.get<std::string>();
    problem(where, "must be a string", {fmt::format("write it in quotes, as in {}", example)});
    return {};
  }

  std::string flag(const Json& value, const std::string& where) {
    if (!value.is_boolean()) problem(where, "must be true or false");
    return value == true ? "true" : "false";
  }

  /// Calls `each` with the items of a list and their places. People write a single value as well, and are told.
  template <class Each>
  void list(const Json& value, const std::string& where, std::string_view example, Each each) {
    if (!value.is_array()) return problem(where, "must be a list", {fmt::format("write it as {}", example)});
    for (std::size_t i = 0; i < value.size(); ++i) each(value[i], fmt::format("{}/{}", where, i));
  }

  /// `{"gpus": ["V100"], "driver": "535"}` as the flag writes it: `gpu=V100,driver=535`.
  std::string host(const Json& value, const std::string& where, std::string_view example) {
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_object()) {
      problem(where, "must be a host", {fmt::format("write the list as {}", example)});
      return {};
    }
    constexpr std::array<std::string_view, 2> names{"gpus", "driver"};
    refuse_unknown_members(value, where, names, problems_);
    std::vector<std::string> parts;
    if (value.contains("gpus"))
      list(value["gpus"], where + "/gpus", "[\"V100\", \"T4\"]",
           [&](const Json& gpu, const std::string& place) { parts.push_back(part("gpu", gpu, place, "\"V100\"")); });
    if (value.contains("driver")) parts.push_back(part("driver", value["driver"], where + "/driver", "\"535.183.01\""));
    if (value.empty()) problem(where, "the host has neither gpus nor a driver");
    return fmt::format("{}", fmt::join(parts, ","));
  }

 private:
  /// A part of a host's text, where a comma would start the next part.
  std::string part(std::string_view name, const Json& value, const std::string& where, std::string_view example) {
    auto content = text(value, where, example);
    if (content.find(',') != std::string::npos)
      problem(where, fmt::format("{} contains a comma, which is not allowed in the {} of a host", in_quotes(content), name));
    return fmt::format("{}={}", name, content);
  }

  util::Problems& problems_;
};

/// Where a member belongs that stands in the wrong part of a project file.
std::vector<std::string> part_with(std::string_view member) {
  const auto named = [&](const auto& row) { return row.name == member; };
  if (std::any_of(field_rows.begin(), field_rows.end(), named)) return {R"(it belongs to "request": {...})"};
  const auto options = files::option_rows();
  if (std::any_of(options.begin(), options.end(), named)) return {R"(it belongs to "outputs": {...})"};
  return {};
}

}  // namespace

void refuse_unknown_members(const Json& object, const std::string& where, std::span<const std::string_view> names,
                            util::Problems& problems) {
  for (const auto& [name, member] : object.items()) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    auto hints = part_with(name);
    if (hints.empty()) hints = did_you_mean(name, names, 1);
    if (hints.empty() && !names.empty()) hints.push_back(fmt::format("known fields: {}", fmt::join(names, ", ")));
    problems.push_back(Error{ErrorCode::bad_input, fmt::format("unknown field {}", in_quotes(name)),
                             where + "/" + util::pointer_step(name), std::move(hints)});
    return;
  }
}

WrittenRequest read_request(const Json& object, const std::string& where, util::Problems& problems) {
  WrittenRequest result;
  RequestReader reader(problems);
  if (!object.is_object()) {
    reader.problem(where, "must be an object");
    return result;
  }
  std::array<std::string_view, field_rows.size()> names;
  std::transform(field_rows.begin(), field_rows.end(), names.begin(), [](const FieldRow& row) { return row.name; });
  refuse_unknown_members(object, where, names, problems);
  for (std::size_t i = 0; i < field_rows.size(); ++i) {
    const auto& known = field_rows.at(i);
    const auto found = object.find(std::string(known.name));
    if (found == object.end()) continue;
    const auto place = fmt::format("{}/{}", where, known.name);
    const auto add = [&](std::string text, const std::string& at) {
      result.request.values.push_back({static_cast<Field>(i), std::move(text), Origin::file, at});
    };
    switch (known.shape) {
      case Shape::text:
        add(reader.text(*found, place, known.example), place);
        break;
      case Shape::flag:
        add(reader.flag(*found, place), place);
        break;
      case Shape::boards:
        reader.list(*found, place, known.example,
                    [&](const Json& item, const std::string& at) { add(reader.text(item, at, "\"RTX 4090\""), at); });
        break;
      case Shape::hosts:
        reader.list(*found, place, known.example,
                    [&](const Json& item, const std::string& at) { add(reader.host(item, at, known.example), at); });
        break;
      case Shape::preset:
        result.preset = reader.text(*found, place, known.example);
        if (result.preset.empty() && found->is_string()) reader.problem(place, "must not be empty; omit the field instead");
        break;
    }
  }
  return result;
}

Expected<Request> parse_request_line(const std::string& text, const std::string& where, std::string& id) {
  constexpr int deepest_nesting = 8;
  auto json = util::parse_json(text, where, {.deepest = deepest_nesting, .what = "line"});
  if (!json) {
    auto error = json.error();
    error.code = ErrorCode::usage;
    return tl::unexpected(std::move(error));
  }
  if (!json->is_object()) return fail(ErrorCode::usage, "not a request: it must be an object", where);
  if (const auto given = json->find("id"); given != json->end()) {
    if (!given->is_string() && !given->is_number_integer() && !given->is_null())
      return fail(ErrorCode::usage, "an id must be a string or an integer of at most 64 bits", where + "#/id");
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
    return fail(ErrorCode::usage, "a line of a batch takes no preset: give its values, which 'envgen list presets' shows",
                where + "#/preset");
  for (auto& value : written.request.values) {
    value.origin = Origin::request;
    if (asks_the_machine(value))
      return fail(ErrorCode::usage, "auto reads this machine: a line of a batch must give the value", value.where);
  }
  return std::move(written.request);
}

}  // namespace envgen::project
