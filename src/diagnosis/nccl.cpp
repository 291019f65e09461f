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
        .title = "Copies between GPUs, or NCCL, hang",
        .cause =
            "NCCL waited until its watchdog ended it. Where all ranks wait in the same collective (the same SeqNum), "
            "peer-to-peer "
            "copies stall: Access Control Services (ACS) or the IOMMU send them through the root complex. Where they do not, one "
            "rank ended or went another way: the first error of all ranks says why.",
        .fix = "Run once with NCCL_P2P_DISABLE=1: where that helps, switch ACS and the IOMMU off in the firmware.",
        .commands = "NCCL_P2P_DISABLE=1 NCCL_DEBUG=INFO torchrun --nproc-per-node=2 TRAIN.py\n"
                    "nvidia-smi topo -m\n"
                    "sudo lspci -vvv | grep ACSCtl",
        .source = "NVIDIA/nccl#199, NVIDIA/nccl#257, pytorch/pytorch#118369",
        .proof = Proof::thread,
        .patterns = R"(? Watchdog caught collective operation timeout
? ProcessGroupNCCL's watchdog got stuck
ACS is enabled * may hang)",
    },
    Diagnosis{
        .id = "nccl-duplicate-gpu",
        .title = "Two processes were given the same GPU",
        .cause = "Ranks of one NCCL communicator use the same board: each process took the default device, or there are more "
                 "processes than GPUs.",
        .fix = "As many processes as GPUs, and torch.cuda.set_device(local_rank) in each before NCCL is used.",
        .commands = "nvidia-smi -L\n"
                    "torchrun --nproc-per-node=gpu TRAIN.py",
        .source = "facebookresearch/fairchem#597, Peterande/D-FINE#289, horovod/horovod#3929",
        .proof = Proof::thread,
        .patterns = R"(Duplicate GPU detected)",
    },
    Diagnosis{
        .id = "nccl-network",
        .title = "NCCL cannot reach the other machine",
        .cause = "NCCL chose a network interface over which the others cannot be reached (a bridge of Docker, a second "
                 "network), or found none.",
        .fix = "Name the interface by NCCL_SOCKET_IFNAME on every machine; in containers start them with --network=host.",
        .commands = "ip -brief address\n"
                    "NCCL_SOCKET_IFNAME=eth0 NCCL_DEBUG=INFO torchrun TRAIN.py",
        .source = "NVIDIA/nccl#697, hkproj/pytorch-transformer-distributed#1, sgl-project/sglang#3820, NVIDIA/nccl-tests#14",
        .proof = Proof::thread,
        .patterns = R"(socketStartConnect: Connect to
socketPollConnect: Connect to
socketFinalizeConnect: * failed
NCCL WARN * Bootstrap : no socket interface found
NCCL WARN * Connect to * failed
NCCL WARN * No interface found
NCCL WARN Socket creation failed : Address family)",
        .hides = "nccl-system-error nccl-peer-ended p2p-hang",
    },
    Diagnosis{
        .id = "nccl-memlock",
        .title = "The container may not lock the memory that InfiniBand needs",
        .cause = "The limit of locked memory in the container (64 KiB to 64 MiB) is too small to register buffers with the "
                 "network card.",
        .fix = "Start the container with --ulimit memlock=-1, its devices, and IPC_LOCK.",
        .commands = "docker run --gpus all --ipc=host --ulimit memlock=-1 --ulimit stack=67108864 --device=/dev/infiniband "
                    "--cap-add=IPC_LOCK IMAGE",
        .source = "NVIDIA/nccl-tests#206, open-mpi/ompi#6468",
        .proof = Proof::thread,
        .patterns = R"(ibv_reg_mr * Cannot allocate memory
ibv_create_cq * Cannot allocate memory
ibv_create_qp * Cannot allocate memory
wrap_ibv_reg_mr * failed)",
        .hides = "nccl-system-error",
    },
    Diagnosis{
        .id = "nccl-peer-ended",
        .title = "Another rank of the job ended, or its connection broke",
        .cause = "NCCL lost the connection to another process. Most often that process ended before (out of memory, an "
                 "exception, the scheduler), and its own log has the first error; else the network between the machines broke.",
        .fix = "Read the first error of all ranks, in order of time; torchrun names the rank that failed first. Where none "
               "failed, look at the network (InfiniBand ports, interfaces).",
        .commands = "NCCL_DEBUG=WARN torchrun --redirects=3 --log-dir=logs TRAIN.py\n"
                    "sudo dmesg | grep -i \"killed process\"\n"
                    "ibstat",
        .source = "NVIDIA/nccl#2076, NVIDIA/nccl#795, NVIDIA/nccl-tests#166",
        .proof = Proof::thread,
        .patterns = R"(? ncclRemoteError
? NCCL * remote process exited or there was a network error
? NCCL WARN * Connection closed by remote peer)",
        .hides = "nccl-system-error",
    },
    Diagnosis{
        .id = "nccl-cuda-error",
        .title = "A call of CUDA inside NCCL failed; the log may name it",
        .cause =
            "NCCL called CUDA, and CUDA refused. The line behind 'Last error:', or 'NCCL WARN Cuda failure', names the error: "
            "that one is the cause (a driver that is too old for NCCL's CUDA, memory of the GPU that is used up, a broken GPU).",
        .fix = "Run again with NCCL_DEBUG=WARN and read the text of the failure; 'envgen explain' knows it by its number.",
        .commands = "NCCL_DEBUG=WARN torchrun TRAIN.py\n"
                    "nvidia-smi",
        .source = "NVIDIA/nccl#1410, NVIDIA/nccl#1024, NVIDIA/cuml#5961",
        .proof = Proof::thread,
        .patterns = R"(? ncclUnhandledCudaError
? NCCL * unhandled cuda error
? NCCL WARN Cuda failure)",
    },
    Diagnosis{
        .id = "nccl-system-error",
        .title = "A system call of NCCL failed; the log does not say which",
        .cause = "NCCL says only that a system call or another library failed. In containers it is most often a small /dev/shm "
                 "or the wrong network interface.",
        .fix = "Run again with NCCL_DEBUG=WARN: the line with NCCL WARN names the call. Try --ipc=host.",
        .commands = "NCCL_DEBUG=WARN torchrun TRAIN.py\n"
                    "docker run --rm --gpus all --ipc=host IMAGE",
        .source = "NVIDIA/nccl-tests#14, NVIDIA/nccl-tests#15, NVIDIA/nccl#375",
        .proof = Proof::thread,
        .patterns = R"(ncclSystemError
NCCL error in * unhandled system error
NCCL failure * 'unhandled system error'
NCCL Error 2: unhandled system error
NCCL * unhandled system error)",
    },
};

}  // namespace

std::span<const Diagnosis> nccl_failures() { return rows; }

}  // namespace envgen::diagnosis
