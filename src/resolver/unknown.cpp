#include <algorithm>
#include <map>

#include "resolver/no_answer.hpp"
#include "resolver/place.hpp"
#include "resolver/resolver.hpp"

namespace envgen::resolver {

using matrix::Build;
using matrix::Matrix;

namespace {

/// Where the asked number may mean several releases, the first of them that would do; none: no later one would.
DriverVersion release_that_does(const Matrix& matrix, const Query& query, const Build& build, const Objection& objection) {
  if (objection.reason != Reason::driver && objection.reason != Reason::image_gate) return {};
  const auto& machine = query.machines[static_cast<std::size_t>(objection.subject)];
  for (const auto driver : machine.later) {
    auto one = machine;
    one.drivers = {driver};
    one.later.clear();
    const bool carried =
        carried_on(matrix, build, one, needs_jit(matrix, query, build, machine), true).answer == matrix::Tribool::yes;
    if (carried && (objection.reason == Reason::driver || is_native(matrix, build, driver) == matrix::Tribool::yes))
      return driver;
  }
  return {};
}

/// The first thing that is wrong with a build wherever it is put; none: it is another in each place, or not known to be wrong.
std::optional<Objection> first_no(const Matrix& matrix, const Query& query, const Build& build) {
  const auto is_no = [](const Objection& objection) { return !objection.unknown; };
  std::vector<Objection> objections;
  judge(matrix, query, build, true, &objections);
  if (std::none_of(objections.begin(), objections.end(), is_no)) {
    for (auto& option : distinct_places(matrix, query, build, wanted_pythons(query, build)))
      objections.insert(objections.end(), option.objections.begin(), option.objections.end());
  }
  const auto found = std::find_if(objections.begin(), objections.end(), is_no);
  return found == objections.end() ? std::nullopt : std::optional(*found);
}

/// What the listed builds beside one that is not listed fall by.
std::vector<Fallen> fallen_beside(const Matrix& matrix, const Query& query, const Build& open) {
  std::map<Objection, std::vector<const Build*>> fallen;
  for (const auto& build : matrix->builds) {
    if (!build.listed || build.release != open.release || build.platform != open.platform || build.channel != open.channel ||
        !in_domain(query, build))
      continue;
    if (const auto objection = first_no(matrix, query, build)) fallen[*objection].push_back(&build);
  }
  std::vector<Fallen> result;
  for (auto& [objection, builds] : fallen) result.push_back({objection, std::move(builds)});
  return result;
}

}  // namespace

Unknown missing_facts(const Matrix& matrix, const Query& query) {
  Unknown result;
  for (const auto& build : matrix->builds) {
    if (!in_domain(query, build) || judge(matrix, query, build, true, nullptr).answer == matrix::Tribool::no ||
        !may_be_placed(matrix, query, build))
      continue;
    if (!build.listed) {
      result.missing.push_back({&build, Reason::open_tags, -1, {}});
      continue;
    }
    std::vector<Objection> objections;
    judge(matrix, query, build, true, &objections);
    // Judged fit, but no place is known for it.
    if (objections.empty())
      place(matrix, query, build, choose_companions(matrix, query, build, wanted_pythons(query, build)), &objections);
    for (const auto& objection : objections) {
      const auto driver = release_that_does(matrix, query, build, objection);
      result.missing.push_back({&build, driver ? Reason::driver_in_part : objection.reason, objection.subject, driver});
    }
  }
  const auto is_open = [](const MissingFact& fact) { return fact.reason == Reason::open_tags; };
  if (!result.missing.empty() && std::all_of(result.missing.begin(), result.missing.end(), is_open))
    result.fallen = fallen_beside(matrix, query, *result.missing.front().build);
  const auto conda = asked_of_conda(matrix, query);
  result.conda_has_one = conda && find_best(matrix, *conda);
  result.nearest = nearest_environments(matrix, query);
  return result;
}

}  // namespace envgen::resolver
