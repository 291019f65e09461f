#include "validate/checks.hpp"

#include <algorithm>
#include <array>

namespace envgen::validate {
namespace {

constexpr std::string_view engine_failures = "docker-daemon-down docker-permission";
constexpr std::string_view start_failures =
    "engine-no-gpu-driver engine-no-gpu-vendor engine-amd-claims-gpu engine-no-cdi engine-cdi-injection cdi-unresolvable "
    "cdi-stale cdi-spec-too-new cdi-hook-path cdi-hook-older cdi-empty cdi-auto-failed podman-no-gpu-vendor env-devices-refused "
    "runtime-unknown host-no-driver driver-library-mismatch hook-driver-timeout hook-unknown-device hook-mode "
    "image-needs-newer-driver driver-in-image ldconfig-path ldconfig-failed rootless-cgroup cgroup-ebpf ipc-not-shareable "
    "podman-shm-with-host-ipc disk-full";
constexpr std::string_view cdi_failures =
    "engine-no-cdi engine-cdi-injection cdi-unresolvable cdi-stale cdi-spec-too-new cdi-hook-path";
constexpr std::string_view hook_failures =
    "engine-no-gpu-driver host-no-driver driver-library-mismatch ldconfig-path ldconfig-failed rootless-cgroup cgroup-ebpf "
    "hook-driver-timeout hook-unknown-device hook-mode";
constexpr std::string_view gpu_failures =
    "cuda-35-no-driver cuda-100 cuda-802 cuda-803 cuda-804 cuda-999 cuda-34 cuda-3 cuda-46 cuda-805 gpu-ecc gpu-lost gpu-off-bus";
constexpr std::string_view kernel_failures = "cuda-222 cuda-221 cuda-209 cuda-oom cuda-46 cuda-700 gpu-ecc gpu-off-bus";
constexpr std::string_view copy_failures = "cuda-oom cuda-700 gpu-ecc gpu-off-bus";
constexpr std::string_view blas_failures = "cublaslt-mixed cublas-not-initialized cuda-oom cuda-700 gpu-ecc";

constexpr std::array rows{
    Check{"engine", "a container engine responds", "docker info, podman info", engine_failures},
    Check{"image", "the engine has the image", "image inspect", ""},
    Check{"lock-label", "the image was built from the lock", "compares the label envgen.lock with the lock's checksum", "",
          Needs::lock},
    Check{"image-gate", "this machine's driver meets the image's requirement",
          "compares the image's NVIDIA_REQUIRE_CUDA with the driver, before anything starts", "image-needs-newer-driver"},
    Check{"start", "a container of the image starts with the requested flags",
          "create, then start with envgen-bench as the entrypoint", start_failures, Needs::container},
    Check{"bench", "envgen-bench runs in the container and reports", "copied in by the engine; JSON on standard output",
          "host-oom exec-format glibc-too-old", Needs::container},
    Check{"device-nodes", "the driver's device nodes exist and can be opened",
          "opens /dev/nvidiactl, /dev/nvidia-uvm and /dev/nvidiaN in the container", "cuda-35-no-driver cuda-999 nvml-unknown",
          Needs::gpu},
    Check{"libcuda", "libcuda exists and is not a stub", "dlopen of libcuda.so.1, and its real path", "cuda-35-no-driver cuda-34",
          Needs::gpu},
    Check{"driver", "the driver libraries match the kernel module and the lock",
          "compares /proc/driver/nvidia/version, libcuda's file name and the lock",
          "driver-library-mismatch cuda-803 cuda-35-old-driver", Needs::gpu},
    Check{"gpu", "CUDA sees the requested GPUs", "cuInit and cuDeviceGetCount in the container", gpu_failures, Needs::gpu},
    Check{"kernel", "a CUDA kernel computes correctly", "PTX compiled by the driver; each of 16 Mi words compared",
          kernel_failures, Needs::gpu},
    Check{"runtime", "the image's CUDA Runtime works", "cudaGetDeviceCount and copies with the image's libcudart",
          "cuda-35-old-driver cuda-35-no-driver cuda-209 libcudart-mixed cuda-oom cuda-46 cuda-700 gpu-ecc", Needs::gpu},
    Check{"h2d", "copies to the GPU are intact", "pinned memory, compared by digest", copy_failures, Needs::gpu},
    Check{"d2h", "copies from the GPU are intact", "pinned memory, compared by digest", copy_failures, Needs::gpu},
    Check{"copy-both", "simultaneous copies in both directions are intact", "two streams", copy_failures, Needs::gpu},
    Check{"d2d", "copies within the GPU are intact", "compared by digest", copy_failures, Needs::gpu},
    Check{"gemm-fp32", "the image's cuBLAS multiplies fp32 matrices", "every element compared with float64", blas_failures,
          Needs::gpu},
    Check{"gemm-tf32", "the image's cuBLAS multiplies tf32 matrices", "every element compared with float64", blas_failures,
          Needs::gpu},
    Check{"gemm-fp16", "the image's cuBLAS multiplies fp16 matrices", "every element compared with float64", blas_failures,
          Needs::gpu},
    Check{"gemm-bf16", "the image's cuBLAS multiplies bf16 matrices", "every element compared with float64", blas_failures,
          Needs::gpu},
    Check{"gemm-fp8", "the image's cuBLASLt multiplies fp8 matrices", "every element compared with float64", blas_failures,
          Needs::gpu},
    Check{"vector", "element-wise arithmetic is correct", "each element of 64 Ki to 64 Mi floats", copy_failures, Needs::gpu},
    Check{"block", "a transformer layer runs; its speed is measured", "its matrix products, forward and backward", blas_failures,
          Needs::gpu},
    Check{"peer", "GPUs copy to each other", "each pair, compared by digest", "p2p-hang cuda-oom gpu-ecc gpu-off-bus",
          Needs::gpu},
    Check{"cuda-ipc", "processes share GPU memory", "another process reads and writes it through an IPC handle",
          "cuda-ipc cuda-oom", Needs::gpu},
    Check{"nccl", "the image's NCCL all-reduces across GPUs", "ncclAllReduce, compared",
          "p2p-hang nccl-shm nccl-cumem nccl-system-error nccl-cuda-error nccl-mixed nccl-duplicate-gpu cuda-oom", Needs::gpu},
    Check{"gpu-cdi", "a container gets GPUs through CDI", "the report of the run's container, or a kernel in a second container",
          cdi_failures, Needs::gpu},
    Check{"gpu-hook", "a container gets GPUs through NVIDIA's hook",
          "the report of the run's container, or a kernel in a second container", hook_failures, Needs::gpu},
    Check{"ipc", "the container has the requested IPC namespace",
          "the inode of /proc/self/ns/ipc, plus a SysV segment and a /dev/shm file from the host", "", Needs::container},
    Check{"shm-size", "/dev/shm has the requested size", "statvfs in the container", "", Needs::container},
    Check{"shm", "DataLoader workers can exchange batches", "294 MiB from 4 processes through /dev/shm, compared",
          "shm-bus-error", Needs::container},
    Check{"user", "the container's user is not root", "the image's configuration", ""},
    Check{"mount-owner", "the user can write to a mounted folder and owns what it writes there",
          "a file written by envgen-bench, as seen from the host", "", Needs::container},
    Check{"driver-files", "the image's layers contain no driver libraries",
          "envgen-bench scans the container's own files, ignoring stubs and cuda-compat", "driver-in-image cuda-34",
          Needs::container},
    Check{"second-libraries", "the image has no second libcudart or libcudnn",
          "the same scan: files with the same name and major version in two folders", "cudnn-mixed libcudart-mixed",
          Needs::container},
    Check{"python", "the image's Python matches the lock", "sys.version of the image's python", "host-oom shm-bus-error",
          Needs::python},
    Check{"framework", "torch or TensorFlow can be imported and matches the lock", "its __version__ as imported in the image",
          "cublaslt-mixed nvjitlink-mixed libcudart-mixed cuda-library-missing cudnn-missing cudnn-mixed cusparselt-missing "
          "nccl-mixed "
          "mkl-symbol numpy-abi glibc-too-old glibcxx-too-old host-oom shm-bus-error",
          Needs::python},
    Check{"framework-cuda", "the framework is built for the lock's CUDA version",
          "torch.version.cuda, tf.sysconfig.get_build_info", "torch-cpu-build", Needs::python},
    Check{"cudnn", "the framework loads the lock's cuDNN version", "torch.backends.cudnn.version", "cudnn-missing cudnn-mixed",
          Needs::python},
    Check{"nccl-version", "the framework has the lock's NCCL version", "torch.cuda.nccl.version", "", Needs::python},
    Check{"archs", "the build targets the architectures in the lock or envgen's data", "torch._C._cuda_getArchFlags", "cuda-209",
          Needs::python},
    Check{"gpu-archs", "the build has code for each GPU present, locked or named (--gpu)",
          "compares its targets with the GPUs' compute capabilities", "torch-cpu-build cuda-209 cuda-222", Needs::python},
    Check{"extensions", "extensions built against torch load with it, and match its version and the GPUs",
          "dlopen with torch, build-time records, and the headers of their device code",
          "extension-abi cuda-209 cuda-library-missing libcudart-mixed glibc-too-old glibcxx-too-old", Needs::python},
    Check{"framework-gpu", "the framework computes on each GPU and does not fall back to the CPU",
          "torch.cuda.is_available, tf.config.list_physical_devices, and a matrix product on each GPU compared with the CPU's",
          "torch-cpu-build cuda-35-no-driver cuda-35-old-driver cuda-100 cuda-209 cuda-222 cuda-802 cuda-803 cuda-804 cuda-999 "
          "cuda-oom",
          Needs::gpu},
    Check{"nvcc", "a devel image has nvcc for the framework's CUDA version; a runtime image has none",
          "nvcc --version in the image", "", Needs::python},
    Check{"self-report", "what Python reports about itself and its framework matches the files",
          "libpython, torch/version.py, package metadata and libraries, as envgen-bench finds them", "python-contradicted",
          Needs::python},
    Check{"baseline", "no result is slower than in an earlier report",
          "each result compared with --baseline, by test, size and GPU model", "", Needs::baseline},
    Check{"removed", "this run leaves no containers behind", "removes each container", ""},
};

}  // namespace

std::span<const Check> checks() { return rows; }

const Check* find_check(std::string_view id) {
  const auto* const found = std::find_if(rows.begin(), rows.end(), [&](const Check& row) { return row.id == id; });
  return found == rows.end() ? nullptr : found;
}

}  // namespace envgen::validate
