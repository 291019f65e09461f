// A double of NCCL 2.20.5: the sum of all buffers, made when the group ends.
#include <vector>

#include "api/nccl.hpp"
#include "faults.hpp"

ENVGEN_DOUBLE("libnccl");

using namespace envgen::bench::api::nccl;

struct ncclComm {};

namespace {

struct Call {
  const float* from;
  float* to;
  std::size_t count;
};
std::vector<Call>& calls() {
  static std::vector<Call> all;
  return all;
}

}  // namespace

extern "C" {

Result ncclGetVersion(int* version) {
  *version = 22005;
  return success;
}
const char* ncclGetErrorString(Result) { return "unhandled system error (run with NCCL_DEBUG=INFO for details)"; }
Result ncclCommInitAll(Communicator* communicators, int count, const int*) {
  ENVGEN_FAULT(ncclCommInitAll);
  for (int i = 0; i < count; ++i) communicators[i] = new ncclComm;
  return success;
}
Result ncclCommDestroy(Communicator communicator) {
  delete communicator;
  return success;
}
Result ncclGroupStart() { return success; }
Result ncclAllReduce(const void* from, void* to, std::size_t count, DataType, Reduction, Communicator, CUstream_st*) {
  ENVGEN_FAULT(ncclAllReduce);
  calls().push_back({static_cast<const float*>(from), static_cast<float*>(to), count});
  return success;
}
Result ncclGroupEnd() {
  ENVGEN_FAULT(ncclGroupEnd);
  if (calls().empty()) return success;
  std::vector<float> sum(calls().front().count);
  for (const auto& call : calls()) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += call.from[i];
  }
  for (const auto& call : calls()) {
    for (std::size_t i = 0; i < sum.size(); ++i) call.to[i] = sum[i];
  }
  if (envgen::doubles::corrupts("ncclAllReduce")) calls().back().to[calls().back().count / 2] += 1;
  calls().clear();
  return success;
}

}  // extern "C"
