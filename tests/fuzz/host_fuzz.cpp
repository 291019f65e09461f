// What a machine says of itself: the first byte chooses the parser, the rest is the text.
#include <cstring>
#include <string>

#include "fuzz/fuzz.hpp"
#include "host/machine.hpp"
#include "host/source_report.hpp"
#include "host/text.hpp"

// NVML as the input has it: this program exports the functions of the library, and asks itself. The types bear the names of
// nvml.h, see src/host/nvml.cpp. The first line is the driver's version, each further one a GPU: two digits for its capability,
// the two bytes of its PCI device id, its name. A line that begins with `!` is a call that fails: the error, and its text.
struct nvmlDevice_st {
  std::string_view line;
};
struct nvmlPciInfo_st {  // NOLINT(readability-identifier-naming)
  char bus_id_legacy[16];
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int device_and_vendor;
  unsigned int subsystem;
  char bus_id[32];
};

namespace {

std::string_view driver_line;
std::vector<nvmlDevice_st> devices;
std::string error_text;
bool asked = false;

int byte_at(std::string_view line, std::size_t place) {
  return place < line.size() ? static_cast<unsigned char>(line[place]) : 0;
}

/// The error that a line stands for; 0: none.
int failure(std::string_view line) {
  if (!line.starts_with('!')) return 0;
  error_text = line.substr(std::min<std::size_t>(2, line.size()));
  return std::max(1, byte_at(line, 1));
}

/// Without a zero at its end where the text fills the buffer, which no real library should do.
int give(std::string_view text, char* buffer, unsigned int length) {
  std::memset(buffer, 0, length);
  text.copy(buffer, length);
  return 0;
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  asked = true;
  return driver_line.starts_with("!!") ? failure(driver_line) : 0;
}
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int) { return error_text.empty() ? nullptr : error_text.c_str(); }

int nvmlSystemGetDriverVersion(char* version, unsigned int length) {
  const int error = failure(driver_line);
  return error != 0 ? error : give(driver_line, version, length);
}

int nvmlDeviceGetCount_v2(unsigned int* count) {
  *count = static_cast<unsigned int>(devices.size());
  return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_st** device) {
  *device = &devices.at(index);
  return failure(devices.at(index).line);
}

int nvmlDeviceGetName(nvmlDevice_st* device, char* name, unsigned int length) {
  const auto& line = device->line;
  return give(line.substr(std::min<std::size_t>(4, line.size())), name, length);
}

int nvmlDeviceGetCudaComputeCapability(nvmlDevice_st* device, int* major, int* minor) {
  *major = byte_at(device->line, 0) - '0';
  *minor = byte_at(device->line, 1) - '0';
  return 0;
}

int nvmlDeviceGetPciInfo_v3(nvmlDevice_st* device, nvmlPciInfo_st* pci) {
  constexpr unsigned int nvidia = 0x10DE;
  const auto id = static_cast<unsigned int>(byte_at(device->line, 2) << 8 | byte_at(device->line, 3));
  pci->device_and_vendor = id << 16 | nvidia;
  return 0;
}

int nvmlDeviceGetMigMode(nvmlDevice_st* device, unsigned int* current, unsigned int* pending) {
  *current = *pending = static_cast<unsigned int>(device->line.size() % 2);
  return 0;
}

}  // extern "C"

namespace {

using namespace envgen;
using fuzz::require;

void require_printable(std::string_view text) {
  for (const char c : text) require(c >= 0x20 && c < 0x7F, "what a machine says is kept as printable ASCII");
}

void require_answer(const host::SourceReport& answer) {
  require(answer.gpus.size() <= host::most_gpus, "no machine has that many GPUs");
  for (const auto& gpu : answer.gpus) {
    require(host::identified(gpu), "a GPU of which nothing is known is left out");
    require_printable(gpu.name);
    require_printable(gpu.pci_id);
  }
  for (const auto& note : answer.notes) require_printable(note);
}

void nvml(std::string_view text) {
  const auto lines = fuzz::split(text, "\n");
  driver_line = lines.front();
  devices.clear();
  for (const auto line : lines) devices.push_back({line});
  devices.erase(devices.begin());
  error_text.clear();
  const auto answer = host::ask_nvml("");  // to dlopen(3), an empty name is the program itself
  require_answer(answer);
  require(!answer.notes.empty(), "something is said of what came of it");
  require(asked, "the functions above are found");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto text = fuzz::text_of(data + 1, size - 1);
  switch (data[0]) {
    case 'o':
      if (const auto id = host::parse_os_release(text)) require_printable(*id);
      break;
    case 'k':
      if (const auto module = host::parse_kernel_module(text))
        require(static_cast<bool>(module->version), "a module has a version");
      break;
    case 'g':
      require_printable(host::parse_proc_gpu(text).model);
      break;
    case 'n':
      nvml(text);
      break;
    case 's':
    case 'S':
      require_answer(host::parse_smi(text, data[0] == 's', "nvidia-smi"));
      break;
    case 'p':
      if (const auto address = host::PciAddress::parse(text))
        require(!host::in_bus_order({std::string(text)}).empty(), "an address is one");
      break;
    case 'h':
      host::parse_hex(text);
      break;
    default:
      require_printable(host::printable(text));
      break;
  }
  return 0;
}
