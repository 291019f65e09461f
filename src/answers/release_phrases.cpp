#include "answers/release_phrases.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/add_once.hpp"
#include "resolver/judge.hpp"

namespace envgen::answers {

using matrix::Build;
using resolver::Reason;

namespace {

std::string name_of_companion(const Phrases& say) {
  return say.step.reason == Reason::torchvision ? "torchvision" : "torchaudio";
}

const resolver::AskedVersion& asked_companion(const Phrases& say) {
  return say.step.reason == Reason::torchvision ? say.query.torchvision : say.query.torchaudio;
}

const matrix::List<matrix::Companion>& companions(const Phrases& say) {
  return say.step.reason == Reason::torchvision ? say.matrix->torchvision : say.matrix->torchaudio;
}

/// "torch 2.3.0 needs torchvision 0.18.0 and torch 2.3.1 needs 0.18.1": torches that share one stand together.
std::string needed_companions(const Phrases& say) {
  const auto text =
      say.step.reason == Reason::torchvision ? &matrix::Release::torchvision_text : &matrix::Release::torchaudio_text;
  std::map<Version, const Build*> torches;
  for (const auto* build : say.step.builds) torches.try_emplace(build->version, build);
  constexpr std::size_t most = 6;
  const bool more = torches.size() > most;
  if (more) torches.erase(std::next(torches.begin(), most), torches.end());
  std::vector<std::pair<std::string_view, std::vector<std::string>>> groups;
  for (const auto& [version, build] : torches) {
    auto fitting = (say.matrix.release(*build).*text).view();
    if (fitting.empty() && build->channel == matrix::Channel::wheels) {
      const auto* other = resolver::newest_companion(companions(say), *build, VersionSpec());
      if (other != nullptr) fitting = other->text.view();
    }
    auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == fitting; });
    if (same == groups.end()) same = groups.insert(same, {fitting, {}});
    same->second.emplace_back(build->version_text.view());
  }
  std::vector<std::string> clauses;
  bool named = false;
  for (const auto& [companion, versions] : groups) {
    if (companion.empty()) {
      clauses.push_back(fmt::format("none was released for torch {}", joined(versions)));
      continue;
    }
    clauses.push_back(fmt::format("torch {} {} {}{}", joined(versions), versions.size() == 1 ? "needs" : "need",
                                  named ? "" : name_of_companion(say) + " ", companion));
    named = true;
  }
  return joined(clauses) + (more ? ", ..." : "");
}

/// The asked companion of a build, where its wheel takes that torch but was made for other CUDAs; null: it is not so.
const matrix::Companion* made_for_others(const Phrases& say, const Build& build) {
  return resolver::newest_companion(companions(say), build, asked_companion(say).spec, matrix::Tribool::no);
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
  const auto name = name_of_companion(say);
  const auto& asked = asked_companion(say);
  const auto& text = say.query.values[static_cast<std::size_t>(asked.value)].text;
  if (say.build().channel != matrix::Channel::wheels)
    return fmt::format("whether {} {} is built for {}", name, text, say.label());
  if (resolver::newest_companion(companions(say), say.build(), asked.spec, matrix::Tribool::unknown) != nullptr)
    return fmt::format("whether PyTorch's wheel index has {} {} for {}", name, text, say.label());
  return fmt::format("which Python versions the {} of {} supports", name, say.label());
}

std::string no_such_companion(const Phrases& say) {
  std::vector<std::string> cudas;
  const bool other_cuda = std::all_of(say.step.builds.begin(), say.step.builds.end(), [&](const Build* build) {
    const auto* row = made_for_others(say, *build);
    if (row == nullptr) return false;
    for (const auto cuda : row->cuda) add_once(cudas, cuda.to_string());
    if (row->linked_cuda) add_once(cudas, row->linked_cuda.to_string());
    return true;
  });
  if (other_cuda && !cudas.empty())
    return fmt::format("{} with {}, which was built only for CUDA {}.", say.no_builds("work", "does not work"), say.values(),
                       joined(cudas));
  return fmt::format("{} with {}: {}.", say.no_builds("work", "does not work"), say.values(), needed_companions(say));
}

void cite_companions(const Phrases& say, const Build& build, std::set<std::uint16_t>& sources) {
  if (say.step.reason != Reason::torchvision && say.step.reason != Reason::torchaudio) return;
  if (const auto* row = made_for_others(say, build)) sources.insert(row->from.of(row->linked_cuda ? "linked_cuda" : "cuda"));
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
