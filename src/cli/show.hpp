#pragma once

#include <string_view>

namespace envgen::cli {

/// Whether 'envgen show' has this subject: `gpu`, `torch`, `driver`.
bool is_shown(std::string_view subject);

}  // namespace envgen::cli
