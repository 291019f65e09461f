#pragma once

#include <sys/types.h>

#include "validate/result.hpp"

namespace envgen::validate {

/// The check mount-owner: whose a file is that the container's user wrote into a folder of `caller`, who is to use it.
Result judge_mount_owner(uid_t uid, gid_t gid, uid_t caller);

}  // namespace envgen::validate
