#pragma once

#include <string>
#include <string_view>

namespace envgen {

/// A system as people write it: `Ubuntu 24.04` for `ubuntu24.04`. What is not known by its family stays an id.
std::string os_name(std::string_view id);

}  // namespace envgen
