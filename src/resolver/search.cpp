#include <algorithm>
#include <set>

#include "resolver/maturity.hpp"
#include "resolver/no_answer.hpp"
#include "resolver/place.hpp"
#include "resolver/resolver.hpp"

namespace envgen::resolver {

using matrix::Build;
using matrix::Matrix;

namespace {

constexpr auto yes = matrix::Tribool::yes;
constexpr auto unknown = matrix::Tribool::unknown;

/// Who brings a Python that is not that of an official image.
PythonProvider provider_of(const Build& build, const matrix::Os* os, PythonVersion python) {
  if (build.channel != matrix::Channel::wheels) return PythonProvider::conda;
  if (os != nullptr && os->pythons.contains(python)) return PythonProvider::system;
  return python < oldest_of_uv ? PythonProvider::other : PythonProvider::uv;
}

/// Those that uv installs; where it installs none of them, all.
PythonSet installable(PythonSet pythons) {
  PythonSet by_uv;
  for (const auto python : pythons.list()) {
    if (python >= oldest_of_uv) by_uv.add(python);
  }
  return by_uv.empty() ? pythons : by_uv;
}

/// Python by the rules: the system's own where every part has a wheel for it, else the default of those that somebody provides
/// and that torch.compile works with.
void choose_python(const Matrix& matrix, const Build& build, Solution& solution) {
  const auto& placement = solution.placement;
  if (placement.official != nullptr) {
    solution.python = placement.official->python;
    solution.provider = PythonProvider::image;
    return;
  }
  const bool conda = build.channel != matrix::Channel::wheels;
  const auto allowed = solution.pythons;
  const auto own = placement.os == nullptr || conda ? PythonSet() : placement.os->pythons & allowed;
  const auto provided = conda ? allowed : installable(allowed);
  const auto compiled = provided & build.triton_pythons;
  solution.python =
      own.empty() ? default_python(compiled.empty() ? provided : compiled, settled_pythons(matrix, build)) : own.newest();
  solution.provider = provider_of(build, placement.os, solution.python);
}

/// A judged build in its place, with the best Python there; an official image has but one, so its companions are chosen anew.
Solution put(const Matrix& matrix, const Query& query, const Build& build, const Verdict& verdict, const Placement& placement,
             Companions companions) {
  if (placement.official != nullptr) {
    PythonSet own;
    own.add(placement.official->python);
    companions = choose_companions(matrix, query, build, own);
  }
  Solution solution;
  solution.build = &build;
  solution.placement = placement;
  solution.pythons = companions.pythons;
  solution.torchvision = companions.torchvision;
  solution.torchaudio = companions.torchaudio;
  solution.driver_minimum = verdict.minimum;
  solution.jit = verdict.jit;
  // Of the drivers that open the image's gate, those that need no cuda-compat may not be among them.
  const auto lifted = [&](const AskedMachine& machine) {
    const auto left = at_gate(matrix, query, build, placement, machine);
    const auto carried = carried_on(matrix, build, left, needs_jit(matrix, query, build, machine), true);
    return (carried.by & Carrier::forward_compat) != 0;
  };
  solution.forward =
      verdict.forward || (placement.base == Base::cuda && std::any_of(query.machines.begin(), query.machines.end(), lifted));
  choose_python(matrix, build, solution);
  return solution;
}

/// The best place of one build. `maybe` is set where an unknown fact alone stands in the way.
std::optional<Solution> solve_build(const Matrix& matrix, const Query& query, const Build& build, bool allow_forward,
                                    bool& maybe) {
  const auto verdict = judge(matrix, query, build, allow_forward, nullptr);
  if (verdict.answer != yes) {
    maybe = maybe || (verdict.answer == unknown && may_be_placed(matrix, query, build));
    return std::nullopt;
  }
  const auto companions = choose_companions(matrix, query, build, wanted_pythons(query, build));
  if (companions.pythons.empty()) return std::nullopt;
  std::vector<Objection> missing;
  const auto placement = place(matrix, query, build, companions, &missing);
  if (!placement) {
    maybe = maybe || !missing.empty();
    return std::nullopt;
  }
  return put(matrix, query, build, verdict, *placement, companions);
}

/// How many capabilities of the GPUs in the matrix a build has code for.
int breadth(const Matrix& matrix, const Build& build) {
  std::set<Capability> served;
  for (const auto& row : matrix->gpu_drivers) {
    if (code_path(matrix, build, row.capability).known_to_run()) served.insert(row.capability);
  }
  return static_cast<int>(served.size());
}

/// What an answer leans on: machine code and the driver alone; PTX, which the driver compiles first; cuda-compat last, for it
/// asks for more than a driver and an image.
int leans(const Solution& solution) { return solution.forward ? 2 : solution.jit ? 1 : 0; }

/// True when `a` is better than `b` for the request's preference; at a tie the order of the builds decides.
bool better(const Matrix& matrix, const Query& query, const Solution& a, const Solution& b) {
  if (leans(a) != leans(b)) return leans(a) < leans(b);
  if (prefers_supported(query)) {
    const bool supported = is_supported(matrix, *a.build);
    if (supported != is_supported(matrix, *b.build)) return supported;
  }
  switch (query.prefer) {
    case Prefer::stable:
      return false;
    case Prefer::newest:
      if (a.build->version != b.build->version) return a.build->version > b.build->version;
      return a.build->cuda > b.build->cuda;
    case Prefer::smallest: {
      const auto bytes = [](const Solution& s) {
        return s.build->install_bytes == 0 ? ~std::uint64_t{0} : s.build->install_bytes;
      };
      return bytes(a) < bytes(b);
    }
    case Prefer::widest: {
      const auto wide_a = breadth(matrix, *a.build);
      const auto wide_b = breadth(matrix, *b.build);
      if (wide_a != wide_b) return wide_a > wide_b;
      return a.driver_minimum < b.driver_minimum;
    }
  }
  return false;
}

std::optional<Solution> search(const Matrix& matrix, const Query& query, bool allow_forward, bool& maybe) {
  std::optional<Solution> best;
  for (const auto& build : matrix->builds) {
    if (!build.listed || !in_domain(query, build)) continue;
    auto solution = solve_build(matrix, query, build, allow_forward, maybe);
    if (!solution) continue;
    if (query.prefer == Prefer::stable && leans(*solution) == 0) return solution;
    if (!best || better(matrix, query, *solution, *best)) best = solution;
  }
  if (best || maybe) return best;
  // What an open release may have besides is no answer, but as long as it could be one nothing is proven.
  for (const auto& build : matrix->builds) {
    if (maybe) break;
    if (!build.listed && in_domain(query, build)) solve_build(matrix, query, build, allow_forward, maybe);
  }
  return best;
}

/// Some asked driver could be lifted by cuda-compat.
bool may_lift(const Query& query) {
  return std::any_of(query.machines.begin(), query.machines.end(), [](const AskedMachine& machine) {
    return !machine.drivers.empty() && machine.datacenter != matrix::Tribool::no;
  });
}

/// The best solution; with cuda-compat only where there is none without it, and where some asked driver could be lifted.
/// `maybe`: an unknown fact alone stands between some build and an answer.
std::optional<Solution> search(const Matrix& matrix, const Query& query, bool& maybe) {
  maybe = false;
  if (auto solution = search(matrix, query, false, maybe)) return solution;
  if (!may_lift(query)) return std::nullopt;
  maybe = false;
  return search(matrix, query, true, maybe);
}

/// Whether a newer release is a better answer.
bool leads_to_the_newest(Prefer prefer) { return prefer == Prefer::stable || prefer == Prefer::newest; }

/// The newest build that works, but only with cuda-compat, of a release newer than that of the best solution.
const Build* newer_with_compat(const Matrix& matrix, const Query& query, const Solution& best) {
  if (best.forward || !may_lift(query) || !leads_to_the_newest(query.prefer)) return nullptr;
  for (const auto& build : matrix->builds) {
    if (!build.listed || build.version <= best.build->version || !in_domain(query, build)) continue;
    bool ignored = false;
    const auto solution = solve_build(matrix, query, build, true, ignored);
    if (solution && solution->forward) return &build;
  }
  return nullptr;
}

/// Whether the GPUs of one machine, by their names, are all that was said of the build and its driver.
bool asks_for_gpus_alone(const Query& query) {
  const auto open = [](const AskedVersion& asked) { return asked.value == no_value; };
  const auto named = [](const Board& board) { return board.gpu != nullptr; };
  return query.machines.size() == 1 && query.machines.front().driver_value == no_value && query.cuda.empty() &&
         open(query.version) && open(query.torchvision) && open(query.torchaudio) && open(query.cudnn) && !query.wsl &&
         std::all_of(query.boards.begin(), query.boards.end(), named);
}

std::optional<UnderDriver> under_first_driver(const Matrix& matrix, const Query& query, const Solution& best) {
  if (!asks_for_gpus_alone(query) || !leads_to_the_newest(query.prefer)) return std::nullopt;
  const auto& firsts = query.machines.front().known.firsts();
  if (firsts.empty() || firsts.front() >= best.driver_minimum) return std::nullopt;
  auto older = query;
  older.machines.front().drivers = {firsts.front()};
  bool ignored = false;
  const auto solution = search(matrix, older, false, ignored);
  if (!solution || solution->build->version >= best.build->version) return std::nullopt;
  return UnderDriver{firsts.front(), solution->build};
}

}  // namespace

std::optional<Solution> find_best(const Matrix& matrix, const Query& query) {
  bool maybe = false;
  return search(matrix, query, maybe);
}

matrix::Tribool find_outcome(const Matrix& matrix, const Query& query) {
  bool maybe = false;
  if (search(matrix, query, maybe)) return yes;
  const auto outside = query.always.empty() ? values_outside(matrix, query) : std::vector<Outside>();
  const bool open = maybe || std::any_of(outside.begin(), outside.end(), [](const Outside& one) { return one.possible; });
  return open ? matrix::Tribool::unknown : matrix::Tribool::no;
}

Resolution resolve(const Matrix& matrix, const Query& query) {
  bool maybe = false;
  if (auto solution = search(matrix, query, maybe)) {
    solution->newer_with_compat = newer_with_compat(matrix, query, *solution);
    solution->under_first_driver = under_first_driver(matrix, query, *solution);
    return *solution;
  }
  // Boards and drivers that cannot stand together are no matter of the release.
  if (query.always.empty()) {
    for (const auto& outside : values_outside(matrix, query)) {
      if (outside.possible) return Unknown{{}, outside, false, nearest_environments(matrix, query)};
    }
  }
  if (maybe) {
    if (auto outside = python_outside(matrix, query)) return Unknown{{}, *outside, false, nearest_environments(matrix, query)};
    return missing_facts(matrix, query);
  }
  return prove_conflict(matrix, query);
}

void each_solution(const Matrix& matrix, const Query& query, const std::function<bool(const Solution&)>& visit) {
  std::vector<Solution> all;
  for (const bool allow_forward : {false, true}) {
    for (const auto& build : matrix->builds) {
      if (!build.listed || !in_domain(query, build)) continue;
      const auto verdict = judge(matrix, query, build, allow_forward, nullptr);
      if (verdict.answer != yes || verdict.forward != allow_forward) continue;
      const auto companions = choose_companions(matrix, query, build, wanted_pythons(query, build));
      if (companions.pythons.empty()) continue;
      for (const auto& option : all_places(matrix, query, build, companions.pythons)) {
        if (!option.objections.empty()) continue;
        auto solution = put(matrix, query, build, verdict, option.placement, companions);
        all.push_back(solution);
        if (solution.provider == PythonProvider::image) continue;
        // The other Pythons of the same place, newest first.
        const auto best = solution.python;
        const auto pythons = companions.pythons.list();
        for (auto it = pythons.rbegin(); it != pythons.rend(); ++it) {
          if (*it == best) continue;
          solution.python = *it;
          solution.provider = provider_of(build, option.placement.os, *it);
          all.push_back(solution);
        }
      }
    }
  }
  std::stable_sort(all.begin(), all.end(), [&](const Solution& a, const Solution& b) { return better(matrix, query, a, b); });
  for (const auto& solution : all) {
    if (!visit(solution)) return;
  }
}

std::vector<Removal> explain(const Matrix& matrix, const Query& query) {
  std::vector<Removal> removals;
  struct Left {
    const Build* build;
    std::vector<Objection> objections;
    std::vector<Option> places;
  };
  std::vector<Left> left;
  for (const auto& build : matrix->builds) {
    if (!build.listed || !in_domain(query, build)) continue;
    Left candidate{&build, {}, distinct_places(matrix, query, build, build.pythons)};
    judge(matrix, query, build, true, &candidate.objections);
    left.push_back(std::move(candidate));
  }
  ValueSet so_far = 0;
  for (std::size_t i = 0; i < query.values.size(); ++i) {
    Removal removal;
    removal.value = static_cast<int>(i);
    removal.before = left.size();
    so_far |= set_of(removal.value);
    std::erase_if(left, [&](const Left& candidate) {
      const auto holds = [&](const Objection& objection) { return !objection.unknown && (objection.values & ~so_far) == 0; };
      const auto fall = [&](const std::vector<Objection>& objections) {
        return std::any_of(objections.begin(), objections.end(), holds);
      };
      const bool nowhere = std::all_of(candidate.places.begin(), candidate.places.end(),
                                       [&](const Option& option) { return fall(option.objections); });
      const bool falls = fall(candidate.objections) || nowhere;
      if (falls) removal.removed.push_back(candidate.build);
      return falls;
    });
    removal.after = left.size();
    removals.push_back(std::move(removal));
  }
  return removals;
}

}  // namespace envgen::resolver
