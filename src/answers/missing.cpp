#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answers/reasons.hpp"
#include "model/add_once.hpp"

namespace envgen::answers {
namespace {

Missing missing_of(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Outside& outside) {
  const auto named = fmt::format("{} {}{}", outside.what, query.values[static_cast<std::size_t>(outside.value)].text,
                                 outside.conda ? " from conda" : "");
  const auto message = [&] {
    switch (outside.side) {
      case resolver::Outside::Side::newer:
        return fmt::format(
            "{} is newer than envgen's data, which ends at {} (as of {}); 'envgen matrix update' fetches newer data{}", named,
            outside.edge, matrix->read.view(),
            outside.what == "torch" && !outside.conda
                ? "; if it is not released yet, https://pytorch.org/get-started/locally/ has nightly builds"
                : "");
      case resolver::Outside::Side::older:
        return fmt::format("{} is older than envgen's data, which begins at {} (as of {}); add your own data with --matrix DIR",
                           named, outside.edge, matrix->read.view());
      case resolver::Outside::Side::between:
        break;
    }
    return fmt::format(
        "envgen does not know whether {} exists: its data goes from {} straight to {}, which was added separately; 'envgen "
        "matrix "
        "update' reads the releases in between",
        named, outside.edge, outside.after);
  };
  return {{named}, message()};
}

/// All that the release of a build which is not listed may have besides, for the same platform.
std::vector<const matrix::Build*> open_builds(const resolver::Unknown& unknown, const matrix::Build& build) {
  std::vector<const matrix::Build*> builds;
  for (const auto& fact : unknown.missing) {
    const auto& other = *fact.build;
    if (!other.listed && other.release == build.release && other.platform == build.platform) builds.push_back(&other);
  }
  return builds;
}

std::string without_stop(std::string sentence) {
  if (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

}  // namespace

Missing missing_of(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Unknown& unknown) {
  if (unknown.outside) return missing_of(matrix, query, *unknown.outside);
  constexpr std::size_t most = 8;
  constexpr std::size_t told = 3;
  Missing result;
  auto& facts = result.facts;
  bool any_listed = false;
  const matrix::Build* build = nullptr;
  for (const auto& fact : unknown.missing) {
    if (fact.build != build && facts.size() >= most) break;
    build = fact.build;
    any_listed = any_listed || build->listed;
    const Step step{fact.reason, 0, fact.subject, build->listed ? std::vector{build} : open_builds(unknown, *build)};
    auto text = row_of(fact.reason).missing({matrix, query, step, 0, fact.driver});
    add_once(facts, std::move(text));
  }
  const auto shown = std::min(told, facts.size());
  result.message = fmt::format("{}envgen does not know {}", any_listed ? "" : "No listed build satisfies the request, and ",
                               fmt::join(facts.begin(), facts.begin() + static_cast<std::ptrdiff_t>(shown), "; nor "));
  if (facts.size() > shown) result.message += "; nor these facts about other builds";
  for (const auto& [by, builds] : unknown.fallen) {
    if (by.reason == resolver::Reason::cuda) continue;  // that is what is not known
    const Step step{by.reason, by.values, by.subject, builds};
    result.message += ". " + without_stop(why_it_falls({matrix, query, step, by.values}));
  }
  if (unknown.conda_has_one) result.message += "; --installer conda works";
  const bool jetson_driver = std::any_of(query.machines.begin(), query.machines.end(),
                                         [](const auto& machine) { return machine.tegra && !machine.drivers.empty(); });
  if (jetson_driver) result.message += fmt::format(". A{}", resolver::jetpack_fact.substr(1));
  if (resolver::names_jetson(query)) result.message += fmt::format(". {}", resolver::jetson_note);
  return result;
}

}  // namespace envgen::answers
