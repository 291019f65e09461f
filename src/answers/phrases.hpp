#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "answers/proof.hpp"
#include "resolver/predicates.hpp"

namespace envgen::answers {

/// "a", "a and b", "a, b and c"; "none".
std::string joined(const std::vector<std::string>& words, std::string_view last = "and");

/// What the sentences about a reason are made of: the values, builds, boards and drivers of one step, as people say them.
struct Phrases {
  const matrix::Matrix& matrix;
  const resolver::Query& query;
  const Step& step;
  resolver::ValueSet conflict = 0;  ///< all values of the proof
  DriverVersion needed{};           ///< MissingFact::driver

  const matrix::Build& build() const { return *step.builds.front(); }
  const resolver::Board& board() const { return query.boards[static_cast<std::size_t>(step.subject)]; }
  const resolver::AskedMachine& machine() const { return query.machines[static_cast<std::size_t>(step.subject)]; }
  bool all_for_cpu() const;
  bool from_official_image() const;

  std::string_view framework() const { return query.framework == Framework::torch ? "torch" : "TensorFlow"; }
  /// "torch 2.3, cuda 12.1 and gpu 5090": the request, as it was written.
  std::string these(resolver::ValueSet set) const;
  /// "torch 2.3, CUDA 12.1 and Python 3.13": the same inside a sentence, by the names of the products.
  std::string named(resolver::ValueSet set) const;
  std::string values() const { return named(step.values); }
  /// "torch 2.3.1+cu121 on conda-forge for linux-aarch64": the first build.
  std::string label() const;
  /// "all builds of torch 2.3.0 and 2.3.1 for CUDA 11.8 and 12.1", "the torch 2.3.1 build for CUDA 12.1".
  std::string builds() const;
  /// That and its verb: "all builds ... have", "the torch 2.3.1 build for CUDA 12.1 has".
  std::string builds(std::string_view one_does, std::string_view all_do) const;
  /// "torch 2.3.0 and 2.3.1 with CUDA 11.8 and 12.1": what an image has of them.
  std::string contents(std::string_view last = "and") const;
  /// "any build of torch 2.3.0 or 2.3.1 for CUDA 11.8 or 12.1", or the only one.
  std::string any_build() const;
  /// "no builds of torch 2.3.0 or 2.3.1 for CUDA 11.8 or 12.1 run", "the torch 2.3.1 build for CUDA 12.1 does not run".
  std::string no_builds(std::string_view run, std::string_view does_not_run) const;
  bool one_build() const { return step.builds.size() == 1; }
  /// "2.3.0 and 2.3.1", or, for a long row, "1.11.0 to 2.13.0".
  std::string versions(std::string_view last = "and") const;
  std::vector<std::string> cudas() const;
  /// "they have binaries for compute capabilities 3.7 to 9.0 only, and no PTX": of a conflict with a board.
  std::string code() const;
  /// "CUDA 12.x needs driver 525.60.13 (minor-version compatibility)".
  std::string toolkit_needs() const;
  /// "the T4 (compute capability 7.5)".
  static std::string named(const resolver::Board& one);
  std::string named_board() const { return named(board()); }
  std::string named_boards() const;
  /// "driver 535 (first release 535.54.03)".
  static std::string driver_of(const resolver::AskedMachine& one);
  std::string driver() const { return driver_of(machine()); }
  /// " cuda-compat helps only on ...": it lifts drivers of data-centre boards only, so it is no answer for other boards,
  /// or where none was asked for.
  std::string compat_lift() const;
  /// The last RTX card of the machine, where all that keeps cuda-compat away are such cards: it works on "select NGC Server Ready
  /// SKUs", of which no list was read. https://docs.nvidia.com/deploy/cuda-compatibility/forward-compatibility.html
  const matrix::Gpu* perhaps_server_ready() const;
  /// "and no GPU was asked for", "and the GeForce RTX 4090 is not one" (`none`): why what holds for some classes of boards is no
  /// answer. Empty: all that were asked for are such.
  std::string but_not(const std::function<bool(matrix::GpuClass)>& is_one, std::string_view none) const;
  /// " on linux-aarch64 that support Python 3.13": values of the proof that the names of the builds do not hold, and by which
  /// those of this step were chosen; empty: none. Without it "all builds" would be more than are meant.
  std::string selection() const;
  /// "; they start only on data-centre and workstation boards, ...": of an image that lets these pass.
  std::string gate_remark() const;
  bool compat_could_lift() const { return !compat_lift().empty(); }
  /// The end of a sentence: a full stop and that, or ", and cuda-compat does not help": of data-centre boards.
  std::string compat_remark() const;
  /// The rows by which cuda-compat does not lift the machine's drivers.
  std::vector<resolver::CompatRow> compat_refusals() const;

  /// What the builds have, in the order of the keys, each key once.
  template <class Key, class Name>
  std::vector<std::string> each(Key key, Name name) const {
    std::map<std::decay_t<std::invoke_result_t<Key, const matrix::Build&>>, std::string> all;
    for (const auto* one : step.builds) {
      if (const auto [it, fresh] = all.try_emplace(std::invoke(key, *one)); fresh) it->second = name(*one);
    }
    std::vector<std::string> names;
    for (auto& [k, text] : all) names.push_back(std::move(text));
    return names;
  }

 private:
  /// "CUDA 11.8 and 12.1", "the CPU and CUDA 12.4", or, for a long row, "CUDA 11.8 to 13.0".
  std::string cuda_text(std::string_view last) const;
  std::string determined(std::string_view determiner, std::string_view noun, std::string_view last) const;
};

}  // namespace envgen::answers
