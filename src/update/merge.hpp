#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "update/source.hpp"

namespace envgen::update {

/// One row that a source makes another, or adds.
struct Change {
  const matrix::Table* table = nullptr;
  Json before;                      ///< null: the row is new
  Json after;                       ///< with its provenance
  std::vector<std::string> fields;  ///< those that differ, `package_index.pythons`; empty where the row is new
};

/// What a source makes of the facts.
struct Merged {
  std::vector<Change> changes;
  std::vector<std::string> refused;  ///< what was stated and is not taken, with the reason, in a reader's words
  std::vector<std::string> notes;    ///< what else a reader may want to know
  std::vector<std::string> gone;     ///< rows that the source vouched for and no longer has; they stay
  std::size_t agreeing = 0;          ///< stated values that the facts have already
  std::size_t differing = 0;         ///< stated values that contradict them, each of which stands in `refused`
  std::map<std::string, std::map<std::string, Json>> sources;  ///< file -> id -> the row of `sources`, of what changes
};

/// Holds what a source states against what is known. A value that was null is filled in, one that may grow (growth.hpp) grows,
/// and any other that differs is refused with the rest of its row. A new row has all fields that may not be null, or is not
/// taken. Errors (bad_input), by which nothing of the source is taken: it states what is no row, more rows than there can be,
/// fewer of the rows that it vouched for than before, or contradicts so much that it is the source that is wrong.
Expected<Merged> merge(const matrix::Documents& known, std::span<const Reading> readings, const std::string& today);

/// The same of a source that is trusted whatever it has lost, and however much it contradicts: for looking at the differences.
Expected<Merged> compare(const matrix::Documents& known, std::span<const Reading> readings, const std::string& today);

}  // namespace envgen::update
