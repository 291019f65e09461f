#include "validate/mount_owner.hpp"

#include <fmt/format.h>

namespace envgen::validate {

Result judge_mount_owner(uid_t uid, gid_t gid, uid_t caller) {
  Result result{"mount-owner", Status::pass, fmt::format("what it writes into a mount belongs to {}:{}", uid, gid)};
  if (uid == caller) {
    result.message += ", as what you write";
  } else if (caller == 0) {
    result.message += ", which you, as root, can change";
  } else {
    result.status = Status::warn;
    result.message += fmt::format(
        ", and you are {0}: build the image with --build-arg USER_UID={0}, as those of envgen take it, or start it with --user "
        "{0}",
        caller);
  }
  result.evidence = {{"uid", uid}, {"gid", gid}, {"caller_uid", caller}};
  return result;
}

}  // namespace envgen::validate
