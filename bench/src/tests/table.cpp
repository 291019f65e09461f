#include "tests/table.hpp"

#include "tests/tests.hpp"

namespace envgen::bench {

const std::vector<Test>& all_tests() {
  constexpr auto works = Kind::functional;
  static const std::vector<Test> tests{
      {"probe", "driver, libraries, device nodes and GPUs", works, Scope::machine, true, "", tests::probe},
      {"ipc", "whose IPC namespace and /dev/shm these are", Kind::information, Scope::machine, true, "", tests::ipc},
      {"kernel", "a kernel writes 16 Mi words; the CPU compares each", works, Scope::device, true, "", tests::kernel},
      {"runtime", "the image's CUDA Runtime finds the GPU and copies to and fro", works, Scope::device, true, "", tests::runtime},
      {"h2d", "copies from pinned memory to the GPU", works, Scope::device, true, "", tests::host_to_device},
      {"d2h", "copies from the GPU to pinned memory", works, Scope::device, true, "", tests::device_to_host},
      {"copy-both", "copies in both directions at once", works, Scope::device, false, "", tests::both_directions},
      {"d2d", "copies on the GPU, read and written", works, Scope::device, true, "", tests::device_copy},
      {"gemm-fp32", "products of fp32 matrices by the image's cuBLAS", works, Scope::device, true, "", tests::gemm_fp32},
      {"gemm-tf32", "the same by tf32", works, Scope::device, false, "", tests::gemm_tf32},
      {"gemm-fp16", "the same of fp16", works, Scope::device, true, "", tests::gemm_fp16},
      {"gemm-bf16", "the same of bf16", works, Scope::device, true, "", tests::gemm_bf16},
      {"gemm-fp8", "the same of fp8 (e4m3) by the image's cublasLt", works, Scope::device, false, "", tests::gemm_fp8},
      {"vector", "element-wise multiplication, 64 Ki to 64 Mi floats", works, Scope::device, false, "", tests::vector},
      {"block", "the products of a transformer layer, forward and backward", works, Scope::device, false, "", tests::block},
      {"peer", "copies from each GPU to each other", works, Scope::pair, true, "p2p-hang", tests::peer},
      {"cuda-ipc", "another process reads and writes this one's GPU memory", works, Scope::device, true, "", tests::cuda_ipc},
      {"nccl", "a sum over all GPUs by the image's NCCL", works, Scope::all_devices, false, "p2p-hang", tests::nccl},
      {"shm", "294 MiB of batches from 4 workers through /dev/shm", works, Scope::machine, true, "", tests::shared_memory},
      {"storage", "the work folder: in one go, and 4 KiB at random places", Kind::information, Scope::machine, false, "",
       tests::storage},
      {"image-files", "libraries of the driver, the CUDA Runtime and cuDNN in a file system", Kind::information, Scope::machine,
       true, "", tests::image_files},
  };
  return tests;
}

bool matches(const Test& test, const std::string& name) { return test.id == name || test.id.starts_with(name + "-"); }

}  // namespace envgen::bench
