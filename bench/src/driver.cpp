#include "driver.hpp"

#include "failure.hpp"

namespace envgen::bench {

void Driver::check(api::cuda::Result result, const char* call) const {
  if (result == api::cuda::success) return;
  const char* name = nullptr;
  const char* text = nullptr;
  if (api.cuGetErrorName(result, &name) != api::cuda::success || name == nullptr) name = "";
  if (api.cuGetErrorString(result, &text) != api::cuda::success || text == nullptr) text = "unknown error";
  Failure failure;
  failure.id = cuda_failure_id(result, version);
  failure.message = std::string(call) + ": " + text + " (error " + std::to_string(result) + ")";
  failure.code = result;
  failure.name = name;
  failure.call = call;
  throw TestFailed(failure);
}

Driver open_driver(const Places& places) {
  Driver driver;
  driver.library = open_library("libcuda", candidates("libcuda", places));
  if (!driver.library) {
    Failure failure;
    const auto why = driver.library.why_not();
    failure.id = "cuda-35-no-driver";
    failure.message = "no driver library: " + why;
    failure.call = "dlopen";
    throw TestFailed(failure);
  }
  if (const auto missing = api::cuda::bind(driver.library.handle, driver.api); !missing.empty()) {
    Failure failure;
    failure.id = "cuda-35-old-driver";
    failure.message = driver.library.path + " has no " + missing.front() + ": driver R450 (CUDA 11.0) or newer is required";
    failure.call = "dlsym";
    throw TestFailed(failure);
  }
  // A stub says nothing here; what is wrong with it, cuInit says.
  if (driver.api.cuDriverGetVersion(&driver.version) != api::cuda::success) driver.version = 0;
  return driver;
}

Driver start_driver(const Places& places) {
  Driver driver = open_driver(places);
  driver.check(driver.api.cuInit(0), "cuInit");
  return driver;
}

std::string cuda_version_text(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

}  // namespace envgen::bench
