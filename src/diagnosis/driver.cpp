#include <array>

#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::array rows{
    Diagnosis{
        .id = "host-no-driver",
        .title = "This machine has no NVIDIA driver",
        .cause =
            "The toolkit, or a program, did not find libnvidia-ml.so.1, which every driver brings: no driver is installed on the "
            "host, or only a part of it.",
        .fix = "Install the driver on the host (on Windows with WSL 2: the driver of Windows, and none within WSL), until "
               "nvidia-smi "
               "works there. In a container, the library comes with the capability utility.",
        .commands = "nvidia-smi\nsudo ubuntu-drivers install",
        .source = "NVIDIA/libnvidia-container#231",
        .proof = Proof::thread,
        .patterns = R"(load library failed: libnvidia-ml.so.1
libnvidia-ml.so.1: cannot open shared object file
libnvidia-ml.so.1: wrong ELF class
NVML: ERROR_LIBRARY_NOT_FOUND
NVMLError_LibraryNotFound
NVML Shared Library Not Found
could not load NVML library)",
        .hides = "cuda-35-no-driver",
    },
    Diagnosis{
        .id = "driver-library-mismatch",
        .title = "The driver was updated, and the old kernel module is still loaded",
        .cause =
            "The driver's libraries and its kernel module are of different versions: packages were upgraded (often by unattended "
            "upgrades) and the machine was not restarted since.",
        .fix = "Restart the machine, or unload the old module and load the new one; start containers again afterwards.",
        .commands = "cat /proc/driver/nvidia/version\n"
                    "sudo reboot",
        .source = "NVIDIA/nvidia-container-toolkit#394",
        .proof = Proof::thread,
        .patterns = R"(driver/library version mismatch
API mismatch: the client has the version
API mismatch: the NVIDIA kernel module has version
nvmlReturn_t::NVML_ERROR_LIB_RM_VERSION_MISMATCH
NVML_ERROR_LIB_RM_VERSION_MISMATCH
kernel version * does not match DSO version
kernel driver version * does not match dso version)",
        .hides = "cuda-999 cuda-100 cuda-803 nvml-unknown",
    },
    Diagnosis{
        .id = "nvml-unknown",
        .title = "The container lost its GPU while it ran",
        .cause = "The hook had allowed the devices behind systemd's back, and a systemctl daemon-reload (or an update of the "
                 "container's "
                 "limits) wrote the cgroup rules anew without them.",
        .fix =
            "Start the container again; and for good: ask by CDI, or set the cgroup driver to cgroupfs, or name the device nodes "
            "by --device.",
        .commands =
            "docker run --rm --device nvidia.com/gpu=all IMAGE nvidia-smi\n"
            "docker run --rm --gpus all --device /dev/nvidiactl --device /dev/nvidia-uvm --device /dev/nvidia0 IMAGE nvidia-smi",
        .source = "NVIDIA/nvidia-container-toolkit#48; NVIDIA/cloud-native-docs container-toolkit/troubleshooting.md",
        .proof = Proof::thread,
        .patterns = R"(Failed to initialize NVML: Unknown Error
could not init nvml: unknown error
NVMLError_Unknown
failed to initialize NVML: ERROR_UNKNOWN
NVML: Unknown Error)",
        .hides = "cuda-999 cuda-100",
    },
    Diagnosis{
        .id = "nvml-selinux",
        .title = "SELinux keeps the container from the GPU's device nodes",
        .cause = "The container's label may not use the device nodes of the driver.",
        .fix = "Run the container without separation by labels, or install a policy that allows it.",
        .commands = "podman run --rm --device nvidia.com/gpu=all --security-opt=label=disable IMAGE nvidia-smi",
        .source = "NVIDIA/cloud-native-docs container-toolkit/troubleshooting.md",
        .proof = Proof::documented,
        .patterns = R"(Failed to initialize NVML: Insufficient Permissions
nvml error: insufficient permissions
NVMLError_NoPermission
NVML: ERROR_NO_PERMISSION)",
    },
};

}  // namespace

std::span<const Diagnosis> driver_failures() { return rows; }

}  // namespace envgen::diagnosis
