#include "answers/release_phrases.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/add_once.hpp"
#include "resolver/judge.hpp"

namespace envgen::answers {

using matrix::Build;
using resolver::Reason;

namespace {

/// "0.18.0 for torch 2.3.0 and none for torch 2.4.0".
std::string pairs(const Phrases& say) {
  const bool vision = say.step.reason == Reason::torchvision;
  const auto text = vision ? &matrix::Release::torchvision_text : &matrix::Release::torchaudio_text;
  auto have = say.each(&Build::version, [&](const Build& b) {
    auto fitting = (say.matrix.release(b).*text).view();
    if (fitting.empty() && b.channel == matrix::Channel::wheels) {
      const auto* other = resolver::newest_companion(vision ? say.matrix->torchvision : say.matrix->torchaudio, b, VersionSpec());
      if (other != nullptr) fitting = other->text.view();
    }
    return fmt::format("{} for torch {}", fitting.empty() ? "none" : fitting, b.version_text.view());
  });
  constexpr std::size_t most = 6;
  const bool more = have.size() > most;
  if (more) have.resize(most);
  return joined(have) + (more ? ", ..." : "");
}

/// The asked companion of a build, where its wheel takes that torch but was made for other CUDA minors; null: it is not so.
const matrix::Companion* made_for_others(const Phrases& say, const Build& build) {
  const bool vision = say.step.reason == Reason::torchvision;
  const auto& asked = vision ? say.query.torchvision : say.query.torchaudio;
  const auto& rows = vision ? say.matrix->torchvision : say.matrix->torchaudio;
  const auto takes = [&](const matrix::Companion& row) {
    if (row.platform != build.platform || !asked.spec.matches(row.version) || row.cuda.empty() || row.requires_torch.empty())
      return false;
    const auto torch = VersionSpec::parse(row.requires_torch);
    return torch && torch->matches(build.version) && std::find(row.cuda.begin(), row.cuda.end(), build.cuda) == row.cuda.end();
  };
  const auto* found = std::find_if(rows.begin(), rows.end(), takes);
  return build.cpu || found == rows.end() ? nullptr : found;
}

/// " besides cu121, cu124": those that are listed.
std::string listed_tags(const Phrases& say) {
  std::vector<std::string_view> tags;
  for (const auto& other : say.matrix->builds) {
    if (other.listed && other.channel == matrix::Channel::wheels && other.release == say.build().release &&
        other.platform == say.build().platform && !other.cpu)
      tags.push_back(other.tag.view());
  }
  std::sort(tags.begin(), tags.end());
  return tags.empty() ? "" : fmt::format(" (known: {})", fmt::join(tags, ", "));
}

}  // namespace

std::string companion_fit(const Phrases& say) {
  const bool vision = say.step.reason == Reason::torchvision;
  const auto* name = vision ? "torchvision" : "torchaudio";
  if (say.build().channel == matrix::Channel::wheels)
    return fmt::format("which Python versions the {} of {} supports", name, say.label());
  const auto& asked = vision ? say.query.torchvision : say.query.torchaudio;
  return fmt::format("whether {} {} is built for {}", name, say.query.values[static_cast<std::size_t>(asked.value)].text,
                     say.label());
}

std::string no_such_companion(const Phrases& say) {
  std::vector<std::string> cudas;
  const bool other_cuda = std::all_of(say.step.builds.begin(), say.step.builds.end(), [&](const Build* build) {
    const auto* row = made_for_others(say, *build);
    if (row == nullptr) return false;
    for (const auto cuda : row->cuda) add_once(cudas, cuda.to_string());
    return true;
  });
  if (other_cuda && !cudas.empty())
    return fmt::format("{} with {}, which was built only for CUDA {}.", say.no_builds("work", "does not work"), say.values(),
                       joined(cudas));
  return fmt::format("{} with {}: each torch release has its own {} ({}).", say.no_builds("work", "does not work"), say.values(),
                     say.step.reason == Reason::torchvision ? "torchvision" : "torchaudio", pairs(say));
}

void cite_companions(const Phrases& say, const Build& build, std::set<std::uint16_t>& sources) {
  if (say.step.reason != Reason::torchvision && say.step.reason != Reason::torchaudio) return;
  if (const auto* row = made_for_others(say, build)) sources.insert(row->from.of("cuda"));
}

std::string which_tags(const Phrases& say) {
  constexpr std::size_t listed = 4;
  const auto cudas = say.cudas();
  const auto builds = say.all_for_cpu()        ? std::string("a CPU build")
                      : cudas.size() <= listed ? fmt::format("a build for CUDA {}", joined(cudas, "or"))
                                               : fmt::format("a build for any CUDA from {} to {}", cudas.front(), cudas.back());
  return fmt::format("whether torch {} has {}{}", say.build().version_text.view(), builds, listed_tags(say));
}

}  // namespace envgen::answers
