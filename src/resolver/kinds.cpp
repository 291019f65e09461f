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
  bool tegra;
  bool pythons_known;
  std::uint64_t pythons;
  Version cuda;
  Version toolkit;
  Version glibc;
  Version glibc_below;
  std::int16_t offered_cudnn;
  const Build* itself;  ///< where the version tells: the images of PyTorch belong to one, and so do TensorFlow's and its extras
  std::vector<Objection> objections;

  friend auto operator<=>(const Traits&, const Traits&) = default;
};

}  // namespace

std::vector<Kind> kinds_of(const matrix::Matrix& matrix, const Query& query, bool allow_forward,
                           const std::function<bool(const Build&)>& considered) {
  const bool from_official_image = query.base_value != no_value && query.base == Base::pytorch;
  std::vector<Kind> kinds;
  std::map<Traits, std::size_t> known;
  Traits traits{};
  for (const auto& build : matrix->builds) {
    if (!considered(build)) continue;
    traits.framework = build.framework;
    traits.channel = build.channel;
    traits.platform = build.platform;
    traits.cpu = build.cpu;
    traits.listed = build.listed;
    traits.tegra = build.tegra;
    traits.pythons_known = build.pythons_known;
    traits.pythons = build.pythons.bits();
    traits.cuda = build.cuda;
    traits.toolkit = build.toolkit;
    traits.glibc = build.glibc;
    traits.glibc_below = build.glibc_below;
    traits.offered_cudnn = build.offered_cudnn_row;
    traits.itself = from_official_image || build.framework != Framework::torch ? &build : nullptr;
    traits.objections.clear();
    judge(matrix, query, build, allow_forward, &traits.objections);
    const auto [it, fresh] = known.try_emplace(traits, kinds.size());
    if (fresh) kinds.push_back({{}, traits.objections});
    kinds[it->second].builds.push_back(&build);
  }
  return kinds;
}

}  // namespace envgen::resolver
