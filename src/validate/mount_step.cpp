#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "validate/steps.hpp"

namespace envgen::validate {
namespace {

constexpr const char* written_file = "written";

/// By what lies in the folder, not by what envgen-bench says of it.
MountSeen mount_seen(const util::TemporaryFolder& folder, const BenchTold& bench) {
  MountSeen seen;
  seen.launched = bench.launched;
  seen.caller = ::geteuid();
  if (!bench.report || !bench.report->touched) return seen;
  seen.touch_error = bench.report->touch_error;
  struct stat written {};
  if (::lstat((folder.path() / written_file).c_str(), &written) == 0) seen.owner = FileOwner{written.st_uid, written.st_gid};
  return seen;
}

}  // namespace

Expected<util::TemporaryFolder> mount_folder() {
  const auto name = std::filesystem::path(mount_in_container).filename().string();
  util::TemporaryFolder::remove_leftovers(name);
  auto folder = util::TemporaryFolder::make(name);
  if (folder) std::filesystem::permissions(folder->path(), std::filesystem::perms::all);  // whoever the container's user is
  return folder;
}

std::string mount_flag(const util::TemporaryFolder& folder) {
  // A list with commas between, whose fields may be quoted.
  std::string quoted;
  for (const char c : folder.path().string()) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return fmt::format("--mount=type=bind,\"source={}\",target={}", quoted, mount_in_container);
}

std::string touch_flag() { return fmt::format("--touch={}/{}", mount_in_container, written_file); }

Expected<MountSeen> mount_step(const Context& context, Place& place, const std::filesystem::path& bench, const FirstSeen& first) {
  if (first.mount && first.bench.report && first.bench.report->touched) return mount_seen(*first.mount, first.bench);
  context.progress("writing to a mount");
  const auto folder = mount_folder();
  if (!folder) {
    MountSeen seen;
    seen.no_folder = folder.error();
    return seen;
  }
  const auto told = run_bench(
      context, place, bench_program(context, bench, {"--network=none", mount_flag(*folder)}, {"--tests=ipc", touch_flag()}));
  if (!told) return tl::unexpected(told.error());
  return mount_seen(*folder, *told);
}

}  // namespace envgen::validate
