#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/version.hpp"

namespace envgen {

/// What a user or a package asks of a version: nothing, a prefix (`2.3`), or PEP 440 clauses (`>=2.3,<2.5`).
/// https://packaging.python.org/en/latest/specifications/version-specifiers/
class VersionSpec {
 public:
  /// As wide as what stands beside it in a clause, which so has no padding.
  enum class Op : std::uint64_t { prefix, not_prefix, equal, not_equal, less, less_equal, greater, greater_equal };
  struct Clause {
    Op op = Op::prefix;
    Version version;
  };

  VersionSpec() = default;
  explicit VersionSpec(Version prefix) : clauses_{{Op::prefix, prefix}} {}

  /// A bare version is a prefix: `2.3` means any 2.3.x. Clauses follow PEP 440 (`==2.3` is 2.3.0 alone,
  /// `==2.3.*` any 2.3.x, `~=2.3.1`), separated by commas; spaces around them are allowed.
  static Expected<VersionSpec> parse(std::string_view text);

  bool any() const { return clauses_.empty(); }
  const std::vector<Clause>& clauses() const { return clauses_; }

  bool matches(Version version) const { return matches(clauses_, version); }
  /// The same for clauses that are kept elsewhere (the packed matrix).
  static bool matches(std::span<const Clause> clauses, Version version);

  /// For how many of the releases that begin with `stated` it holds. A package that states cuDNN `8` brings one of them, and no
  /// one knows which.
  enum class Holds { for_none, for_some, for_all };
  Holds holds_under(Version stated) const;

  /// As `matches`, but each clause looks only at as many parts as it names itself, and at least at `least` of them:
  /// CUDA `>12.4` means a minor after 12.4, although the toolkit 12.4.1 is a larger number.
  bool matches_at_own_precision(Version version, int least) const;

  /// True when all that this allows is older than `limit`.
  bool is_below(Version limit) const;

  /// The one version this names when it is a bare version or a single `==`; none otherwise.
  Version single() const;

  std::string to_string() const;

 private:
  std::vector<Clause> clauses_;
};

/// What a wheel asks of a version, as wheels write it: `==2.0.0+cu117` and `==8.6.1.post1` are read without what follows the
/// release number. Errors: those of VersionSpec.
Expected<VersionSpec> wheel_spec(std::string_view text);

}  // namespace envgen
