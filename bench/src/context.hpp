#pragma once

#include <optional>

#include "lookup.hpp"
#include "options.hpp"
#include "sizes.hpp"
#include "time_budget.hpp"

namespace envgen::bench {

/// What every test is given.
struct Context {
  const Options& options;
  const Places& places;
  const Sizes& sizes;
  int device = 0;        ///< of the scopes device and pair
  int peer = 0;          ///< of the scope pair
  int device_count = 0;  ///< of the scope all_devices
  TimeLimit limit{};
};

}  // namespace envgen::bench
