#pragma once

namespace envgen::bench {

/// The version of envgen that this program belongs to.
inline constexpr const char* version = "0.1.0";
/// Additions to the report are free; a change of meaning raises this.
inline constexpr int schema_version = 1;

}  // namespace envgen::bench
