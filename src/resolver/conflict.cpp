#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "resolver/nearest.hpp"
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
    case Reason::version:
    case Reason::platform:
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

}  // namespace

Conflict prove_conflict(const Matrix& matrix, const Query& query) {
  struct Candidate {
    const Build* build;
    std::vector<Finding> findings;
  };
  std::vector<Candidate> candidates;
  std::set<Family> families;
  for (const auto& build : matrix->builds) {
    if (!in_domain(query, build)) continue;
    std::vector<Finding> of_build;
    judge(matrix, query, build, true, &of_build);
    std::erase_if(of_build, [](const Finding& finding) { return finding.unknown; });
    const auto places = all_places(matrix, query, build);
    const auto add = [&](std::vector<Finding> findings) {
      std::vector<ValueSet> sets;
      for (const auto& finding : findings) sets.push_back(finding.values);
      families.insert(minimal(std::move(sets)));
      candidates.push_back({&build, std::move(findings)});
    };
    if (places.empty()) add(of_build);
    for (const auto& option : places) {
      auto findings = of_build;
      for (const auto& finding : option.findings) {
        if (!finding.unknown) findings.push_back(finding);
      }
      add(std::move(findings));
    }
  }

  Conflict conflict;
  const auto chosen = smallest_contradiction(families, static_cast<int>(query.values.size()));
  for (std::size_t i = 0; i < query.values.size(); ++i) {
    if ((chosen & set_of(static_cast<int>(i))) != 0) conflict.values.push_back(static_cast<int>(i));
  }

  // What falls whatever the build is says it all.
  std::set<std::uint16_t> sources;
  for (const auto& finding : query.always) {
    if ((finding.values & ~chosen) != 0) continue;
    conflict.steps.push_back({finding.reason, finding.values, finding.subject, {}});
    add_sources(matrix, query, conflict.steps.back(), sources);
    break;
  }
  if (conflict.steps.empty()) {
    const auto inside = [&](const Finding& finding) { return (finding.values & ~chosen) == 0; };
    // The scope: builds that no selecting value of the conflict rules out.
    std::map<std::tuple<Reason, ValueSet, std::int16_t>, Step> steps;
    std::vector<const Build*> scope;
    for (const auto& candidate : candidates) {
      const bool selected = std::none_of(candidate.findings.begin(), candidate.findings.end(),
                                         [&](const Finding& finding) { return inside(finding) && selects(finding.reason); });
      if (!selected) continue;
      if (scope.empty() || scope.back() != candidate.build) scope.push_back(candidate.build);
      const auto finding = std::find_if(candidate.findings.begin(), candidate.findings.end(), inside);
      if (finding == candidate.findings.end()) continue;
      auto& step = steps[{finding->reason, finding->values, finding->subject}];
      step.reason = finding->reason;
      step.values = finding->values;
      step.subject = finding->subject;
      if (step.builds.empty() || step.builds.back() != candidate.build) step.builds.push_back(candidate.build);
    }
    if (scope.empty()) {
      // The selecting values contradict one another: the last of them falls over what the others leave.
      for (auto it = conflict.values.rbegin(); it != conflict.values.rend() && scope.empty(); ++it) {
        const auto without = chosen & ~set_of(*it);
        Step step;
        for (const auto& candidate : candidates) {
          const bool left = std::none_of(candidate.findings.begin(), candidate.findings.end(),
                                         [&](const Finding& finding) { return (finding.values & ~without) == 0; });
          if (!left) continue;
          const auto finding = std::find_if(candidate.findings.begin(), candidate.findings.end(), inside);
          if (finding == candidate.findings.end()) continue;
          step.reason = finding->reason;
          step.values = finding->values;
          if (step.builds.empty() || step.builds.back() != candidate.build) step.builds.push_back(candidate.build);
        }
        if (step.builds.empty() && conflict.values.size() > 1) continue;
        scope = step.builds;
        if (conflict.values.size() == 1 && step.builds.empty()) {
          step.values = chosen;
          step.reason = candidates.empty() || candidates.front().findings.empty() ? Reason::version
                                                                                  : candidates.front().findings.front().reason;
        }
        steps[{step.reason, step.values, -1}] = step;
        break;
      }
    }
    conflict.scope = std::move(scope);
    for (auto& [key, step] : steps) {
      add_sources(matrix, query, step, sources);
      conflict.steps.push_back(std::move(step));
    }
  }
  conflict.sources.assign(sources.begin(), sources.end());
  conflict.nearest = nearest_environments(matrix, query);
  return conflict;
}

}  // namespace envgen::resolver
