#pragma once

#include <string>
#include <vector>

#include "resolver/resolver.hpp"

namespace envgen::answers {

/// A step of a proof: a group of builds, and the values and facts that rule them out.
struct Step {
  resolver::Reason reason = resolver::Reason::version;
  resolver::ValueSet values = 0;
  std::int16_t subject = -1;                 ///< board or machine
  std::vector<const matrix::Build*> builds;  ///< what it rules out; empty: it rules out everything
};

/// How a conflict is told.
struct Proof {
  /// The builds that the selecting values of the conflict (torch, cuda, python, ...) leave; each step rules some of them out.
  std::vector<const matrix::Build*> scope;
  std::vector<Step> steps;
  std::vector<std::uint16_t> sources;  ///< the facts that carry it: indexes into Root::sources
  std::vector<std::string> because;    ///< one sentence each: "Because ... and ..., ..."
  std::string conclusion;              ///< "So torch 2.3 and gpu 5090 are incompatible."
  std::vector<std::string> remarks;    ///< what holds with another default
  std::string verdict;                 ///< the conclusion by itself: "No environment satisfies torch 2.3 and gpu 5090."

  /// All of it, in this order.
  std::vector<std::string> sentences() const;
};
Proof proof_of(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Conflict& conflict);

/// The facts that are missing, each once, and the sentence that tells of them.
struct Missing {
  std::vector<std::string> facts;
  std::string message;
};
Missing missing_of(const matrix::Matrix& matrix, const resolver::Query& query, const resolver::Unknown& unknown);

/// `with torch 2.7.0 instead of 2.4.1 and without gpu 5090`.
std::string changes_text(const std::vector<resolver::Change>& changes);

/// The name of a build as people say it: `torch 2.3.1+cu121`.
std::string build_label(const matrix::Build& build);

}  // namespace envgen::answers
