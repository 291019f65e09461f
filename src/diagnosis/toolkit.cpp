#include <array>

#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::array rows{
    Diagnosis{
        .id = "env-devices-refused",
        .title = "The toolkit ignored NVIDIA_VISIBLE_DEVICES of a container without privileges",
        .cause = "The toolkit's configuration has accept-nvidia-visible-devices-envvar-when-unprivileged = false, so the "
                 "variable gives "
                 "no GPU.",
        .fix = "Ask by --gpus or by CDI in place of the variable.",
        .commands = "docker run --rm --gpus all IMAGE nvidia-smi\n"
                    "docker run --rm --device nvidia.com/gpu=all IMAGE nvidia-smi",
        .source = "NVIDIA Container Toolkit 1.20 (source read)",
        .proof = Proof::source_read,
        .patterns = R"(Ignoring devices requested by environment variable(s) in unprivileged container
insufficient privileges to read device list from NVIDIA_VISIBLE_DEVICES)",
    },
    Diagnosis{
        .id = "hook-mode",
        .title = "The NVIDIA hook was called while the toolkit is not in legacy mode",
        .cause =
            "--gpus calls nvidia-container-runtime-hook, and the toolkit's configuration names another mode (cdi, csv), in which "
            "the hook refuses to work.",
        .fix = "Ask by --runtime=nvidia or by CDI; or set the mode back to auto.",
        .commands = "docker run --rm --runtime=nvidia -e NVIDIA_VISIBLE_DEVICES=all IMAGE nvidia-smi\n"
                    "sudo nvidia-ctk config --set nvidia-container-runtime.mode=auto --in-place",
        .source = "NVIDIA Container Toolkit, the hook's check of the mode (source read)",
        .proof = Proof::source_read,
        .patterns = R"(invoking the NVIDIA Container Runtime Hook directly * is not supported)",
    },
    Diagnosis{
        .id = "image-needs-newer-driver",
        .title = "The image asks for a newer driver than this machine has",
        .cause =
            "The image's NVIDIA_REQUIRE_CUDA names a CUDA that the driver does not report, so the toolkit does not start it.",
        .fix =
            "A newer driver on the host, or an image of a CUDA that the driver reports. Where the libraries run by minor-version "
            "compatibility, NVIDIA_DISABLE_REQUIRE=1 passes the gate.",
        .commands = "nvidia-smi --query-gpu=driver_version --format=csv,noheader\n"
                    "envgen resolve --host auto\n"
                    "docker run --rm --gpus all -e NVIDIA_DISABLE_REQUIRE=1 IMAGE nvidia-smi",
        .source = "MauriceNino/dashdot#1226; NVIDIA/nvidia-container-toolkit#152",
        .proof = Proof::thread,
        .patterns = R"(requirement error: unsatisfied condition
unsatisfied condition: cuda
unsatisfied condition: brand
unsatisfied condition: driver
requirements not met: unsatisfied condition)",
    },
    Diagnosis{
        .id = "rootless-cgroup",
        .title = "A rootless engine may not give a container its devices",
        .cause = "The hook writes the rules of device cgroups, which needs root on the host; a rootless engine has it not.",
        .fix = "Tell the toolkit to leave cgroups alone, or ask by CDI.",
        .commands = "sudo nvidia-ctk config --set nvidia-container-cli.no-cgroups --in-place\n"
                    "podman run --rm --device nvidia.com/gpu=all --security-opt=label=disable IMAGE nvidia-smi",
        .source = "NVIDIA/nvidia-container-toolkit#139, NVIDIA/nvidia-container-toolkit#1487",
        .proof = Proof::thread,
        .patterns = R"(bpf_prog_query(BPF_CGROUP_DEVICE) failed: operation not permitted
devices.allow: permission denied
nvidia-container-cli * mount error * cgroup * permission denied !! load program
failed to get device cgroup mount path * cgroup * permission denied)",
        .hides = "cgroup-ebpf",
    },
    Diagnosis{
        .id = "ldconfig-path",
        .title = "The toolkit's path of ldconfig is wrong",
        .cause = "The configuration names an ldconfig that this host does not have (Ubuntu has /sbin/ldconfig.real, others "
                 "/sbin/ldconfig), or lacks the @ that says the path is the host's.",
        .fix = "Name the host's own ldconfig, with the @.",
        .commands = "sudo nvidia-ctk config --set nvidia-container-cli.ldconfig=@/sbin/ldconfig --in-place",
        .source = "NVIDIA/nvidia-container-toolkit, troubleshooting of its users",
        .proof = Proof::thread,
        .patterns = R"(ldcache error: open failed
is not host-relative
ldconfig * no such file or directory * nvidia-container-cli)",
    },
    Diagnosis{
        .id = "ldconfig-failed",
        .title = "ldconfig died while the toolkit prepared the container",
        .cause = "The hook runs ldconfig within the container, and it failed or was killed: a memory limit that is too small, a "
                 "seccomp "
                 "profile, or an image of another architecture.",
        .fix = "Raise the container's memory limit, or ask by CDI in place of the hook.",
        .commands = "docker run --rm --device nvidia.com/gpu=all IMAGE nvidia-smi\n"
                    "docker image inspect --format '{{.Architecture}}' IMAGE",
        .source = "reports of users",
        .proof = Proof::thread,
        .patterns = R"(ldcache error: process * ldconfig * failed with error code
ldcache error: process * ldconfig * terminated with signal
ldcache error: process * failed
error running ldconfig
failed to update ldcache)",
    },
    Diagnosis{
        .id = "cgroup-ebpf",
        .title = "The kernel refused the toolkit's eBPF program for device rules",
        .cause =
            "On cgroup v2 the hook of older toolkits replaces the eBPF program that says which devices a container may use, and "
            "this kernel refuses it.",
        .fix = "A newer toolkit (it edits no eBPF any more), or CDI.",
        .commands = "sudo apt-get install -y --only-upgrade nvidia-container-toolkit\n"
                    "docker run --rm --device nvidia.com/gpu=all IMAGE nvidia-smi",
        .source = "reports of users",
        .proof = Proof::thread,
        .patterns = R"(? failed to add device rules
unable to generate new device filter program
load program: invalid argument
load program: permission denied
bpf_prog_query(BPF_CGROUP_DEVICE) failed !! operation not permitted)",
    },
    Diagnosis{
        .id = "driver-in-image",
        .title = "The image has driver libraries baked in",
        .cause = "The toolkit mounts the host's libcuda and libnvidia-* into the container, and files of these names are in the "
                 "image's "
                 "layers: it was committed from a running GPU container, or a driver package was installed in it.",
        .fix =
            "Build the image without driver packages (libnvidia-*, nvidia-driver-*, nvidia-utils-*), or remove the files in the "
            "layer that brought them.",
        .commands = "docker run --rm IMAGE sh -c 'find / -xdev -name \"libnvidia-ml.so*\" -o -xdev -name \"libcuda.so*\"'",
        .source = "NVIDIA/nvidia-container-toolkit#289, NVIDIA/nvidia-container-toolkit#371",
        .proof = Proof::thread,
        .patterns = R"(libnvidia-ml.so.1: file exists
nvidia-container-cli * mount error: file creation failed * file exists
file creation failed * libcuda.so * file exists
file creation failed * libnvidia * file exists)",
    },
    Diagnosis{
        .id = "container-no-gpu",
        .title = "The container was given no GPU",
        .cause = "nvidia-smi is no part of an image: the toolkit mounts it from the host, with the libraries. It did not: the "
                 "container was started without --gpus (a pod without nvidia.com/gpu or without its RuntimeClass), or "
                 "NVIDIA_DRIVER_CAPABILITIES lacks utility.",
        .fix = "Ask for the GPU: --gpus all, CDI, or in Kubernetes the resource and the RuntimeClass nvidia. For CUDA itself "
               "compute is needed, not nvidia-smi.",
        .commands = "docker run --rm --gpus all IMAGE nvidia-smi\n"
                    "docker inspect --format '{{.HostConfig.Runtime}} {{.HostConfig.DeviceRequests}}' CONTAINER",
        .source = "notes of users on Kubernetes, Docker and HAMi, who met it with runc and without a RuntimeClass",
        .proof = Proof::thread,
        .patterns = R"(exec: "nvidia-smi": executable file not found
exec: "nvidia-smi": stat nvidia-smi: no such file
"nvidia-smi": no such file or directory)",
    },
    Diagnosis{
        .id = "hook-unknown-device",
        .title = "The container asks for a GPU that this machine does not have",
        .cause = "The number or UUID after --gpus device= (or in NVIDIA_VISIBLE_DEVICES) is none of the driver: the board was "
                 "replaced or fell out, the machine has fewer, a MIG instance was made anew; or a scheduler handed out a text "
                 "(no-gpu-has-...MiB-to-run).",
        .fix = "Name a GPU that nvidia-smi -L lists.",
        .commands = "nvidia-smi -L\n"
                    "docker run --rm --gpus '\"device=0\"' IMAGE nvidia-smi -L",
        .source = "troubleshooting notes of users; AliyunContainerService gpushare (no-gpu-has)",
        .proof = Proof::thread,
        .patterns = R"(nvidia-container-cli * device error: * unknown device
no-gpu-has-)",
    },
    Diagnosis{
        .id = "hook-driver-timeout",
        .title = "The toolkit waited for the driver in vain",
        .cause = "nvidia-container-cli asks the driver and gave up: the driver is slow to start (persistence mode off on a "
                 "machine with many boards), hangs (nvidia-smi hangs too), or the hook of LXD does not work with this kernel.",
        .fix = "Switch persistence mode on and try again; where nvidia-smi hangs, restart the machine; else ask by CDI, "
               "which does not call the driver then.",
        .commands = "time nvidia-smi\n"
                    "sudo nvidia-smi -pm 1\n"
                    "docker run --rm --device nvidia.com/gpu=all IMAGE nvidia-smi",
        .source = "notes of users: persistence mode on servers, CDI with LXD on kernel 7.0, a hung driver on B200",
        .proof = Proof::thread,
        .patterns = R"(driver rpc error: timed out
driver rpc error * timed out)",
    },
    Diagnosis{
        .id = "cgroup-v2-old-toolkit",
        .title = "The toolkit is older than cgroup v2",
        .cause = "The host has the unified cgroup hierarchy (Debian 11, Ubuntu 21.10, Fedora 31 and later), and the hook of "
                 "toolkits before 1.8 knows only the older one.",
        .fix = "A newer toolkit; CDI; or no-cgroups = true with the device nodes named by --device.",
        .commands = "sudo apt-get install -y --only-upgrade nvidia-container-toolkit libnvidia-container1\n"
                    "stat -fc %T /sys/fs/cgroup",
        .source = "NVIDIA/nvidia-docker#1447",
        .proof = Proof::thread,
        .patterns = R"(cgroup subsystem devices not found)",
    },
};

}  // namespace

std::span<const Diagnosis> toolkit_failures() { return rows; }

}  // namespace envgen::diagnosis
