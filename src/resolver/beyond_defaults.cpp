#include "resolver/no_answer.hpp"

#include <fmt/format.h>

namespace envgen::resolver {
namespace {

using matrix::Matrix;

std::optional<Query> asked_with(const Matrix& matrix, const Query& query, Field field, std::string_view text) {
  Request request{query.values};
  request.values.push_back({field, std::string(text), Origin::flag, fmt::format("--{}", name_of(field))});
  auto changed = interpret(matrix, request);
  return changed ? std::optional(std::move(*changed)) : std::nullopt;
}

}  // namespace

std::optional<Query> asked_of_conda(const Matrix& matrix, const Query& query) {
  if (query.installer_value != no_value) return std::nullopt;
  return asked_with(matrix, query, Field::installer, name_of(Installer::conda));
}

std::vector<BeyondDefault> beyond_defaults(const Matrix& matrix, const Query& query) {
  std::vector<BeyondDefault> result;
  const auto look = [&](Field field, std::string_view usual, std::string_view other) {
    const auto changed = asked_with(matrix, query, field, other);
    if (!changed) return;
    const auto found = find_outcome(matrix, *changed);
    if (found != matrix::Tribool::no) result.push_back({field, std::string(usual), std::string(other), found});
  };
  const Query usual;
  if (query.platform_value == no_value && !query.platform_from_gpu)
    look(Field::platform, name_of(usual.platform), name_of(Platform::linux_aarch64));
  if (query.variant_value == no_value) look(Field::variant, name_of(usual.variant), name_of(Variant::devel));
  if (query.installer_value == no_value) look(Field::installer, name_of(usual.installer), name_of(Installer::conda));
  // Where no image is too demanding for a driver, it is none of the engine's business.
  if (query.engine_value == no_value && !query.machines.empty())
    look(Field::engine, name_of(usual.engine), name_of(Engine::docker_cdi));
  return result;
}

}  // namespace envgen::resolver
