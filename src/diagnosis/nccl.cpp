#include <array>

#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::array rows{
    Diagnosis{
        .id = "nccl-shm",
        .title = "/dev/shm is too small for NCCL",
        .cause = "NCCL exchanges data between the GPUs of a machine through /dev/shm, and a container has 64 MiB of it unless it "
                 "is told "
                 "otherwise.",
        .fix = "Start the container with --ipc=host or a larger --shm-size.",
        .commands = "docker run --rm --gpus all --ipc=host IMAGE\n"
                    "docker run --rm --gpus all --shm-size=8g IMAGE",
        .source = "pytorch/ci-infra#490; NVIDIA/nccl#342",
        .proof = Proof::thread,
        .patterns = R"(failed to extend /dev/shm/nccl-
Call to posix_fallocate failed
Error while creating shared memory segment /dev/shm/nccl-
Error while attaching to shared memory segment /dev/shm/nccl-
unable to allocate shared memory * /dev/shm/nccl-
mmap * /dev/shm/nccl- * failed)",
        .hides = "nccl-system-error disk-full",
    },
    Diagnosis{
        .id = "nccl-cumem",
        .title = "NCCL may not place host memory by NUMA node",
        .cause =
            "Docker's seccomp profile blocks the system calls of NUMA, by which NCCL's cuMem host allocations choose a node.",
        .fix = "Start the container with --cap-add SYS_NICE; or NCCL_CUMEM_HOST_ENABLE=0.",
        .commands = "docker run --rm --gpus all --ipc=host --cap-add SYS_NICE IMAGE",
        .source = "NCCL (source read)",
        .proof = Proof::source_read,
        .patterns = "cuMem host allocations do not appear to be working",
    },
    Diagnosis{
        .id = "p2p-hang",
        .title = "Copies between GPUs hang: ACS or the IOMMU",
        .cause = "Access Control Services or the IOMMU send peer-to-peer traffic through the root complex, where it is lost or "
                 "stalls; NCCL "
                 "then waits until its watchdog ends it.",
        .fix = "Switch ACS and the IOMMU off in the firmware; to see whether it is this, run once with NCCL_P2P_DISABLE=1.",
        .commands = "NCCL_P2P_DISABLE=1 NCCL_DEBUG=INFO torchrun --nproc-per-node=2 TRAIN.py\n"
                    "nvidia-smi topo -m\n"
                    "sudo lspci -vvv | grep ACSCtl",
        .source = "NVIDIA/nccl#199, NVIDIA/nccl#257",
        .proof = Proof::thread,
        .patterns = R"(? Watchdog caught collective operation timeout
+ P2P/CUMEM
+ via P2P/IPC
+ via P2P/direct pointer
ACS is enabled * may hang)",
    },
};

}  // namespace

std::span<const Diagnosis> nccl_failures() { return rows; }

}  // namespace envgen::diagnosis
