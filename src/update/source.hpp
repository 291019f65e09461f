#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/documents.hpp"
#include "matrix/tables.hpp"
#include "model/error.hpp"
#include "net/client.hpp"
#include "update/pip.hpp"

namespace envgen::update {

using Json = nlohmann::ordered_json;

/// What a source states of one row: the fields of its key, and those others that the source knows. A field that it says nothing
/// of is left out; one that is null is stated to be absent ("not on the package index").
struct Claim {
  const matrix::Table* table = nullptr;
  Json row = Json::object();
};

/// What was read from a source.
struct Reading {
  std::string id;                  ///< of the row of `sources` that vouches for the claims
  std::string what;                ///< its title, one line
  std::string url;                 ///< where a person can follow it; empty: by `check`
  std::vector<Claim> claims;       ///< in the order of the tables
  std::vector<std::string> notes;  ///< what was passed over, and why, in a reader's words
  std::string check = {};          ///< where there is no URL, the command that reads it again
};

/// What a source may look at.
struct Visit {
  net::Client& client;
  const matrix::Documents& known;  ///< the facts as they are, so that what cannot have changed need not be asked again
  std::function<void(std::string_view what, std::size_t done, std::size_t all)> progress;
  std::string today;  ///< 2026-11-25
  /// What pip is configured with. Errors (missing): there is no pip.
  std::function<Expected<PipSettings>()> pip = {};
  bool again = false;  ///< for `matrix verify`: what is known is read as well
  std::string mirror =
      {};  ///< where the source is read instead of at its own address, with a `/` at its end; empty: nowhere else

  /// The address to read at, whose own is `root`, with a `/` at its end.
  std::string at(std::string_view root) const { return mirror.empty() ? std::string(root) : mirror; }
};

/// One place where facts are published. The table of all is in sources.cpp.
struct Source {
  std::string_view name;  ///< for `--source`
  std::string_view what;  ///< for help
  /// Errors: network; bad_input where an answer has another shape than the one that is known, with the URL as the origin.
  Expected<std::vector<Reading>> (*read)(Visit& visit);
  bool has_mirrors = true;  ///< false: its address is settled by another program
};

std::span<const Source> sources();

}  // namespace envgen::update
