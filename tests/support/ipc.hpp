#pragma once

#include <sched.h>

namespace envgen {

/// A namespace of System V segments for this process and its children alone: programs of other tests remove such as nobody is
/// attached to. Without the right to (CAP_SYS_ADMIN) this does nothing.
inline void leave_shared_ipc() { ::unshare(CLONE_NEWIPC); }

}  // namespace envgen
