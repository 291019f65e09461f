#include "image_libraries.hpp"

#include <algorithm>
#include <utility>

#include "driver.hpp"
#include "failure.hpp"

namespace envgen::bench {
namespace {

/// Whether something that is called so is there, though the linker refused it.
bool is_there(const LoadedLibrary& library) {
  return std::any_of(library.tried.begin(), library.tried.end(), [](const Tried& tried) {
    return !tried.error.empty() && tried.error.find("No such file or directory") == std::string::npos;
  });
}

/// `short_name` as people call it.
void require_open(const LoadedLibrary& library, const char* short_name, const Places& places) {
  if (library) return;
  if (!is_there(library)) {
    if (const auto old = open_library(library.name, candidates_too_old(library.name, places)))
      throw TestSkipped("the image has " + old.path + ": envgen-bench requires CUDA 11 or newer");
    throw TestSkipped(std::string("the image has no ") + short_name);
  }
  Failure failure;
  failure.message = library.why_not();
  failure.id = linker_failure_id(failure.message);
  failure.call = "dlopen";
  throw TestFailed(failure);
}

void require_symbols(const LoadedLibrary& library, const std::vector<std::string>& missing) {
  if (missing.empty()) return;
  Failure failure;
  failure.message = library.path + " has no " + missing.front();
  failure.call = "dlsym";
  throw TestFailed(failure);
}

/// A library's JSON with its version, or with what makes it unusable.
template <class Open, class Version>
Json described(const LoadedLibrary& found, const Open& open, const Version& version) {
  Json json = to_json(found);
  json["version"] = nullptr;
  json["problem"] = nullptr;
  try {
    json["version"] = version(open());
  } catch (const TestFailed& failed) {
    json["problem"] = failed.what();
  } catch (const TestSkipped& skipped) {
    json["problem"] = skipped.what();
  }
  return json;
}

}  // namespace

Runtime open_runtime(const Places& places) {
  Runtime runtime;
  runtime.library = open_library("libcudart", candidates("libcudart", places));
  require_open(runtime.library, "libcudart", places);
  require_symbols(runtime.library, api::cudart::bind(runtime.library.handle, runtime.api));
  return runtime;
}

Blas open_blas(const Places& places) {
  Blas blas;
  blas.lt_library = open_library("libcublasLt", candidates("libcublasLt", places));
  require_open(blas.lt_library, "cublasLt", places);
  blas.library = open_library("libcublas", candidates("libcublas", places));
  require_open(blas.library, "cuBLAS", places);
  require_symbols(blas.lt_library, api::cublas_lt::bind(blas.lt_library.handle, blas.lt));
  require_symbols(blas.library, api::cublas::bind(blas.library.handle, blas.api));
  return blas;
}

Nccl open_nccl(const Places& places) {
  Nccl nccl;
  nccl.library = open_library("libnccl", candidates("libnccl", places));
  require_open(nccl.library, "NCCL", places);
  require_symbols(nccl.library, api::nccl::bind(nccl.library.handle, nccl.api));
  return nccl;
}

Json describe_runtime(const Places& places) {
  return described(
      open_library("libcudart", candidates("libcudart", places)), [&] { return open_runtime(places); },
      [](const Runtime& runtime) {
        int version = 0;
        return runtime.api.cudaRuntimeGetVersion(&version) == api::cudart::success ? Json(cuda_version_text(version)) : Json();
      });
}

Json describe_blas(const Places& places) {
  const auto lt = open_library("libcublasLt", candidates("libcublasLt", places));  // first here too
  return described(
      open_library("libcublas", candidates("libcublas", places)), [&] { return open_blas(places); },
      [](const Blas& blas) {
        std::string text;
        for (const auto part : {api::cublas::major_version, api::cublas::minor_version, api::cublas::patch_level}) {
          int number = 0;
          if (blas.api.cublasGetProperty(part, &number) != api::cublas::success) return Json();
          text += (text.empty() ? "" : ".") + std::to_string(number);
        }
        return Json(text);
      });
}

Json describe_blas_lt(const Places& places) {
  return described(
      open_library("libcublasLt", candidates("libcublasLt", places)), [&] { return open_blas(places); },
      [](const Blas& blas) { return Json(std::to_string(blas.lt.cublasLtGetVersion())); });
}

Json describe_nccl(const Places& places) {
  return described(
      open_library("libnccl", candidates("libnccl", places)), [&] { return open_nccl(places); },
      [](const Nccl& nccl) {
        // 22005 for 2.20.5; before 2.9 it was 2708 for 2.7.8 (NCCL_VERSION in nccl.h).
        int version = 0;
        if (nccl.api.ncclGetVersion(&version) != api::nccl::success) return Json();
        const int unit = version >= 10000 ? 10000 : 1000;
        return Json(std::to_string(version / unit) + "." + std::to_string(version % unit / 100) + "." +
                    std::to_string(version % 100));
      });
}

}  // namespace envgen::bench
