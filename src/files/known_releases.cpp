#include "files/known_releases.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files/extensions.hpp"
#include "files/limits.hpp"
#include "files/requirement.hpp"
#include "model/add_once.hpp"
#include "model/python_version.hpp"
#include "model/spelling.hpp"

namespace envgen::files {
namespace {

/// What a release requires and this environment does not have.
struct Conflict {
  const PackageRequirement* requirement;
  const Limit* limit;

  /// No later release takes an older one again.
  bool needs_newer() const {
    const auto clauses = clauses_of(requirement->spec);
    return std::any_of(clauses.begin(), clauses.end(), [&](const VersionSpec& spec) { return is_newer(spec, limit->spec); });
  }
  /// `torch==2.4.1`, `Python >=3.10`
  std::string wanted() const {
    return requirement->of == "python" ? "Python " + requirement->spec : requirement->of + requirement->spec;
  }
  std::string has() const { return fmt::format("{} {} {}", limit->who, limit->does, limit->what); }
};

struct Release {
  std::string name;  ///< as pip writes it
  std::vector<Conflict> conflicts;

  bool fits() const { return conflicts.empty(); }
  /// Of several the torch, which decides most.
  const Conflict& conflict() const {
    const auto of_torch = [](const Conflict& one) { return one.requirement->of == "torch"; };
    const auto found = std::find_if(conflicts.begin(), conflicts.end(), of_torch);
    return found == conflicts.end() ? conflicts.front() : *found;
  }
  bool fits(std::string_view package) const {
    return std::none_of(conflicts.begin(), conflicts.end(), [&](const Conflict& one) { return one.requirement->of == package; });
  }
};

/// By their numbers, ascending.
using Releases = std::map<Version, Release>;

std::optional<Conflict> conflict_with(const PackageRequirement& row, const std::vector<Limit>& limits) {
  const auto clauses = clauses_of(row.spec);
  for (const auto& limit : limits) {
    const auto excludes = [&](const VersionSpec& spec) { return exclude_each_other(spec, limit.spec); };
    if (limit.package == row.of && std::any_of(clauses.begin(), clauses.end(), excludes)) return Conflict{&row, &limit};
  }
  return std::nullopt;
}

Releases releases_of(const std::string& package, const Options& options, const std::vector<Limit>& limits) {
  Releases releases;
  for (const auto& row : options.requirements) {
    if (row.package != package) continue;
    const auto found = conflict_with(row, limits);
    for (const auto& name : row.releases) {
      const auto number = release_number(name);
      if (!number) continue;  // of a layer, which may say anything
      auto& release = releases[number];
      release.name = name;
      if (found) release.conflicts.push_back(*found);
    }
  }
  return releases;
}

/// `torch==2.7.0, torch==2.7.1, ... or torch>=2.10`
std::string any_of_them(const std::vector<std::string>& wanted) {
  constexpr std::size_t most = 3;
  if (wanted.size() <= most) return fmt::format("{}", fmt::join(wanted, " or "));
  return fmt::format("{}, {}, ... or {}", wanted[0], wanted[1], wanted.back());
}

/// The Python nearest to that of the environment that a specifier allows; empty: there is none.
std::string nearest_python(const std::string& spec, PythonVersion python) {
  const auto allows = [&](int minor) {
    const VersionSpec own(Version(3, static_cast<std::uint16_t>(minor)));
    const auto clauses = clauses_of(spec);
    return std::none_of(clauses.begin(), clauses.end(), [&](const VersionSpec& one) { return exclude_each_other(one, own); });
  };
  for (int away = 1; away <= PythonSet::max_minor; ++away) {
    for (const int minor : {python.minor - away, python.minor + away}) {
      if (minor > 0 && minor <= PythonSet::max_minor && allows(minor)) return fmt::format("3.{}", minor);
    }
  }
  return {};
}

/// What one requirement of pip allows.
class Judged {
 public:
  Judged(const Inputs& inputs, const GivenText& requirement, const std::vector<Limit>& limits)
      : inputs_(inputs),
        requirement_(requirement),
        package_(requirement_name(requirement.value)),
        all_(releases_of(package_, inputs.options, limits)) {
    const auto range = requirement_range(requirement.value);
    if (!range || all_.empty()) return;
    for (const auto& [number, release] : all_) {
      if (range->matches(number)) allowed_.emplace_back(number, &release);
    }
    earlier_ = reaches(*range, Version(0), all_.begin()->first);
    later_ = reaches(*range, all_.rbegin()->first.last_under().next(), {});
    understood_ = true;
  }

  Version newest_that_fits() const {
    const auto found = std::find_if(allowed_.rbegin(), allowed_.rend(), [](const auto& one) { return one.second->fits(); });
    return found == allowed_.rend() ? Version() : found->first;
  }

  Expected<void> check() const {
    if (lacks_torch()) return refuse_without_torch(requirement_);
    if (!understood_ || newest_that_fits() || earlier_) return {};
    if (later_ && no_later_one() == nullptr) return {};
    if (!allowed_.empty()) return refuse();
    return later_ ? refuse_later() : Expected<void>();
  }

  /// Of what `check` lets pass; empty: a release fits, or the package is not known.
  std::string note() const {
    if (!understood_ || newest_that_fits()) return {};
    if (allowed_.empty())
      return fmt::format("envgen has no data on the releases of {} that {} allows; pip decides whether one fits.", package_,
                         in_quotes(requirement_.value));
    const auto& newest = *allowed_.back().second;
    return fmt::format("No release of {} that envgen knows and {} allows fits: {} requires {}, but {}. {} one may.", package_,
                       in_quotes(requirement_.value), newest.name, newest.conflict().wanted(), newest.conflict().has(),
                       later_ && no_later_one() == nullptr ? "A later" : "An earlier");
  }

 private:
  Error error(std::string message, std::vector<std::string> hints) const {
    return {ErrorCode::usage, std::move(message), requirement_.where, std::move(hints)};
  }

  bool lacks_torch() const {
    if (inputs_.environment.torch) return false;
    const auto& rows = inputs_.options.requirements;
    const auto needs_torch = [&](const PackageRequirement& row) { return row.package == package_ && row.of == "torch"; };
    return std::any_of(rows.begin(), rows.end(), needs_torch);
  }

  /// Why no release after the known ones fits; null: one may.
  const Conflict* no_later_one() const {
    const auto& conflicts = all_.rbegin()->second.conflicts;
    const auto found = std::find_if(conflicts.begin(), conflicts.end(), [](const Conflict& one) { return one.needs_newer(); });
    return found == conflicts.end() ? nullptr : &*found;
  }

  Expected<void> refuse_later() const {
    const auto& newest = all_.rbegin()->second;
    const auto& why = *no_later_one();
    return tl::unexpected(error(fmt::format("{} allows only releases after {} {}, which requires {}, but {}",
                                            in_quotes(requirement_.value), package_, newest.name, why.wanted(), why.has()),
                                hints(why, {why.wanted()})));
  }

  Expected<void> refuse() const {
    // Where another Python would do, nobody is told of the releases for another torch.
    const auto fits_torch = [](const auto& one) { return one.second->fits("torch"); };
    auto closest = allowed_;
    if (std::any_of(closest.begin(), closest.end(), fits_torch)) std::erase_if(closest, std::not_fn(fits_torch));
    const auto& why = closest.back().second->conflict();
    std::vector<std::string> wanted;
    for (const auto& [number, release] : closest) {
      for (const auto& one : release->conflicts) {
        if (one.requirement->of == why.requirement->of) add_once(wanted, one.wanted());
      }
    }
    return tl::unexpected(
        error(fmt::format("{} requires {}, but {}", in_quotes(requirement_.value), any_of_them(wanted), why.has()),
              hints(why, wanted)));
  }

  std::vector<std::string> hints(const Conflict& why, const std::vector<std::string>& wanted) const {
    std::vector<std::string> result;
    const auto add = [&](std::string_view option, const std::string& value) {
      if (!value.empty()) result.push_back(fmt::format("{}{} {}", result.empty() ? "" : "or ", option, value));
    };
    const auto other = std::find_if(all_.rbegin(), all_.rend(), [](const auto& one) { return one.second.fits(); });
    if (other != all_.rend()) result.push_back(fmt::format("for {}: '{}=={}'", why.limit->what, package_, other->second.name));
    const auto& [package, of, spec, releases] = *why.requirement;
    if (of == "torch" && wanted.size() == 1 && spec.starts_with("==")) add("--torch", spec.substr(2));
    if (of == "python" && wanted.size() == 1) add("--python", nearest_python(spec, inputs_.environment.python));
    if (of == "triton" && why.needs_newer()) result.emplace_back("or a newer torch, which pins a newer triton");
    return result;
  }

  const Inputs& inputs_;
  const GivenText& requirement_;
  std::string package_;
  Releases all_;
  std::vector<std::pair<Version, const Release*>> allowed_;  ///< ascending
  bool understood_ = false;
  bool earlier_ = false;  ///< it also allows what came before the known ones
  bool later_ = false;    ///< ... or after them
};

}  // namespace

Expected<void> check_known_releases(const Inputs& inputs) {
  const auto all = limits(inputs);
  for (const auto& requirement : inputs.options.pip) {
    if (auto checked = Judged(inputs, requirement, all).check(); !checked) return checked;
  }
  return {};
}

std::vector<std::string> known_releases_notes(const Inputs& inputs) {
  const auto all = limits(inputs);
  std::vector<std::string> notes;
  for (const auto& requirement : inputs.options.pip) {
    if (auto note = Judged(inputs, requirement, all).note(); !note.empty()) add_once(notes, std::move(note));
  }
  return notes;
}

std::optional<std::vector<std::string>> releases_that_fit(const Inputs& inputs, const std::string& package) {
  const auto all = limits(inputs);
  const auto releases = releases_of(package, inputs.options, all);
  if (releases.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (auto one = releases.rbegin(); one != releases.rend(); ++one) {
    if (one->second.fits()) names.push_back(one->second.name);
  }
  return names;
}

Version newest_that_fits(const Inputs& inputs, std::string_view requirement) {
  const GivenText given{std::string(requirement), {}};
  const auto all = limits(inputs);
  return Judged(inputs, given, all).newest_that_fits();
}

}  // namespace envgen::files
