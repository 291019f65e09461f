#pragma once

#include <string_view>

#include "model/capability.hpp"
#include "model/python_version.hpp"
#include "model/spelled.hpp"
#include "model/version.hpp"

namespace envgen {

/// Tests compare what people read.
template <Spelled T>
bool operator==(const T& value, std::string_view text) {
  return value.to_string() == text;
}

inline Version operator""_version(const char* text, std::size_t size) { return Version::parse({text, size}).value(); }
inline DriverVersion operator""_driver(const char* text, std::size_t size) { return DriverVersion::parse({text, size}).value(); }
inline PythonVersion operator""_python(const char* text, std::size_t size) { return PythonVersion::parse({text, size}).value(); }
inline Capability operator""_capability(const char* text, std::size_t size) { return Capability::parse({text, size}).value(); }
inline Arch operator""_arch(const char* text, std::size_t size) { return Arch::parse({text, size}).value(); }

}  // namespace envgen
