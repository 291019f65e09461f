#include "api/lock.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "api/request.hpp"

namespace envgen::api {
namespace {

/// Fields whose values were found on a machine. Boards, hosts and the driver are found together: several boards become a host,
/// which holds their driver.
std::set<Field> found_fields(const Request& request) {
  std::set<Field> result;
  for (const auto& value : request.values) {
    if (!asks_the_machine(value)) continue;
    if (value.field == Field::os || value.field == Field::platform || value.field == Field::engine) {
      result.insert(value.field);
    } else {
      result.insert({Field::gpu, Field::host, Field::driver});
    }
  }
  return result;
}

using Values = std::multiset<std::pair<Field, std::string>>;

Values values_of(const Request& request, const std::set<Field>& but) {
  Values result;
  for (const auto& value : request.values) {
    if (!but.contains(value.field)) result.emplace(value.field, value.text);
  }
  return result;
}

}  // namespace

Expected<Answer> answer_to_lock(const matrix::Matrix& matrix, Request request) {
  std::stable_sort(request.values.begin(), request.values.end(), [](const auto& a, const auto& b) { return a.field < b.field; });
  return answer(matrix, std::move(request));
}

project::Lock lock_of(const matrix::Matrix& matrix, Answer answer) {
  project::Lock lock;
  lock.matrix_revision = matrix->revision.view();
  lock.matrix_hash = matrix->hash.view();
  lock.request = std::move(answer.request);
  lock.environment = std::move(*answer.environment);
  return lock;
}

Expected<void> check_current(const project::Lock& lock, const std::string& path, const project::WrittenProject& project,
                             const matrix::Matrix& matrix, const Say& say) {
  auto request = with_preset(project.request, project.preset, matrix);
  if (request) request = with_outputs(std::move(*request), project.outputs, matrix, say);
  if (!request) return tl::unexpected(std::move(request.error()));
  const auto found = found_fields(*request);
  if (values_of(*request, found) == values_of(lock.request, found)) return {};
  return fail(ErrorCode::differs, "the lock is out of date: its request differs from the project's", path,
              {fmt::format("'{}' updates it", project::lock_command(path))});
}

}  // namespace envgen::api
