#include <array>

#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::string_view write_spec =
    "sudo nvidia-ctk cdi generate --output=/var/run/cdi/nvidia.yaml\n"
    "nvidia-ctk cdi list";

constexpr std::array rows{
    Diagnosis{
        .id = "cdi-unresolvable",
        .title = "No CDI spec names the device that was asked for",
        .cause = "The engine looked in /etc/cdi and /var/run/cdi: there is no spec, or a stale one without this device (a MIG "
                 "instance "
                 "that was made since, a GPU that was added).",
        .fix = "Write the spec again, or start the service of the toolkit (1.18 and later) that does. Where 'nvidia-ctk cdi "
               "list' shows "
               "the device and the engine does not: see 'envgen explain cdi-spec-too-new'.",
        .commands = write_spec,
        .source = "NVIDIA/nvidia-container-toolkit#146; NVIDIA/cloud-native-docs container-toolkit/cdi-support.md",
        .proof = Proof::thread,
        .patterns = R"(? unresolvable CDI devices !! runtime.nvidia.com/gpu
? unresolvable CDI device !! runtime.nvidia.com/gpu)",
    },
    Diagnosis{
        .id = "cdi-spec-too-new",
        .title = "The CDI spec is newer than the engine can read",
        .cause = "The toolkit 1.19.1 and later writes CDI 0.7.0 (additionalGids), which needs docker 26.1, containerd 1.7.16, "
                 "podman 5.1 "
                 "or cri-o 1.30; an older engine (Ubuntu 24.04 has podman 4.9.3) passes the spec over and then knows no device.",
        .fix = "A newer engine; or have the spec written without additional groups: set the feature flag for the service that "
               "writes "
               "it, and restart the service. Writing it again without the flag does not help.",
        .commands = "echo NVIDIA_CTK_CDI_GENERATE_FEATURE_FLAGS=no-additional-gids-for-device-nodes | sudo tee -a "
                    "/etc/nvidia-container-toolkit/nvidia-cdi-refresh.env\n"
                    "sudo systemctl restart nvidia-cdi-refresh.service",
        .source = "NVIDIA/nvidia-container-toolkit#1860, NVIDIA/nvidia-container-toolkit#1865",
        .proof = Proof::thread,
        .patterns = R"(unknown field "additionalGids"
CDI * additionalGids
invalid CDI * invalid version "0.7
unsupported CDI spec version)",
        .hides = "cdi-unresolvable engine-cdi-injection",
    },
    Diagnosis{
        .id = "cdi-stale",
        .title = "The CDI spec is older than the driver",
        .cause = "The spec names libraries or device nodes of a driver that is not installed any more: it was written before the "
                 "driver "
                 "was updated.",
        .fix = "Write the spec again. Since the toolkit 1.18 a service does that when the driver changes.",
        .commands = write_spec,
        .source = "NVIDIA/nvidia-container-toolkit#450, NVIDIA/nvidia-container-toolkit#885",
        .proof = Proof::thread,
        .patterns = R"(failed to stat CDI host device
cannot stat * libEGL_nvidia.so.
cannot stat * libnvidia-
cannot stat * libcuda.so.
error stat'ing file * libEGL_nvidia.so.
error stat'ing file * libnvidia-
error stat'ing file * libcuda.so.
failed to fulfil mount request: open /usr/lib * nvidia
failed to fulfil mount request: open * libcuda.so.
error mounting * /usr/lib * nvidia * no such file or directory !! file exists
statfs /usr/lib * nvidia * no such file or directory)",
    },
    Diagnosis{
        .id = "cdi-hook-older",
        .title = "nvidia-ctk is older than the CDI spec that calls it",
        .cause =
            "The spec was written by another version of the toolkit (a container of the GPU operator, say) and calls a hook that "
            "the installed nvidia-ctk or nvidia-cdi-hook does not have.",
        .fix = "Bring all packages of the toolkit to the same version, and write the spec with it.",
        .commands = "sudo apt-get install -y nvidia-container-toolkit nvidia-container-toolkit-base libnvidia-container-tools "
                    "libnvidia-container1\n"
                    "sudo nvidia-ctk cdi generate --output=/var/run/cdi/nvidia.yaml",
        .source = "dra-driver-nvidia-gpu#568",
        .proof = Proof::thread,
        .patterns = R"(No help topic for 'disable-device-node-modification'
No help topic for 'enable-cuda-compat'
No help topic for 'create-soname-symlinks'
nvidia-c * No help topic for ')",
    },
    Diagnosis{
        .id = "cdi-empty",
        .title = "The CDI spec has a device with nothing in it",
        .cause = "The spec was not written properly: a device has no edits (no nodes, no mounts), so the engine refuses the "
                 "whole spec.",
        .fix = "Write the spec again, where the driver is loaded and nvidia-smi works.",
        .commands = write_spec,
        .source = "kaito#2326",
        .proof = Proof::thread,
        .patterns = R"(invalid device, empty device edits
invalid device * empty device edits)",
        .hides = "cdi-unresolvable engine-cdi-injection",
    },
    Diagnosis{
        .id = "cdi-auto-failed",
        .title = "The NVIDIA runtime found no driver to make a CDI spec of",
        .cause =
            "--runtime=nvidia makes a CDI spec just in time (mode auto), and there is no driver: it is not installed, or its "
            "kernel module is not loaded.",
        .fix = "Install the driver or load its module, until nvidia-smi works on the host.",
        .commands = "nvidia-smi\nsudo modprobe nvidia\nsudo ubuntu-drivers install",
        .source = "NVIDIA/nvidia-container-toolkit#1537",
        .proof = Proof::thread,
        .patterns = R"(failed to create the automatic CDI modifier
failed to generate CDI spec for mode "auto"
unresolvable CDI devices runtime.nvidia.com/gpu
? failed to generate CDI spec: failed to create * CDI spec
? failed to create device CDI specs: failed to initialize NVML)",
        .hides = "host-no-driver",
    },
    Diagnosis{
        .id = "cdi-hook-path",
        .title = "The CDI spec names a hook program that is not there",
        .cause = "The spec calls /usr/bin/nvidia-ctk or nvidia-cdi-hook at a path where this machine has none: it was written "
                 "elsewhere (another distribution, a container), or the toolkit was removed.",
        .fix = "Write the spec with the path of the hook as this machine has it.",
        .commands = "sudo nvidia-ctk cdi generate --nvidia-cdi-hook-path=\"$(command -v nvidia-cdi-hook)\" "
                    "--output=/var/run/cdi/nvidia.yaml",
        .source = "reports of users",
        .proof = Proof::thread,
        .patterns = R"(fork/exec * /nvidia-ctk: no such file or directory
fork/exec * /nvidia-cdi-hook: no such file or directory
hook * nvidia-ctk * no such file or directory !! ldconfig
exec: "nvidia-ctk": executable file not found
exec: "nvidia-cdi-hook": executable file not found
nvidia-ctk" failed * no such file or directory)",
    },
};

}  // namespace

std::span<const Diagnosis> cdi_failures() { return rows; }

}  // namespace envgen::diagnosis
