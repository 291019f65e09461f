#include "resolver/no_answer.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/host_text.hpp"
#include "resolver/asked_driver.hpp"
#include "resolver/distance.hpp"
#include "resolver/kinds.hpp"
#include "resolver/materialize.hpp"
#include "resolver/place.hpp"

namespace envgen::resolver {

using matrix::Build;
using matrix::Matrix;

namespace {

/// What it costs to give a value up: versions are changed lightly, drivers less so, and hardware is not exchanged at all
/// while anything else helps.
int weight(Field field) {
  switch (field) {
    case Field::cudnn:
    case Field::ptx:
      return 2;
    case Field::base:
    case Field::engine:
    case Field::variant:
    case Field::os:
      return 3;
    case Field::python:
    case Field::installer:
      return 4;
    case Field::cuda:
      return 5;
    case Field::torch:
    case Field::tensorflow:
      return 6;
    case Field::driver:
      return 8;
    case Field::platform:
    case Field::wsl:
    case Field::gpu:
    case Field::host:
      return 40;
    default:
      return 1;  // companions, and what only says how to choose
  }
}

/// What a package or the files ask for was not chosen, and is not given up.
bool is_fixed(const RequestValue& value) { return value.origin == Origin::compiler || value.origin == Origin::output; }

int weight(const RequestValue& value) {
  constexpr int more_than_hardware = 100;
  return is_fixed(value) ? more_than_hardware : weight(value.field);
}

/// The cheapest set of values that meets every reason: giving them up lets the candidate stand.
ValueSet cheapest_hit(const Query& query, const std::vector<ValueSet>& reasons, std::size_t from, ValueSet chosen, int cost,
                      int& best_cost, ValueSet best) {
  for (std::size_t i = from; i < reasons.size(); ++i) {
    if ((reasons[i] & chosen) != 0) continue;
    for (std::size_t v = 0; v < query.values.size(); ++v) {
      if ((reasons[i] & set_of(static_cast<int>(v))) == 0) continue;
      const int next = cost + weight(query.values[v]);
      if (next < best_cost)
        best = cheapest_hit(query, reasons, i + 1, chosen | set_of(static_cast<int>(v)), next, best_cost, best);
    }
    return best;
  }
  best_cost = cost;
  return chosen;
}

struct Draft {
  int cost = 0;
  DriverVersion driver;  ///< where the driver is given up: the oldest that would do
  int distance = 0;
  ValueSet given_up = 0;
  const Build* build = nullptr;
  bool free = false;       ///< the given-up values are left out, not set to what the build has
  bool elsewhere = false;  ///< in places that the request leaves out: whether one of them does, only a search says
};

/// The oldest driver with which the build runs on the machines of the given-up driver; none: it was not given up, it was too new
/// for the boards, or no number says it.
DriverVersion oldest_driver(const Matrix& matrix, const Query& query, const Build& build, ValueSet given_up) {
  DriverVersion oldest;
  for (const auto& machine : query.machines) {
    if ((set_of(machine.driver_value) & given_up) == 0) continue;
    const auto last = machine.known.last_branch();
    if (last != 0 && machine.asked.releases.front().branch() > last) return {};
    auto free = with_free_driver(machine);
    std::erase_if(free.boards, [&](std::uint16_t board) {
      const int value = query.boards[board].value;
      return value != machine.driver_value && (set_of(value) & given_up) != 0;
    });
    const auto enough = carried_on(matrix, build, free, needs_jit(matrix, query, build, free), false).minimum;
    // Where the asked one is new enough for the build, and not for a board, nobody goes back to an older branch for it.
    oldest = std::max(oldest, enough ? machine.known.from(std::max(enough, machine.asked.releases.front())) : enough);
  }
  return oldest;
}

/// As a request names it; of Windows, whose releases have numbers of their own, by its branch.
std::string text_of(const Query& query, DriverVersion driver) {
  return query.wsl ? fmt::format("{}", driver.branch()) : driver.to_string();
}

std::vector<std::string> written_parts(const std::vector<HostPart>& parts) {
  std::vector<std::string> texts;
  for (const auto& part : parts) texts.emplace_back(part.written);
  return texts;
}

/// `gpu=V100,driver=535` with another driver; empty where it names none, or there is no other.
std::string with_driver(std::string_view host, std::string_view driver) {
  if (driver.empty() || !names_driver(host)) return {};
  const auto parts = parts_of_host(host);
  auto texts = written_parts(parts);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].name == "driver") texts[i] = fmt::format("driver={}", driver);
  }
  return fmt::format("{}", fmt::join(texts, ","));
}

/// `gpu=K80,gpu=4090` without one of its boards, each in turn; none: it has one only.
std::vector<std::string> with_one_board_less(std::string_view host) {
  const auto parts = parts_of_host(host);
  std::vector<std::string> hosts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].name != "gpu") continue;
    auto texts = written_parts(parts);
    texts.erase(texts.begin() + static_cast<std::ptrdiff_t>(i));
    hosts.push_back(fmt::format("{}", fmt::join(texts, ",")));
  }
  return hosts.size() > 1 ? hosts : std::vector<std::string>();
}

/// The draft's driver; where the asked one is too new for a board, the last branch that is not. Empty: neither.
std::string driver_of_host(const Query& query, const Draft& draft, int host) {
  if (draft.driver) return text_of(query, draft.driver);
  const auto machine = std::find_if(query.machines.begin(), query.machines.end(),
                                    [&](const AskedMachine& one) { return one.driver_value == host; });
  const auto last = machine == query.machines.end() ? 0 : machine->known.last_branch();
  return last == 0 ? std::string() : fmt::format("{}", last);
}

/// What each value becomes when the given-up ones are set to what the draft has; empty: it is left out, and the search chooses.
/// `keep_hosts`: a host keeps its boards under the draft's driver.
std::vector<std::string> relaxed(const Query& query, const Draft& draft, bool keep_hosts) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < query.values.size(); ++i) {
    const auto& value = query.values[i];
    auto& text = texts.emplace_back();
    if ((draft.given_up & set_of(static_cast<int>(i))) == 0) {
      text = value.text;
      continue;
    }
    if (draft.free) continue;
    switch (value.field) {
      case Field::torch:
      case Field::tensorflow:
        text = draft.build->version_text.view();
        break;
      case Field::cuda:
        text = draft.build->cpu ? "cpu" : draft.build->cuda.to_string();
        break;
      case Field::platform:
        text = name_of(draft.build->platform);
        break;
      case Field::driver:
        if (draft.driver) text = text_of(query, draft.driver);
        break;
      case Field::host:
        if (keep_hosts) text = with_driver(value.text, driver_of_host(query, draft, static_cast<int>(i)));
        break;
      default:
        break;
    }
  }
  return texts;
}

Request with_texts(const Query& query, const std::vector<std::string>& texts) {
  Request request{{}, query.start_image_runs};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) continue;
    request.values.push_back(query.values[i]);
    request.values.back().text = texts[i];
  }
  return request;
}

std::string value_of(const Environment& environment, Field field) {
  const auto& build = environment.build();
  switch (field) {
    case Field::torch:
    case Field::tensorflow:
      return build.version;
    case Field::torchvision:
      return build.torchvision.value_or("");
    case Field::torchaudio:
      return build.torchaudio.value_or("");
    case Field::cuda:
      return spelling_or(build.cuda, "cpu");
    case Field::cudnn:
      return environment.cudnn ? spelling_or(environment.cudnn->version, "") : "";
    case Field::python:
      return environment.python.to_string();
    case Field::os:
      return environment.os.value_or("");
    case Field::platform:
      return std::string(name_of(environment.platform));
    case Field::variant:
      return std::string(name_of(environment.variant));
    case Field::installer:
      return std::string(name_of(environment.installer));
    case Field::base:
      return std::string(name_of(environment.base));
    default:
      return "";
  }
}

/// The request with these changes: what a reader of the answer would ask next.
Request changed(const Query& query, const std::vector<Change>& changes) {
  Request request{{}, query.start_image_runs};
  for (const auto& value : query.values) {
    const auto change = std::find_if(changes.begin(), changes.end(),
                                     [&](const Change& c) { return c.field == value.field && c.from == value.text; });
    if (change != changes.end() && change->to.empty()) continue;
    request.values.push_back(value);
    if (change != changes.end()) request.values.back().text = change->to;
  }
  return request;
}

bool has_environment(const Matrix& matrix, const Request& request) {
  const auto query = interpret(matrix, request);
  return query && find_best(matrix, *query);
}

bool same_values(const Request& a, const Request& b) {
  return std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                    [](const RequestValue& x, const RequestValue& y) { return x.field == y.field && x.text == y.text; });
}

/// For each set of values that can be given up its nearest build, the cheapest first.
std::vector<Draft> ordered_drafts(const Matrix& matrix, const Query& query) {
  // Candidates beyond the defaults count too: another installer, another platform is a near answer.
  const Distance distances(matrix, query);
  const auto nearness = [](const Draft& one) { return std::tie(one.driver, one.distance, one.build); };
  const auto nearest_of = [&](const Kind& kind, ValueSet given_up) {
    Draft best;
    for (const auto* build : kind.builds) {
      Draft draft;
      draft.driver = oldest_driver(matrix, query, *build, given_up);
      draft.distance = distances.of(*build);
      draft.given_up = given_up;
      draft.build = build;
      if (best.build == nullptr || nearness(draft) < nearness(best)) best = draft;
    }
    return best;
  };
  std::map<ValueSet, Draft> drafts;
  std::map<ValueSet, Draft> elsewhere;
  const auto keep_nearer = [&](std::map<ValueSet, Draft>& all, const Draft& draft) {
    const auto [it, fresh] = all.try_emplace(draft.given_up, draft);
    if (!fresh && nearness(draft) < nearness(it->second)) it->second = draft;
  };
  for (const auto& kind :
       kinds_of(matrix, query, true, [&](const Build& build) { return build.listed && in_domain(query, build); })) {
    const auto& any_build = *kind.builds.front();
    std::set<ValueSet> seen;  // what is given up decides the draft, whichever the place
    for (const auto& option : distinct_places(matrix, query, any_build, wanted_pythons(query, any_build))) {
      // What is unknown stands in the way like a reason, and giving its values up takes it away, too.
      std::vector<ValueSet> reasons;
      for (const auto* list : {&kind.objections, &option.objections}) {
        for (const auto& objection : *list) reasons.push_back(objection.values);
      }
      if (option.exists && option.placement.os == nullptr) continue;
      // None where a reason has no values: the candidate falls whatever the request says.
      int cost = 1 << 20;
      const auto given_up = cheapest_hit(query, reasons, 0, 0, 0, cost, 0);
      if (given_up == 0 || !seen.insert(given_up).second) continue;
      auto draft = nearest_of(kind, given_up);
      draft.cost = cost;
      keep_nearer(drafts, draft);
    }
    // What is against the places of the asked base says nothing of another base: where nothing is against the build itself, that
    // alone may do.
    for (const int value : {query.base_value, query.variant_value}) {
      if (value == no_value || value == query.framework_value || !kind.objections.empty()) continue;
      auto draft = nearest_of(kind, set_of(value));
      draft.cost = weight(query.values[static_cast<std::size_t>(value)]);
      draft.elsewhere = true;
      keep_nearer(elsewhere, draft);
    }
  }
  drafts.merge(elsewhere);
  ValueSet fixed = 0;
  for (std::size_t i = 0; i < query.values.size(); ++i) {
    if (is_fixed(query.values[i])) fixed |= set_of(static_cast<int>(i));
  }
  std::erase_if(drafts, [&](const auto& draft) { return (draft.first & fixed) != 0; });
  std::vector<Draft> ordered;
  ordered.reserve(drafts.size());
  for (const auto& [values, draft] : drafts) ordered.push_back(draft);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const Draft& a, const Draft& b) { return a.cost != b.cost ? a.cost < b.cost : a.distance < b.distance; });
  return ordered;
}

/// What has to be given up for one build may be more than what another build needs: the draft without the values that can stay.
Draft least(const Matrix& matrix, const Query& query, Draft draft) {
  for (std::size_t i = 0; i < query.values.size(); ++i) {
    const auto kept = set_of(static_cast<int>(i));
    if ((draft.given_up & kept) == 0 || std::has_single_bit(draft.given_up)) continue;
    auto smaller = draft;
    smaller.given_up &= ~kept;
    smaller.free = true;
    if (has_environment(matrix, with_texts(query, relaxed(query, smaller, true)))) draft = smaller;
  }
  return draft;
}

/// The environment of a draft, resolved again, with what its request changes; none: nothing comes of it.
std::optional<Nearest> resolved_again(const Matrix& matrix, const Query& query, const Draft& draft) {
  std::vector<std::string> texts;
  Expected<Query> narrowed;
  std::optional<Solution> solution;
  for (const bool keep_hosts : {true, false}) {
    texts = relaxed(query, draft, keep_hosts);
    narrowed = interpret(matrix, with_texts(query, texts));
    if (narrowed) solution = find_best(matrix, *narrowed);
    if (solution) break;
  }
  if (!solution) return std::nullopt;
  Nearest nearest;
  nearest.environment = materialize(matrix, *narrowed, *solution);
  for (std::size_t i = 0; i < query.values.size(); ++i) {
    const auto& value = query.values[i];
    if ((draft.given_up & set_of(static_cast<int>(i))) == 0) continue;
    const bool is_of_machine = value.field == Field::host || value.field == Field::driver;
    auto to = is_of_machine ? texts[i] : value_of(nearest.environment, value.field);
    const auto& driver = nearest.environment.driver;
    if (value.field == Field::driver && to.empty() && driver && driver->range.minimum)
      to = query.wsl ? text_of(query, driver->range.last_branch.value_or(*driver->range.minimum)) : driver->range.to_string();
    // The search may take again what was given up.
    if (to != value.text) nearest.changes.push_back({value.field, value.text, std::move(to)});
  }
  const auto holds = [&] {
    const auto next = changed(query, nearest.changes);
    return same_values(next, with_texts(query, texts)) || has_environment(matrix, next);
  };
  if (!holds()) {
    // Machines of their own may each have a driver of its own, where one for all does not exist.
    for (auto& change : nearest.changes) {
      if (change.field == Field::driver) change.to.clear();
    }
    if (!holds()) return std::nullopt;
  }
  return nearest;
}

/// A machine without one of its boards, where that is enough.
std::vector<Nearest> with_fewer_boards(const Matrix& matrix, const Query& query) {
  std::vector<Nearest> result;
  for (std::size_t i = 0; i < query.values.size(); ++i) {
    if (query.values[i].field != Field::host) continue;
    for (auto& host : with_one_board_less(query.values[i].text)) {
      std::vector<std::string> texts;
      for (const auto& value : query.values) texts.push_back(value.text);
      texts[i] = host;
      const auto fewer = interpret(matrix, with_texts(query, texts));
      const auto solution = fewer ? find_best(matrix, *fewer) : std::nullopt;
      if (solution) result.push_back({{{Field::host, query.values[i].text, host}}, materialize(matrix, *fewer, *solution)});
    }
  }
  return result;
}

/// A board, a machine or a platform; another driver for a machine leaves it what it is.
bool gives_hardware_up(const Nearest& nearest) {
  return std::any_of(nearest.changes.begin(), nearest.changes.end(), [](const Change& change) {
    return weight(change.field) == weight(Field::gpu) && (change.to.empty() || change.field == Field::platform);
  });
}

/// Where giving up what stands in the way of one candidate only brings up what else does: the values that can hold together, the
/// dearest ones first. None: the facts hold no environment at all.
std::optional<Nearest> what_can_be_kept(const Matrix& matrix, const Query& query) {
  std::vector<std::size_t> order(query.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weight(query.values[a]) > weight(query.values[b]); });
  std::vector<std::string> texts(query.values.size());
  for (const auto i : order) {
    texts[i] = query.values[i].text;
    if (!has_environment(matrix, with_texts(query, texts))) texts[i].clear();
  }
  const auto kept = interpret(matrix, with_texts(query, texts));
  const auto solution = kept ? find_best(matrix, *kept) : std::nullopt;
  if (!solution) return std::nullopt;
  Nearest nearest{{}, materialize(matrix, *kept, *solution)};
  for (const auto& value : query.values) {
    if (texts[static_cast<std::size_t>(&value - query.values.data())].empty())
      nearest.changes.push_back({value.field, value.text, ""});
  }
  return nearest;
}

}  // namespace

std::vector<Nearest> nearest_environments(const Matrix& matrix, const Query& query) {
  constexpr std::size_t most = 3;
  std::vector<Nearest> result;
  const auto ordered = ordered_drafts(matrix, query);
  for (const auto& draft : ordered) {
    if (result.size() == most) break;
    // A draft that gives up more than another one already does says nothing new.
    const bool dominated = std::any_of(ordered.begin(), ordered.end(), [&](const Draft& other) {
      return !other.elsewhere && other.given_up != draft.given_up && (other.given_up & ~draft.given_up) == 0;
    });
    if (dominated) continue;
    auto nearest = resolved_again(matrix, query, least(matrix, query, draft));
    if (!nearest) continue;
    const auto also_changed = [&](const Change& one) {
      return std::any_of(nearest->changes.begin(), nearest->changes.end(),
                         [&](const Change& other) { return other.field == one.field && other.from == one.from; });
    };
    const bool gives_up_more = std::any_of(result.begin(), result.end(), [&](const Nearest& earlier) {
      return std::all_of(earlier.changes.begin(), earlier.changes.end(), also_changed);
    });
    if (!gives_up_more) result.push_back(std::move(*nearest));
  }
  const auto with = [&](const std::optional<Query>& other, Field field, std::string_view choice) -> std::optional<Nearest> {
    const auto solution = other ? find_best(matrix, *other) : std::nullopt;
    if (!solution) return std::nullopt;
    return Nearest{{{field, "", std::string(choice)}}, materialize(matrix, *other, *solution)};
  };
  // Another way to the GPUs keeps everything that was asked for.
  if (auto by_cdi = with(asked_by_cdi(matrix, query), Field::engine, name_of(Engine::docker_cdi)))
    result.insert(result.begin(), std::move(*by_cdi));
  // Another installer keeps the hardware, and a machine without one of its boards keeps some of it.
  const auto dearer = std::find_if(result.begin(), result.end(), gives_hardware_up);
  if (dearer != result.end() || result.size() < most) {
    auto kinder = with_fewer_boards(matrix, query);
    if (auto conda = with(asked_of_conda(matrix, query), Field::installer, name_of(Installer::conda)))
      kinder.insert(kinder.begin(), std::move(*conda));
    result.insert(dearer, std::make_move_iterator(kinder.begin()), std::make_move_iterator(kinder.end()));
  }
  if (result.size() > most) result.erase(result.begin() + most, result.end());
  if (result.empty()) {
    if (auto kept = what_can_be_kept(matrix, query)) result.push_back(std::move(*kept));
  }
  return result;
}

}  // namespace envgen::resolver
