#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <set>

#include "resolver/beyond_defaults.hpp"
#include "resolver/kinds.hpp"
#include "resolver/nearest.hpp"
#include "resolver/outside.hpp"
#include "resolver/place.hpp"
#include "resolver/resolver.hpp"

/// The proof of a conflict. Each candidate (a build in a place) falls for one or more reasons, and each reason needs a set of
/// requested values. A set of values is contradictory when, for every candidate, it contains one of the candidate's reasons
/// whole; a smallest such set is the conflict, and the reasons that it contains are the proof.
namespace envgen::resolver {

using matrix::Build;
using matrix::Matrix;

namespace {

/// Values that select builds by what they are called; what they leave is the scope that the other values then rule out.
bool selects(Reason reason) {
  switch (reason) {
    case Reason::framework:
    case Reason::version:
    case Reason::platform:
    case Reason::default_place:
    case Reason::installer:
    case Reason::cuda:
    case Reason::cudnn:
    case Reason::torchvision:
    case Reason::torchaudio:
    case Reason::python:
    case Reason::companion_python:
    case Reason::os:
      return true;
    default:
      return false;
  }
}

/// The reasons of a candidate as sets of values, the minimal ones only, ascending.
using Family = std::vector<ValueSet>;

Family minimal(std::vector<ValueSet> sets) {
  std::sort(sets.begin(), sets.end(), [](ValueSet a, ValueSet b) {
    return std::popcount(a) != std::popcount(b) ? std::popcount(a) < std::popcount(b) : a < b;
  });
  Family kept;
  for (const auto set : sets) {
    const bool covered = std::any_of(kept.begin(), kept.end(), [&](ValueSet smaller) { return (smaller & ~set) == 0; });
    if (!covered) kept.push_back(set);
  }
  return kept;
}

/// Depth-first search for a set of at most `limit` values that holds a reason of every family.
bool contradict(const std::set<Family>& families, ValueSet chosen, int limit, ValueSet& found) {
  for (const auto& family : families) {
    if (std::any_of(family.begin(), family.end(), [&](ValueSet reason) { return (reason & ~chosen) == 0; })) continue;
    for (const auto reason : family) {
      const auto extended = chosen | reason;
      if (std::popcount(extended) <= limit && contradict(families, extended, limit, found)) return true;
    }
    return false;
  }
  found = chosen;
  return true;
}

ValueSet smallest_contradiction(const std::set<Family>& families, int values) {
  ValueSet found = 0;
  for (int limit = 0; limit <= values; ++limit) {
    if (contradict(families, 0, limit, found)) return found;
  }
  return found;
}

void add_sources(const Matrix& matrix, const Query& query, const Step& step, std::set<std::uint16_t>& sources) {
  const auto add_build = [&](std::string_view field) {
    for (const auto* build : step.builds) sources.insert(build->from.of(field));
  };
  const auto machine_boards = [&] {
    for (const auto b : query.machines[static_cast<std::size_t>(step.subject)].boards) {
      const auto* row = query.boards[b].driver_row;
      if (row != nullptr) sources.insert(row->from.of("first_driver"));
      if (row != nullptr) sources.insert(row->from.of("last_branch"));
    }
  };
  const auto board_row = [&] {
    const auto& board = query.boards[static_cast<std::size_t>(step.subject)];
    if (board.gpu != nullptr) sources.insert(board.gpu->from.of("capability"));
    return board.driver_row;
  };
  switch (step.reason) {
    case Reason::code:
      add_build("sass");
      board_row();
      break;
    case Reason::cudnn_gpu:
      for (const auto* build : step.builds) {
        if (const auto* cudnn = matrix.cudnn(*build)) sources.insert(cudnn->from.of("gpus"));
      }
      board_row();
      break;
    case Reason::gpu_driver:
      if (const auto* row = board_row()) {
        sources.insert(row->from.of("first_driver"));
        sources.insert(row->from.of("last_branch"));
      }
      break;
    case Reason::driver:
      for (const auto* build : step.builds) {
        if (const auto* row = matrix.minor(*build)) sources.insert(row->from.of("native_driver"));
        if (const auto* row = matrix.major(*build)) sources.insert(row->from.of("minor_compat_driver"));
      }
      break;
    case Reason::gpu_too_old:
      for (const auto* build : step.builds) {
        if (const auto* row = matrix.minor(*build)) sources.insert(row->from.of("native_driver"));
        if (const auto* row = matrix.major(*build)) sources.insert(row->from.of("minor_compat_driver"));
      }
      machine_boards();
      break;
    case Reason::kernel_module:
    case Reason::host_drivers:
      machine_boards();
      break;
    case Reason::arm_only:
      board_row();
      break;
    case Reason::version: {
      const auto wanted = query.version.spec.single();
      for (const auto& release : matrix->releases) {
        if (release.framework == query.framework && wanted.count() >= 2 && release.version.under(wanted.at(2)))
          sources.insert(release.from.source);
      }
      break;
    }
    case Reason::cuda:
      add_build("cuda");
      break;
    case Reason::cudnn:
      add_build("cudnn");
      break;
    case Reason::python:
    case Reason::companion_python:
      add_build("package_index");
      break;
    case Reason::glibc:
      add_build("glibc");
      break;
    default:
      add_build("");
      break;
  }
}

/// What the request would choose from had some of its values been left to their defaults: a conflict must hold there too, or it
/// is one of the defaults and not of what was asked.
struct Frame {
  Query query;
  ValueSet left_out = 0;  ///< values that say where a build is put, and that this frame is without
};

std::vector<Frame> frames_of(const Query& query) {
  std::vector<Frame> frames{{query, 0}};
  if (query.base_value != no_value) {
    auto frame = frames.front();
    frame.query.base_value = no_value;
    frame.left_out = set_of(query.base_value);
    frames.push_back(std::move(frame));
  }
  if (query.variant_value == no_value || query.variant == Query().variant) return frames;
  auto without_variant = frames;
  for (auto& frame : without_variant) {
    frame.query.variant_value = no_value;
    frame.query.variant = Query().variant;
    frame.left_out |= set_of(query.variant_value);
    frames.push_back(std::move(frame));
  }
  return frames;
}

bool asks_for_tensorflow_by_base(const Query& query) { return query.base_value != no_value && query.base == Base::tensorflow; }

/// True when the build is a candidate of the request or of some part of it, where other defaults hold.
bool in_frame(const Query& query, const Build& build) {
  // Without what names torch, the base of TensorFlow would ask for that one.
  if (build.framework != query.framework && query.framework == Framework::torch && !asks_for_tensorflow_by_base(query))
    return false;
  // Without its value the request would be one for torch: no other release is ever a candidate.
  if (build.framework == Framework::tensorflow && !asks_for_tensorflow_by_base(query) && query.version.value != no_value &&
      !query.version.spec.matches(build.version))
    return false;
  if (build.channel != matrix::Channel::wheels && query.installer != Installer::conda) return false;
  const auto beside_arm = [](const Board& board) { return board.arm_only; };
  const bool any_platform = build.platform == query.platform || build.platform == Query().platform ||
                            std::any_of(query.boards.begin(), query.boards.end(), beside_arm);
  if (!any_platform) return false;
  return in_domain_of_any_framework(query, build);
}

/// The sets of values of which one must stand in a request for the build to be a candidate at all. Where it is none, these values
/// cannot be what is wrong, so they need no place in the conflict.
std::vector<ValueSet> presuppositions(const Query& query, const Build& build) {
  ValueSet always = 0;
  std::vector<ValueSet> framework;
  if (build.framework == Framework::torch)
    framework = {0};
  else if (query.framework == Framework::tensorflow)
    framework.push_back(set_of(query.framework_value));
  if (build.framework == Framework::tensorflow && asks_for_tensorflow_by_base(query))
    framework.push_back(set_of(query.base_value));
  if (build.channel != matrix::Channel::wheels) always |= set_of(query.installer_value);
  std::vector<ValueSet> cpu;
  for (const auto& asked : query.cuda) {
    if (asked.cpu) cpu.push_back(set_of(asked.value));
  }
  if (!build.cpu) cpu = {0};
  std::vector<ValueSet> platform;
  if (build.platform == Query().platform) {
    platform = {0};
  } else {
    if (query.platform_value != no_value && query.platform == build.platform) platform.push_back(set_of(query.platform_value));
    for (const auto& board : query.boards) {
      if (board.arm_only) platform.push_back(set_of(board.value));
    }
  }
  std::vector<ValueSet> all;
  for (const auto of_cpu : cpu) {
    for (const auto of_platform : platform) {
      for (const auto of_framework : framework) all.push_back(always | of_cpu | of_platform | of_framework);
    }
  }
  return all;
}

/// One kind of build in one place.
struct Candidate {
  const Kind* kind;
  std::vector<Finding> findings;

  const Build& any_build() const { return *kind->builds.front(); }
};

/// All builds of these kinds in the order of preference, in which the rows lie.
std::vector<const Build*> builds_of(const std::set<const Kind*>& kinds) {
  std::vector<const Build*> builds;
  for (const auto* kind : kinds) builds.insert(builds.end(), kind->builds.begin(), kind->builds.end());
  std::sort(builds.begin(), builds.end(), std::less<>());
  return builds;
}

}  // namespace

Conflict prove_conflict(const Matrix& matrix, const Query& query) {
  std::vector<Candidate> candidates;
  std::set<Family> families;
  const auto add_family = [&](const std::vector<Finding>& findings, ValueSet presupposed) {
    std::vector<ValueSet> sets;
    sets.reserve(findings.size());
    for (const auto& finding : findings) sets.push_back(finding.values & ~presupposed);
    families.insert(minimal(std::move(sets)));
  };
  // A release outside the matrix falls only for what falls whatever the build is, and for a version that it does not have.
  for (const auto& outside : values_outside(matrix, query)) {
    auto findings = query.always;
    if (!outside.possible) findings.push_back({Reason::version, false, set_of(query.version.value), -1});
    add_family(findings, set_of(outside.value));
  }
  const auto frames = frames_of(query);
  const auto all_of_place = set_of(query.base_value) | set_of(query.variant_value);
  const auto kinds = kinds_of(matrix, query, true, [&](const Build& build) { return in_frame(query, build); });
  for (const auto& kind : kinds) {
    const auto& build = *kind.builds.front();
    auto of_build = kind.findings;
    std::erase_if(of_build, [](const Finding& finding) { return finding.unknown; });
    const auto presupposed = presuppositions(query, build);
    for (const auto& frame : frames) {
      const auto of_place = all_of_place & ~frame.left_out;
      for (const auto& option : distinct_places(matrix, frame.query, build, build.pythons)) {
        if (!option.exists && frame.left_out != 0) continue;
        auto findings = of_build;
        // Any one of the values that were left out takes its default place away.
        for (auto left = frame.left_out; left != 0; left &= left - 1)
          findings.push_back({Reason::default_place, false, left & (~left + 1), -1});
        for (const auto& finding : option.findings) {
          if (!finding.unknown) findings.push_back(finding);
        }
        for (const auto values : presupposed) {
          if (option.exists) add_family(findings, values | of_place);
        }
        candidates.push_back({&kind, std::move(findings)});
      }
    }
  }

  Conflict conflict;
  const auto chosen = smallest_contradiction(families, static_cast<int>(query.values.size()));
  for (std::size_t i = 0; i < query.values.size(); ++i) {
    if ((chosen & set_of(static_cast<int>(i))) != 0) conflict.values.push_back(static_cast<int>(i));
  }

  // The prose speaks of builds that are known to exist, and of the framework that was asked for, as far as these say it.
  const auto spoken_of = [&](const Candidate& candidate) {
    return candidate.any_build().listed && candidate.any_build().framework == query.framework;
  };
  if (std::any_of(candidates.begin(), candidates.end(), spoken_of))
    std::erase_if(candidates, [&](const Candidate& candidate) { return !spoken_of(candidate); });

  // What falls whatever the build is says it all.
  std::set<std::uint16_t> sources;
  for (const auto& finding : query.always) {
    if ((finding.values & ~chosen) != 0) continue;
    conflict.steps.push_back({finding.reason, finding.values, finding.subject, {}});
    add_sources(matrix, query, conflict.steps.back(), sources);
    break;
  }
  if (conflict.steps.empty()) {
    const auto holds = [&](const Finding& finding) { return (finding.values & ~chosen) == 0; };
    // The scope: builds that no selecting value of the conflict rules out.
    std::map<std::tuple<Reason, ValueSet, std::int16_t>, std::set<const Kind*>> fallen;
    std::set<const Kind*> selected_kinds;
    for (const auto& candidate : candidates) {
      const bool selected = std::none_of(candidate.findings.begin(), candidate.findings.end(),
                                         [&](const Finding& finding) { return holds(finding) && selects(finding.reason); });
      if (!selected) continue;
      selected_kinds.insert(candidate.kind);
      const auto finding = std::find_if(candidate.findings.begin(), candidate.findings.end(), holds);
      if (finding == candidate.findings.end()) continue;
      fallen[{finding->reason, finding->values, finding->subject}].insert(candidate.kind);
    }
    auto scope = builds_of(selected_kinds);
    std::vector<Step> steps;
    for (const auto& [key, kinds_of_step] : fallen) {
      const auto [reason, values, subject] = key;
      steps.push_back({reason, values, subject, builds_of(kinds_of_step)});
    }
    if (scope.empty()) {
      // The selecting values contradict one another: the last of them falls over what the others leave.
      // The base late, and the release as the last resort: that there is none says less than what its builds and places lack.
      std::vector<int> order(conflict.values.rbegin(), conflict.values.rend());
      const auto rank = [&](int value) {
        return value == query.version.value ? 2 : value == query.base_value || value == query.variant_value ? 1 : 0;
      };
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) < rank(b); });
      for (const int value : order) {
        if (!scope.empty()) break;
        const auto without = chosen & ~set_of(value);
        Step step;
        std::map<std::pair<Reason, ValueSet>, std::set<const Kind*>> left_kinds;
        for (const auto& candidate : candidates) {
          const bool left = std::none_of(candidate.findings.begin(), candidate.findings.end(),
                                         [&](const Finding& finding) { return (finding.values & ~without) == 0; });
          if (!left) continue;
          const auto finding = std::find_if(candidate.findings.begin(), candidate.findings.end(), holds);
          if (finding == candidate.findings.end()) continue;
          left_kinds[{finding->reason, finding->values}].insert(candidate.kind);
        }
        // Of several reasons the last in their order: those before it say what a build is called, not what it is.
        if (!left_kinds.empty()) {
          const auto& [reason, kinds_of_reason] = *left_kinds.rbegin();
          step.reason = reason.first;
          step.values = reason.second;
          step.builds = builds_of(kinds_of_reason);
        }
        if (step.builds.empty() && conflict.values.size() > 1) continue;
        scope = step.builds;
        if (conflict.values.size() == 1 && step.builds.empty()) {
          step.values = chosen;
          step.reason = candidates.empty() || candidates.front().findings.empty() ? Reason::version
                                                                                  : candidates.front().findings.front().reason;
        }
        steps = {step};
        break;
      }
    }
    conflict.scope = std::move(scope);
    // A place that falls whatever was asked is worth a sentence only where no other reason is left.
    const bool any_asked = std::any_of(steps.begin(), steps.end(), [](const Step& step) { return step.values != 0; });
    if (any_asked && steps.size() > 1) std::erase_if(steps, [](const Step& step) { return step.values == 0; });
    for (auto& step : steps) {
      add_sources(matrix, query, step, sources);
      conflict.steps.push_back(std::move(step));
    }
  }
  conflict.sources.assign(sources.begin(), sources.end());
  conflict.nearest = nearest_environments(matrix, query);
  conflict.beyond_defaults = beyond_defaults(matrix, query);
  return conflict;
}

}  // namespace envgen::resolver
