#include "files/requirement.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/add_once.hpp"
#include "model/spelling.hpp"

namespace envgen::files {
namespace {

std::vector<std::string_view> between_commas(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    parts.push_back(without_spaces_around(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

std::string with_posts_as_parts(std::string_view text) {
  constexpr std::string_view post = ".post";
  std::string result(text);
  for (auto at = result.find(post); at != std::string::npos; at = result.find(post, at)) result.replace(at, post.size(), ".");
  return result;
}

/// `standard` of `uvicorn[standard]>=0.30`.
std::string_view requirement_extras(std::string_view requirement) {
  const auto begin = requirement.find('[');
  if (begin == std::string_view::npos) return {};
  return requirement.substr(begin + 1, requirement.find(']') - begin - 1);
}

/// Both lists of what commas part, without what is in both.
std::string joined(std::string_view one, std::string_view other) {
  std::vector<std::string> parts;
  for (const auto list : {one, other}) {
    for (const auto part : between_commas(list)) {
      std::string bare(part);
      std::erase(bare, ' ');
      add_once(parts, std::move(bare));
    }
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace

std::string requirement_name(std::string_view requirement) {
  std::string name;
  for (const char c : lower(requirement.substr(0, requirement.find_first_of(" [=<>!~;")))) {
    const bool separates = c == '-' || c == '_' || c == '.';
    if (separates && name.ends_with('-')) continue;
    name += separates ? '-' : c;
  }
  return name;
}

std::string_view requirement_spec(std::string_view requirement) {
  return requirement.substr(std::min(requirement.find_first_of("<=>~!"), requirement.size()));
}

std::vector<std::string_view> requirement_clauses(std::string_view requirement) {
  return between_commas(requirement_spec(requirement));
}

Expected<VersionSpec> requirement_range(std::string_view requirement) {
  const auto spec = requirement_spec(requirement);
  return spec.empty() ? VersionSpec() : VersionSpec::parse(with_posts_as_parts(spec));
}

bool reaches(const VersionSpec& range, Version from, Version end) {
  const auto holds = [&](Version release) { return release >= from && (!end || release < end) && range.matches(release); };
  // Between the two a clause changes its answer at its own number alone, after it, and after all that begin with it.
  return holds(from) || std::any_of(range.clauses().begin(), range.clauses().end(), [&](const VersionSpec::Clause& clause) {
           const auto own = clause.version.at(Version::max_parts);
           return holds(own) || holds(own.next()) || holds(clause.version.last_under().next());
         });
}

Version release_number(std::string_view release) { return Version::parse(with_posts_as_parts(release)).value_or(Version()); }

std::vector<std::string> one_each(std::vector<std::string> requirements) {
  std::vector<std::string> result;
  for (auto& requirement : requirements) {
    const auto name = requirement_name(requirement);
    const auto same = std::find_if(result.begin(), result.end(), [&](const auto& one) { return requirement_name(one) == name; });
    if (same == result.end()) {
      result.push_back(std::move(requirement));
      continue;
    }
    const auto brought = joined(requirement_extras(*same), requirement_extras(requirement));
    const auto spec = joined(requirement_spec(*same), requirement_spec(requirement));
    *same = same->substr(0, same->find_first_of(" [=<>!~")) + (brought.empty() ? "" : "[" + brought + "]") + spec;
  }
  return result;
}

}  // namespace envgen::files
