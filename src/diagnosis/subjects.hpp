#pragma once

#include <span>

#include "diagnosis/diagnosis.hpp"

/// The table of failures, one file a subject.
namespace envgen::diagnosis {

std::span<const Diagnosis> engine_failures();    ///< docker, podman, compose: the engine itself
std::span<const Diagnosis> cdi_failures();       ///< devices by CDI
std::span<const Diagnosis> toolkit_failures();   ///< the NVIDIA Container Toolkit, its hook and its runtime
std::span<const Diagnosis> driver_failures();    ///< the driver, its kernel module and NVML
std::span<const Diagnosis> hardware_failures();  ///< what the kernel says of the board: Xid, ECC
std::span<const Diagnosis> cuda_failures();      ///< what CUDA returns
std::span<const Diagnosis> library_failures();   ///< libraries that are missing, mixed, or of other versions
std::span<const Diagnosis> memory_failures();    ///< shared memory and namespaces
std::span<const Diagnosis> nccl_failures();      ///< several GPUs
std::span<const Diagnosis> compiler_failures();  ///< nvcc, ptxas, extensions
std::span<const Diagnosis> python_failures();    ///< Python packages and installers
std::span<const Diagnosis> image_failures();     ///< images: pulling and building

}  // namespace envgen::diagnosis
