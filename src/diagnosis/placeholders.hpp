#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace envgen::diagnosis {

/// What the line that shows a failure names for a placeholder of its commands: the PACKAGE, as pip calls it, the PORT, the
/// INTERFACE, the newest GCC that nvcc accepts, the CUDA that torch was built with (or else that of the compiler), the CUDA of
/// the NVCC that was found, and the protobuf of GENCODE, generated code.
std::optional<std::string> named_in_evidence(std::string_view placeholder, std::string_view evidence);

}  // namespace envgen::diagnosis
