#pragma once

#include <optional>
#include <string>

#include "validate/result.hpp"

/// What the flags promised of shared memory, and what the container has.
namespace envgen::validate {

struct SharingFlags {
  std::string ipc;       ///< the flag's value; empty: the engine's default
  std::string shm_size;  ///< likewise
};

/// Of a size as engines take it, `8g`; none: it is not one.
std::optional<long long> bytes_of(const std::string& size);

/// `seen`: the row `ipc` of envgen-bench. `host_known`: it was told what the engine's machine has. `donor`: the
/// namespace of the container that `container:X` names, where it may be looked at. `engine_mode`: how the engine understood the
/// flag.
Result judge_ipc(const Result& seen, const SharingFlags& flags, bool host_known, std::optional<unsigned long> donor,
                 const std::string& engine_mode);
/// The same from within alone: the first namespace of a machine has a number that is known (4026531839, include/linux/proc_ns.h
/// of Linux), any other is a container's.
Result judge_ipc_here(const Result& seen);
Result judge_shm_size(const Result& seen, const SharingFlags& flags);
/// The row `shm` of envgen-bench: too little room is a failure where room was asked for, else a warning.
Result judge_shm(Result row, const SharingFlags& flags);

}  // namespace envgen::validate
