#include "validate/mount_owner.hpp"

#include <fmt/format.h>

namespace envgen::validate {

namespace {

Result judge_owner(const FileOwner& owner, uid_t caller) {
  auto result =
      made("mount-owner", Status::pass, fmt::format("files it writes to a mount belong to {}:{}", owner.uid, owner.gid));
  if (owner.uid == caller) {
    result.message += ", like your own files";
  } else if (caller == 0) {
    result.message += ", which you, as root, can change";
  } else {
    result.status = Status::warn;
    result.message += fmt::format(
        ", and you are {0}: build the image with --build-arg USER_UID={0} (envgen's Dockerfiles take it), or start it with "
        "--user "
        "{0}",
        caller);
  }
  result.evidence = {{"uid", owner.uid}, {"gid", owner.gid}, {"caller_uid", caller}};
  return result;
}

}  // namespace

Result judge_mount(const MountSeen& seen) {
  const auto unknown = [](std::string why) { return made("mount-owner", Status::unknown, std::move(why)); };
  const auto not_written = [&](const std::string& why) {
    return unknown(with_words("nothing was written to a mount: " + why, seen.launched.words));
  };
  if (seen.no_folder) return unknown(fmt::format("{}: {}", seen.no_folder->origin, seen.no_folder->message));
  if (seen.launched.end == Launched::End::not_there)
    return made("mount-owner", Status::skip, "envgen-bench does not run in the image");
  if (seen.launched.end != Launched::End::done) return not_written(seen.launched.why);
  if (!seen.touch_error) return not_written("envgen-bench did not report");
  if (seen.owner) return judge_owner(*seen.owner, seen.caller);
  std::vector<std::string> words;
  if (!seen.touch_error->empty()) words.push_back(*seen.touch_error);
  return made("mount-owner", Status::fail, with_words("the user cannot write to a mounted folder", words));
}

}  // namespace envgen::validate
