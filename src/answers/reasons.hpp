#pragma once

#include <set>
#include <string>

#include "answers/phrases.hpp"

namespace envgen::answers {

/// The facts that carry a reason.
struct Cited {
  /// Of rows beside the builds.
  enum Row : std::uint8_t {
    capability = 1,         ///< of the board
    board_drivers = 2,      ///< that know the board
    machine_drivers = 4,    ///< that know the machine's boards
    toolkit_drivers = 8,    ///< that the CUDA of the builds needs
    releases_of_minor = 16  ///< that was asked for
  };
  const char* field = nullptr;  ///< of the builds; "": their rows themselves
  int rows = 0;                 ///< a set of Row
};

/// All that is said of a reason: a new one costs a row, and the predicate that finds it.
struct ReasonRow {
  using Say = std::string (*)(const Phrases& say);

  resolver::Reason reason;
  /// Its values select builds by what they are called; what they leave is the scope that the other values then rule out.
  bool selects;
  Cited cited;
  Say missing;  ///< "the matrix does not say ..."
  Say falls;    ///< "every build of ... needs glibc 2.28; centos7 has 2.17."
};
const ReasonRow& row_of(resolver::Reason reason);

/// A sentence.
std::string why_it_falls(const Phrases& say);

/// The sources of a step.
void cite(const matrix::Matrix& matrix, const resolver::Query& query, const Step& step, std::set<std::uint16_t>& sources);

}  // namespace envgen::answers
