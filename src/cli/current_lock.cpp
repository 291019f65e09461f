#include "cli/current_lock.hpp"

#include <algorithm>
#include <set>

#include "cli/compiler.hpp"
#include "cli/request_options.hpp"
#include "cli/this_machine.hpp"

namespace envgen::cli {
namespace {

/// Fields whose values were found on a machine. Boards, hosts and the driver are found together: several boards become a host,
/// which holds their driver.
std::set<Field> found_fields(const Request& request) {
  std::set<Field> result;
  for (const auto& value : request.values) {
    if (!asks_the_machine(value)) continue;
    if (value.field == Field::os || value.field == Field::platform) {
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

Expected<project::Lock> current_lock(const project::WrittenProject& project, const std::filesystem::path& path,
                                     const matrix::Matrix& matrix) {
  auto lock = project::read_lock(path);
  if (!lock) return lock;
  RequestOptions options;
  options.preset = project.preset;
  auto request = written_request(options, project.request, matrix);
  if (request) request = with_compiler(std::move(*request), project.outputs.options);
  if (!request) return tl::unexpected(std::move(request.error()));
  const auto found = found_fields(*request);
  if (values_of(*request, found) == values_of(lock->request, found)) return lock;
  return fail(ErrorCode::differs, "the lock answers another request than the project's", path.string(),
              {"'envgen lock' writes it anew"});
}

}  // namespace envgen::cli
