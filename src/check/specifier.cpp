#include "check/specifier.hpp"

#include <algorithm>

#include "model/spelling.hpp"

namespace envgen::check {
namespace {

/// The relation that a clause begins with, cut off its front.
Relation cut_relation(std::string_view& text) {
  const auto cut_sign = [&](std::string_view sign) {
    const bool found = text.starts_with(sign);
    if (found) text.remove_prefix(sign.size());
    return found;
  };
  if (cut_sign("===") || cut_sign("==")) return Relation::equal;
  if (cut_sign("<=")) return Relation::at_most;
  if (cut_sign("<")) return Relation::less;
  if (cut_sign(">=")) return Relation::at_least;
  if (cut_sign(">")) return Relation::greater;
  if (cut_sign("!=")) return Relation::unequal;
  return cut_sign("~=") ? Relation::compatible : Relation::prefix;
}

bool holds(const Clause& clause, Version version) {
  if (!clause.version) return false;
  switch (clause.relation) {
    case Relation::prefix:
      return version.under(clause.version);
    case Relation::equal:
      return clause.wildcard ? version.under(clause.version) : version == clause.version;
    case Relation::unequal:
      return clause.wildcard ? !version.under(clause.version) : version != clause.version;
    case Relation::less:
      return version < clause.version;
    case Relation::at_most:
      return version <= clause.version;
    case Relation::greater:
      return version > clause.version;
    case Relation::at_least:
      return version >= clause.version;
    case Relation::compatible:
      return version >= clause.version && version.under(clause.version.at(clause.version.count() - 1));
  }
  return false;
}

}  // namespace

std::string_view cut(std::string_view& rest, char separator) {
  const auto end = rest.find(separator);
  const auto part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return without_spaces_around(part);
}

Clause cut_clause(std::string_view& specifier) {
  auto text = cut(specifier, ',');
  Clause clause{cut_relation(text), text.ends_with(".*"), {}};
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  if (clause.wildcard) text.remove_suffix(2);
  clause.version = Version::parse(text).value_or(Version());
  return clause;
}

bool satisfies(std::string_view specifier, Version version, int least) {
  if (specifier.empty() || specifier.ends_with(',')) return false;
  while (!specifier.empty()) {
    const auto clause = cut_clause(specifier);
    if (!holds(clause, least == 0 ? version : version.at(std::max(least, clause.version.count())))) return false;
  }
  return true;
}

bool satisfied_by_all_under(std::string_view specifier, Version stated) {
  if (!satisfies(specifier, stated.at(Version::max_parts)) || !satisfies(specifier, stated.last_under())) return false;
  while (!specifier.empty()) {  // what a `!=` leaves out may lie between the first and the last
    const auto clause = cut_clause(specifier);
    if (clause.relation == Relation::unequal && clause.version.under(stated)) return false;
  }
  return true;
}

int longest_clause(std::string_view specifier) {
  int longest = 0;
  while (!specifier.empty()) longest = std::max(longest, cut_clause(specifier).version.count());
  return longest;
}

}  // namespace envgen::check
