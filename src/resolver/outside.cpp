#include "resolver/outside.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

namespace envgen::resolver {
namespace {

using matrix::Matrix;
using Matches = std::function<bool(Version)>;

/// The same version with the part after `index` one higher, cut there: the next release of that kind.
Version next(Version version, int index) {
  const auto part = [&](int i) { return static_cast<std::uint16_t>(version.part(i) + (i == index ? 1 : 0)); };
  return index == 0 ? Version(part(0)) : index == 1 ? Version(part(0), part(1)) : Version(part(0), part(1), part(2));
}

/// Between these two, whether there are others was not read.
struct Gap {
  Version before;
  Version after;
};

struct Known {
  std::vector<Version> versions;
  std::vector<Gap> gaps;
};

/// Adds the value where it matches none of the known versions, and one that is newer than all of them, older or in a gap.
void add_outside(int value, std::string_view what, const VersionSpec& spec, const Known& all, const Matches& matches,
                 bool possible, std::vector<Outside>& found) {
  const auto& known = all.versions;
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
  if (any([&](Version sample) { return sample > newest; }))
    return found.push_back({value, what, Outside::Side::newer, newest.to_string(), "", possible});
  if (any([&](Version sample) { return sample < oldest; }))
    return found.push_back({value, what, Outside::Side::older, oldest.to_string(), "", possible});
  const auto gap = std::find_if(all.gaps.begin(), all.gaps.end(), [&](const Gap& one) {
    return any([&](Version sample) { return one.before < sample && sample < one.after; });
  });
  if (gap != all.gaps.end())
    found.push_back({value, what, Outside::Side::between, gap->before.to_string(), gap->after.to_string(), possible});
}

/// The newest minor of Python that a listed build is for.
int newest_python(const Matrix& matrix) {
  PythonSet all;
  for (const auto& build : matrix->builds) {
    if (build.listed && build.pythons_known) all = all | (build.pythons & PythonSet::regular());
  }
  return all.empty() || all.newest().minor == PythonSet::max_minor ? PythonSet::max_minor : all.newest().minor;
}

/// What is named by releases of a framework: their own versions, or those of a companion (`named`), where they have one.
Known known_of(const Matrix& matrix, Framework framework, Version matrix::Release::*named) {
  std::vector<const matrix::Release*> releases;
  for (const auto& release : matrix->releases) {
    if (release.framework == framework && release.*named) releases.push_back(&release);
  }
  std::sort(releases.begin(), releases.end(), [](const auto* a, const auto* b) { return a->version < b->version; });
  Known known;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    known.versions.push_back(releases[i]->*named);
    if (releases[i]->gap_before && i != 0) known.gaps.push_back({releases[i - 1]->*named, releases[i]->*named});
  }
  return known;
}

/// The framework's version. Where it is to come from conda, only the releases count that conda is known to have.
void add_framework(const Matrix& matrix, const Query& query, std::vector<Outside>& found) {
  const auto& version = query.version;
  auto known = known_of(matrix, query.framework, &matrix::Release::version);
  const bool conda = query.installer == Installer::conda;
  if (conda) {
    const auto is_missing = [&](Version one) {
      return std::none_of(matrix->builds.begin(), matrix->builds.end(), [&](const matrix::Build& build) {
        return build.channel != matrix::Channel::wheels && build.framework == query.framework && build.version == one;
      });
    };
    std::erase_if(known.versions, is_missing);
    std::erase_if(known.gaps, [&](const Gap& gap) { return is_missing(gap.before) || is_missing(gap.after); });
  }
  add_outside(
      version.value, name_of(query.framework), version.spec, known, [&](Version one) { return version.spec.matches(one); }, true,
      found);
  if (!found.empty()) found.back().conda = conda;
}

/// Whether a release of the framework that was asked for may have a companion that is newer than all known ones: it has none of
/// its own, and the newest one states that it works with it; or it has the newest, and an update of that is asked for.
bool may_have_newer(const Matrix& matrix, const Query& query, const VersionSpec& asked, Version matrix::Release::*named,
                    const matrix::List<matrix::Companion>& rows) {
  const auto newest =
      std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.version < b.version; });
  if (newest == rows.end()) return false;
  const auto accepted = VersionSpec::parse(newest->requires_torch);
  constexpr int update = 2;
  return std::any_of(matrix->releases.begin(), matrix->releases.end(), [&](const matrix::Release& release) {
    if (release.framework != query.framework || !query.version.spec.matches(release.version)) return false;
    if (release.*named) return release.*named == newest->version && asked.matches(next(newest->version, update));
    return !newest->requires_torch.empty() && accepted && accepted->matches(release.version);
  });
}

}  // namespace

std::vector<Outside> values_outside(const Matrix& matrix, const Query& query) {
  std::vector<Outside> found;
  // A release whose list of CUDA builds is not complete may have one that is not known.
  bool open = query.version.value == no_value;
  for (const auto& release : matrix->releases) {
    if (release.framework != query.framework) continue;
    open = open || (!release.tags_complete && !release.open_cuda_known && query.version.spec.matches(release.version));
  }
  add_framework(matrix, query, found);
  const bool any_release = query.version.value == no_value || !found.empty();

  Known toolkits;
  for (const auto& minor : matrix->cuda_minors) toolkits.versions.push_back(minor.cuda);
  for (const auto& toolkit : matrix->toolkits) toolkits.versions.push_back(toolkit.version);
  for (const auto& asked : query.cuda) {
    constexpr int minor_parts = 2;
    if (!asked.cpu)
      add_outside(
          asked.value, "CUDA", asked.spec, toolkits,
          [&](Version one) { return asked.spec.matches_at_own_precision(one, minor_parts); }, open || any_release, found);
  }
  const auto companion = [&](const AskedVersion& asked, std::string_view name, Version matrix::Release::*named,
                             const matrix::List<matrix::Companion>& rows) {
    auto known = known_of(matrix, query.framework, named);
    for (const auto& row : rows) known.versions.push_back(row.version);
    const auto before = found.size();
    add_outside(
        asked.value, name, asked.spec, known, [&](Version one) { return asked.spec.matches(one); }, any_release, found);
    if (found.size() == before) return;
    auto& outside = found.back();
    outside.possible =
        outside.possible || (outside.side == Outside::Side::newer && may_have_newer(matrix, query, asked.spec, named, rows));
  };
  companion(query.torchvision, "torchvision", &matrix::Release::torchvision, matrix->torchvision);
  companion(query.torchaudio, "torchaudio", &matrix::Release::torchaudio, matrix->torchaudio);
  return found;
}

std::optional<Outside> python_outside(const Matrix& matrix, const Query& query) {
  if (query.python_value == no_value || query.pythons.empty()) return std::nullopt;
  const auto newest = newest_python(matrix);
  if (query.pythons.list().front().minor <= newest) return std::nullopt;
  return Outside{query.python_value, "Python", Outside::Side::newer, fmt::format("3.{}", newest), ""};
}

}  // namespace envgen::resolver
