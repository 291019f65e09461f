#pragma once

#include <vector>

#include "context.hpp"
#include "row.hpp"

/// One function a test; the table of them is tests/table.cpp. Each throws TestFailed or TestSkipped.
namespace envgen::bench::tests {

std::vector<Row> probe(const Context& context);
std::vector<Row> runtime(const Context& context);
std::vector<Row> kernel(const Context& context);
std::vector<Row> host_to_device(const Context& context);
std::vector<Row> device_to_host(const Context& context);
std::vector<Row> both_directions(const Context& context);
std::vector<Row> device_copy(const Context& context);
std::vector<Row> gemm_fp32(const Context& context);
std::vector<Row> gemm_tf32(const Context& context);
std::vector<Row> gemm_fp16(const Context& context);
std::vector<Row> gemm_bf16(const Context& context);
std::vector<Row> gemm_fp8(const Context& context);
std::vector<Row> vector(const Context& context);
std::vector<Row> block(const Context& context);
std::vector<Row> peer(const Context& context);
std::vector<Row> shared_memory(const Context& context);
std::vector<Row> cuda_ipc(const Context& context);
std::vector<Row> ipc(const Context& context);
std::vector<Row> storage(const Context& context);
std::vector<Row> nccl(const Context& context);
std::vector<Row> image_files(const Context& context);

}  // namespace envgen::bench::tests
