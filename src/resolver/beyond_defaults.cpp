#include "resolver/no_answer.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "resolver/place.hpp"

namespace envgen::resolver {
namespace {

using matrix::Matrix;

std::optional<Query> asked_with(const Matrix& matrix, const Query& query, Field field, std::string_view text) {
  Request request{query.values, query.start_image_runs};
  request.values.push_back({field, std::string(text), Origin::flag, fmt::format("--{}", name_of(field))});
  auto changed = interpret(matrix, request);
  return changed ? std::optional(std::move(*changed)) : std::nullopt;
}

/// A GPU on which the driver of a request without one does more: cuda-compat serves those of the data centre alone, and gates of
/// images except some classes. One for each class and capability is looked at, the data centre's first, then capabilities alone.
/// None: no such GPU has an environment, nor may have one.
std::optional<BeyondDefault> by_board(const Matrix& matrix, const Query& query) {
  const auto machine = std::find_if(query.machines.begin(), query.machines.end(),
                                    [](const auto& one) { return one.boards.empty() && one.driver_value != no_value; });
  if (machine == query.machines.end()) return std::nullopt;
  // Where something else stands in the way of it, no GPU helps the driver.
  Request without{query.values, query.start_image_runs};
  without.values.erase(without.values.begin() + machine->driver_value);
  const auto free = interpret(matrix, without);
  if (free && find_outcome(matrix, *free) == matrix::Tribool::no) return std::nullopt;
  std::optional<BeyondDefault> perhaps;
  const auto finds = [&](std::string name) {
    const auto changed = asked_with(matrix, query, Field::gpu, name);
    const auto found = changed ? find_outcome(matrix, *changed) : matrix::Tribool::no;
    if (found == matrix::Tribool::yes || (found == matrix::Tribool::unknown && !perhaps))
      perhaps = {Field::gpu, {}, std::move(name), found};
    return found == matrix::Tribool::yes;
  };
  for (const auto gpu_class : {matrix::GpuClass::datacenter, matrix::GpuClass::workstation, matrix::GpuClass::consumer}) {
    std::set<Capability> seen;
    for (const auto& gpu : matrix->gpus) {
      const bool is_new =
          gpu.gpu_class == gpu_class && gpu.arm_only != matrix::Tribool::yes && seen.insert(gpu.capability).second;
      if (is_new && finds(std::string(gpu.name.view()))) return perhaps;
    }
  }
  for (const auto& row : matrix->gpu_drivers) {
    if (finds(row.capability.to_string())) break;
  }
  return perhaps;
}

}  // namespace

std::optional<Query> asked_by_cdi(const Matrix& matrix, const Query& query) {
  // Where no image is too demanding for a driver, it is none of the engine's business.
  if (query.engine_value != no_value || !checks_gate(query) || query.machines.empty()) return std::nullopt;
  return asked_with(matrix, query, Field::engine, name_of(Engine::docker_cdi));
}

std::optional<Query> asked_of_conda(const Matrix& matrix, const Query& query) {
  if (query.installer_value != no_value) return std::nullopt;
  return asked_with(matrix, query, Field::installer, name_of(Installer::conda));
}

std::vector<BeyondDefault> beyond_defaults(const Matrix& matrix, const Query& query) {
  std::vector<BeyondDefault> result;
  const auto look = [&](Field field, std::string_view usual, std::string_view other, const std::optional<Query>& changed) {
    if (!changed) return;
    const auto found = find_outcome(matrix, *changed);
    if (found != matrix::Tribool::no) result.push_back({field, std::string(usual), std::string(other), found});
  };
  const Query usual;
  const auto look_at = [&](Field field, std::string_view used, std::string_view other) {
    look(field, used, other, asked_with(matrix, query, field, other));
  };
  if (query.platform_value == no_value && !query.platform_from_gpu)
    look_at(Field::platform, name_of(usual.platform), name_of(Platform::linux_aarch64));
  if (query.variant_value == no_value) look_at(Field::variant, name_of(usual.variant), name_of(Variant::devel));
  look(Field::installer, name_of(usual.installer), name_of(Installer::conda), asked_of_conda(matrix, query));
  const auto before = result.size();
  look(Field::engine, name_of(usual.engine), name_of(Engine::docker_cdi), asked_by_cdi(matrix, query));
  if (query.engine_value == no_value && result.size() == before)
    look_at(Field::engine, name_of(usual.engine), name_of(Engine::none));
  if (!query.allow_inferred) look_at(Field::allow_inferred, "false", "true");
  if (auto board = by_board(matrix, query)) result.push_back(std::move(*board));
  return result;
}

}  // namespace envgen::resolver
