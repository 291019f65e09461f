#include "failure.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace envgen::bench {

std::string cuda_failure_id(int code, int driver_version) {
  // The numbers before CUDA 10.1 were 30, 38 and 48 for 999, 100 and 209.
  switch (code) {
    case 35:
      return driver_version == 0 ? "cuda-35-no-driver" : "cuda-35-old-driver";
    case 30:
      return "cuda-999";
    case 38:
      return "cuda-100";
    case 48:
      return "cuda-209";
    case 34:
    case 100:
    case 209:
    case 221:
    case 222:
    case 802:
    case 803:
    case 804:
    case 999:
      return "cuda-" + std::to_string(code);
    default:
      return "";
  }
}

std::string linker_failure_id(std::string_view message) {
  // `undefined symbol: X` and `symbol X ... not defined in file ... with link time reference` are one failure.
  if (message.find("undefined symbol") == message.npos && message.find("not defined in file") == message.npos) return "";
  constexpr std::array<std::pair<std::string_view, const char*>, 3> ids{
      {{"cublasLt", "cublaslt-mixed"}, {"__nvJitLink", "nvjitlink-mixed"}, {"libcudart.so", "libcudart-mixed"}}};
  for (const auto& [symbol, id] : ids) {
    if (message.find(symbol) != message.npos) return id;
  }
  return "";
}

std::string output_failure_id(std::string_view output) {
  constexpr std::array<std::pair<std::string_view, const char*>, 3> ids{
      {{"failed to extend /dev/shm/nccl-", "nccl-shm"},
       {"Call to posix_fallocate failed", "nccl-shm"},
       {"cuMem host allocations do not appear to be working", "nccl-cumem"}}};
  for (const auto& [words, id] : ids) {
    if (output.find(words) != output.npos) return id;
  }
  return linker_failure_id(output);
}

Failure system_failure(std::string id, std::string_view call, std::string_view what, int error_number) {
  Failure failure;
  failure.id = std::move(id);
  failure.message = std::string(what) + ": " + std::strerror(error_number);
  failure.code = error_number;
  // strerrorname_np is younger than the C library that this program asks for.
  switch (error_number) {
    case ENOSPC:
      failure.name = "ENOSPC";
      break;
    case EACCES:
      failure.name = "EACCES";
      break;
    case EPERM:
      failure.name = "EPERM";
      break;
    case ENOENT:
      failure.name = "ENOENT";
      break;
    case ENOMEM:
      failure.name = "ENOMEM";
      break;
    case EIO:
      failure.name = "EIO";
      break;
    case EROFS:
      failure.name = "EROFS";
      break;
    default:
      break;
  }
  failure.call = std::string(call);
  return failure;
}

}  // namespace envgen::bench
