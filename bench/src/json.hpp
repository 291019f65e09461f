#pragma once

#include <nlohmann/json.hpp>

namespace envgen::bench {

/// Members stay in the order in which a person reads them.
using Json = nlohmann::ordered_json;

}  // namespace envgen::bench
