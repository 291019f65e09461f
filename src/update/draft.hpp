#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "update/merge.hpp"

namespace envgen::update {

/// Where facts come from, and where what is new about them is written.
struct Place {
  std::filesystem::path folder;  ///< the one that is written
  /// The facts in use, those of the folder on top.
  std::function<Expected<matrix::Documents>()> facts;
  /// What lies below the folder; nothing, where it is the only one.
  std::function<Expected<matrix::Documents>()> below;
  bool user = false;  ///< it is the user's layer, which holds only what the built-in facts lack
};

/// The facts with what sources made of them so far, before anything is written.
class Draft {
 public:
  /// Errors: those of reading; (bad_input) what is there is wrong already, which `matrix lint` tells.
  static Expected<Draft> of(Place place, std::string today);

  const matrix::Documents& facts() const { return facts_; }
  /// Takes the changes of one source. Errors (bad_input): the facts would not be sound with them; then nothing of it is taken.
  Expected<void> take(const Merged& merged);
  bool changed() const { return !rows_.empty(); }

  /// Writes the files that differ, all or none. Errors (bad_input): the folder cannot be made or written; another run has changed
  /// its files since they were read.
  struct Written {
    std::string folder;
    std::vector<std::string> files;  ///< their names
  };
  Expected<Written> write() const;

 private:
  using Files = std::map<std::string, Json>;
  Draft(Place place, std::string today, matrix::Documents facts)
      : place_(std::move(place)), today_(std::move(today)), facts_(std::move(facts)) {}
  Expected<Files> own_files() const;
  Json head() const;
  Expected<matrix::Documents> assembled(const Files& files) const;

  Place place_;
  std::string today_;
  matrix::Documents facts_;
  std::map<std::string, std::string> read_;  ///< the files of the folder, as their bytes were
  Files files_;                              ///< ... as they become
  std::map<std::string, int> rows_;          ///< file -> rows that sources changed
};

/// The revision that follows: the day, and `.1` and so on for later ones of that day.
std::string next_revision(const std::string& revision, const std::string& today);

}  // namespace envgen::update
