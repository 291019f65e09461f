#include "host/source_report.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "host/text.hpp"

// What is used of nvml.h, compared with that of CUDA 12.9 (PyPI: nvidia-nvml-dev-cu12 12.9.79) and 13 (nvidia-nvml-dev 13.5.37).
// The functions and their versions (_v2, _v3) keep their meaning for good: NVML adds a new version where it changes one. These
// two types bear the names of the header, because UndefinedBehaviorSanitizer compares a called function's types by name.
struct nvmlDevice_st;  // nvmlDevice_t is a pointer to it

struct nvmlPciInfo_st {  // NOLINT(readability-identifier-naming)
  char bus_id_legacy[16];
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int device_and_vendor;  // the device's 16 bits above the vendor's
  unsigned int subsystem;
  char bus_id[32];
};
static_assert(sizeof(nvmlPciInfo_st) == 68 && offsetof(nvmlPciInfo_st, device_and_vendor) == 28 &&
              offsetof(nvmlPciInfo_st, bus_id) == 36);

namespace envgen::host {
namespace {

using Device = nvmlDevice_st*;
using PciInfo = nvmlPciInfo_st;
using Status = int;  // nvmlReturn_t
constexpr Status success = 0;
constexpr std::size_t driver_version_size = 80;  // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
constexpr std::size_t device_name_size = 96;     // NVML_DEVICE_NAME_V2_BUFFER_SIZE

struct Close {
  void operator()(void* library) const { ::dlclose(library); }
};

/// The functions of an opened library; each is null where the library lacks it.
struct Functions {
  Status (*init)();
  Status (*shutdown)();
  const char* (*error_string)(Status);
  Status (*driver_version)(char*, unsigned int);
  Status (*device_count)(unsigned int*);
  Status (*device_by_index)(unsigned int, Device*);
  Status (*device_name)(Device, char*, unsigned int);
  Status (*capability)(Device, int*, int*);
  Status (*pci_info)(Device, PciInfo*);
  Status (*mig_mode)(Device, unsigned int* current, unsigned int* pending);
};

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
}

Functions functions_of(void* library) {
  Functions result{};
  find(library, "nvmlInit_v2", result.init);
  find(library, "nvmlShutdown", result.shutdown);
  find(library, "nvmlErrorString", result.error_string);
  find(library, "nvmlSystemGetDriverVersion", result.driver_version);
  find(library, "nvmlDeviceGetCount_v2", result.device_count);
  find(library, "nvmlDeviceGetHandleByIndex_v2", result.device_by_index);
  find(library, "nvmlDeviceGetName", result.device_name);
  find(library, "nvmlDeviceGetCudaComputeCapability", result.capability);
  find(library, "nvmlDeviceGetPciInfo_v3", result.pci_info);
  find(library, "nvmlDeviceGetMigMode", result.mig_mode);
  return result;
}

/// The text in a buffer that the library may have filled to the brim.
template <std::size_t Size>
std::string text_in(const std::array<char, Size>& buffer) {
  return printable(std::string_view(buffer.data(), ::strnlen(buffer.data(), Size)));
}

/// One conversation with an initialised NVML.
class Conversation {
 public:
  Conversation(const std::string& library, const Functions& functions)
      : functions_(functions), source_(fmt::format("NVML ({})", printable(library))) {}

  SourceReport ask() && {
    for (const auto& [present, name] :
         {std::pair{functions_.init != nullptr, "nvmlInit_v2"}, std::pair{functions_.shutdown != nullptr, "nvmlShutdown"},
          std::pair{functions_.driver_version != nullptr, "nvmlSystemGetDriverVersion"},
          std::pair{functions_.device_count != nullptr, "nvmlDeviceGetCount_v2"},
          std::pair{functions_.device_by_index != nullptr, "nvmlDeviceGetHandleByIndex_v2"},
          std::pair{functions_.device_name != nullptr, "nvmlDeviceGetName"}}) {
      if (!present) {
        note(fmt::format("has no function {}", name));
        return std::move(answer_);
      }
    }
    if (const auto status = functions_.init(); status != success) {
      note_failure("nvmlInit_v2", status);
      return std::move(answer_);
    }
    ask_driver();
    const bool counted = ask_devices();
    functions_.shutdown();
    if (counted || answer_.driver) {
      const auto driver = answer_.driver ? "driver " + answer_.driver->to_string() : std::string("no driver version");
      answer_.notes.insert(answer_.notes.begin(), fmt::format("{}: {}, {}", source_, driver, gpu_count(answer_.gpus.size())));
    }
    return std::move(answer_);
  }

 private:
  void note(std::string_view what) { answer_.notes.push_back(fmt::format("{}: {}", source_, what)); }

  void note_failure(std::string_view call, Status status) {
    const char* text = functions_.error_string != nullptr ? functions_.error_string(status) : nullptr;
    note(fmt::format("{}: {} (error {})", call, text != nullptr ? printable(text) : "failed", status));
  }

  void ask_driver() {
    std::array<char, driver_version_size> buffer{};
    const auto status = functions_.driver_version(buffer.data(), buffer.size());
    if (status != success) return note_failure("nvmlSystemGetDriverVersion", status);
    const auto version = DriverVersion::parse(text_in(buffer));
    if (!version) return note(fmt::format("driver version '{}': {}", text_in(buffer), version.error().message));
    answer_.driver = *version;
    answer_.driver_origin = source_;
  }

  /// False when NVML could not even say how many there are.
  bool ask_devices() {
    unsigned int count = 0;
    if (const auto status = functions_.device_count(&count); status != success) {
      note_failure("nvmlDeviceGetCount_v2", status);
      return false;
    }
    if (count > most_gpus) {
      note(fmt::format("reports {} GPUs; only the first {} are queried", count, most_gpus));
      count = most_gpus;
    }
    for (unsigned int index = 0; index < count; ++index) ask_device(index);
    return true;
  }

  void ask_device(unsigned int index) {
    Device device = nullptr;
    if (const auto status = functions_.device_by_index(index, &device); status != success) {
      return note_failure(fmt::format("GPU {}: nvmlDeviceGetHandleByIndex_v2", index), status);
    }
    Gpu gpu;
    gpu.origin = source_;
    std::array<char, device_name_size> name{};
    if (const auto status = functions_.device_name(device, name.data(), name.size()); status == success) {
      gpu.name = text_in(name);
    } else {
      note_failure(fmt::format("GPU {}: nvmlDeviceGetName", index), status);
    }
    ask_capability(index, device, gpu);
    PciInfo pci{};
    if (functions_.pci_info != nullptr && functions_.pci_info(device, &pci) == success && pci.device_and_vendor != 0) {
      gpu.pci_id = pci_id_text(pci.device_and_vendor & 0xffffu, pci.device_and_vendor >> 16u);
    }
    unsigned int mig = 0;
    unsigned int pending = 0;
    if (functions_.mig_mode != nullptr && functions_.mig_mode(device, &mig, &pending) == success && mig != 0) {
      note(fmt::format("GPU {}: in MIG mode; its instances have the compute capability of the GPU", index));
    }
    if (identified(gpu)) {
      answer_.gpus.push_back(std::move(gpu));
    } else {
      note(fmt::format("GPU {}: returned no information", index));
    }
  }

  void ask_capability(unsigned int index, Device device, Gpu& gpu) {
    if (functions_.capability == nullptr) return;
    int major = 0;
    int minor = 0;
    if (const auto status = functions_.capability(device, &major, &minor); status != success) {
      return note_failure(fmt::format("GPU {}: nvmlDeviceGetCudaComputeCapability", index), status);
    }
    if (const auto capability = Capability::parse(fmt::format("{}.{}", major, minor)); capability && capability->major > 0) {
      gpu.capability = *capability;
    } else {
      note(fmt::format("GPU {}: {}.{} is not a compute capability", index, major, minor));
    }
  }

  const Functions& functions_;
  std::string source_;
  SourceReport answer_;
};

}  // namespace

SourceReport ask_nvml(const std::string& library) {
  const std::unique_ptr<void, Close> opened(::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!opened) {
    const char* why = ::dlerror();
    // The linker's text starts with the library's name where it has one to blame; said once is enough.
    std::string_view text = why != nullptr ? why : "cannot be loaded";
    if (text.starts_with(library + ": ")) text.remove_prefix(library.size() + 2);
    SourceReport answer;
    answer.notes.push_back(fmt::format("NVML ({}): {}", printable(library), printable(text)));
    return answer;
  }
  const auto functions = functions_of(opened.get());
  return Conversation(library, functions).ask();
}

}  // namespace envgen::host
