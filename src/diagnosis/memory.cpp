#include <array>

#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::string_view more_shm =
    "docker run --rm --ipc=host IMAGE\n"
    "docker run --rm --shm-size=8g IMAGE";

constexpr std::array rows{
    Diagnosis{
        .id = "shm-bus-error",
        .title = "/dev/shm is too small for the DataLoader's workers",
        .cause = "Workers hand their batches over in /dev/shm, and a container has 64 MiB of it unless it is told otherwise.",
        .fix = "Start the container with --ipc=host or a larger --shm-size (compose: shm_size; Kubernetes: an emptyDir of medium "
               "Memory "
               "at /dev/shm); or use num_workers=0.",
        .commands = more_shm,
        .source = "pytorch/pytorch#5040, pytorch/pytorch#161910",
        .proof = Proof::thread,
        .patterns = R"(DataLoader worker * is killed by signal: Bus error
Unexpected bus error encountered in worker
insufficient shared memory (shm)
unable to write to file </torch_
unable to open shared memory object </torch_ * No space left
unable to mmap * bytes from file </torch_ * Cannot allocate memory
dataloader's workers are out of shared memory)",
    },
    Diagnosis{
        .id = "dataloader-open-files",
        .title = "The DataLoader's workers have used up the open files of the process",
        .cause = "Workers send each tensor as a descriptor of a file in /dev/shm, and the process that receives them may hold no "
                 "more of them: ulimit -n is low, or batches are kept (in a list, say) and with them their descriptors.",
        .fix = "Raise the limit, or share by file names: torch.multiprocessing.set_sharing_strategy('file_system') right after "
               "the import of torch (then /dev/shm has to be large enough). Keep copies of what is kept of a batch.",
        .commands = "ulimit -n 65536\n"
                    "docker run --rm --gpus all --ipc=host --ulimit nofile=65536:65536 IMAGE",
        .source = "pytorch/pytorch#973, pytorch/pytorch#34768, pytorch/pytorch#14768",
        .proof = Proof::thread,
        .patterns = R"(received * items of ancdata
Too many open files. Communication with the workers is no longer possible
? unable to open shared memory object * in read-write mode)",
    },
    Diagnosis{
        .id = "cuda-ipc",
        .title = "A process cannot open the GPU memory that another one shared",
        .cause = "CUDA IPC needs both processes on the same GPU, in the same IPC and PID namespaces, and the memory still alive.",
        .fix = "Start both containers with --ipc=host (or one with --ipc=container:NAME and --pid=container:NAME) and the same "
               "GPUs.",
        .commands = "docker run --rm --gpus all --ipc=host --pid=host IMAGE",
        .source = "triton-inference-server/server#6872",
        .proof = Proof::thread,
        .patterns = R"(failed to open CUDA IPC handle
cudaIpcOpenMemHandle * invalid
cudaIpcGetMemHandle * invalid
cuIpcOpenMemHandle * invalid
CUDA error: invalid resource handle * ipc
_new_shared_cuda * CUDA error
? invalid resource handle
? cudaErrorInvalidResourceHandle)",
    },
    Diagnosis{
        .id = "ipc-not-shareable",
        .title = "The container whose IPC namespace was asked for does not share it",
        .cause = "--ipc=container:NAME needs a donor that was started with --ipc=shareable, and its IPC is private.",
        .fix = "Start the donor with --ipc=shareable.",
        .commands = "docker run --ipc=shareable --name DONOR IMAGE\n"
                    "docker run --ipc=container:DONOR IMAGE",
        .source = "reproduced on Docker Engine 20.10",
        .proof = Proof::reproduced,
        .patterns = "non-shareable IPC",
    },
    Diagnosis{
        .id = "podman-shm-with-host-ipc",
        .title = "podman takes either --ipc=host or --shm-size",
        .cause =
            "With --ipc=host the container has the host's /dev/shm, whose size is the host's; docker ignores --shm-size then.",
        .fix = "Drop --shm-size.",
        .commands = "podman run --rm --ipc=host --device nvidia.com/gpu=all IMAGE",
        .source = "reproduced with podman",
        .proof = Proof::reproduced,
        .patterns = "cannot set shmsize when running in the * IPC Namespace",
    },
    Diagnosis{
        .id = "cuda-oom",
        .title = "The memory of the GPU is full",
        .cause = "The program asks for more memory than is free on the board: model, batch and activations are too large for "
                 "it, or other processes hold a part.",
        .fix = "A smaller batch, shorter sequences, lower precision, gradient checkpointing; end what else uses the GPU. "
               "Where much is reserved but not allocated, PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True helps against "
               "fragments.",
        .commands = "nvidia-smi --query-compute-apps=pid,process_name,used_memory --format=csv\n"
                    "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True python3 TRAIN.py\n"
                    "envgen gpus --rank memory",
        .source = "pytorch/pytorch#173049, jhc13/taggui#188, derrian-distro/LoRA_Easy_Training_Scripts#178, awslabs/sockeye#897",
        .proof = Proof::thread,
        .patterns = R"(CUDA out of memory
CUDA_ERROR_OUT_OF_MEMORY
cudaErrorMemoryAllocation
CUDA error: out of memory
CUBLAS_STATUS_ALLOC_FAILED
OOM when allocating tensor * GPU
RESOURCE_EXHAUSTED: Out of memory while trying to allocate
cudaMalloc failed: out of memory
out of memory (error 2)
cuBLAS status 3)",
        .numbers = "2",
        .hides = "cublas-not-initialized cudnn-not-initialized",
    },
};

}  // namespace

std::span<const Diagnosis> memory_failures() { return rows; }

}  // namespace envgen::diagnosis
