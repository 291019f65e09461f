// What a machine says of itself: the first byte chooses the parser, the rest is the text.
#include "fuzz/fuzz.hpp"
#include "host/os_release.hpp"
#include "host/proc.hpp"
#include "host/smi.hpp"
#include "host/text.hpp"

namespace {

using namespace envgen;
using fuzz::require;

void require_printable(std::string_view text) {
  for (const char c : text) require(c >= 0x20 && c < 0x7F, "what a machine says is kept as printable ASCII");
}

void smi(std::string_view text, bool with_capability) {
  const auto answer = host::parse_smi(text, with_capability, "nvidia-smi");
  require(answer.gpus.size() <= host::most_gpus, "no machine has that many GPUs");
  for (const auto& gpu : answer.gpus) {
    require(host::identified(gpu), "a GPU of which nothing is known is left out");
    require_printable(gpu.name);
    require_printable(gpu.pci_id);
  }
  for (const auto& note : answer.notes) require_printable(note);
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
    case 's':
      smi(text, true);
      break;
    case 'S':
      smi(text, false);
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
