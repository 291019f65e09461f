// A double of NVIDIA's libnvidia-ml.so.1: the functions that envgen calls, answering what the environment says.
//   ENVGEN_NVML_DOUBLE_FAIL    function=error[,function=error...]: those fail. `function:1=error` fails for GPU 1 alone.
//   ENVGEN_NVML_DOUBLE_DRIVER  the driver's version; 550.54.14 unless told
//   ENVGEN_NVML_DOUBLE_COUNT   how many GPUs; 2 unless told (0: RTX 4090, 1: H100, further ones: H100)
//   ENVGEN_NVML_DOUBLE_NAME    the name of GPU 0
//   ENVGEN_NVML_DOUBLE_MAJOR   the capability's major of GPU 0
//   ENVGEN_NVML_DOUBLE_MIG     1: GPU 1 is in MIG mode
//   ENVGEN_NVML_DOUBLE_OPEN    set by the double: how many were initialised and not shut down
//   ENVGEN_NVML_DOUBLE_BRIM    1: names fill their buffer and have no end
// Its declarations are written anew from nvml.h (nvidia-nvml-dev-cu12 12.9.79), not taken from src/host, so that a slip in one
// shows against the other.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

extern "C" {

typedef struct nvmlDevice_st* nvmlDevice_t;
typedef int nvmlReturn_t;
typedef struct nvmlPciInfo_st {
  char busIdLegacy[16];
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int pciDeviceId;
  unsigned int pciSubSystemId;
  char busId[32];
} nvmlPciInfo_t;

}  // extern "C"

struct nvmlDevice_st {
  unsigned int index;
};

namespace {

nvmlDevice_st devices[1024];

const char* setting(const char* name, const char* otherwise) {
  const char* value = std::getenv((std::string("ENVGEN_NVML_DOUBLE_") + name).c_str());
  return value != nullptr ? value : otherwise;
}

/// The error that `key` is told to fail with, else 0.
int told_to_fail(const std::string& key) {
  const std::string all = "," + std::string(setting("FAIL", ""));
  const auto found = all.find("," + key + "=");
  return found == std::string::npos ? 0 : std::atoi(all.c_str() + found + key.size() + 2);
}

int told_to_fail(const std::string& function, unsigned int index) {
  const int error = told_to_fail(function);
  return error != 0 ? error : told_to_fail(function + ":" + std::to_string(index));
}

/// Of the conversations that were begun and not ended.
void count_open(int more) {
  const int open = std::atoi(setting("OPEN", "0")) + more;
  ::setenv("ENVGEN_NVML_DOUBLE_OPEN", std::to_string(open).c_str(), 1);
}

int give(const char* text, char* buffer, unsigned int length) {
  if (std::strlen(text) + 1 > length) return 7;  // NVML_ERROR_INSUFFICIENT_SIZE
  std::memcpy(buffer, text, std::strlen(text) + 1);
  return 0;
}

}  // namespace

extern "C" {

nvmlReturn_t nvmlInit_v2() {
  if (const int error = told_to_fail("nvmlInit_v2"); error != 0) return error;
  count_open(1);
  return 0;
}
nvmlReturn_t nvmlShutdown() {
  count_open(-1);
  return 0;
}

const char* nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
    case 4:
      return "Insufficient Permissions";
    case 9:
      return "Driver Not Loaded";
    case 15:
      return "GPU is lost";
    case 18:
      return "Driver/library version mismatch";
    case 77:
      return nullptr;
    default:
      return "Unknown Error";
  }
}

nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
  if (const int error = told_to_fail("nvmlSystemGetDriverVersion"); error != 0) return error;
  return give(setting("DRIVER", "550.54.14"), version, length);
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
  *count = static_cast<unsigned int>(std::strtoul(setting("COUNT", "2"), nullptr, 10));
  return told_to_fail("nvmlDeviceGetCount_v2");
}

nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  if (const int error = told_to_fail("nvmlDeviceGetHandleByIndex_v2", index); error != 0) return error;
  if (index >= sizeof(devices) / sizeof(devices[0])) return 2;  // NVML_ERROR_INVALID_ARGUMENT
  devices[index].index = index;
  *device = &devices[index];
  return 0;
}

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  if (const int error = told_to_fail("nvmlDeviceGetName", device->index); error != 0) return error;
  if (std::strcmp(setting("BRIM", ""), "1") == 0) {
    std::memset(name, 'G', length);
    return 0;
  }
  return give(device->index == 0 ? setting("NAME", "NVIDIA GeForce RTX 4090") : "NVIDIA H100 80GB HBM3", name, length);
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  if (const int error = told_to_fail("nvmlDeviceGetCudaComputeCapability", device->index); error != 0) return error;
  *major = device->index == 0 ? std::atoi(setting("MAJOR", "8")) : 9;
  *minor = device->index == 0 ? 9 : 0;
  return 0;
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  if (const int error = told_to_fail("nvmlDeviceGetPciInfo_v3", device->index); error != 0) return error;
  std::memset(pci, 0, sizeof(*pci));
  pci->bus = device->index + 1;
  pci->pciDeviceId = device->index == 0 ? 0x268410DEu : 0x233010DEu;
  std::snprintf(pci->busIdLegacy, sizeof(pci->busIdLegacy), "0000:%02X:00.0", pci->bus & 0xffu);
  std::snprintf(pci->busId, sizeof(pci->busId), "00000000:%02X:00.0", pci->bus & 0xffu);
  return 0;
}

nvmlReturn_t nvmlDeviceGetMigMode(nvmlDevice_t device, unsigned int* current, unsigned int* pending) {
  if (device->index == 0) return 3;  // NVML_ERROR_NOT_SUPPORTED: no such mode on a GeForce
  *current = *pending = std::strcmp(setting("MIG", ""), "1") == 0 ? 1 : 0;
  return 0;
}

}  // extern "C"
