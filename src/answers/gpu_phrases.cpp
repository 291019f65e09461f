#include "answers/gpu_phrases.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/add_once.hpp"
#include "model/os_name.hpp"
#include "resolver/cudnn_choice.hpp"

namespace envgen::answers {

using matrix::Build;
using resolver::set_of;

namespace {

/// Where the cuDNN of the builds begins, or where it ends: below or above the board.
std::string what_cudnn_serves(const Phrases& say) {
  std::set<Capability> floors;
  std::set<Capability> ends;
  for (const auto* build : say.step.builds) {
    for (const auto& row : say.matrix->cudnns) {
      if (!build->cudnn || !row.version.under(build->cudnn)) continue;  // a build may state it in part
      for (const auto& gpus : row.gpus) {
        if (gpus.cuda && !build->cuda.under(gpus.cuda)) continue;
        floors.insert(gpus.min);
        if (gpus.ends && say.board().capability > gpus.max) ends.insert(gpus.max);
      }
    }
  }
  const auto names = [](const std::set<Capability>& capabilities) {
    std::vector<std::string> words;
    for (const auto one : capabilities) words.push_back(one.to_string());
    return joined(words, "or");
  };
  if (!ends.empty()) return "supports compute capabilities up to " + names(ends);
  if (!floors.empty() && say.board().capability < *floors.rbegin())
    return "supports only compute capability " + names(floors) + " and newer";
  const auto* later = resolver::later_cudnn_without(say.matrix, say.step.builds.front()->cudnn, say.board().capability);
  if (later == nullptr) return "supports only compute capability " + names(floors) + " and newer";
  std::set<Capability> of_later;
  for (const auto& gpus : later->gpus) of_later.insert(gpus.max);
  return fmt::format(
      "is older than {}, whose support ends at compute capability {} (inferred: no older cuDNN supports newer GPUs)",
      later->version, names(of_later));
}

/// Of some cuDNN that the build may have, the facts say from which GPU on it serves them, up to the board or past it, and not
/// where it ends.
bool its_last_gpu_is_open(const Phrases& say) {
  const auto& build = say.build();
  const auto& choices = build.cudnn_choices;
  const auto is_its_own = [&](const matrix::Cudnn& row) {
    const auto index = &row - say.matrix->cudnns.begin();
    return choices.empty() ? build.cudnn && row.version.under(build.cudnn)
                           : std::find(choices.begin(), choices.end(), index) != choices.end();
  };
  const auto is_open = [&](const matrix::CudnnGpus& gpus) {
    return (!gpus.cuda || build.cuda.under(gpus.cuda)) && gpus.min <= say.board().capability && gpus.max == Capability();
  };
  return std::any_of(say.matrix->cudnns.begin(), say.matrix->cudnns.end(), [&](const matrix::Cudnn& row) {
    return is_its_own(row) && std::any_of(row.gpus.begin(), row.gpus.end(), is_open);
  });
}

/// The builds of which the request chooses the cuDNN.
bool chosen_here(const Phrases& say) {
  return std::all_of(say.step.builds.begin(), say.step.builds.end(), [&](const Build* build) {
    return resolver::chooses_cudnn(say.query, *build) && build->cudnn_choices.size() > 1;
  });
}

/// What none of the releases of a choice is: the values of the step.
std::string not_among_them(const Phrases& say) {
  const auto says = [&](int value) { return (say.step.values & set_of(value)) != 0; };
  std::vector<std::string> words;
  if (says(say.query.cudnn.value))
    words.push_back("is " + say.query.values[static_cast<std::size_t>(say.query.cudnn.value)].text);
  if (says(say.query.os_value))
    words.push_back(fmt::format("loads on {} (glibc {})", os_name(say.query.os->id.view()), say.query.os->glibc));
  std::vector<std::string> boards;
  for (const auto& board : say.query.boards) {
    if (says(board.value)) add_once(boards, Phrases::named(board));
  }
  if (!boards.empty()) words.push_back("supports " + joined(boards));
  return joined(words);
}

std::string none_of_a_choice(const Phrases& say) {
  const auto& choices = say.build().cudnn_choices;
  return fmt::format("{} cuDNN {} to {}, but none of these {}.", say.builds("accepts", "accept"),
                     say.matrix->cudnns[choices.front()].version, say.matrix->cudnns[choices.back()].version,
                     not_among_them(say));
}

std::string cudnns(const Phrases& say) {
  auto names = say.each(&Build::cudnn, [](const Build& b) {
    return b.cudnn ? b.cudnn.to_string() : fmt::format("one of unknown version for CUDA {}", b.cuda.at(1));
  });
  // The unread one comes first in their order, and reads best as the last.
  std::rotate(names.begin(), names.begin() + (names.front().starts_with("one ") ? 1 : 0), names.end());
  return "cuDNN " + joined(names, "or");
}

/// What a Jetson runs: no machine code but its own, as long as its CUDA does not say otherwise.
std::string runs_of_board(const Phrases& say) {
  const auto capability = say.board().capability;
  if (!say.matrix.tegra(capability))
    return capability.minor == 0
               ? fmt::format("binaries for {0}, or PTX for {0} or lower", capability)
               : fmt::format("binaries for {1} to {0}, or PTX for {0} or lower", capability, Capability{capability.major, 0});
  const bool shares = capability == resolver::orin;
  return fmt::format("binaries for {0}{1} or PTX for {0} or lower", capability,
                     shares ? " (from CUDA 13.2 on, also those for 8.0 and 8.6)" : "");
}

/// What would run is plain where there is no PTX and all binaries are for older GPUs, or for newer ones.
bool needs_saying(const Phrases& say) {
  const auto capability = say.board().capability;
  const auto all = [&](auto is) {
    return std::all_of(say.step.builds.begin(), say.step.builds.end(), [&](const Build* build) {
      return build->ptx.empty() && std::all_of(build->sass.begin(), build->sass.end(), is);
    });
  };
  const bool plain = all([&](const Arch& arch) { return arch.capability < capability; }) ||
                     all([&](const Arch& arch) { return arch.capability > capability; });
  return !plain || say.matrix.tegra(capability);
}

}  // namespace

std::string no_code_runs(const Phrases& say) {
  const auto& board = say.board();
  const bool known_to_fail = std::all_of(say.step.builds.begin(), say.step.builds.end(),
                                         [&](const Build* build) { return resolver::fails_on(*build, board.capability); });
  if (known_to_fail) return fmt::format("{} known to fail on {}.", say.builds("is", "are"), say.named_board());
  const bool for_jetson =
      std::all_of(say.step.builds.begin(), say.step.builds.end(), [](const Build* build) { return build->tegra; });
  if (for_jetson && !say.matrix.tegra(board.capability))
    return fmt::format("{} on {}: conda-forge's tegra packages are for Jetson alone.", say.no_builds("run", "does not run"),
                       say.named_board());
  if (say.all_for_cpu()) return fmt::format("{} {}: {}.", say.no_builds("can use", "cannot use"), say.named_board(), say.code());
  const auto sentence = fmt::format("{} on {}: {}.", say.no_builds("run", "does not run"), say.named_board(), say.code());
  return needs_saying(say) ? fmt::format("{} This GPU needs {}.", sentence, runs_of_board(say)) : sentence;
}

std::string which_cudnn(const Phrases& say) {
  return say.build().cudnn ? fmt::format("which release of cuDNN {}", say.build().cudnn) : "which cuDNN";
}

std::string no_such_cudnn(const Phrases& say) {
  if (chosen_here(say)) return none_of_a_choice(say);
  if (say.all_for_cpu()) return say.no_builds("use", "does not use") + " cuDNN.";
  return fmt::format("{} {}, not {}.", say.builds("uses", "use"), cudnns(say),
                     say.named(say.step.values & ~set_of(say.query.base_value)));
}

std::string whether_cudnn_serves(const Phrases& say) {
  const auto& board = say.board();
  const auto path = resolver::code_path(say.matrix, say.build(), board.capability);
  const auto by_ptx_alone = path.runs == resolver::Runs::ptx && its_last_gpu_is_open(say);
  return fmt::format("whether the cuDNN of {} supports the {}{}", say.label(), board.name,
                     by_ptx_alone ? fmt::format(": no source states the newest GPU that this cuDNN supports, and the build's PTX "
                                                "(for {}) alone does not prove support",
                                                path.via)
                                  : std::string());
}

std::string cudnn_serves_not(const Phrases& say) {
  if (chosen_here(say)) return none_of_a_choice(say);
  const auto& board = say.board();
  return fmt::format("{} {}, which {}; {} {}.", say.builds("uses", "use"), cudnns(say), what_cudnn_serves(say),
                     board.gpu == nullptr ? "the requested GPU has" : fmt::format("the {} has", board.name), board.capability);
}

}  // namespace envgen::answers
