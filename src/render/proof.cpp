#include "render/proof.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "render/proof_steps.hpp"
#include "render/reasons.hpp"

namespace envgen::render {

using resolver::Query;

namespace {

std::string spoken_of(const resolver::BeyondDefault& beyond) {
  if (beyond.field == Field::installer) return "wheels";
  return beyond.field == Field::variant ? beyond.usual + " images" : beyond.usual;
}

std::vector<std::string> lines_of(const matrix::Matrix& matrix, const Query& query, const resolver::Conflict& conflict,
                                  const std::vector<Step>& steps) {
  resolver::ValueSet everything = 0;
  for (const auto index : conflict.values) everything |= resolver::set_of(index);
  std::vector<std::string> lines;
  // With cuda-compat, which another board may use, the same values may hold: the sentence is true of this request alone.
  bool could_be_lifted = false;
  for (const auto& step : steps) {
    const Phrases said{matrix, query, step, everything};
    lines.push_back((lines.empty() ? "Because " : "And because ") + row_of(step.reason).falls(said));
    could_be_lifted = could_be_lifted || (step.reason == resolver::Reason::driver && !said.compat_remark().empty());
  }
  const auto values = Phrases{matrix, query, {}}.values(everything);
  if (conflict.values.size() == 1) {
    lines.push_back(fmt::format("So {} cannot be met.", values));
  } else {
    lines.push_back(fmt::format("So {} cannot hold together{}.", values, could_be_lifted ? " without cuda-compat" : ""));
  }
  for (const auto& beyond : conflict.beyond_defaults)
    lines.push_back(fmt::format("This holds for {}, the default; with --{} {} there {} one.", spoken_of(beyond),
                                name_of(beyond.field), beyond.other, beyond.found == matrix::Answer::yes ? "is" : "may be"));
  if (resolver::names_jetson(query))
    lines.push_back(fmt::format("This holds for the builds that {} publishes. {}.",
                                query.framework == Framework::torch ? "PyTorch" : "TensorFlow", resolver::jetson_note));
  return lines;
}

}  // namespace

Proof proof_of(const matrix::Matrix& matrix, const Query& query, const resolver::Conflict& conflict) {
  auto proof = scope_and_steps(query, conflict);
  std::set<std::uint16_t> sources;
  for (const auto& step : proof.steps) cite(matrix, query, step, sources);
  proof.sources.assign(sources.begin(), sources.end());
  proof.lines = lines_of(matrix, query, conflict, proof.steps);
  return proof;
}

std::string changes_text(const std::vector<resolver::Change>& changes) {
  std::vector<std::string> words;
  for (const auto& change : changes)
    words.push_back(change.from.empty() ? fmt::format("with {} {}", name_of(change.field), change.to)
                    : change.to.empty() ? fmt::format("without {} {}", name_of(change.field), change.from)
                                        : fmt::format("with {} {} instead of {}", name_of(change.field), change.to, change.from));
  return joined(words);
}

std::string build_label(const matrix::Build& build) {
  return fmt::format("{} {}+{}", build.framework == Framework::torch ? "torch" : "TensorFlow", build.version_text.view(),
                     build.tag.view());
}

}  // namespace envgen::render
