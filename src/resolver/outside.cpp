#include "resolver/outside.hpp"

#include <algorithm>
#include <functional>

namespace envgen::resolver {
namespace {

using matrix::Matrix;
using Matches = std::function<bool(Version)>;

/// The same version with the part after `index` one higher, cut there: the next release of that kind.
Version next(Version version, int index) {
  const auto part = [&](int i) { return static_cast<std::uint16_t>(version.part(i) + (i == index ? 1 : 0)); };
  return index == 0 ? Version(part(0)) : index == 1 ? Version(part(0), part(1)) : Version(part(0), part(1), part(2));
}

/// Adds the value where it matches none of the known versions, and one that is newer than all of them or older.
void add_outside(int value, std::string_view what, const VersionSpec& spec, const std::vector<Version>& known,
                 const Matches& matches, bool possible, std::vector<Outside>& found) {
  if (value == no_value || known.empty() || std::any_of(known.begin(), known.end(), matches)) return;
  const auto newest = *std::max_element(known.begin(), known.end());
  const auto oldest = *std::min_element(known.begin(), known.end());
  std::vector<Version> samples{Version(0, 1), next(newest, 2), next(newest, 1), next(newest, 0)};
  for (const auto& clause : spec.clauses()) {
    samples.push_back(clause.version);
    samples.push_back(next(clause.version, 2));
  }
  const auto any = [&](auto lies_outside) {
    return std::any_of(samples.begin(), samples.end(), [&](Version sample) { return lies_outside(sample) && matches(sample); });
  };
  const bool newer = any([&](Version sample) { return sample > newest; });
  if (newer || any([&](Version sample) { return sample < oldest; }))
    found.push_back({value, what, newer, (newer ? newest : oldest).to_string(), possible});
}

}  // namespace

std::vector<Outside> values_outside(const Matrix& matrix, const Query& query) {
  std::vector<Outside> found;
  std::vector<Version> releases;
  std::vector<Version> torchvisions;
  std::vector<Version> torchaudios;
  // A release whose list of CUDA builds is not complete may have one that is not known.
  bool open = query.version.value == no_value;
  for (const auto& release : matrix->releases) {
    if (release.framework != query.framework) continue;
    releases.push_back(release.version);
    if (release.torchvision) torchvisions.push_back(release.torchvision);
    if (release.torchaudio) torchaudios.push_back(release.torchaudio);
    open = open || (!release.tags_complete && !release.open_cuda_known && query.version.spec.matches(release.version));
  }
  const auto& version = query.version.spec;
  add_outside(
      query.version.value, name_of(query.framework), version, releases, [&](Version one) { return version.matches(one); }, true,
      found);
  const bool any_release = query.version.value == no_value || !found.empty();

  std::vector<Version> toolkits;
  for (const auto& minor : matrix->cuda_minors) toolkits.push_back(minor.cuda);
  for (const auto& toolkit : matrix->toolkits) toolkits.push_back(toolkit.version);
  for (const auto& asked : query.cuda) {
    constexpr int minor_parts = 2;
    if (!asked.cpu)
      add_outside(
          asked.value, "CUDA", asked.spec, toolkits,
          [&](Version one) { return asked.spec.matches_at_own_precision(one, minor_parts); }, open || any_release, found);
  }
  const auto companion = [&](const AskedVersion& asked, std::string_view name, std::vector<Version> versions,
                             const matrix::List<matrix::Companion>& rows) {
    for (const auto& row : rows) versions.push_back(row.version);
    add_outside(
        asked.value, name, asked.spec, versions, [&](Version one) { return asked.spec.matches(one); }, any_release, found);
  };
  companion(query.torchvision, "torchvision", std::move(torchvisions), matrix->torchvision);
  companion(query.torchaudio, "torchaudio", std::move(torchaudios), matrix->torchaudio);
  return found;
}

}  // namespace envgen::resolver
