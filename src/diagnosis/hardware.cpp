#include <array>

#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::array rows{
    Diagnosis{
        .id = "gpu-off-bus",
        .title = "The GPU has fallen off the bus (Xid 79)",
        .cause = "The driver cannot reach the board over PCIe any more. NVIDIA names heat, a lack of power and an outdated "
                 "system BIOS as the most common reasons.",
        .fix = "Start the machine cold; then look after temperature, power connectors, the seat of the board and the BIOS.",
        .commands = "sudo dmesg | grep -i xid\n"
                    "nvidia-smi --query-gpu=temperature.gpu,power.draw --format=csv\n"
                    "sudo nvidia-smi -lgc 300,1500",
        .source = "NVIDIA/open-gpu-kernel-modules#507, NVIDIA/NVSentinel#155, leptonai/gpud#1209",
        .proof = Proof::thread,
        .patterns = R"(GPU has fallen off the bus
fallen off the bus and is not responding
fallen off of the bus
NVRM: Xid * : 79,
has fallen off the bus)",
        .hides = "cuda-999 cuda-100 driver-no-devices nvml-unknown gpu-lost",
    },
    Diagnosis{
        .id = "gpu-lost",
        .title = "The GPU is lost: the driver cannot reach it",
        .cause = "nvidia-smi or NVML lists a board that does not answer any more; the kernel log says what came before (most "
                 "often Xid 79).",
        .fix = "Read the kernel log, and start the machine cold.",
        .commands = "sudo dmesg | grep -iE \"xid|nvrm\"\n"
                    "sudo reboot",
        .source = "the message of nvidia-smi, which names the restart; logs of those who met it",
        .proof = Proof::documented,
        .patterns = R"(GPU is lost. Reboot the system
GPU is lost
Unable to determine the device handle for)",
        .hides = "cuda-999 cuda-100",
    },
    Diagnosis{
        .id = "gpu-ecc",
        .title = "The memory of the GPU has errors that ECC cannot correct",
        .cause = "An uncorrectable (double bit) error was met: the program that used the memory ends. Once may be chance; "
                 "again and again is a failing board.",
        .fix = "Reset the GPU or restart the machine, which retires or remaps the memory; where it comes back, have the "
               "board replaced.",
        .commands = "nvidia-smi -q -d ECC,ROW_REMAPPER,PAGE_RETIREMENT\n"
                    "sudo nvidia-smi --gpu-reset -i 0\n"
                    "sudo dmesg | grep -i xid",
        .source = "vllm-project/vllm#5222, nagadit/DeepFaceLab_Linux#89; NVIDIA, Dynamic Page Retirement, Visibility (Xid 48, "
                  "63, 64)",
        .proof = Proof::thread,
        .patterns = R"(uncorrectable ECC error encountered
CUDA_ERROR_ECC_UNCORRECTABLE
cudaErrorECCUncorrectable
double bit error (DBE)
Row Remapper: New row marked for remapping
Dynamic Page Retirement: Fatal error
Dynamic Page Retirement: New retired page
NVRM: Xid * : 48,
NVRM: Xid * : 63,
NVRM: Xid * : 64,
NVRM: Xid * : 94,
NVRM: Xid * : 95,
Contained ECC error
Uncontained ECC error)",
        .numbers = "214 39",
        .hides = "cuda-999",
    },
};

}  // namespace

std::span<const Diagnosis> hardware_failures() { return rows; }

}  // namespace envgen::diagnosis
