#pragma once

namespace envgen::bench {

/// Makes a SysV segment and a file in /dev/shm that hold a nonce, prints them with the inode of the IPC namespace as one line of
/// JSON
/// (`inode`, `key`, `name`, `nonce`), and keeps them until a signal comes or the seconds are over: in a container with the host's
/// IPC namespace, what other containers are compared with where the engine runs on another machine. What a killed one left goes
/// first. The exit status: 0; 1: it could not make them.
int hold_ipc(double seconds);

}  // namespace envgen::bench
