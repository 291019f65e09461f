#pragma once

#include <string>

#include "api/cublas.hpp"
#include "api/cudart.hpp"
#include "api/nccl.hpp"
#include "loaded_library.hpp"
#include "lookup.hpp"

namespace envgen::bench {

/// The CUDA Runtime of the image, bound.
struct Runtime {
  LoadedLibrary library;
  api::cudart::Table api;
};

/// cuBLAS and the cublasLt that it leans on, bound.
struct Blas {
  LoadedLibrary lt_library;
  LoadedLibrary library;
  api::cublas_lt::Table lt;
  api::cublas::Table api;
};

struct Nccl {
  LoadedLibrary library;
  api::nccl::Table api;
};

// Each throws TestSkipped where the image has no such library, and TestFailed where it has one that cannot be used: the dynamic
// linker refuses it, or it lacks a function.
Runtime open_runtime(const Places& places);
/// cublasLt first and by its full path: cuBLAS then uses that one, whatever LD_LIBRARY_PATH says (pytorch#103832).
Blas open_blas(const Places& places);
Nccl open_nccl(const Places& places);

/// What the probe reports of each library of the image, usable or not: `to_json` of it, its `version` (null: it has none to
/// tell), and its `problem` (null: none).
Json describe_runtime(const Places& places);
Json describe_blas(const Places& places);     ///< cuBLAS
Json describe_blas_lt(const Places& places);  ///< cublasLt
Json describe_nccl(const Places& places);

}  // namespace envgen::bench
