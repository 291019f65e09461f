#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/cuda_driver.hpp"
#include "memory.hpp"
#include "streams.hpp"

/// The GPUs that the double of libcuda pretends to be.
namespace envgen::doubles {

using bench::api::cuda::Context;
using bench::api::cuda::DevicePointer;
using bench::api::cuda::Stream;

extern Context current;

struct Allocation {
  Memory memory;
  Context context;
  int number;  ///< among those of its context
};
std::map<DevicePointer, Allocation>& allocations();
void* address(DevicePointer memory);
/// False: there is no memory.
bool keep(DevicePointer* pointer, const Memory& memory);
/// False: it is none of ours.
bool let_go(DevicePointer pointer);

std::vector<Stream>& streams();
/// Does the next thing of a stream, of `context` where it has any that can be done. False: there is nothing.
bool step(Context context);
bool all_done(Context context);

/// What a GPU reads that has kept an old copy of the other's memory, or takes its own for it.
const void* misread(const std::string& function, Context reader, DevicePointer from, std::size_t bytes);

}  // namespace envgen::doubles
