#pragma once

#include <optional>
#include <string>

#include <sys/types.h>

#include "validate/launch.hpp"

namespace envgen::validate {

struct FileOwner {
  uid_t uid;
  gid_t gid;
};

/// What became of a file that envgen-bench was to write into a mounted folder of this machine.
struct MountSeen {
  std::optional<Error> no_folder{};          ///< why none was made
  Launched launched{};                       ///< envgen-bench
  std::optional<std::string> touch_error{};  ///< why it could not write, empty: it could; none: it does not tell
  std::optional<FileOwner> owner{};          ///< of the file that lies there then; none: there is none
  uid_t caller{};                            ///< who is to use it
};

/// The check mount-owner.
Result judge_mount(const MountSeen& seen);

}  // namespace envgen::validate
