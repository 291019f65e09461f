#include "check/specifier.hpp"
#include "model/spelling.hpp"

#include <algorithm>

namespace envgen::check {
namespace {

enum class Relation { prefix, equal, unequal, less, at_most, greater, at_least, compatible, malformed };

struct Clause {
  Relation relation = Relation::malformed;
  bool wildcard = false;
  Version version;
};

/// The relation that a clause begins with, cut off its front; a bare version is a prefix.
Relation cut_relation(std::string_view& text) {
  const auto next = [&](std::size_t index) { return index < text.size() ? text[index] : '\0'; };
  const auto take = [&](std::size_t size, Relation relation) {
    text.remove_prefix(size);
    return relation;
  };
  switch (next(0)) {
    case '<':
      return next(1) == '=' ? take(2, Relation::at_most) : take(1, Relation::less);
    case '>':
      return next(1) == '=' ? take(2, Relation::at_least) : take(1, Relation::greater);
    case '!':
      return next(1) == '=' ? take(2, Relation::unequal) : Relation::malformed;
    case '~':
      return next(1) == '=' ? take(2, Relation::compatible) : Relation::malformed;
    case '=':
      if (next(1) != '=') return Relation::malformed;
      return next(2) == '=' ? take(3, Relation::equal) : take(2, Relation::equal);
    default:
      return Relation::prefix;
  }
}

Clause read(std::string_view text) {
  Clause clause;
  clause.relation = cut_relation(text);
  text = without_spaces_around(text);
  clause.wildcard = text.ends_with(".*");
  if (clause.wildcard) text.remove_suffix(2);
  const auto version = Version::parse(text);
  if (!version) return {};
  clause.version = *version;
  return clause;
}

bool holds(const Clause& clause, Version version) {
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
    case Relation::malformed:
      return false;
  }
  return false;
}

}  // namespace

std::string_view cut(std::string_view& rest, char separator) {
  const auto end = rest.find(separator);
  const auto part = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return part;
}

bool satisfies(std::string_view specifier, Version version, int least) {
  if (specifier.empty() || specifier.ends_with(',')) return false;
  while (!specifier.empty()) {
    const auto clause = read(without_spaces_around(cut(specifier, ',')));
    const auto seen = least == 0 ? version : version.at(std::max(least, clause.version.count()));
    if (!holds(clause, seen)) return false;
  }
  return true;
}

bool satisfied_by_all_under(std::string_view specifier, Version stated) {
  if (!satisfies(specifier, stated.at(Version::max_parts)) || !satisfies(specifier, stated.last_under())) return false;
  while (!specifier.empty()) {  // what a `!=` leaves out may lie between the first and the last
    const auto clause = read(without_spaces_around(cut(specifier, ',')));
    if (clause.relation == Relation::unequal && clause.version.under(stated)) return false;
  }
  return true;
}

int longest_clause(std::string_view specifier) {
  int longest = 0;
  while (!specifier.empty()) longest = std::max(longest, read(without_spaces_around(cut(specifier, ','))).version.count());
  return longest;
}

}  // namespace envgen::check
