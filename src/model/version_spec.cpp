#include "model/version_spec.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/spelling.hpp"

namespace envgen {
namespace {

bool holds(VersionSpec::Clause clause, Version version) {
  using Op = VersionSpec::Op;
  switch (clause.op) {
    case Op::prefix:
      return version.under(clause.version);
    case Op::not_prefix:
      return !version.under(clause.version);
    case Op::equal:
      return version == clause.version;
    case Op::not_equal:
      return version != clause.version;
    case Op::less:
      return version < clause.version;
    case Op::less_equal:
      return version <= clause.version;
    case Op::greater:
      return version > clause.version;
    case Op::greater_equal:
      return version >= clause.version;
  }
  return false;
}

struct Operator {
  std::string_view text;
  VersionSpec::Op op;
};
// Longest first, so that `>=` is not read as `>`.
constexpr Operator operators[] = {
    {"===", VersionSpec::Op::equal},     {"==", VersionSpec::Op::equal},         {"!=", VersionSpec::Op::not_equal},
    {"<=", VersionSpec::Op::less_equal}, {">=", VersionSpec::Op::greater_equal}, {"<", VersionSpec::Op::less},
    {">", VersionSpec::Op::greater},
};

Expected<void> add_clause(std::string_view text, std::vector<VersionSpec::Clause>& clauses) {
  using Op = VersionSpec::Op;
  Op op = Op::prefix;
  bool compatible = false;
  bool bare = true;
  if (text.starts_with("~=")) {
    compatible = true;
    bare = false;
    text.remove_prefix(2);
  } else {
    for (const auto& candidate : operators) {
      if (!text.starts_with(candidate.text)) continue;
      op = candidate.op;
      bare = false;
      text.remove_prefix(candidate.text.size());
      break;
    }
  }
  text = without_spaces_around(text);
  const bool wildcard = text.ends_with(".*");
  if (wildcard) text.remove_suffix(2);
  if (wildcard && !bare && op != Op::equal && op != Op::not_equal)
    return fail(ErrorCode::usage, "malformed: '.*' works only with == and !=");
  if (text.ends_with(".x") || text.ends_with(".X"))
    return fail(ErrorCode::usage, "not a version number (only digits and dots are allowed)", {},
                {fmt::format("{0} means any {0}.x; '=={0}.*' means the same", text.substr(0, text.size() - 2))});
  auto version = Version::parse(text);
  if (!version) return tl::unexpected(version.error());
  if (compatible) {
    if (version->count() < 2) return fail(ErrorCode::usage, "incomplete: ~= needs at least two parts, as in ~=2.3");
    clauses.push_back({Op::greater_equal, *version});
    clauses.push_back({Op::prefix, version->at(version->count() - 1)});
    return {};
  }
  if (wildcard && op == Op::equal) op = Op::prefix;
  if (wildcard && op == Op::not_equal) op = Op::not_prefix;
  clauses.push_back({op, *version});
  return {};
}

/// `>=2.6 <2.8`, which lacks its comma.
Error hinted(Error error, std::string_view text) {
  if (text.find(' ') == std::string_view::npos || !error.hints.empty()) return error;
  constexpr std::string_view operators_begin = "<>=!~";
  if (text.find_first_of("<>=!~,") == std::string_view::npos) {  // `2.3 2.4`
    std::string with_commas(text);
    std::replace(with_commas.begin(), with_commas.end(), ' ', ',');
    const auto several = VersionSpec::parse(with_commas);
    if (several) return error;
    if (!several.error().message.starts_with("not a version:")) return several.error();
    error.hints = several.error().hints;
    return error;
  }
  std::string joined;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ' ') {
      joined += text[i];
      continue;
    }
    const auto next = text.find_first_not_of(' ', i);
    const bool begins = next != std::string_view::npos && operators_begin.find(text[next]) != std::string_view::npos;
    const bool ended = !joined.empty() && joined.back() != ',' && operators_begin.find(joined.back()) == std::string_view::npos;
    if (begins && ended) joined += ',';
  }
  if (VersionSpec::parse(joined)) error.hints.push_back(fmt::format("did you mean '{}'?", joined));
  return error;
}

/// `12,4`, `12,4,1`: bare versions of which none is under its neighbour, so nothing is under all of them.
bool names_several_versions(std::span<const VersionSpec::Clause> clauses) {
  const auto bare = [](const VersionSpec::Clause& clause) { return clause.op == VersionSpec::Op::prefix; };
  const auto nested = [](const VersionSpec::Clause& one, const VersionSpec::Clause& other) {
    return one.version.under(other.version) || other.version.under(one.version);
  };
  return clauses.size() >= 2 && std::all_of(clauses.begin(), clauses.end(), bare) &&
         std::adjacent_find(clauses.begin(), clauses.end(), nested) == clauses.end();
}

/// `12,4,1` is one version, typed with commas for dots. `2.3,2.4` is not, because two of its parts have dots; nor is `535,550`,
/// because 550 is the number of a driver branch.
bool are_parts_of_one(std::span<const VersionSpec::Clause> clauses) {
  constexpr int least_branch = 400;
  const auto has_dot = [](const VersionSpec::Clause& clause) { return clause.version.count() > 1; };
  const auto is_branch = [](const VersionSpec::Clause& clause) { return clause.version.part(0) >= least_branch; };
  return std::count_if(clauses.begin(), clauses.end(), has_dot) < 2 &&
         std::none_of(clauses.begin() + 1, clauses.end(), is_branch);
}

/// True when the highest lower bound lies above the lowest upper one: `>=2,<1`.
bool excludes_itself(std::span<const VersionSpec::Clause> clauses) {
  using Op = VersionSpec::Op;
  const VersionSpec::Clause* lower = nullptr;
  const VersionSpec::Clause* upper = nullptr;
  for (const auto& clause : clauses) {
    const bool is_lower = clause.op == Op::greater || clause.op == Op::greater_equal;
    const bool is_upper = clause.op == Op::less || clause.op == Op::less_equal;
    if (is_lower && (lower == nullptr || clause.version >= lower->version)) lower = &clause;
    if (is_upper && (upper == nullptr || clause.version <= upper->version)) upper = &clause;
  }
  if (lower == nullptr || upper == nullptr) return false;
  const bool open = lower->op == Op::greater || upper->op == Op::less;
  return lower->version > upper->version || (open && lower->version == upper->version);
}

}  // namespace

Expected<VersionSpec> VersionSpec::parse(std::string_view text) {
  constexpr std::size_t longest = 200;  // far beyond any real range; keeps a hostile value from filling a message
  if (text.size() > longest) return fail(ErrorCode::usage, "not a version or range (longer than 200 characters)");
  VersionSpec spec;
  for (std::string_view rest = text;;) {
    const auto comma = rest.find(',');
    const auto clause = without_spaces_around(rest.substr(0, comma));
    if (clause.empty()) return fail(ErrorCode::usage, "not a version or range (a part of it is empty)");
    if (auto added = add_clause(clause, spec.clauses_); !added) return tl::unexpected(hinted(added.error(), text));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (names_several_versions(spec.clauses_)) {
    std::string dotted(text);
    std::replace(dotted.begin(), dotted.end(), ',', '.');
    if (are_parts_of_one(spec.clauses_))
      return fail(ErrorCode::usage, "not a version: a version has dots, not commas", {},
                  {fmt::format("did you mean {}?", dotted)});
    const auto by_version = [](const Clause& one, const Clause& other) { return one.version < other.version; };
    const auto [least, most] = std::minmax_element(spec.clauses_.begin(), spec.clauses_.end(), by_version);
    const auto hint = fmt::format("write a range as '>={},<={}'", least->version, most->version);
    return fail(ErrorCode::usage, spec.clauses_.size() == 2 ? "two versions, not one" : "several versions, not one", {}, {hint});
  }
  if (excludes_itself(spec.clauses_)) return fail(ErrorCode::usage, "an empty range: its bounds exclude each other");
  return spec;
}

bool VersionSpec::matches(std::span<const Clause> clauses, Version version) {
  return std::all_of(clauses.begin(), clauses.end(), [&](const Clause& clause) { return holds(clause, version); });
}

VersionSpec::Holds VersionSpec::holds_under(Version stated) const {
  bool all = true;
  bool any = false;
  const auto look_at = [&](Version version) {
    if (!version.under(stated)) return;
    const bool fits = matches(version);
    all &= fits;
    any |= fits;
  };
  // In the order of all numbers a clause changes its answer at most at its own number, after it, and after the last under it.
  look_at(stated.at(Version::max_parts));
  for (const auto& clause : clauses_) {
    const auto own = clause.version.at(Version::max_parts);
    for (const auto version : {own, own.next(), clause.version.last_under().next()}) look_at(version);
  }
  return all ? Holds::for_all : any ? Holds::for_some : Holds::for_none;
}

bool VersionSpec::matches_at_own_precision(Version version, int least) const {
  return std::all_of(clauses_.begin(), clauses_.end(),
                     [&](const Clause& clause) { return holds(clause, version.at(std::max(least, clause.version.count()))); });
}

bool VersionSpec::is_below(Version limit) const {
  return std::any_of(clauses_.begin(), clauses_.end(), [&](const Clause& clause) {
    switch (clause.op) {
      case Op::less:
        return clause.version <= limit;
      case Op::less_equal:
      case Op::equal:
        return clause.version < limit;
      case Op::prefix:
        return clause.version < limit.at(clause.version.count());
      default:
        return false;
    }
  });
}

Version VersionSpec::single() const {
  if (clauses_.size() != 1 || (clauses_[0].op != Op::prefix && clauses_[0].op != Op::equal)) return {};
  return clauses_[0].version;
}

std::string VersionSpec::to_string() const {
  std::string text;
  for (const auto& clause : clauses_) {
    if (!text.empty()) text += ',';
    const auto version = clause.version.to_string();
    switch (clause.op) {
      case Op::prefix:
        text += clauses_.size() == 1 ? version : "==" + version + ".*";
        break;
      case Op::not_prefix:
        text += "!=" + version + ".*";
        break;
      case Op::equal:
        text += "==" + version;
        break;
      case Op::not_equal:
        text += "!=" + version;
        break;
      case Op::less:
        text += "<" + version;
        break;
      case Op::less_equal:
        text += "<=" + version;
        break;
      case Op::greater:
        text += ">" + version;
        break;
      case Op::greater_equal:
        text += ">=" + version;
        break;
    }
  }
  return text;
}

Expected<VersionSpec> wheel_spec(std::string_view text) {
  std::string releases;
  bool skipping = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',') skipping = false;
    if (text[i] == '+' || text.substr(i).starts_with(".post")) skipping = true;
    if (!skipping) releases += text[i];
  }
  return VersionSpec::parse(releases);
}

}  // namespace envgen
