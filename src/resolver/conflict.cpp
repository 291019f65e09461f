#include <algorithm>
#include <bit>
#include <set>

#include "resolver/no_answer.hpp"
#include "resolver/place.hpp"
#include "resolver/resolver.hpp"

/// The proof of a conflict. Each candidate (a build in a place) falls for one or more reasons, and each reason needs a set of
/// requested values. A set of values is contradictory when, for every candidate, it contains one of the candidate's reasons
/// whole; a smallest such set is the conflict, and the reasons that it contains are the proof (answers/proof.cpp tells it).
namespace envgen::resolver {

using matrix::Build;
using matrix::Matrix;

namespace {

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
  if (build.tegra) {
    for (const auto& board : query.boards) {
      if (board.tegra) platform.push_back(set_of(board.value));
    }
  } else if (build.platform == Query().platform) {
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

/// The reasons of all that the request chooses from; `conflict` takes the candidates.
std::set<Family> families_of(const Matrix& matrix, const Query& query, Conflict& conflict) {
  std::set<Family> families;
  const auto add_family = [&](const std::vector<Objection>& objections, ValueSet presupposed) {
    std::vector<ValueSet> sets;
    sets.reserve(objections.size());
    for (const auto& objection : objections) sets.push_back(objection.values & ~presupposed);
    families.insert(minimal(std::move(sets)));
  };
  // A release outside the matrix falls only for what falls whatever the build is, and for a version that it does not have.
  for (const auto& outside : values_outside(matrix, query)) {
    auto objections = query.always;
    if (!outside.possible) objections.push_back({Reason::version, false, set_of(query.version.value), -1});
    add_family(objections, set_of(outside.value));
  }
  const auto frames = frames_of(query);
  const auto all_of_place = set_of(query.base_value) | set_of(query.variant_value);
  conflict.kinds = kinds_of(matrix, query, true, [&](const Build& build) { return in_frame(query, build); });
  for (std::size_t k = 0; k < conflict.kinds.size(); ++k) {
    const auto& build = *conflict.kinds[k].builds.front();
    auto of_build = conflict.kinds[k].objections;
    std::erase_if(of_build, [](const Objection& objection) { return objection.unknown; });
    const auto presupposed = presuppositions(query, build);
    for (const auto& frame : frames) {
      const auto of_place = all_of_place & ~frame.left_out;
      for (const auto& option : distinct_places(matrix, frame.query, build, build.pythons)) {
        // What was never published takes part where it says why there is no devel at all.
        if (!option.exists && (frame.left_out & ~set_of(query.base_value)) != 0) continue;
        auto objections = of_build;
        // Any one of the values that were left out takes its default place away.
        for (auto left = frame.left_out; left != 0; left &= left - 1)
          objections.push_back({Reason::default_place, false, left & (~left + 1), -1});
        for (const auto& objection : option.objections) {
          if (!objection.unknown) objections.push_back(objection);
        }
        for (const auto values : presupposed) {
          if (option.exists) add_family(objections, values | of_place);
        }
        conflict.candidates.push_back({k, std::move(objections)});
      }
    }
  }
  return families;
}

}  // namespace

Conflict prove_conflict(const Matrix& matrix, const Query& query) {
  Conflict conflict;
  const auto values = static_cast<int>(query.values.size());
  const auto chosen = smallest_contradiction(families_of(matrix, query, conflict), values);
  for (int value = 0; value < values; ++value) {
    if ((chosen & set_of(value)) != 0) conflict.values.push_back(value);
  }
  conflict.nearest = nearest_environments(matrix, query);
  conflict.beyond_defaults = beyond_defaults(matrix, query);
  return conflict;
}

}  // namespace envgen::resolver
