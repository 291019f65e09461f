#include "output/outputs.hpp"

#include <algorithm>
#include <array>

#include "output/dockerfile.hpp"

namespace envgen::output {
namespace {

constexpr std::array all_outputs{
    Output{"dockerfile", "Dockerfile and .dockerignore", dockerfile},
};

}  // namespace

std::span<const Output> outputs() { return all_outputs; }

const Output* find_output(std::string_view name) {
  const auto found = std::find_if(all_outputs.begin(), all_outputs.end(), [&](const Output& one) { return one.name == name; });
  return found == all_outputs.end() ? nullptr : &*found;
}

}  // namespace envgen::output
