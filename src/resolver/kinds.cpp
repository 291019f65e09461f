#include "resolver/kinds.hpp"

#include <compare>
#include <map>

#include "resolver/judge.hpp"

namespace envgen::resolver {

using matrix::Build;

namespace {

/// All that `place`, and what a proof asks of a build besides, can tell builds apart by.
struct Traits {
  Framework framework;
  matrix::Channel channel;
  Platform platform;
  bool cpu;
  bool listed;
  bool pythons_known;
  std::uint64_t pythons;
  Version cuda;
  Version toolkit;
  Version glibc;
  const Build* itself;  ///< where the version tells: official images belong to one, and so do TensorFlow's extras
  std::vector<Finding> findings;

  friend auto operator<=>(const Traits&, const Traits&) = default;
};

}  // namespace

std::vector<Kind> kinds_of(const matrix::Matrix& matrix, const Query& query, bool allow_forward,
                           const std::function<bool(const Build&)>& considered) {
  const bool from_official_image =
      query.base_value != no_value && (query.base == Base::pytorch || query.base == Base::tensorflow);
  std::vector<Kind> kinds;
  std::map<Traits, std::size_t> known;
  std::vector<Finding> findings;
  for (const auto& build : matrix->builds) {
    if (!considered(build)) continue;
    findings.clear();
    judge(matrix, query, build, allow_forward, &findings);
    const bool of_its_own = from_official_image || build.framework != Framework::torch;
    const Traits traits{build.framework,
                        build.channel,
                        build.platform,
                        build.cpu,
                        build.listed,
                        build.pythons_known,
                        build.pythons.bits(),
                        build.cuda,
                        build.toolkit,
                        build.glibc,
                        of_its_own ? &build : nullptr,
                        findings};
    const auto [it, fresh] = known.emplace(traits, kinds.size());
    if (fresh) kinds.push_back({{}, findings});
    kinds[it->second].builds.push_back(&build);
  }
  return kinds;
}

}  // namespace envgen::resolver
