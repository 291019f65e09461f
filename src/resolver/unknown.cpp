#include <algorithm>

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
  const auto conda = asked_of_conda(matrix, query);
  result.conda_has_one = conda && find_best(matrix, *conda);
  result.nearest = nearest_environments(matrix, query);
  return result;
}

}  // namespace envgen::resolver
