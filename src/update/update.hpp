#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "update/draft.hpp"

namespace envgen::update {

/// What came of one source.
struct SourceResult {
  const Source* source = nullptr;
  std::optional<Error> error;  ///< it could not be read, or all of it was refused
  Merged merged;               ///< of what was taken
};

/// What came of a run.
struct Result {
  std::vector<SourceResult> sources;
  std::vector<std::string> written;  ///< files; empty: nothing changed, or nothing was to be written
  std::string folder;                ///< where they are
  net::Traffic traffic;
  std::chrono::milliseconds took{0};

  bool all_read() const;
  std::size_t changes() const;
};

/// What a run is given.
struct Run {
  net::Client& client;
  std::function<void(std::string_view what, std::size_t done, std::size_t all)> progress;
  std::function<Expected<PipSettings>()> pip;
  std::string today;                                             ///< 2026-11-25
  std::map<std::string, std::string, std::less<>> mirrors = {};  ///< by the name of the source; `mirrors_named`
};

/// Reads the sources one after another and takes what they state into the draft; one that fails does not keep the others back.
/// Errors (interrupted): a signal came.
Expected<Result> read_sources(Draft& draft, std::span<const Source* const> sources, const Run& run);

/// Reads them, what is known included, and holds what they state against the facts. Nothing is taken.
Expected<Result> verify_sources(const matrix::Documents& facts, std::span<const Source* const> sources, const Run& run);

/// The sources of these names; all, where none is named. Errors (usage): there is none of that name.
Expected<std::vector<const Source*>> sources_named(const std::vector<std::string>& names);

/// `conda=https://mirror.example/conda` and the like, by the name of the source, each with a `/` at its end. Errors (usage):
/// there is no source of that name, its address is settled elsewhere, it is named twice, or what stands behind the `=` is no
/// address.
Expected<std::map<std::string, std::string, std::less<>>> mirrors_named(const std::vector<std::string>& texts);

/// What came of it, for people.
std::string update_text(const Result& result, bool dry_run);
std::string verify_text(const Result& result);
/// ... and for programs: an object on a line.
std::string update_json(const Result& result, bool dry_run);
std::string verify_json(const Result& result);

}  // namespace envgen::update
