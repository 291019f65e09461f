#pragma once

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace envgen::property {

using Json = nlohmann::ordered_json;
using Random = std::mt19937_64;

/// The files of a matrix by name: `torch.json` and so on.
using MatrixFiles = std::vector<std::pair<std::string, Json>>;

/// True with this chance. Not std::bernoulli_distribution: its results differ between standard libraries.
bool chance(Random& random, int percent);
std::size_t below(Random& random, std::size_t count);
template <class T>
const T& pick(Random& random, const std::vector<T>& values) {
  return values[below(random, values.size())];
}

/// A small matrix that the loader accepts, with gaps, holes and contradictions in it. The same state gives the same matrix
/// everywhere.
MatrixFiles random_matrix(Random& random);

/// One file of it.
const Json& file(const MatrixFiles& files, std::string_view name);

/// A request over that matrix as `torch=2.3 gpu=Board_1` (see tests/support/request_text.hpp): any subset of values.
std::string random_request(Random& random, const MatrixFiles& files);

}  // namespace envgen::property
