#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "validate/mount_owner.hpp"
#include "validate/steps.hpp"
#include "validate/words.hpp"

namespace envgen::validate {

namespace {

Program writer(const Run& run, const util::TemporaryFolder& folder, const std::filesystem::path& bench) {
  return {{"--network=none", mount_flag(folder)},
          bench_in_container,
          bench_arguments(run, {"--tests=ipc", fmt::format("--touch={}/{}", mount_in_container, written_file)}),
          bench};
}

/// A name of the image's own may be root's.
void tell_root(Report& report) {
  for (auto& result : report.results) {
    if (result.check != "user" || result.status != Status::pass) continue;
    result.status = Status::warn;
    result.message += ", whose uid is 0: what it writes into a mount is root's";
  }
}

/// By what lies in the folder, not by what envgen-bench says of it.
void judge_written(Run& run, const util::TemporaryFolder& folder) {
  auto& report = run.report;
  struct stat written {};
  if (::lstat((folder.path() / written_file).c_str(), &written) != 0) {
    const auto& why = *run.write_error;
    report.add("mount-owner", Status::fail,
               with_words("the user could not write into a mounted folder",
                          why.empty() ? std::vector<std::string>{} : std::vector{why}));
    return;
  }
  if (written.st_uid == 0) tell_root(report);
  report.results.push_back(judge_mount_owner(written.st_uid, written.st_gid, ::geteuid()));
}

}  // namespace

void take_written(Run& run, const BenchReport& bench) {
  if (bench.touched) run.write_error = bench.touch_error;
}

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

Expected<void> mount_step(Run& run, Place& place, const std::filesystem::path& file) {
  if (!run.local) {
    run.report.add("mount-owner", Status::skip, "the engine is not on this machine, and so a folder of it cannot be looked at");
    return {};
  }
  if (run.mount && run.write_error) {
    judge_written(run, *run.mount);
    return {};
  }
  run.progress("writing into a mount");
  const auto folder = mount_folder();
  if (!folder) {
    run.report.add("mount-owner", Status::unknown, fmt::format("{}: {}", folder.error().origin, folder.error().message));
    return {};
  }
  const auto launched = place.launch(writer(run, *folder, file));
  if (!launched) return tl::unexpected(launched.error());
  if (launched->end == Launched::End::not_there) {
    run.report.add("mount-owner", Status::skip, "envgen-bench does not run in the image");
  } else if (launched->end != Launched::End::done) {
    run.report.add("mount-owner", Status::unknown,
                   with_words("nothing was written into a mount: " + launched->why, launched->words));
  } else if (const auto bench = bench_report_of(*launched, run.nonce); !bench || !bench->touched) {
    run.report.add("mount-owner", Status::unknown,
                   with_words("nothing was written into a mount: envgen-bench did not report", launched->words));
  } else {
    take_written(run, *bench);
    judge_written(run, *folder);
  }
  return {};
}

}  // namespace envgen::validate
