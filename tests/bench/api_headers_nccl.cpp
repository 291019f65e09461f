// As api_headers.cpp, for NCCL: its header includes the C++ one of the CUDA Runtime, whose templates overload what is compared
// there.
#include <nccl.h>

#include "api/nccl.hpp"
#include "api_same.hpp"

namespace {

using envgen::bench::same;
using namespace envgen::bench::api::nccl;
ENVGEN_NCCL_API(ENVGEN_SAME)
static_assert(success == ncclSuccess && float32 == ncclFloat32 && sum == ncclSum);

}  // namespace
