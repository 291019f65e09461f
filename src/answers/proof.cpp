#include "answers/proof.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "answers/reasons.hpp"
#include "model/shell_word.hpp"

namespace envgen::answers {

using matrix::Build;
using resolver::Candidate;
using resolver::Conflict;
using resolver::Objection;
using resolver::Query;
using resolver::Reason;
using resolver::set_of;
using resolver::ValueSet;

namespace {

/// From the candidates of a conflict to what is told of them: the values that select leave a scope, and the others rule it out.
class Teller {
 public:
  Teller(const Query& query, const Conflict& conflict) : query_(query), conflict_(conflict) {
    for (const auto value : conflict.values) chosen_ |= set_of(value);
    // The prose speaks of builds that are known to exist, and of the framework that was asked for, as far as these say it.
    const auto spoken_of = [&](const Candidate& candidate) {
      const auto& build = *conflict.kinds[candidate.kind].builds.front();
      return build.listed && build.framework == query.framework;
    };
    const auto& all = conflict.candidates;
    const bool any = std::any_of(all.begin(), all.end(), spoken_of);
    for (const auto& candidate : all) {
      if (!any || spoken_of(candidate)) candidates_.push_back(&candidate);
    }
  }

  Proof proof() const {
    // What falls whatever the build is says it all.
    for (const auto& objection : query_.always) {
      if (holds(objection)) return {{}, {{objection.reason, objection.values, objection.subject, {}}}, {}, {}, {}, {}, {}};
    }
    const auto is_outside = [&](const Objection& objection) { return holds(objection) && row_of(objection.reason).selects; };
    auto [scope, steps] = left_after(is_outside);
    if (scope.empty()) {
      steps = step_of_contradiction();
      if (!steps.empty()) scope = steps.front().builds;
    } else if (auto other = step_of_systems(steps); !other.empty()) {
      scope = other.front().builds;
      steps = std::move(other);
    }
    // A place that falls whatever was asked is worth a sentence only where no other reason is left.
    const bool any_asked = std::any_of(steps.begin(), steps.end(), [](const Step& step) { return step.values != 0; });
    if (any_asked && steps.size() > 1) std::erase_if(steps, [](const Step& step) { return step.values == 0; });
    return {std::move(scope), std::move(steps), {}, {}, {}, {}, {}};
  }

 private:
  bool holds(const Objection& objection) const { return (objection.values & ~chosen_) == 0; }

  /// All builds of these kinds in the order of preference, in which the rows lie.
  std::vector<const Build*> builds_of(const std::set<std::size_t>& kinds) const {
    std::vector<const Build*> builds;
    for (const auto kind : kinds) {
      const auto& more = conflict_.kinds[kind].builds;
      builds.insert(builds.end(), more.begin(), more.end());
    }
    std::sort(builds.begin(), builds.end(), std::less<>());
    return builds;
  }

  /// The builds with no objection that rules them out, and a step for each reason that they fall for, in the order of Reason.
  template <class RulesOut>
  std::pair<std::vector<const Build*>, std::vector<Step>> left_after(RulesOut rules_out) const {
    std::set<std::size_t> left;
    std::map<std::tuple<Reason, ValueSet, std::int16_t>, std::set<std::size_t>> fallen;
    for (const auto* candidate : candidates_) {
      const auto& objections = candidate->objections;
      if (std::any_of(objections.begin(), objections.end(), rules_out)) continue;
      left.insert(candidate->kind);
      const auto it =
          std::find_if(objections.begin(), objections.end(), [&](const Objection& objection) { return holds(objection); });
      if (it != objections.end()) fallen[{it->reason, it->values, it->subject}].insert(candidate->kind);
    }
    std::vector<Step> steps;
    for (const auto& [key, kinds] : fallen)
      steps.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), builds_of(kinds)});
    // Of several steps of one reason, what is true of most builds comes first.
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
      return a.reason != b.reason ? a.reason < b.reason : a.builds.size() > b.builds.size();
    });
    return {builds_of(left), std::move(steps)};
  }

  /// Where only builds without any image are left, the systems of the others say why. None: it is no matter of those.
  std::vector<Step> step_of_systems(const std::vector<Step>& steps) const {
    const auto os = set_of(query_.os_value);
    const bool no_images = std::all_of(steps.begin(), steps.end(), [](const Step& step) { return step.reason == Reason::base; });
    if (!no_images || (os & chosen_) == 0) return {};
    auto others = left_after([&](const Objection& objection) { return (objection.values & ~(chosen_ & ~os)) == 0; }).second;
    std::erase_if(others, [](const Step& step) { return step.reason != Reason::os; });
    return others;
  }

  /// The selecting values contradict one another: the last of them falls over what the others leave. None: they leave nothing.
  std::vector<Step> step_of_contradiction() const {
    // The base late, and the release as the last resort: that there is none says less than what its builds and places lack.
    std::vector<int> order(conflict_.values.rbegin(), conflict_.values.rend());
    const auto rank = [&](int value) {
      return value == query_.version.value ? 2 : value == query_.base_value || value == query_.variant_value ? 1 : 0;
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) < rank(b); });
    for (const int value : order) {
      const auto without = chosen_ & ~set_of(value);
      auto steps = left_after([&](const Objection& objection) { return (objection.values & ~without) == 0; }).second;
      // Of several reasons the last in their order: those before it say what a build is called, not what it is.
      if (!steps.empty()) return {std::move(steps.back())};
    }
    if (conflict_.values.size() != 1) return {};
    const bool none = candidates_.empty() || candidates_.front()->objections.empty();
    return {{none ? Reason::version : candidates_.front()->objections.front().reason, chosen_, -1, {}}};
  }

  const Query& query_;
  const Conflict& conflict_;
  ValueSet chosen_ = 0;
  std::vector<const Candidate*> candidates_;
};

std::string spoken_of(const resolver::BeyondDefault& beyond) {
  if (beyond.field == Field::installer) return "wheels";
  return beyond.field == Field::variant ? beyond.usual + " images" : beyond.usual;
}

/// `a data-centre GPU`, of one that stands for its class; `a GPU of compute capability 8.0`.
std::string kind_of_gpu(const matrix::Matrix& matrix, const std::string& name) {
  const auto gpus = matrix.gpus_named(name);
  if (gpus.empty()) return "a GPU of compute capability " + name;
  const auto gpu_class = gpus.front()->gpu_class;
  return fmt::format("a {} GPU", gpu_class == matrix::GpuClass::datacenter ? "data-centre" : name_of(gpu_class));
}

std::string remark_on(const matrix::Matrix& matrix, const resolver::BeyondDefault& beyond) {
  const bool works = beyond.found == matrix::Tribool::yes;
  const auto verdict = [&](const std::string& what) {
    return works ? what + " works" : fmt::format("whether {} works is unknown", what);
  };
  if (beyond.field == Field::engine && beyond.other == name_of(Engine::none))
    return fmt::format("Only containers were considered (the default); {}: --engine none.",
                       works ? "without one, it works" : "whether it works without one is unknown");
  if (beyond.field == Field::engine)
    return fmt::format(
        "NVIDIA's hook checks this (docker --gpus before Docker 29.2); CDI does not (podman, or Docker 29.2 with "
        "NVIDIA Container Toolkit 1.18 or newer): {}.",
        verdict(fmt::format("--engine {} or podman", beyond.other)));
  if (beyond.field == Field::gpu)
    return fmt::format("{} {}, such as --gpu {}{}.", works ? "It works with" : "Whether it works with",
                       kind_of_gpu(matrix, beyond.other), shell_word(beyond.other), works ? "" : ", is unknown");
  if (beyond.field == Field::allow_inferred)
    return "Image tags that are only inferred to exist were left out (the default); whether --allow-inferred works is unknown.";
  return fmt::format("Only {} {} considered (the default); {}.", spoken_of(beyond),
                     beyond.field == Field::platform ? "was" : "were",
                     verdict(fmt::format("--{} {}", name_of(beyond.field), beyond.other)));
}

/// Fills what is said of the steps.
void tell(const matrix::Matrix& matrix, const Query& query, const Conflict& conflict, Proof& proof) {
  ValueSet everything = 0;
  for (const auto index : conflict.values) everything |= set_of(index);
  // With cuda-compat, which another board may use, the same values may hold: the sentence is true of this request alone.
  bool could_be_lifted = false;
  for (const auto& step : proof.steps) {
    const Phrases said{matrix, query, step, everything};
    proof.because.push_back(why_it_falls(said));
    could_be_lifted = could_be_lifted || (step.reason == Reason::driver && said.compat_could_lift());
  }
  const auto values = Phrases{matrix, query, {}}.these(everything);
  const auto* unless = could_be_lifted ? " without cuda-compat" : "";
  proof.verdict = fmt::format("No environment satisfies {}{}.", values, unless);
  proof.conclusion = conflict.values.size() == 1 ? fmt::format("So no environment satisfies {}{}.", values, unless)
                                                 : fmt::format("So {} are incompatible{}.", values, unless);
  for (const auto& beyond : conflict.beyond_defaults) proof.remarks.push_back(remark_on(matrix, beyond));
  const bool any_driver = std::any_of(query.machines.begin(), query.machines.end(),
                                      [](const auto& machine) { return machine.driver_value != resolver::no_value; });
  if (query.wsl && any_driver)
    proof.remarks.emplace_back("The driver versions above are those of Linux; Windows drivers are compared only by branch.");
  if (resolver::names_jetson(query))
    proof.remarks.push_back(fmt::format("This applies to the builds that {} publishes. {}.",
                                        query.framework == Framework::torch ? "PyTorch" : "TensorFlow", resolver::jetson_note));
  const bool lacks_code =
      std::any_of(proof.steps.begin(), proof.steps.end(), [](const auto& step) { return step.reason == Reason::code; });
  const bool any_orin = std::any_of(query.boards.begin(), query.boards.end(),
                                    [](const resolver::Board& board) { return board.capability == resolver::orin; });
  if (lacks_code && any_orin)
    proof.remarks.push_back(fmt::format("According to PyTorch, 8.0 and 8.6 code does not run on an Orin before CUDA 13.2; {}.",
                                        resolver::orin_reports));
}

}  // namespace

Proof proof_of(const matrix::Matrix& matrix, const Query& query, const Conflict& conflict) {
  auto proof = Teller(query, conflict).proof();
  std::set<std::uint16_t> sources;
  for (const auto& step : proof.steps) cite(matrix, query, step, sources);
  proof.sources.assign(sources.begin(), sources.end());
  tell(matrix, query, conflict, proof);
  return proof;
}

std::vector<std::string> Proof::sentences() const {
  auto all = because;
  all.push_back(conclusion);
  all.insert(all.end(), remarks.begin(), remarks.end());
  return all;
}

std::string changes_text(const std::vector<resolver::Change>& changes) {
  std::vector<std::string> words;
  for (const auto& change : changes) {
    const bool is_flag = field_rows.at(static_cast<std::size_t>(change.field)).shape == Shape::flag;
    words.push_back(change.from.empty()  ? fmt::format("with {} {}", name_of(change.field), change.to)
                    : !change.to.empty() ? fmt::format("with {} {} instead of {}", name_of(change.field), change.to, change.from)
                    : is_flag            ? fmt::format("without {}", name_of(change.field))
                                         : fmt::format("without {} {}", name_of(change.field), change.from));
  }
  return joined(words);
}

std::string build_label(const Build& build) {
  return fmt::format("{} {}+{}", build.framework == Framework::torch ? "torch" : "TensorFlow", build.version_text.view(),
                     build.tag.view());
}

}  // namespace envgen::answers
