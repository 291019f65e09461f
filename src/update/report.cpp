#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "update/update.hpp"
#include "update/words.hpp"
#include "util/json_writer.hpp"

namespace envgen::update {
namespace {

void add_list(std::string& text, std::string_view title, std::span<const std::string> lines) {
  constexpr std::size_t most = 30;
  if (lines.empty()) return;
  text += fmt::format("  {}:\n", title);
  for (const auto& line : lines.first(std::min(most, lines.size()))) text += fmt::format("    {}\n", line);
  if (lines.size() > most) text += fmt::format("    and {} more (--format json names all)\n", lines.size() - most);
}

/// They are the same on every run, so that a few names stand for all.
void add_gone(std::string& text, std::span<const std::string> gone) {
  constexpr std::size_t most = 3;
  if (gone.empty()) return;
  text += fmt::format("  no longer there, but kept: {}", fmt::join(gone.first(std::min(most, gone.size())), ", "));
  text += gone.size() > most ? fmt::format(" and {} more (--format json names all)\n", gone.size() - most) : "\n";
}

std::string size_text(std::uint64_t bytes) {
  constexpr double kilo = 1000;
  if (bytes < 1000) return fmt::format("{} bytes", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) / kilo);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / (kilo * kilo));
}

std::string traffic_text(const Result& result) {
  const auto& traffic = result.traffic;
  constexpr double milli = 1000;
  return fmt::format("{} {}, {} unchanged, {} received, {:.1f} s\n", traffic.requests,
                     traffic.requests == 1 ? "request" : "requests", traffic.unchanged, size_text(traffic.bytes),
                     static_cast<double>(result.took.count()) / milli);
}

std::string outcome_text(const Result& result, bool dry_run) {
  const auto& all = result.sources;
  if (std::all_of(all.begin(), all.end(), [](const SourceResult& each) { return each.error.has_value(); })) {
    // What was read and then refused is told by its error.
    const auto refused = [](const SourceResult& each) { return each.error->code == ErrorCode::bad_input; };
    return std::any_of(all.begin(), all.end(), refused) ? "nothing was accepted\n" : "nothing could be read\n";
  }
  if (result.changes() == 0) return result.all_read() ? "nothing is new\n" : "nothing is new in what was read\n";
  if (dry_run) return "no facts were written (--dry-run)\n";
  return fmt::format("written to {}: {}\n", result.folder, fmt::join(result.written, ", "));
}

void write_error(util::JsonWriter& json, const Error& error) {
  json.begin_object().member("message", error.message).member("origin", error.origin).member("hints", error.hints).end_object();
}

/// A value of nlohmann_json as it is.
void write_value(util::JsonWriter& json, const Json& value) {
  if (value.is_object()) {
    json.begin_object();
    for (const auto& [name, member] : value.items()) {
      json.key(name);
      write_value(json, member);
    }
    json.end_object();
  } else if (value.is_array()) {
    json.begin_array();
    for (const auto& item : value) write_value(json, item);
    json.end_array();
  } else if (value.is_string()) {
    json.value(value.get_ref<const std::string&>());
  } else if (value.is_boolean()) {
    json.value(value.get<bool>());
  } else if (value.is_number_integer()) {
    json.value(value.get<long long>());
  } else if (value.is_number()) {
    json.value(value.get<double>());
  } else {
    json.null();
  }
}

void write_source(util::JsonWriter& json, const SourceResult& each, bool changes) {
  json.begin_object().member("name", each.source->name).key("error");
  if (each.error) {
    write_error(json, *each.error);
  } else {
    json.null();
  }
  json.member("agreeing", each.merged.agreeing).member("differing", each.merged.differing);
  if (changes) {
    json.key("changes").begin_array();
    for (const auto& change : each.merged.changes) {
      json.begin_object().member("file", change.table->file).member("list", change.table->list).member("fields", change.fields);
      json.key("before");
      write_value(json, change.before);
      json.key("after");
      write_value(json, change.after);
      json.end_object();
    }
    json.end_array();
  } else {
    json.member("lacking", lines_of(each.merged.changes));
  }
  json.member("refused", each.merged.refused).member("notes", each.merged.notes).member("gone", each.merged.gone).end_object();
}

std::string result_json(const Result& result, bool changes, const std::function<void(util::JsonWriter&)>& more) {
  util::JsonWriter json;
  json.begin_object().member("schema_version", 1).key("sources").begin_array();
  for (const auto& each : result.sources) write_source(json, each, changes);
  json.end_array();
  more(json);
  json.key("traffic").begin_object();
  json.member("requests", static_cast<long long>(result.traffic.requests));
  json.member("unchanged", static_cast<long long>(result.traffic.unchanged));
  json.member("bytes", static_cast<long long>(result.traffic.bytes)).end_object();
  json.end_object();
  return json.take() + "\n";
}

}  // namespace

std::string update_text(const Result& result, bool dry_run) {
  std::string text;
  for (const auto& each : result.sources) {
    const auto& merged = each.merged;
    const bool quiet = !each.error && merged.changes.empty() && merged.refused.empty() && merged.notes.empty();
    text += fmt::format("{}: {}\n", each.source->name,
                        each.error               ? "not used"
                        : quiet                  ? "nothing new"
                        : merged.changes.empty() ? "nothing accepted"
                                                 : "accepted");
    for (const auto& line : lines_of(merged.changes)) text += fmt::format("  {}\n", line);
    add_list(text, "refused, because it contradicts known values", merged.refused);
    add_list(text, "besides", merged.notes);
    add_gone(text, merged.gone);
  }
  return text + outcome_text(result, dry_run) + traffic_text(result);
}

std::string verify_text(const Result& result) {
  std::string text;
  for (const auto& each : result.sources) {
    const auto& merged = each.merged;
    if (each.error) {
      text += fmt::format("{}: not read\n", each.source->name);
      continue;
    }
    text += fmt::format("{}: {} of {} facts agree\n", each.source->name, merged.agreeing, merged.agreeing + merged.differing);
    add_list(text, "different", merged.refused);
    add_list(text, "not in the matrix yet (envgen matrix update)", lines_of(merged.changes));
    add_list(text, "besides", merged.notes);
    add_gone(text, merged.gone);
  }
  return text + traffic_text(result);
}

std::string update_json(const Result& result, bool dry_run) {
  return result_json(result, true, [&](util::JsonWriter& json) {
    json.member("dry_run", dry_run).key("folder");
    if (result.written.empty()) {
      json.null();
    } else {
      json.value(result.folder);
    }
    json.member("written", result.written);
  });
}

std::string verify_json(const Result& result) {
  return result_json(result, false, [](util::JsonWriter&) {});
}

}  // namespace envgen::update
