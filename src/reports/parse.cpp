#include "reports/parse.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "util/files.hpp"
#include "util/json_members.hpp"
#include "util/json_text.hpp"
#include "util/pattern.hpp"
#include "validate/bench_report.hpp"

namespace envgen::reports {
namespace {

using validate::Json;
using validate::Report;
using validate::Result;
using validate::Status;

constexpr long long known_schema = 1;
constexpr std::size_t longest_message = 8000;
constexpr std::size_t longest_word = 300;
constexpr std::size_t largest_file = 64UL << 20U;

/// A member that is a text or null. Nothing: it is missing or something else.
std::optional<std::string> text_or_null(const Json& object, std::string_view name) {
  const auto* found = util::member(object, name);
  if (found == nullptr || !(found->is_string() || found->is_null())) return std::nullopt;
  return found->is_null() ? std::string() : visible(found->get<std::string>(), longest_word);
}

/// Additions to the contract: a report of an older envgen has none.
std::string added_text(const Json& object, std::string_view name) { return text_or_null(object, name).value_or(""); }

class Reader {
 public:
  explicit Reader(const std::string& name) : name_(name) {}

  Expected<Report> read(const Json& json) const {
    const auto version = util::number_member(json, "schema_version");
    if (!version) return refuse("it has no schema_version");
    if (*version > known_schema)
      return refuse(
          fmt::format("its schema_version is {}, but this envgen supports {}: a newer envgen reads it", *version, known_schema));
    if (*version < known_schema) return refuse(fmt::format("unknown schema_version {}", *version));
    Report report;
    report.program = added_text(json, "program");
    report.started = added_text(json, "started");
    for (const auto& [member, target] :
         {std::pair{"image", &report.image}, std::pair{"profile", &report.profile}, std::pair{"engine", &report.engine},
          std::pair{"gpus", &report.gpus}, std::pair{"lock", &report.lock}}) {
      auto text = text_or_null(json, member);
      if (!text) return refuse(fmt::format("its {} is not a string", member));
      *target = std::move(*text);
    }
    if (report.image.empty()) return refuse("its image is empty");
    const auto* doubles = util::member(json, "doubles");
    const auto* seconds = util::member(json, "seconds");
    const auto* checks = util::member(json, "checks");
    const auto* summary = util::member(json, "summary");
    if (doubles == nullptr || !doubles->is_array()) return refuse("its doubles are not a list");
    if (seconds == nullptr || !seconds->is_number()) return refuse("its seconds are not a number");
    if (checks == nullptr || !checks->is_array() || checks->empty())
      return refuse("its checks are not a list, or the list is empty");
    if (summary == nullptr || !summary->is_object()) return refuse("it has no summary");
    for (const auto& one : util::texts_member(json, "doubles")) report.doubles.push_back(visible(one, longest_word));
    if (report.doubles.size() != doubles->size()) return refuse("its doubles are not strings");
    report.seconds = seconds->get<double>();
    if (const auto* machine = util::member(json, "machine"); machine != nullptr)
      report.machine = validate::machine_from_json(*machine);
    for (std::size_t i = 0; i < checks->size(); ++i) {
      auto result = result_of(checks->at(i), i);
      if (!result) return tl::unexpected(result.error());
      report.results.push_back(std::move(*result));
    }
    if (auto added_up = adds_up(*summary, report); !added_up) return tl::unexpected(added_up.error());
    if (util::flag_member(json, "ok") != !report.failed()) return refuse("its ok does not match its checks");
    return report;
  }

  tl::unexpected<Error> refuse(std::string message) const { return fail(ErrorCode::bad_input, std::move(message), name_); }

 private:
  Expected<Result> result_of(const Json& json, std::size_t place) const {
    static const util::Pattern id_form("[a-z0-9]+([.-][a-z0-9]+)*");
    const auto wrong = [&](std::string_view what) { return refuse(fmt::format("checks/{}: {}", place, what)); };
    const auto id = util::text_member(json, "id");
    if (!id || id->size() > longest_word || !id_form.matches(*id)) return wrong("it has no id");
    const auto status = util::text_member(json, "status");
    if (!status) return wrong("it has no status");
    const auto known = validate::parse_status(*status);
    if (!known) return wrong(fmt::format("{} is not a status", in_quotes(*status)));
    const auto message = util::text_member(json, "message");
    if (!message) return wrong("it has no message");
    Result result{*id, *known, visible(*message, longest_message)};
    if (const auto* device = util::member(json, "device"); device != nullptr && !device->is_null()) {
      if (!device->is_number_integer()) return wrong("its device is not a number");
      result.device = device->get<long long>();
    }
    const auto* evidence = util::member(json, "evidence");
    if (evidence == nullptr || !evidence->is_object()) return wrong("its evidence is not an object");
    result.evidence = *evidence;
    if (const auto* diagnosis = util::member(json, "diagnosis"); diagnosis != nullptr && !diagnosis->is_null()) {
      const auto name = util::text_member(*diagnosis, "id");
      if (!name) return wrong("its diagnosis has no id");
      result.diagnosis = diagnosis::find(*name);
      // A newer envgen may know a failure that this one does not: what it said is kept.
      if (result.diagnosis == nullptr)
        result.message += fmt::format(" [{}: {}]", visible(*name, longest_word),
                                      visible(util::text_member(*diagnosis, "fix").value_or(""), longest_message));
    }
    return result;
  }

  /// A report that was cut or changed by hand hardly adds up.
  Expected<void> adds_up(const Json& summary, const Report& report) const {
    for (const auto status : {Status::pass, Status::warn, Status::fail, Status::skip, Status::unknown}) {
      const auto counted = report.count(status);
      const auto said = util::number_member(summary, name_of(status));
      if (!said || *said != static_cast<long long>(counted))
        return refuse(fmt::format("its summary does not match its checks: {} have the status {}", counted, name_of(status)));
    }
    return {};
  }

  const std::string& name_;
};

Expected<Report> of_bench(const std::string& text, const std::string& name) {
  auto bench = validate::parse_bench_report(text);
  if (!bench) {
    bench.error().origin = name;
    return tl::unexpected(bench.error());
  }
  Report report;
  report.program = std::move(bench->program);
  report.started = std::move(bench->started);
  report.profile = std::move(bench->profile);
  for (const auto& one : bench->doubles) report.doubles.push_back(visible(one, longest_word));
  report.machine = std::move(bench->machine);
  report.seconds = bench->seconds;
  report.results = std::move(bench->rows);
  if (bench->interrupted) report.add("bench", Status::fail, "envgen-bench was interrupted");
  return report;
}

}  // namespace

Expected<Report> parse_report(const std::string& text, const std::string& name) {
  const Reader reader(name);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return reader.refuse("it is empty");
  const auto json = util::parse_json(text, name, {.what = "report"});
  if (!json) return tl::unexpected(json.error());
  if (const auto* program = util::member(*json, "program"); program != nullptr && program->is_object())
    return of_bench(text, name);
  if (util::member(*json, "checks") == nullptr || util::member(*json, "image") == nullptr)
    return reader.refuse("not a report from envgen validate or envgen-bench");
  return reader.read(*json);
}

Expected<Report> read_report(const std::string& file) {
  const auto text = util::read_file(file, largest_file);
  if (!text) return tl::unexpected(text.error());
  return parse_report(*text, file);
}

}  // namespace envgen::reports
