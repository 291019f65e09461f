#include "answers/answer_json.hpp"

#include "answers/proof.hpp"
#include "resolver/changed.hpp"
#include "util/described.hpp"

namespace envgen::answers {

using util::JsonWriter;

namespace {

std::string_view code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::internal:
      return "internal";
    case ErrorCode::usage:
      return "usage";
    case ErrorCode::bad_input:
      return "bad_input";
    case ErrorCode::missing:
      return "missing";
    case ErrorCode::network:
      return "network";
    case ErrorCode::interrupted:
      return "interrupted";
    case ErrorCode::differs:
      return "differs";
  }
  return "internal";
}

}  // namespace

void write_head(JsonWriter& json, const matrix::Matrix& matrix) {
  json.member("schema_version", schema_version);
  json.key("matrix").begin_object().member("revision", matrix->revision.view());
  const auto* newest = matrix.newest(Framework::torch);
  json.member("newest_torch", newest == nullptr ? std::string_view() : newest->text.view());
  json.key("layers").begin_array();
  const auto said = [&](std::string_view name, const matrix::PackedString& text) {
    json.key(name);
    text.empty() ? json.null() : json.value(text.view());
  };
  for (const auto& layer : matrix->layers) {
    json.begin_object().member("name", layer.name.view());
    said("revision", layer.revision);
    said("read", layer.read);
    json.end_object();
  }
  json.end_array().end_object();
}

namespace {

/// Each with the whole request that it satisfies, so that nobody has to apply the changes.
void write_nearest(JsonWriter& json, const Request& request, const std::vector<resolver::Nearest>& environments) {
  json.key("nearest").begin_array();
  for (const auto& nearest : environments) {
    json.begin_object().key("changes").begin_array();
    for (const auto& change : nearest.changes) {
      json.begin_object().member("field", name_of(change.field)).member("from", change.from).key("to");
      if (change.to.empty()) {
        json.null();
      } else {
        json.value(change.to);
      }
      json.end_object();
    }
    json.end_array().key("request");
    if (const auto next = resolver::changed(request, nearest.changes)) {
      util::write_json(json, *next);
    } else {
      json.null();
    }
    util::write_json(json.key("environment"), nearest.environment);
    json.end_object();
  }
  json.end_array();
}

void write_conflict(JsonWriter& json, const matrix::Matrix& matrix, const Request& request, const resolver::Query& query,
                    const resolver::Conflict& conflict) {
  json.key("conflict").begin_object();
  json.key("values").begin_array();
  for (const auto index : conflict.values) {
    const auto& value = query.values[static_cast<std::size_t>(index)];
    json.begin_object()
        .member("field", name_of(value.field))
        .member("value", value.text)
        .member("origin", name_of(value.origin))
        .end_object();
  }
  json.end_array();
  const auto proof = proof_of(matrix, query, conflict);
  json.member("proof", proof.sentences());
  json.key("facts").begin_array();
  for (const auto source : proof.sources) {
    const auto& row = matrix.source(source);
    json.begin_object().member("source", row.what.view());
    json.key("url");
    if (row.url.empty()) {
      json.null();
    } else {
      json.value(row.url.view());
    }
    if (!row.check.empty()) json.member("check", row.check.view());
    if (row.basis != matrix::Basis::read) json.member("basis", name_of(row.basis));
    json.member("read", row.read.view()).end_object();
  }
  json.end_array();
  write_nearest(json, request, conflict.nearest);
  json.end_object();
}

void begin_answer(JsonWriter& json, const matrix::Matrix& matrix, const Request& request) {
  json.begin_object();
  write_head(json, matrix);
  util::write_json(json.key("request"), request);
}

void write_explanation(JsonWriter& json, const Explanation& explanation) {
  json.key("explain").begin_array();
  for (const auto& removal : explanation.removals) {
    const auto& value = explanation.query.values[static_cast<std::size_t>(removal.value)];
    json.begin_object()
        .member("field", name_of(value.field))
        .member("value", value.text)
        .member("before", removal.before)
        .member("after", removal.after);
    json.key("removed").begin_array();
    for (const auto* build : removal.removed) json.value(build_label(*build));
    json.end_array().end_object();
  }
  json.end_array();
}

std::string end_answer(JsonWriter& json, const Explanation* explanation) {
  if (explanation != nullptr) write_explanation(json, *explanation);
  json.end_object();
  return json.take();
}

}  // namespace

std::string environment_json(const matrix::Matrix& matrix, const Request& request, const Environment& environment,
                             const std::vector<std::vector<std::string>>& install, int indent, const Explanation* explanation) {
  JsonWriter json(indent);
  begin_answer(json, matrix, request);
  util::write_json(json.key("environment"), environment);
  util::write_json(json.key("install"), install);
  auto advice = util::into(json);
  Environment::advice(environment, advice);
  return end_answer(json, explanation);
}

std::string refusal_json(const matrix::Matrix& matrix, const Request& request, const resolver::Query& query,
                         const resolver::Resolution& answer, int indent, const Explanation* explanation) {
  JsonWriter json(indent);
  begin_answer(json, matrix, request);
  if (const auto* conflict = std::get_if<resolver::Conflict>(&answer)) {
    write_conflict(json, matrix, request, query, *conflict);
  } else {
    const auto& unknown = std::get<resolver::Unknown>(answer);
    const auto missing = missing_of(matrix, query, unknown);
    json.key("unknown").begin_object().member("missing", missing.facts).member("message", missing.message);
    write_nearest(json, request, unknown.nearest);
    json.end_object();
  }
  return end_answer(json, explanation);
}

std::string error_json(const Error& error, int indent) {
  JsonWriter json(indent);
  json.begin_object().member("schema_version", schema_version).key("error").begin_object();
  json.member("code", code_name(error.code))
      .member("message", error.message)
      .member("origin", error.origin)
      .member("hints", error.hints);
  json.end_object().end_object();
  return json.take();
}

}  // namespace envgen::answers
