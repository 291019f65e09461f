#include "row.hpp"

#include <array>
#include <stdexcept>
#include <utility>

namespace envgen::bench {
namespace {

constexpr std::array<std::pair<Status, const char*>, 5> statuses{{{Status::pass, "pass"},
                                                                  {Status::warn, "warn"},
                                                                  {Status::fail, "fail"},
                                                                  {Status::skip, "skip"},
                                                                  {Status::unknown, "unknown"}}};
constexpr std::array<std::pair<Kind, const char*>, 3> kinds{
    {{Kind::functional, "functional"}, {Kind::performance, "performance"}, {Kind::information, "information"}}};

template <class Value, class Table>
Value value_of(const Table& table, const std::string& name) {
  for (const auto& [value, text] : table) {
    if (name == text) return value;
  }
  throw std::invalid_argument("'" + name + "' is not allowed in a row");
}

template <class Value, class Table>
const char* text_of(const Table& table, Value value) {
  for (const auto& [known, text] : table) {
    if (known == value) return text;
  }
  return "unknown";
}

Json failure_json(const Failure& failure) {
  return {{"id", failure.id.empty() ? Json() : Json(failure.id)},
          {"message", failure.message},
          {"code", failure.code ? Json(*failure.code) : Json()},
          {"name", failure.name.empty() ? Json() : Json(failure.name)},
          {"call", failure.call.empty() ? Json() : Json(failure.call)}};
}

std::string text_or_empty(const Json& json) { return json.is_string() ? json.get<std::string>() : std::string(); }

}  // namespace

const char* name_of(Status status) { return text_of(statuses, status); }
const char* name_of(Kind kind) { return text_of(kinds, kind); }

Json to_json(const Row& row) {
  return {{"id", row.id},
          {"device", row.device ? Json(*row.device) : Json()},
          {"status", name_of(row.status)},
          {"kind", name_of(row.kind)},
          {"seconds", row.seconds},
          {"message", row.message},
          {"evidence", row.evidence},
          {"failure", row.failure ? failure_json(*row.failure) : Json()}};
}

Row row_from_json(const Json& json) {
  Row row;
  row.id = json.at("id").get<std::string>();
  if (!json.at("device").is_null()) row.device = json.at("device").get<int>();
  row.status = value_of<Status>(statuses, json.at("status").get<std::string>());
  row.kind = value_of<Kind>(kinds, json.at("kind").get<std::string>());
  row.seconds = json.at("seconds").get<double>();
  row.message = json.at("message").get<std::string>();
  row.evidence = json.at("evidence");
  if (const auto& failure = json.at("failure"); !failure.is_null()) {
    row.failure = Failure{text_or_empty(failure.at("id")),
                          failure.at("message").get<std::string>(),
                          {},
                          text_or_empty(failure.at("name")),
                          text_or_empty(failure.at("call"))};
    if (failure.at("code").is_number_integer()) row.failure->code = failure.at("code").get<int>();
  }
  return row;
}

}  // namespace envgen::bench
