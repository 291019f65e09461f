#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "check/check.hpp"
#include "property/defaults.hpp"
#include "property/oracle.hpp"
#include "property/random_matrix.hpp"
#include "resolver/changed.hpp"
#include "resolver/materialize.hpp"
#include "support/answer_json.hpp"
#include "support/matrix_folder.hpp"
#include "support/request_text.hpp"
#include "support/thorough.hpp"

/// The resolver against the oracle. ENVGEN_PROPERTY_SEEDS=N tries the first N matrices (more than CI does),
/// ENVGEN_PROPERTY_SEED=S one of them; a failure prints its seed, the request and the whole matrix.
namespace envgen::property {
namespace {

constexpr std::uint64_t first_seeds = 60;
/// Later ones that once found a wrong answer.
constexpr std::array<std::uint64_t, 6> seeds_that_told = {131, 282, 379, 559, 728, 744};
constexpr int requests_per_matrix = 40;

std::optional<std::uint64_t> number_from(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  return std::strtoull(text, nullptr, 10);
}

/// A request over a matrix, as both sides read it.
struct Case {
  std::uint64_t seed;
  const MatrixFiles& files;
  matrix::Matrix matrix;
  const Oracle& oracle;
  Request request;
  resolver::Query query;
  Opinion opinion;
};

/// A matrix with what keeps it alive, and its requests.
struct World {
  explicit World(std::uint64_t from_seed) : seed(from_seed), random(from_seed), files(random_matrix(random)), oracle(files) {}
  std::uint64_t seed;
  Random random;
  MatrixFiles files;
  Oracle oracle;
  matrix::Loaded loaded;
  std::vector<Case> cases;
};

const char* word(Tri tri) { return tri == Tri::yes ? "exists" : tri == Tri::no ? "proven none" : "unknown"; }

Tri answer_of(const resolver::Resolution& answer) {
  if (std::holds_alternative<resolver::Solution>(answer)) return Tri::yes;
  return std::holds_alternative<resolver::Conflict>(answer) ? Tri::no : Tri::maybe;
}

std::string channel_name(matrix::Channel channel) {
  constexpr const char* names[] = {"wheels", "pytorch", "conda-forge"};
  return names[static_cast<std::size_t>(channel)];
}

Place place_of(const resolver::Solution& solution) {
  const auto& build = *solution.build;
  const auto& placement = solution.placement;
  return {std::string(name_of(build.framework)), std::string(build.version_text.view()),
          std::string(build.tag.view()),         channel_name(build.channel),
          std::string(name_of(build.platform)),  placement.os == nullptr ? std::string() : std::string(placement.os->id.view()),
          std::string(name_of(placement.base)),  solution.python.to_string()};
}

/// Complaints of one test, each with what is needed to see it again. The first ones are shown in full.
class Complaints {
 public:
  void add(const Case& one, const std::string& what) {
    ++count_;
    if (count_ > most_shown) return;
    std::string text = what + "\n  seed " + std::to_string(one.seed) + ", request: " + test::text_of(one.request) +
                       "\n  again: ENVGEN_PROPERTY_SEED=" + std::to_string(one.seed) + " tests/property/envgen_property_test";
    if (one.seed != last_seed_) {
      text += "\n  matrix:";
      for (const auto& [name, json] : one.files) text += "\n  --- " + name + "\n" + json.dump();
    }
    last_seed_ = one.seed;
    ADD_FAILURE() << text;
  }
  void sum_up() const {
    if (count_ > most_shown) ADD_FAILURE() << count_ << " complaints in all";
  }

 private:
  static constexpr int most_shown = 4;
  int count_ = 0;
  std::uint64_t last_seed_ = ~std::uint64_t{0};
};

/// Made once for all tests: the oracle takes longer than what is tested.
const std::vector<std::unique_ptr<World>>& worlds() {
  static const auto all = [] {
    std::vector<std::unique_ptr<World>> made;
    const auto only = number_from("ENVGEN_PROPERTY_SEED");
    std::set<std::uint64_t> seeds;
    if (only) seeds.insert(*only);
    for (std::uint64_t seed = 1; !only && seed <= number_from("ENVGEN_PROPERTY_SEEDS").value_or(first_seeds / test::one_of(2));
         ++seed)
      seeds.insert(seed);
    if (!only) seeds.insert(seeds_that_told.begin(), seeds_that_told.end());
    for (const auto seed : seeds) {
      auto world = std::make_unique<World>(seed);
      const test::MatrixFolder folder;
      for (const auto& [name, json] : world->files) folder.write(name, json.dump());
      world->loaded = folder.load();
      for (int i = 0; world->loaded.block && i < requests_per_matrix; ++i) {
        auto request = test::request_of(random_request(world->random, world->files));
        const auto matrix = world->loaded.block->matrix();
        auto query = resolver::interpret(matrix, request);
        if (!query) continue;  // a value that no matrix knows; tests/resolver has those
        auto opinion = world->oracle.judge(request);
        world->cases.push_back(
            {seed, world->files, matrix, world->oracle, std::move(request), std::move(*query), std::move(opinion)});
      }
      made.push_back(std::move(world));
    }
    return made;
  }();
  return all;
}

template <class Check>
void for_each_case(Check check) {
  Complaints complaints;
  for (const auto& world : worlds()) {
    for (const auto& one : world->cases) check(one, complaints);
  }
  complaints.sum_up();
}

TEST(ResolverProperty, TheGeneratorMakesEveryKindOfRequest) {
  std::map<Tri, int> seen;
  for (const auto& world : worlds()) {
    ASSERT_TRUE(world->loaded.problems.empty()) << "seed " << world->seed << ": " << world->loaded.problems.front().origin << ": "
                                                << world->loaded.problems.front().message;
    for (const auto& one : world->cases) ++seen[one.opinion.exists];
  }
  std::cout << seen[Tri::yes] << " requests with an environment, " << seen[Tri::no] << " proven to have none, "
            << seen[Tri::maybe] << " unknown\n";
  if (number_from("ENVGEN_PROPERTY_SEED")) return;  // one matrix may well lack one of them
  const auto all = seen[Tri::yes] + seen[Tri::no] + seen[Tri::maybe];
  for (const auto answer : {Tri::yes, Tri::no, Tri::maybe}) EXPECT_GT(seen[answer] * 20, all) << word(answer);
}

TEST(ResolverProperty, AnswersAsTheOracleDoes) {
  for_each_case([](const Case& one, Complaints& complaints) {
    const auto answer = resolver::resolve(one.matrix, one.query);
    const auto said = answer_of(answer);
    if (said != one.opinion.exists) {
      std::string what = std::string("resolve says '") + word(said) + "', the oracle '" + word(one.opinion.exists) + "'";
      if (const auto* solution = std::get_if<resolver::Solution>(&answer))
        what += "; resolve: " + place_of(*solution).to_string();
      if (!one.opinion.environments.empty()) what += "; oracle: " + one.opinion.environments.begin()->to_string();
      if (one.opinion.environments.empty() && !one.opinion.perhaps.empty())
        what += "; oracle perhaps: " + one.opinion.perhaps.begin()->to_string();
      complaints.add(one, what);
    } else if (const auto* solution = std::get_if<resolver::Solution>(&answer)) {
      const auto place = place_of(*solution);
      if (one.opinion.environments.count(place) == 0)
        complaints.add(one, "not an environment by the oracle: " + place.to_string());
    }
  });
}

/// A request with only some of its values.
template <class Keep>
Request part_of(const Request& request, Keep keep) {
  Request part;
  for (std::size_t i = 0; i < request.values.size(); ++i) {
    if (keep(i)) part.values.push_back(request.values[i]);
  }
  return part;
}

/// Values that do not rule anything out, but say how to look, or how the driver is read.
bool is_manner(const RequestValue& value) {
  return value.field == Field::prefer || value.field == Field::allow_inferred || value.field == Field::wsl;
}
/// Values that change what the defaults choose from: leaving them out opens other candidates.
bool is_frame(const RequestValue& value) {
  switch (value.field) {
    case Field::installer:
    case Field::platform:
    case Field::base:
    case Field::engine:
    case Field::variant:
    case Field::python:
    case Field::gpu:
    case Field::host:
    case Field::tensorflow:
    case Field::torch:
    case Field::cuda:
    case Field::torchvision:
    case Field::torchaudio:
      return true;  // the last five: what an open list of tags may hold, or a release outside, is considered where one is named
    default:
      return false;
  }
}

TEST(ResolverProperty, StableTakesTheBestBuild) {
  for_each_case([](const Case& one, Complaints& complaints) {
    if (one.query.prefer != Prefer::stable || one.opinion.environments.empty()) return;
    const auto solution = resolver::find_best(one.matrix, one.query);
    if (!solution)
      return complaints.add(one, "find_best finds nothing, the oracle " + one.opinion.environments.begin()->to_string());
    auto pool = one.oracle.judge(one.request, Leaning::nothing).environments;
    if (pool.empty()) pool = one.oracle.judge(one.request, Leaning::ptx).environments;
    if (pool.empty()) pool = one.opinion.environments;
    const auto best = std::min_element(pool.begin(), pool.end(),
                                       [&](const Place& a, const Place& b) { return one.oracle.rank(a) < one.oracle.rank(b); });
    const auto place = place_of(*solution);
    if (one.oracle.rank(*best) < one.oracle.rank(place))
      complaints.add(one, "resolve takes " + place.to_string() + ", better is " + best->to_string());
    const auto own = one.oracle.python_of(place.os);
    const bool may_be_own = place.channel == "wheels" && (place.base == "slim" || place.base == "cuda") && !own.empty();
    if (may_be_own && place.python != own && solution->pythons.contains(PythonVersion::parse(own).value()))
      complaints.add(one, "Python " + place.python + " although " + place.os + " has " + own + " itself");
  });
}

TEST(ResolverProperty, ConflictsAreTrueAndSmallest) {
  for_each_case([](const Case& one, Complaints& complaints) {
    const auto answer = resolver::resolve(one.matrix, one.query);
    const auto* conflict = std::get_if<resolver::Conflict>(&answer);
    if (conflict == nullptr || one.opinion.exists != Tri::no) return;
    const auto& values = one.request.values;
    std::size_t blamed = 0;
    const auto in_conflict = [&](std::size_t i) {
      return std::find(conflict->values.begin(), conflict->values.end(), static_cast<int>(i)) != conflict->values.end();
    };
    std::vector<std::size_t> free;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (is_manner(values[i])) continue;
      free.push_back(i);
      blamed += in_conflict(i) ? 1 : 0;
    }
    const auto only_conflict = part_of(one.request, [&](std::size_t i) { return is_manner(values[i]) || in_conflict(i); });
    if (one.oracle.exists(only_conflict) != Tri::no)
      complaints.add(one, "these values are no conflict, the oracle says '" +
                              std::string(word(one.oracle.exists(only_conflict))) + "': " + test::text_of(only_conflict));
    if (conflict->values.empty() && one.oracle.exists(Request{}) != Tri::no) complaints.add(one, "a conflict of no values");
    for (std::size_t set = 0; set < (std::size_t{1} << free.size()); ++set) {
      std::size_t size = 0;
      for (std::size_t b = 0; b < free.size(); ++b) size += (set >> b) & 1;
      if (size >= blamed) continue;
      const auto with_frame = [&](std::size_t frame) {
        return part_of(one.request, [&](std::size_t i) {
          const auto b = static_cast<std::size_t>(std::find(free.begin(), free.end(), i) - free.begin());
          return b == free.size() || ((set | frame) >> b & 1) != 0;
        });
      };
      if (one.oracle.exists(with_frame(0)) != Tri::no) continue;
      // Leaving a value out may also narrow what the defaults choose from. Then the smaller set is a conflict of the
      // defaults, and not of what was asked: it has to hold with each such value kept, too.
      std::size_t frames = 0;
      for (std::size_t b = 0; b < free.size(); ++b) {
        if (is_frame(values[free[b]]) && ((set >> b) & 1) == 0) frames |= std::size_t{1} << b;
      }
      bool holds = true;
      std::string resolver_differs;
      for (auto frame = frames;; frame = (frame - 1) & frames) {
        const auto part = with_frame(frame);
        holds = holds && one.oracle.exists(part) == Tri::no;
        const auto query = resolver::interpret(one.matrix, part);
        if (query && answer_of(resolver::resolve(one.matrix, *query)) != Tri::no)
          resolver_differs = ", although resolve finds that of '" + test::text_of(part) + "' " +
                             word(answer_of(resolver::resolve(one.matrix, *query)));
        if (!holds || frame == 0) break;
      }
      if (!holds) continue;
      complaints.add(one, "the conflict is " + test::text_of(only_conflict) + ", but a smaller one is '" +
                              test::text_of(with_frame(0)) + "'" + resolver_differs);
      break;
    }
  });
}

TEST(ResolverProperty, NearestEnvironmentsExist) {
  for_each_case([](const Case& one, Complaints& complaints) {
    const auto answer = resolver::resolve(one.matrix, one.query);
    const auto all = resolver::nearest_of(answer);
    if (all.size() > 3) complaints.add(one, "more than three nearest environments");
    if (all.empty() && answer_of(answer) != Tri::yes && one.oracle.exists(Request()) == Tri::yes)
      complaints.add(one, "no nearest environment, although a request for nothing has one");
    for (const auto& nearest : all) {
      const auto request = resolver::changed(one.request, nearest.changes);
      std::string told;
      for (const auto& change : nearest.changes)
        told += std::string(" ") + std::string(name_of(change.field)) + ": '" + change.from + "' -> '" + change.to + "'";
      if (!request) {
        complaints.add(one, "a change of a value that was not asked:" + told);
        return;
      }
      if (nearest.changes.empty()) complaints.add(one, "a nearest environment that changes nothing");
      if (!resolver::interpret(one.matrix, *request)) {
        complaints.add(one, "the changed request is not understood: " + test::text_of(*request));
      } else if (one.oracle.exists(*request) != Tri::yes) {
        complaints.add(one, "the oracle says '" + std::string(word(one.oracle.exists(*request))) + "' after" + told);
      }
    }
  });
}

TEST(ResolverProperty, AllListsWhatTheOracleLists) {
  for_each_case([](const Case& one, Complaints& complaints) {
    // A Python that an unasked companion has no wheel for is not listed, so the Pythons are compared one way only.
    const auto without_python = [](Place place) {
      place.python.clear();
      return place;
    };
    std::set<Place> expected;
    for (const auto& place : one.opinion.environments) expected.insert(without_python(place));
    std::set<Place> listed;
    std::set<Place> seen;
    bool first = true;
    const auto best = resolver::find_best(one.matrix, one.query);
    resolver::each_solution(one.matrix, one.query, [&](const resolver::Solution& solution) {
      const auto place = place_of(solution);
      if (first && best && place != place_of(*best))
        complaints.add(one, "the first of all is " + place.to_string() + ", the best " + place_of(*best).to_string());
      first = false;
      listed.insert(without_python(place));
      seen.insert(place);
      return true;
    });
    for (const auto& place : seen) {
      if (one.opinion.environments.count(place) == 0)
        return complaints.add(one, "listed, but not an environment by the oracle: " + place.to_string());
    }
    for (const auto& place : expected) {
      if (listed.count(place) == 0) return complaints.add(one, "not listed: " + place.to_string());
    }
  });
}

TEST(ResolverProperty, WhatAStricterRequestLeavesOpenTheWiderOneDoes) {
  for_each_case([](const Case& one, Complaints& complaints) {
    if (answer_of(resolver::resolve(one.matrix, one.query)) == Tri::no) return;
    for (std::size_t i = 0; i < one.request.values.size(); ++i) {
      const auto field = one.request.values[i].field;
      const bool has_board = field == Field::gpu || field == Field::host;
      if (moves_a_default(one.matrix, one.query, i)) continue;
      const auto wider = part_of(one.request, [&](std::size_t k) { return k != i; });
      const auto query = resolver::interpret(one.matrix, wider);
      if (!query) continue;
      const auto answer = resolver::resolve(one.matrix, *query);
      const auto* conflict = std::get_if<resolver::Conflict>(&answer);
      // A proof that rests on there being no GPU says so.
      const bool is_told = conflict != nullptr && has_board &&
                           std::any_of(conflict->beyond_defaults.begin(), conflict->beyond_defaults.end(),
                                       [](const auto& beyond) { return beyond.field == Field::gpu; });
      if (conflict != nullptr && !is_told)
        complaints.add(
            one, "proven none without " + std::string(name_of(one.request.values[i].field)) + "=" + one.request.values[i].text);
    }
  });
}

TEST(ResolverProperty, TheCheckerAcceptsEverySolution) {
  for_each_case([](const Case& one, Complaints& complaints) {
    resolver::each_solution(one.matrix, one.query, [&](const resolver::Solution& solution) {
      const auto wrong = check::violations(one.matrix, one.request, resolver::materialize(one.matrix, one.query, solution));
      if (!wrong.empty()) complaints.add(one, "the checker refuses " + place_of(solution).to_string() + ": " + wrong.front());
      return wrong.empty();
    });
  });
}

void expect_fields(const Case& one, Complaints& complaints, const Json& object, std::initializer_list<const char*> fields,
                   const std::string& where) {
  for (const char* field : fields) {
    if (!object.is_object() || !object.contains(field)) complaints.add(one, "the JSON answer lacks " + where + field);
  }
}

TEST(ResolverProperty, JsonAnswersFitTheContract) {
  for_each_case([](const Case& one, Complaints& complaints) {
    const auto answer = resolver::resolve(one.matrix, one.query);
    const auto text = test::answer_json(one.matrix, one.request, one.query, answer, 0);
    const auto json = Json::parse(text, nullptr, false);
    if (json.is_discarded() || text.find('\n') != std::string::npos) return complaints.add(one, "not one line of JSON: " + text);
    expect_fields(one, complaints, json, {"schema_version", "request"}, "");
    if (json.value("schema_version", 0) != 1) complaints.add(one, "schema_version is not 1");
    const bool fits = json.contains("environment") == std::holds_alternative<resolver::Solution>(answer) &&
                      json.contains("conflict") == std::holds_alternative<resolver::Conflict>(answer) &&
                      json.contains("unknown") == std::holds_alternative<resolver::Unknown>(answer);
    if (!fits) return complaints.add(one, "the JSON answer is of another kind than the answer: " + text);
    if (json.contains("unknown")) {
      expect_fields(one, complaints, json["unknown"], {"missing", "message", "nearest"}, "unknown.");
      if (json["unknown"]["missing"].empty()) complaints.add(one, "an unknown that names no missing fact: " + text);
    } else if (json.contains("conflict")) {
      expect_fields(one, complaints, json["conflict"], {"values", "proof", "facts", "nearest"}, "conflict.");
      for (const auto& value : json["conflict"]["values"])
        expect_fields(one, complaints, value, {"field", "value", "origin"}, "conflict.values.");
      if (json["conflict"]["proof"].empty()) complaints.add(one, "a conflict without a proof: " + text);
    }
    if (!json.contains("environment")) {
      for (const auto& nearest : json[json.contains("conflict") ? "conflict" : "unknown"]["nearest"]) {
        expect_fields(one, complaints, nearest, {"changes", "environment"}, "nearest.");
        for (const auto& change : nearest["changes"])
          expect_fields(one, complaints, change, {"field", "from", "to"}, "nearest.changes.");
      }
    } else {
      const auto& environment = json["environment"];
      expect_fields(one, complaints, json, {"matrix", "pins", "reasons"}, "");
      expect_fields(one, complaints, environment,
                    {"torch", "tensorflow", "cuda", "cudnn", "python", "python_provider", "pythons", "driver", "gpus", "os",
                     "platform", "variant", "installer", "base", "images"},
                    "environment.");
      const auto place = place_of(std::get<resolver::Solution>(answer));
      const auto& build = environment[place.framework];
      if (build.value("version", "") != place.version || environment.value("python", "") != place.python ||
          environment.value("base", "") != place.base || environment.value("platform", "") != place.platform)
        complaints.add(one, "the JSON answer is another environment than " + place.to_string() + ": " + text);
      if (environment["cuda"].is_null() != (place.tag == "cpu"))
        complaints.add(one, "\"cuda\" is null for a CPU build and for nothing else: " + text);
      if (place.framework == "torch")
        expect_fields(one, complaints, build,
                      {"version", "cuda", "tag", "torchvision", "torchaudio", "index_url", "on_package_index", "archs", "ptx",
                       "pythons", "triton", "nccl"},
                      "environment.torch.");
    }
  });
}

}  // namespace
}  // namespace envgen::property
