// A double of NCCL 2.20.5: the sum of all buffers, made when the group ends.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "api/nccl.hpp"
#include "faults.hpp"
#include "streams.hpp"

ENVGEN_DOUBLE("libnccl");

using namespace envgen::bench::api::nccl;
using envgen::doubles::told;
using envgen::doubles::written_part;

struct ncclComm {};

namespace {

struct Call {
  const float* from;
  float* to;
  std::size_t count;
  CUstream_st* stream;
};
std::vector<Call>& calls() {
  static std::vector<Call> all;
  return all;
}

}  // namespace

extern "C" {

Result ncclGetVersion(int* version) {
  ENVGEN_FAULT(ncclGetVersion);
  *version = envgen::doubles::number_setting("ENVGEN_DOUBLE_NCCL", 22005);
  return success;
}
const char* ncclGetErrorString(Result) { return "unhandled system error (run with NCCL_DEBUG=INFO for details)"; }
Result ncclCommInitAll(Communicator* communicators, int count, const int*) {
  ENVGEN_FAULT(ncclCommInitAll);
  if (told("ncclCommInitAll", "shm")) {
    std::fputs("host:1:2 [0] misc/shmutils.cc:72 NCCL WARN Error: failed to extend /dev/shm/nccl-a1b2c3 to 9637892 bytes\n",
               stdout);
    std::fflush(stdout);
    return 2;
  }
  for (int i = 0; i < count; ++i) communicators[i] = new ncclComm;
  return success;
}
Result ncclCommDestroy(Communicator communicator) {
  ENVGEN_FAULT(ncclCommDestroy);
  delete communicator;
  return success;
}
Result ncclGroupStart() {
  ENVGEN_FAULT(ncclGroupStart);
  return success;
}
Result ncclAllReduce(const void* from, void* to, std::size_t count, DataType, Reduction, Communicator, CUstream_st* stream) {
  ENVGEN_FAULT(ncclAllReduce);
  calls().push_back({static_cast<const float*>(from), static_cast<float*>(to), count, stream});
  return success;
}
/// Every rank adds up all buffers when its own stream comes to it.
Result ncclGroupEnd() {
  ENVGEN_FAULT(ncclGroupEnd);
  const std::string function = "ncclAllReduce";
  for (std::size_t rank = 0; rank < calls().size(); ++rank) {
    envgen::doubles::queue(calls()[rank].stream, [all = calls(), rank, function] {
      const auto bytes = all[rank].count * sizeof(float);
      std::vector<float> total(all[rank].count);
      for (const auto& call : all) {
        for (std::size_t i = 0; i < total.size(); ++i) total[i] += call.from[i];
      }
      if (told(function, "twice")) {
        for (std::size_t i = 0; i < total.size(); ++i) total[i] += all.back().from[i];
      }
      std::memcpy(all[rank].to, total.data(), written_part(function, bytes));
      if (rank + 1 == all.size()) envgen::doubles::spoil(function, all[rank].to, bytes);
      if (rank == 0) envgen::doubles::spoil(function + ":0", all[rank].to, bytes);
    });
  }
  calls().clear();
  return success;
}

}  // extern "C"
