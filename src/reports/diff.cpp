#include "reports/diff.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "reports/baseline.hpp"
#include "reports/wording.hpp"

namespace envgen::reports {
namespace {

using validate::Report;
using validate::Status;

/// Checks whose message says which version there is.
constexpr std::array<std::string_view, 9> of_identity{"image",        "python", "framework", "framework-cuda", "cudnn",
                                                      "nccl-version", "archs",  "nvcc",      "lock-label"};

using Facts = std::vector<std::pair<std::string, std::string>>;

std::string name_of_check_fact(const std::string& row) { return "check " + row; }

Facts identity(const Report& report) {
  Facts facts{{"image", report.image}, {"profile", report.profile},       {"engine", report.engine},
              {"--gpus", report.gpus}, {"driver", report.machine.driver}, {"driver's CUDA", report.machine.cuda}};
  for (const auto& gpu : report.machine.gpus) facts.emplace_back(fmt::format("GPU {}", gpu.ordinal), gpu.name);
  facts.insert(facts.end(), report.machine.libraries.begin(), report.machine.libraries.end());
  for (const auto& result : report.results) {
    if (result.status != Status::skip && std::find(of_identity.begin(), of_identity.end(), result.check) != of_identity.end())
      facts.emplace_back(name_of_check_fact(name_of_row(result)), result.message);
  }
  facts.emplace_back("created by", report.program);
  return facts;
}

const std::string* find(const Facts& facts, const std::string& name) {
  const auto found = std::find_if(facts.begin(), facts.end(), [&](const auto& fact) { return fact.first == name; });
  return found == facts.end() ? nullptr : &found->second;
}

std::vector<Diff::Property> differences(const Facts& a, const Facts& b) {
  std::vector<Diff::Property> all;
  for (const auto& [name, value] : a) {
    const auto* other = find(b, name);
    if (other == nullptr ? !value.empty() : *other != value) all.push_back({name, value, other == nullptr ? "" : *other});
  }
  for (const auto& [name, value] : b) {
    if (find(a, name) == nullptr && !value.empty()) all.push_back({name, {}, value});
  }
  return all;
}

/// The graver of several rows of one name.
int gravity(Status status) {
  switch (status) {
    case Status::fail:
      return 4;
    case Status::warn:
      return 3;
    case Status::unknown:
      return 2;
    case Status::pass:
      return 1;
    case Status::skip:
      break;
  }
  return 0;
}

/// What came of each row, in the report's order.
std::vector<std::pair<std::string, const validate::Result*>> verdicts(const Report& report) {
  std::vector<std::pair<std::string, const validate::Result*>> all;
  std::map<std::string, std::size_t> places;
  for (const auto& result : report.results) {
    if (result.check == "baseline") continue;  // it compares with a third report
    const auto [place, is_new] = places.try_emplace(name_of_row(result), all.size());
    if (is_new) {
      all.emplace_back(place->first, &result);
    } else if (auto& gravest = all[place->second].second; gravity(result.status) > gravity(gravest->status)) {
      gravest = &result;
    }
  }
  return all;
}

/// Of a speed that one alone has, the speeds tell.
bool is_speed(const std::string& row) { return row.find('.') != std::string::npos; }

std::string why(const validate::Result& result) {
  return result.diagnosis == nullptr ? result.message : fmt::format("{} [{}]", result.message, result.diagnosis->id);
}

void compare_verdicts(const Report& a, const Report& b, Diff& diff) {
  const auto of_a = verdicts(a);
  const auto of_b = verdicts(b);
  const std::map<std::string, const validate::Result*> in_a(of_a.begin(), of_a.end());
  const std::map<std::string, const validate::Result*> in_b(of_b.begin(), of_b.end());
  for (const auto& [name, result] : of_a) {
    const auto other = in_b.find(name);
    if (other == in_b.end()) {
      if (result->status != Status::skip && !is_speed(name))
        diff.only_a.push_back(fmt::format("{} ({})", name, name_of(result->status)));
    } else if (other->second->status != result->status) {
      diff.verdicts.push_back({name, result->status, other->second->status, why(*result), why(*other->second)});
    }
  }
  for (const auto& [name, result] : of_b) {
    if (result->status != Status::skip && !is_speed(name) && in_a.find(name) == in_a.end())
      diff.only_b.push_back(fmt::format("{} ({})", name, name_of(result->status)));
  }
}

void compare_speeds(const Report& a, const Report& b, double tolerance, Diff& diff) {
  const auto of_a = speeds(a);
  const auto of_b = speeds(b);
  const auto doubles = !worthless(a).empty() || !worthless(b).empty();
  const auto same = [](const Speed& x, const Speed& y) {
    return x.test == y.test && x.size == y.size && x.unit == y.unit && x.device == y.device && x.peer == y.peer;
  };
  std::vector<bool> matched(of_b.size());  // a report may hold a speed twice
  for (const auto& speed : of_a) {
    const auto other = std::find_if(of_b.begin(), of_b.end(), [&](const Speed& one) {
      return same(speed, one) && !matched[static_cast<std::size_t>(&one - of_b.data())];
    });
    if (other == of_b.end()) {
      diff.only_a.push_back("speed of " + name_with_gpu(speed));
      continue;
    }
    matched[static_cast<std::size_t>(other - of_b.begin())] = true;
    Diff::Ratio ratio{speed, *other, other->value / speed.value, {}, false};
    ratio.not_judged = doubles ? "test doubles" : !speed.excuse.empty() ? speed.excuse : other->excuse;
    constexpr double percent = 100;
    const double least = 1 - tolerance / percent;
    ratio.beyond = ratio.not_judged.empty() && (ratio.ratio < least || ratio.ratio * least > 1);
    diff.speeds.push_back(std::move(ratio));
  }
  for (std::size_t i = 0; i < of_b.size(); ++i) {
    if (!matched[i]) diff.only_b.push_back("speed of " + name_with_gpu(of_b[i]));
  }
}

std::string or_none(const std::string& text) { return text.empty() ? "-" : text; }

std::string list(const std::string& heading, const std::vector<std::string>& names, std::size_t width) {
  if (names.empty()) return {};
  auto text = "\n" + heading + "\n";
  for (const auto& name : names) {
    for (const auto& line : util::wrap(name, width - 2, 2)) text += "  " + line + "\n";
  }
  return text;
}

/// One side of a verdict: `  A  fail    why`, and the rest of a long reason below its beginning.
std::string side(char letter, Status status, const std::string& why, std::size_t width) {
  auto label = fmt::format("  {}  {:<7} ", letter, name_of(status));
  const auto margin = label.size();
  constexpr std::size_t least = 20;
  std::string text;
  for (const auto& line : util::wrap(why, std::max(width, margin + least) - margin)) {
    text += label + line + "\n";
    label = std::string(margin, ' ');
  }
  return text;
}

std::string verdicts_text(const std::vector<Diff::Verdict>& verdicts, std::size_t width) {
  std::string text = verdicts.empty() ? "" : "\nVerdicts\n";
  for (const auto& one : verdicts)
    text += one.name + "\n" + side('A', one.a, one.why_a, width) + side('B', one.b, one.why_b, width);
  return text;
}

validate::Json verdicts_json(const std::vector<Diff::Verdict>& verdicts) {
  auto all = validate::Json::array();
  for (const auto& one : verdicts) {
    all.push_back(
        {{"name", one.name}, {"a", name_of(one.a)}, {"b", name_of(one.b)}, {"a_message", one.why_a}, {"b_message", one.why_b}});
  }
  return all;
}

validate::Json texts_json(const std::vector<Diff::Property>& texts) {
  auto all = validate::Json::array();
  const auto or_null = [](const std::string& text) { return text.empty() ? validate::Json() : validate::Json(text); };
  for (const auto& one : texts) all.push_back({{"name", one.name}, {"a", or_null(one.a)}, {"b", or_null(one.b)}});
  return all;
}

}  // namespace

bool Diff::differs() const {
  const auto beyond = [](const Ratio& ratio) { return ratio.beyond; };
  return !verdicts.empty() || !only_a.empty() || !only_b.empty() || std::any_of(speeds.begin(), speeds.end(), beyond);
}

Diff diff(const Report& a, const Report& b, double tolerance) {
  Diff diff;
  diff.identity = differences(identity(a), identity(b));
  compare_verdicts(a, b, diff);
  // Of a check with another verdict, the verdict tells what it said.
  std::erase_if(diff.identity, [&](const Diff::Property& fact) {
    return std::any_of(diff.verdicts.begin(), diff.verdicts.end(),
                       [&](const Diff::Verdict& one) { return fact.name == name_of_check_fact(one.name); });
  });
  compare_speeds(a, b, tolerance, diff);
  return diff;
}

std::string diff_text(const Diff& diff, const std::string& a, const std::string& b, const util::Terminal& terminal) {
  constexpr std::size_t readable_width = 100;
  util::Terminal narrow = terminal;
  narrow.width = terminal.width == 0 ? readable_width : std::min(terminal.width, readable_width);
  const auto judged = [](const Diff::Ratio& ratio) { return ratio.not_judged.empty(); };
  const bool any_judged = std::any_of(diff.speeds.begin(), diff.speeds.end(), judged);
  std::string text = diff.differs() ? "The reports differ.\n"
                     : any_judged   ? "The verdicts are the same; no speed differs by more than the tolerance.\n"
                                    : "The verdicts are the same; no speed was judged.\n";
  text += fmt::format("  A: {}\n  B: {}\n", a, b);
  if (!diff.identity.empty()) {
    util::Table table({"", "A", "B"});
    for (const auto& one : diff.identity) table.add({one.name, or_none(one.a), or_none(one.b)});
    text += "\nMachine and image\n" + table.text(narrow);
  }
  text += verdicts_text(diff.verdicts, narrow.width);
  if (!diff.speeds.empty()) {
    util::Table table({"speed", "GPU", "A", "B", "B / A", ""}, {false, true, true, true, true, false});
    for (const auto& one : diff.speeds)
      table.add({name_of(one.a), one.a.device ? std::to_string(*one.a.device) : "all", rate_text(one.a.value, one.a.unit),
                 rate_text(one.b.value, one.b.unit), fmt::format("{:.2f}", one.ratio),
                 !one.not_judged.empty() ? "not compared: " + one.not_judged
                 : !one.beyond           ? ""
                 : one.ratio < 1         ? "slower"
                                         : "faster"});
    text += "\nSpeeds\n" + table.text(narrow);
  }
  return text + list("Only in A", diff.only_a, narrow.width) + list("Only in B", diff.only_b, narrow.width);
}

std::string diff_json(const Diff& diff, const std::string& a, const std::string& b) {
  auto speeds = validate::Json::array();
  const auto or_null = [](const std::optional<long long>& number) { return number ? validate::Json(*number) : validate::Json(); };
  for (const auto& one : diff.speeds) {
    speeds.push_back({{"test", one.a.test},
                      {"size", one.a.size},
                      {"device", or_null(one.a.device)},
                      {"peer", or_null(one.a.peer)},
                      {"unit", one.a.unit},
                      {"a", one.a.value},
                      {"b", one.b.value},
                      {"ratio", one.ratio},
                      {"beyond", one.beyond},
                      {"not_judged", one.not_judged.empty() ? validate::Json() : validate::Json(one.not_judged)}});
  }
  const validate::Json json{{"schema_version", 1},
                            {"a", a},
                            {"b", b},
                            {"equal", !diff.differs()},
                            {"identity", texts_json(diff.identity)},
                            {"verdicts", verdicts_json(diff.verdicts)},
                            {"speeds", std::move(speeds)},
                            {"only_a", diff.only_a},
                            {"only_b", diff.only_b}};
  return json.dump(2, ' ', false, validate::Json::error_handler_t::replace) + "\n";
}

}  // namespace envgen::reports
