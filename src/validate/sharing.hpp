#pragma once

#include <optional>
#include <string>
#include <vector>

#include "validate/result.hpp"

/// What the flags promised of shared memory, and what the container has.
namespace envgen::validate {

struct SharingFlags {
  std::string ipc;       ///< the flag's value; empty: the engine's default
  std::string shm_size;  ///< likewise
};

/// Of a size as engines take it, `8g`; none: it is not one.
std::optional<long long> bytes_of(const std::string& size);

/// What the engine's machine holds in its IPC namespace and in /dev/shm: a word that nobody can guess. envgen-bench is told the
/// places and the first half, and its report has to bring back the second, so that one that was forged proves nothing.
struct HeldIpc {
  std::vector<std::string> bench_flags;  ///< empty: nothing is held
  std::string secret;                    ///< the second half; empty: nothing is held
};

/// What is known of the container's IPC from outside.
struct OutsideIpc {
  bool host_known = false;             ///< envgen-bench was told what the engine's machine has
  std::string secret;                  ///< HeldIpc::secret
  std::optional<unsigned long> donor;  ///< the namespace of the container that `container:X` names, where it may be looked at
  std::string engine_mode;             ///< how the engine understood the flag
};

/// `seen`: the row `ipc` of envgen-bench. One that says that it read the host's memory, and does not bring back what that holds,
/// is a failure: it was forged.
Result judge_ipc(const Result& seen, const SharingFlags& flags, const OutsideIpc& outside);
/// The same from within alone: the first namespace of a machine has a number that is known (4026531839, include/linux/proc_ns.h
/// of Linux), any other is a container's.
Result judge_ipc_here(const Result& seen);
Result judge_shm_size(const Result& seen, const SharingFlags& flags);
/// The row `shm` of envgen-bench: too little room is a failure where room was asked for, else a warning.
Result judge_shm(Result row, const SharingFlags& flags);

}  // namespace envgen::validate
