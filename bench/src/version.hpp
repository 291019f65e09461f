#pragma once

namespace envgen::bench {

/// The version of envgen that this program belongs to, as its CMakeLists.txt says it.
inline constexpr const char* version = ENVGEN_VERSION;
/// Additions to the report are free; a change of meaning raises this.
inline constexpr int schema_version = 1;

}  // namespace envgen::bench
