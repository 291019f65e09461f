#include "property/defaults.hpp"

#include <algorithm>

#include "resolver/outside.hpp"

namespace envgen::property {
namespace {

using resolver::Query;

/// A release that the matrix does not reach.
bool lies_outside(const matrix::Matrix& matrix, const Query& query, int value) {
  const auto outside = resolver::values_outside(matrix, query);
  return std::any_of(outside.begin(), outside.end(), [&](const auto& one) { return one.value == value; });
}

/// A board that moves the platform.
bool board_moves(const Query& query, int value) {
  return std::any_of(query.boards.begin(), query.boards.end(),
                     [&](const auto& board) { return board.value == value && board.arm_only; });
}

}  // namespace

bool moves_a_default(const matrix::Matrix& matrix, const Query& query, std::size_t index) {
  const auto& value = query.values[index];
  const auto number = static_cast<int>(index);
  switch (value.field) {
    case Field::torch:
    case Field::torchvision:
    case Field::torchaudio:
    case Field::cuda:
      return value.text.ends_with("cpu") || lies_outside(matrix, query, number);
    case Field::python:
      return value.text.ends_with('t');
    case Field::gpu:
    case Field::host:
      return board_moves(query, number);
    case Field::platform:
      return query.platform != Query().platform;
    case Field::variant:
      return query.variant != Query().variant;
    case Field::installer:
      return query.installer == Installer::conda;
    case Field::base:
      return query.base != Base::slim;
    case Field::engine:
      return query.engine != Query().engine;
    case Field::tensorflow:
    case Field::prefer:
    case Field::allow_inferred:
      return true;
    case Field::wsl:
      // Without it, the driver is read as one of Linux.
      return std::any_of(query.machines.begin(), query.machines.end(),
                         [](const auto& machine) { return machine.driver_value != resolver::no_value; });
    case Field::cudnn:
    case Field::driver:
    case Field::os:
    case Field::ptx:
      return false;
  }
  return false;
}

}  // namespace envgen::property
