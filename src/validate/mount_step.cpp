#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/temporary_folder.hpp"
#include "validate/steps.hpp"
#include "validate/words.hpp"

namespace envgen::validate {

Expected<void> mount_step(Run& run, Place& place, const std::filesystem::path& file) {
  run.progress("writing into a mount");
  auto& report = run.report;
  if (!run.local) {
    report.add("mount-owner", Status::skip, "the engine is not on this machine, and so a folder of it cannot be looked at");
    return {};
  }
  const auto folder = util::TemporaryFolder::make("envgen-mount");
  if (!folder) return tl::unexpected(folder.error());
  std::filesystem::permissions(folder->path(), std::filesystem::perms::all);  // whoever the container's user is
  const std::string inside = "/envgen-mount";
  Program program{{"--network=none", fmt::format("--mount=type=bind,source={},target={}", folder->path().string(), inside)},
                  bench_in_container,
                  {"--tests=ipc", "--format=json", "--output=" + inside + "/report.json"},
                  file};
  const auto launched = place.launch(program);
  if (!launched) return tl::unexpected(launched.error());
  if (launched->end == Launched::End::not_there) {
    report.add("mount-owner", Status::skip, "envgen-bench does not run in the image");
    return {};
  }
  struct stat written {};
  if (launched->end != Launched::End::done || ::stat((folder->path() / "report.json").c_str(), &written) != 0) {
    report.add("mount-owner", Status::fail, with_words("the user could not write into a mounted folder", launched->words));
    return {};
  }
  const bool own = written.st_uid == ::geteuid();
  const bool root = written.st_uid == 0 && !own;
  auto& result = report.add("mount-owner", root ? Status::warn : Status::pass,
                            fmt::format("what it writes into a mount belongs to {}:{}{}", written.st_uid, written.st_gid,
                                        own ? ", as what you write" : ""));
  result.evidence = {{"uid", written.st_uid}, {"gid", written.st_gid}, {"caller_uid", ::geteuid()}};
  return {};
}

}  // namespace envgen::validate
