#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "api/bind.hpp"

// What is used of nccl.h (NCCL 2). Compared with the real header by tests/bench/api_headers.
struct ncclComm;
struct CUstream_st;

namespace envgen::bench::api::nccl {

using Result = int;     // ncclResult_t
using DataType = int;   // ncclDataType_t
using Reduction = int;  // ncclRedOp_t
using Communicator = ncclComm*;

inline constexpr Result success = 0;
inline constexpr DataType float32 = 7;
inline constexpr Reduction sum = 0;

#define ENVGEN_NCCL_API(X)                                               \
  X(required, ncclGetVersion, Result, (int*))                            \
  X(required, ncclGetErrorString, const char*, (Result))                 \
  X(required, ncclCommInitAll, Result, (Communicator*, int, const int*)) \
  X(required, ncclCommDestroy, Result, (Communicator))                   \
  X(required, ncclGroupStart, Result, ())                                \
  X(required, ncclGroupEnd, Result, ())                                  \
  X(required, ncclAllReduce, Result, (const void*, void*, std::size_t, DataType, Reduction, Communicator, CUstream_st*))

struct Table {
  ENVGEN_NCCL_API(ENVGEN_API_MEMBER)
};

inline std::vector<std::string> bind(void* library, Table& table) {
  std::vector<std::string> missing;
  ENVGEN_NCCL_API(ENVGEN_API_BIND)
  return missing;
}

}  // namespace envgen::bench::api::nccl
