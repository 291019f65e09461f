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
    Diagnosis{
        .id = "driver-not-loaded",
        .title = "The driver's kernel module is not loaded",
        .cause = "The driver is installed in part or whole, and its kernel module is not loaded: it was not built for the "
                 "running kernel (dkms), the machine was not restarted, or something keeps it from loading.",
        .fix = "Build the module for this kernel, load it, and read what the kernel says where it refuses.",
        .commands = "dkms status\n"
                    "sudo modprobe nvidia\n"
                    "sudo dmesg | grep -iE \"nvidia|nvrm|nouveau\"",
        .source = "canonical/nvidia-graphics-drivers#61, mattshma/bigdata#133, qixuema/envs#4",
        .proof = Proof::thread,
        .patterns = R"(couldn't communicate with the NVIDIA driver
NVIDIA driver is not loaded
modprobe: FATAL: Module nvidia not found
could not insert 'nvidia': No such device
nvml error: driver not loaded
NVMLError_DriverNotLoaded
ERROR_DRIVER_NOT_LOADED
Failed to initialize NVML: Driver Not Loaded)",
        .hides = "host-no-driver cuda-35-no-driver cuda-100",
    },
    Diagnosis{
        .id = "driver-secure-boot",
        .title = "Secure Boot refuses the driver's kernel module",
        .cause = "The machine boots with Secure Boot, and the key with which the module was signed is not enrolled.",
        .fix = "Enrol the key (Ubuntu asks for a password that is typed at the next start), take the modules that the "
               "distribution signed, or switch Secure Boot off.",
        .commands = "mokutil --sb-state\n"
                    "sudo mokutil --import /var/lib/shim-signed/mok/MOK.der\n"
                    "sudo reboot",
        .source = "canonical/nvidia-graphics-drivers#61, canonical/nvidia-graphics-drivers#62, acidanthera/bugtracker#2237",
        .proof = Proof::thread,
        .patterns = R"(nvidia * Key was rejected by service
nvidia * Required key not available)",
        .hides = "driver-not-loaded host-no-driver cuda-35-no-driver",
    },
    Diagnosis{
        .id = "driver-nouveau",
        .title = "nouveau holds the GPU",
        .cause = "The kernel's own driver for the board (nouveau, or a frame buffer driver) was loaded first and owns it, so "
                 "NVIDIA's probe was not called.",
        .fix = "Keep nouveau from loading, make the initial RAM disk anew, and restart.",
        .commands = "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' | sudo tee "
                    "/etc/modprobe.d/blacklist-nouveau.conf\n"
                    "sudo update-initramfs -u\n"
                    "sudo reboot",
        .source = "mattshma/bigdata#133, geerlingguy/raspberry-pi-pcie-devices#549",
        .proof = Proof::thread,
        .patterns = R"(NVIDIA probe routine was not called for
NVRM: nouveau, rivafb
The Nouveau kernel driver is currently in use)",
        .hides = "driver-not-loaded host-no-driver cuda-100 driver-no-devices",
    },
    Diagnosis{
        .id = "driver-open-needed",
        .title = "This GPU needs NVIDIA's open kernel modules",
        .cause = "Boards since Blackwell (and Grace systems) run with the open kernel modules only, and the proprietary ones "
                 "are loaded.",
        .fix = "Install the open flavour of the same driver.",
        .commands = "sudo apt-get install -y nvidia-open\n"
                    "modinfo -F license nvidia",
        .source = "NVIDIA/open-gpu-kernel-modules#872, oddmario/NVIDIA-Ubuntu-Driver-Guide#10; NVIDIA driver installation guide",
        .proof = Proof::thread,
        .patterns = R"(requires use of the NVIDIA open kernel modules)",
        .hides = "driver-no-devices driver-not-loaded cuda-100",
    },
    Diagnosis{
        .id = "driver-open-unsupported",
        .title = "This GPU is too old for the open kernel modules",
        .cause = "The open kernel modules need the GSP of Turing and later boards; Maxwell, Pascal and Volta need the "
                 "proprietary ones, last in the driver R580.",
        .fix = "Install the proprietary flavour of a driver up to R580.",
        .commands = "sudo apt-get install -y cuda-drivers-580\n"
                    "modinfo -F license nvidia",
        .source = "pop-os/pop#3640, zzzhouuu/truenas-nvidia-drivers#20",
        .proof = Proof::thread,
        .patterns = R"(is not supported by open * nvidia.ko
it does not include the required GPU)",
        .hides = "driver-no-devices driver-not-loaded cuda-100",
    },
    Diagnosis{
        .id = "driver-dropped-gpu",
        .title = "This driver does not know the GPU any more",
        .cause = "A newer branch dropped boards of this age: R590 and later ignore Maxwell, Pascal and Volta, whose last "
                 "branch is R580.",
        .fix = "Stay on the last branch that knows the board, and on a CUDA that it reports.",
        .commands = "envgen show gpu GPU\n"
                    "sudo apt-get install -y cuda-drivers-580",
        .source = "NixOS/nixos-hardware#1828, NVIDIA/yum-packaging-precompiled-kmod#68",
        .proof = Proof::thread,
        .patterns = R"(installed in this system is supported through the NVIDIA
NVIDIA driver will ignore this GPU
supported through the NVIDIA * Legacy drivers)",
        .hides = "driver-no-devices driver-not-loaded cuda-100",
    },
    Diagnosis{
        .id = "driver-no-devices",
        .title = "The driver runs, and has no GPU that works",
        .cause = "The kernel module is loaded, and no board could be brought up; the kernel log says why (RmInitAdapter "
                 "failed, GSP firmware, a board of the wrong flavour of modules).",
        .fix = "Read the kernel log and paste it here. The threads name a cold start, an update of the BIOS, and another "
               "driver version.",
        .commands = "sudo dmesg | grep NVRM\n"
                    "lspci -d 10de: -k",
        .source = "NVIDIA/open-gpu-kernel-modules#789, NVIDIA/open-gpu-kernel-modules#1104, Bumblebee-Project/Bumblebee#722",
        .proof = Proof::thread,
        .patterns = R"(? No devices were found
RmInitAdapter failed
rm_init_adapter failed
Cannot initialize GSP firmware RM
NVRM: No NVIDIA GPU found
No NVIDIA graphics adapter found)",
        .hides = "cuda-100",
    },
    Diagnosis{
        .id = "wsl-gpu-blocked",
        .title = "WSL 2 does not hand the GPU over",
        .cause = "Within WSL 2 the driver of Windows serves the GPU. It is blocked where Windows runs the board in TCC mode "
                 "(not WDDM), where driver packages of Linux were installed within WSL, or where a container has libraries of "
                 "another driver.",
        .fix = "Update the driver of Windows and WSL itself, switch the board to WDDM, and remove NVIDIA driver packages "
               "from within WSL.",
        .commands = "dpkg -l | grep -E 'nvidia-(driver|utils)|libnvidia'\n"
                    "wsl.exe --update\n"
                    "wsl.exe --shutdown",
        .source = "microsoft/WSL#9962, microsoft/WSL#9166, microsoft/WSL#12835",
        .proof = Proof::thread,
        .patterns = R"(GPU access blocked by the operating system)",
        .hides = "cuda-100 cuda-35-no-driver",
    },
};

}  // namespace

std::span<const Diagnosis> driver_failures() { return rows; }

}  // namespace envgen::diagnosis
