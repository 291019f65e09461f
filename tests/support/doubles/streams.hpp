#pragma once

#include <deque>
#include <functional>
#include <utility>

// What the doubles know of each other's streams: cuBLAS and NCCL queue their work where libcuda will do it.

struct CUctx_st {
  int device;
};

struct CUevent_st {
  CUctx_st* context = nullptr;
  unsigned asked = 0;     ///< how often it was to be recorded
  unsigned recorded = 0;  ///< how often it was
  double seconds = 0;
};

struct CUstream_st {
  struct Operation {
    std::function<void()> work;
    CUevent_st* waits_for = nullptr;  ///< until it was recorded so often:
    unsigned times = 0;
  };
  CUctx_st* context = nullptr;
  std::deque<Operation> todo;
};

namespace envgen::doubles {

/// Nothing is done before something waits for it. No stream, or the default one, which ours do not wait for: at once.
inline void queue(CUstream_st* stream, std::function<void()> work) {
  if (stream == nullptr) return work();
  stream->todo.push_back({std::move(work), nullptr, 0});
}

}  // namespace envgen::doubles
