#pragma once

#include <string_view>

namespace envgen::cli {

/// The commit that this program was built from (cmake/Revision.cmake); empty: not known, or the source differed from it.
std::string_view revision();

}  // namespace envgen::cli
