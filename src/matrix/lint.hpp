#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "matrix/documents.hpp"
#include "model/error.hpp"

namespace envgen::matrix {

/// facts: not how their sources are described. Layers that an earlier envgen wrote describe them in other ways.
enum class Look : std::uint8_t { everything, facts };

/// Everything that is wrong with the matrix of these layers, each with file and JSON pointer: what the loader refuses,
/// references to rows that are not there, names and ids that stand for boards of different capability, pins that cannot be
/// parsed or that nothing meets, ranges whose ends are swapped, and rows without a source.
/// Errors: a folder or file that cannot be read, or is not JSON.
Expected<std::vector<Error>> lint(const std::vector<std::filesystem::path>& layers);
std::vector<Error> lint(const Documents& documents, Look look = Look::everything);

}  // namespace envgen::matrix
