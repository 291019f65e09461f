#include "model/working_drivers.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/spelling.hpp"
#include "model/version_spec.hpp"

namespace envgen {
namespace {

using Op = VersionSpec::Op;

/// Where the range of an environment begins, and the first branch after it; none: it is open at this end.
struct Bounds {
  Version minimum;
  Version after;
};

bool is_lower(const VersionSpec::Clause& clause) { return clause.op == Op::greater || clause.op == Op::greater_equal; }
bool is_upper(const VersionSpec::Clause& clause) { return clause.op == Op::less || clause.op == Op::less_equal; }

/// True when the range itself says as much.
bool is_idle(const VersionSpec::Clause& clause, const Bounds& bounds) {
  if (is_upper(clause)) return bounds.after && clause.version >= bounds.after;
  return clause.op != Op::prefix &&
         (clause.version < bounds.minimum || (clause.op == Op::greater_equal && clause.version == bounds.minimum));
}

}  // namespace

std::string working_drivers(const std::string& asked, const Environment::DriverRange& range) {
  const auto whole = VersionSpec::parse(asked);
  if (!whole || whole->single() || !range.minimum) return asked;
  const Bounds bounds{range.minimum->version(),
                      range.last_branch ? Version(static_cast<std::uint16_t>(range.last_branch->branch() + 1)) : Version()};
  if (whole->is_below(bounds.minimum)) return asked + " (where the image's NVIDIA_REQUIRE_CUDA allows the branch)";
  std::vector<std::string> parts;
  bool begins = false;
  bool ends = !bounds.after;
  for (std::string_view rest = asked; !rest.empty();) {
    const auto part = std::string(without_spaces_around(rest.substr(0, rest.find(','))));
    rest.remove_prefix(std::min(rest.size(), rest.find(',') == std::string_view::npos ? rest.size() : rest.find(',') + 1));
    const auto spec = VersionSpec::parse(part);
    const auto& clauses = spec->clauses();
    const auto any = [&](auto holds) { return std::any_of(clauses.begin(), clauses.end(), holds); };
    if (std::all_of(clauses.begin(), clauses.end(), [&](const auto& clause) { return is_idle(clause, bounds); })) continue;
    begins = begins || any([&](const auto& clause) { return is_lower(clause) && clause.version >= bounds.minimum; });
    ends = ends || any([&](const auto& clause) { return is_upper(clause); });
    parts.push_back(part);
  }
  if (!begins) parts.insert(parts.begin(), ">=" + range.minimum->to_string());
  if (!ends) parts.push_back("<" + bounds.after.to_string());
  return fmt::format("{}", fmt::join(parts, ","));
}

std::string windows_branches(const Environment::DriverRange& range) {
  const auto first = range.minimum->branch();
  return range.last_branch ? fmt::format("{} to branch {}", first, range.last_branch->branch())
                           : fmt::format("{} or newer", first);
}

bool works_as_asked(const std::string& asked, const Environment::DriverRange& range) {
  if (!range.minimum) return true;
  const auto one = DriverVersion::parse(asked);
  return one ? *one >= *range.minimum || below_minimum(asked, range) : working_drivers(asked, range) == asked;
}

bool below_minimum(const std::string& asked, const Environment::DriverRange& range) {
  const auto one = DriverVersion::parse(asked);
  return one && range.minimum && one->branch() < range.minimum->branch();
}

}  // namespace envgen
