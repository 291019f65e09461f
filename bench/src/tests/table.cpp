#include "tests/table.hpp"

#include "tests/tests.hpp"

namespace envgen::bench {

const std::vector<Test>& all_tests() {
  constexpr auto works = Kind::functional;
  static const std::vector<Test> tests{
      {"probe", "the driver, its libraries, device nodes and GPUs", works, Scope::machine, true, "", tests::probe},
      {"ipc", "which IPC namespace and /dev/shm are in use", Kind::information, Scope::machine, true, "", tests::ipc},
      {"kernel", "a kernel writes 16 Mi words; the CPU compares each", works, Scope::device, true, "", tests::kernel},
      {"runtime", "the image's CUDA Runtime finds the GPU and copies both ways", works, Scope::device, true, "", tests::runtime},
      {"h2d", "copies from pinned memory to the GPU", works, Scope::device, true, "", tests::host_to_device},
      {"d2h", "copies from the GPU to pinned memory", works, Scope::device, true, "", tests::device_to_host},
      {"copy-both", "copies in both directions at once", works, Scope::device, false, "", tests::both_directions},
      {"d2d", "copies within the GPU, read and write", works, Scope::device, true, "", tests::device_copy},
      {"gemm-fp32", "fp32 matrix products with the image's cuBLAS", works, Scope::device, true, "", tests::gemm_fp32},
      {"gemm-tf32", "the same with tf32", works, Scope::device, false, "", tests::gemm_tf32},
      {"gemm-fp16", "the same with fp16", works, Scope::device, true, "", tests::gemm_fp16},
      {"gemm-bf16", "the same with bf16", works, Scope::device, true, "", tests::gemm_bf16},
      {"gemm-fp8", "the same with fp8 (e4m3), by the image's cublasLt", works, Scope::device, false, "", tests::gemm_fp8},
      {"vector", "element-wise multiplication, 64 Ki to 64 Mi floats", works, Scope::device, false, "", tests::vector},
      {"block", "the matrix products of a transformer layer, forward and backward", works, Scope::device, false, "",
       tests::block},
      {"peer", "copies from each GPU to every other", works, Scope::pair, true, "p2p-hang", tests::peer},
      {"cuda-ipc", "another process reads and writes this process's GPU memory", works, Scope::device, true, "", tests::cuda_ipc},
      {"nccl", "a sum over all GPUs with the image's NCCL", works, Scope::all_devices, false, "p2p-hang", tests::nccl},
      {"shm", "294 MiB of batches from 4 workers through /dev/shm", works, Scope::machine, true, "", tests::shared_memory},
      {"storage", "the work folder: sequential, and random 4 KiB", Kind::information, Scope::machine, false, "", tests::storage},
      {"image-files", "libraries of the driver, the CUDA Runtime and cuDNN in a file system", Kind::information, Scope::machine,
       true, "", tests::image_files},
  };
  return tests;
}

bool matches(const Test& test, const std::string& name) { return test.id == name || test.id.starts_with(name + "-"); }

}  // namespace envgen::bench
