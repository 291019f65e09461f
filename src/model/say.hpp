#pragma once

#include <functional>
#include <string>

namespace envgen {

/// Takes a remark for whoever waits for the result, which the remark leaves as it is.
using Say = std::function<void(const std::string&)>;

}  // namespace envgen
