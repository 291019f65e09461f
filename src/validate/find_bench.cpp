#include "validate/find_bench.hpp"

#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "container/image.hpp"
#include "model/spelling.hpp"

namespace envgen::validate {
namespace {

namespace fs = std::filesystem;

std::string machine_here() {
  utsname names{};
  ::uname(&names);
  return names.machine;
}

std::vector<fs::path> places(const std::string& machine) {
  std::error_code error;
  const auto folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error) return {};
  const fs::path program = "envgen-bench";
  std::vector<fs::path> found{folder / "../libexec/envgen" / machine / program,   // installed
                              folder / "../../bench" / machine / program};        // scripts/bench.sh
  if (machine == machine_here()) found.push_back(folder / "../bench" / program);  // of this build, for a glibc as new as here
  return found;
}

/// Whoever has a package has no scripts/bench.sh.
std::vector<std::string> how_to_get_it(std::string_view machine) {
  return {fmt::format("envgen's package for {0} contains it: libexec/envgen/{0}/envgen-bench", machine),
          "in a checkout of envgen, scripts/bench.sh builds it"};
}

/// Whoever the container's user is must be able to run it.
Expected<fs::path> runnable(const fs::path& file, const std::string& named_by) {
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::is_regular_file(status))
    return fail(ErrorCode::missing, fmt::format("the file {} does not exist", in_quotes(file.string())), named_by,
                how_to_get_it(machine_here()));
  if ((status.permissions() & fs::perms::others_exec) == fs::perms::none)
    return fail(ErrorCode::missing, fmt::format("{} is not executable by all users", in_quotes(file.string())), named_by,
                {"chmod 755 " + file.string()});
  return file;
}

}  // namespace

Expected<std::optional<fs::path>> named_bench(const std::string& named) {
  if (!named.empty()) return runnable(named, "--bench");
  const char* variable = std::getenv("ENVGEN_BENCH");  // NOLINT(concurrency-mt-unsafe): before any thread
  if (variable != nullptr && *variable != 0) return runnable(variable, "ENVGEN_BENCH");
  return std::nullopt;
}

Expected<fs::path> find_bench(const std::string& named, const std::string& architecture) {
  auto found = named_bench(named);
  if (!found) return tl::unexpected(found.error());
  if (*found) return std::move(**found);
  const auto machine = architecture.empty() ? machine_here() : container::machine_of(architecture);
  for (const auto& place : places(machine)) {
    std::error_code ignored;
    if (fs::is_regular_file(place, ignored)) return runnable(fs::weakly_canonical(place, ignored), "envgen-bench");
  }
  auto hints = how_to_get_it(machine);
  hints.emplace_back("set ENVGEN_BENCH to its path");
  return fail(ErrorCode::missing, fmt::format("envgen-bench for {} was not found", in_quotes(machine)), "", std::move(hints));
}

}  // namespace envgen::validate
