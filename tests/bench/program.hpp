#pragma once

#include <map>
#include <string>
#include <vector>

#include "json.hpp"

namespace envgen::bench {

/// How a run of the program ended.
struct Ran {
  int status = 0;
  std::string out;
  std::string err;
  double seconds = 0;

  Json json() const { return Json::parse(out); }
  /// The first row of the test `id` on `device` (-1: on none); null where there is none.
  Json row(const std::string& id, int device = -1) const;
};

/// Runs envgen-bench with these arguments and environment variables. `signal_after` > 0: SIGINT after so many seconds.
Ran run_bench(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment = {},
              double signal_after = 0);

/// What a row says.
inline std::string message(const Json& row) { return row.at("message").get<std::string>(); }

/// The arguments that make it use our doubles, small sizes, and JSON.
std::vector<std::string> on_doubles(const std::vector<std::string>& more);

}  // namespace envgen::bench
