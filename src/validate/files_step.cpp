#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/temporary_folder.hpp"
#include "validate/bench_report.hpp"
#include "validate/steps.hpp"
#include "validate/words.hpp"

namespace envgen::validate {
namespace {

void judge_owner(Run& run, const std::filesystem::path& file, const Launched& launched) {
  auto& report = run.report;
  struct stat written {};
  if (launched.end != Launched::End::done || ::lstat(file.c_str(), &written) != 0) {
    report.add("mount-owner", Status::fail, with_words("the user could not write into a mounted folder", launched.words));
    return;
  }
  const bool own = written.st_uid == ::geteuid();
  const bool root = written.st_uid == 0 && !own;
  auto& result = report.add("mount-owner", root ? Status::warn : Status::pass,
                            fmt::format("what it writes into a mount belongs to {}:{}{}", written.st_uid, written.st_gid,
                                        own ? ", as what you write" : ""));
  result.evidence = {{"uid", written.st_uid}, {"gid", written.st_gid}, {"caller_uid", ::geteuid()}};
}

void judge_files(Run& run, const Launched& launched) {
  const auto found = image_files_of(launched);
  if (!found) return;
  run.report.results.push_back(judge_driver_files(*found));
  run.report.results.push_back(judge_second_libraries(*found, run.lock));
}

}  // namespace

std::optional<ImageFiles> image_files_of(const Launched& launched) {
  if (launched.end != Launched::End::done) return std::nullopt;
  const auto bench = parse_bench_report(launched.out);
  if (!bench) return std::nullopt;
  for (const auto& row : bench->rows) {
    if (row.check == "image-files") return parse_image_files(row);
  }
  return std::nullopt;
}

Expected<void> files_step(Run& run, Place& place, const std::filesystem::path& bench) {
  run.progress("looking at the image's files");
  // An engine whose default runtime is NVIDIA's puts the driver's files even into a container without --gpus, where the image
  // asks for that; `void` keeps it from doing so.
  Program program{{"--network=none", "--env=NVIDIA_VISIBLE_DEVICES=void"},
                  bench_in_container,
                  {"--format=json", "--tests=image-files", "--files-of=/"},
                  bench};
  std::optional<util::TemporaryFolder> folder;
  const std::string inside = "/envgen-mount";
  const std::string name = "written";
  if (run.local) {
    auto made = util::TemporaryFolder::make("envgen-mount");
    if (!made) return tl::unexpected(made.error());
    folder.emplace(std::move(*made));
    std::filesystem::permissions(folder->path(), std::filesystem::perms::all);  // whoever the container's user is
    program.flags.push_back(fmt::format("--mount=type=bind,source={},target={}", folder->path().string(), inside));
    program.arguments.push_back(fmt::format("--touch={}/{}", inside, name));
  }
  const auto launched = place.launch(program);
  if (!launched) return tl::unexpected(launched.error());
  if (launched->end == Launched::End::not_there) {
    for (const auto* check : {"driver-files", "second-libraries", "mount-owner"})
      run.report.add(check, Status::skip, "envgen-bench does not run in the image");
    return {};
  }
  judge_files(run, *launched);
  if (folder) {
    judge_owner(run, folder->path() / name, *launched);
  } else {
    run.report.add("mount-owner", Status::skip, "the engine is not on this machine, and so a folder of it cannot be looked at");
  }
  return {};
}

}  // namespace envgen::validate
