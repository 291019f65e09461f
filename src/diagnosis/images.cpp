#include <array>

#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::array rows{
    Diagnosis{
        .id = "image-tag-missing",
        .title = "There is no such image tag",
        .cause = "The tag was never published, or was deleted: NVIDIA removes tags of superseded and outdated CUDA, there is "
                 "no latest, the version needs three digits, and the suffix of cuDNN changed (cudnn8, cudnn9, cudnn).",
        .fix = "Choose a tag that exists.",
        .commands = "envgen list images --cuda 12.1\n"
                    "envgen resolve --cuda 12.1 --base cuda",
        .source = "agrimgupta92/metamorph#3, NVIDIA/nvidia-docker#1454, NVIDIA/nvidia-docker#1735, NVIDIA/nvidia-docker#1768",
        .proof = Proof::thread,
        .patterns = R"(manifest for * not found
manifest unknown
nvidia/cuda * : not found !! module
pytorch/pytorch * : not found
failed to resolve reference "docker.io/ * not found
failed to resolve source metadata for docker.io/ * not found)",
    },
    Diagnosis{
        .id = "exec-format",
        .title = "The image is for another processor",
        .cause = "A program of one architecture was started on another: an image of amd64 on an Arm machine, or of arm64 on an "
                 "x86 one.",
        .fix = "Pull or build the image for this machine (--platform).",
        .commands = "uname -m\n"
                    "docker image inspect --format '{{.Os}}/{{.Architecture}}' IMAGE\n"
                    "docker build --platform linux/amd64 .",
        .source = "docker-library/python#798, yiqingxyq/RepoST#2, langfuse/langfuse#2556, clue/docker-h5ai#9",
        .proof = Proof::thread,
        .patterns = R"(exec format error
does not match the detected host platform
does not match the expected platform)",
    },
    Diagnosis{
        .id = "disk-full",
        .title = "The disk is full",
        .cause = "Something could not be written because a file system has no space left: images and build caches of the "
                 "engine are the usual eaters, and wheels of CUDA unpack to several GB.",
        .fix = "Free space, or give the engine a larger disk. /dev/shm has a size of its own: see 'envgen explain "
               "shm-bus-error'.",
        .commands = "df -h\n"
                    "docker system df\n"
                    "docker builder prune",
        .source = "the meaning of the error ENOSPC; no thread was read for it",
        .proof = Proof::documented,
        .patterns = R"(? No space left on device
? disk quota exceeded
You don't have enough free space in /var/cache/apt)",
    },
    Diagnosis{
        .id = "apt-key-nvidia",
        .title = "NVIDIA's old signing key",
        .cause = "NVIDIA replaced the key of its CUDA repository in April 2022; images and hosts that were set up before do "
                 "not know the new one.",
        .fix = "Remove the old list before the first apt-get update, or install cuda-keyring.",
        .commands = "rm -f /etc/apt/sources.list.d/cuda.list /etc/apt/sources.list.d/nvidia-ml.list\n"
                    "apt-key del 7fa2af80",
        .source = "NVIDIA/cuda-repo-management#4, NVIDIA/nvidia-docker#1631, microsoft/lisa#4350",
        .proof = Proof::thread,
        .patterns = R"(NO_PUBKEY A4B469963BF863CC
developer.download.nvidia.com * is not signed
Public key for cuda * is not installed)",
    },
    Diagnosis{
        .id = "apt-signed-by",
        .title = "Two lists name the same NVIDIA repository with different keys",
        .cause = "An older .list file of the repository is left beside the new one, so apt does not know which key is meant.",
        .fix = "Delete the older list.",
        .commands = "grep -lr nvidia /etc/apt/sources.list.d\n"
                    "sudo rm /etc/apt/sources.list.d/nvidia-docker.list",
        .source = "NVIDIA/cloud-native-docs container-toolkit/troubleshooting.md; NVIDIA/cuda-repo-management#4",
        .proof = Proof::thread,
        .patterns = R"(Conflicting values set for option Signed-By regarding source * nvidia)",
    },
    Diagnosis{
        .id = "uid-taken",
        .title = "The image has a user with that number already",
        .cause = "Images of Ubuntu 23.04 and later (nvidia/cuda of ubuntu24.04 too) have a user ubuntu with UID 1000.",
        .fix = "Remove or reuse that user before yours is made; the Dockerfiles of envgen do.",
        .commands = "RUN userdel -r ubuntu || true",
        .source = "devcontainers/images#1056, jupyterhub/repo2docker#1346, kubeflow/kubeflow#7728",
        .proof = Proof::thread,
        .patterns = R"(useradd: UID 1000 is not unique
groupadd: GID '1000' already exists
GID 1000 is in use)",
    },
    Diagnosis{
        .id = "host-oom",
        .title = "The machine, or the limit of the container, ran out of memory",
        .cause =
            "The kernel killed the process because memory (not that of the GPU) was used up: too many DataLoader workers, "
            "a batch or a cache that is too large, too many compilers at once, or a limit of the container or the scheduler.",
        .fix = "Fewer workers, a smaller batch, fewer compilers (MAX_JOBS), or a higher limit; the kernel log names what was "
               "killed.",
        .commands = "sudo dmesg | grep -i \"killed process\"\n"
                    "MAX_JOBS=2 pip install --no-build-isolation PACKAGE\n"
                    "docker inspect --format '{{.State.OOMKilled}}' CONTAINER\n"
                    "free -h",
        .source = "pytorch/pytorch#8976, open-mmlab/mmrotate#501, TorchSSL/TorchSSL#4, microsoft/onnxruntime#18579, "
                  "NVlabs/instant-ngp#1119, vllm-project/vllm#3180",
        .proof = Proof::thread,
        .patterns = R"(DataLoader worker * is killed by signal: Killed
OOMKilled !! false
Out of memory: Killed process
Memory cgroup out of memory: Killed process
oom-kill event
oom-kill:constraint=
? Signal 9 (SIGKILL) received by PID
c++: fatal error: Killed signal terminated program cc1plus
Killed signal terminated program cc1plus
nvcc error * died due to signal 9 (Kill signal)
.cu.o] Error 137)",
    },
};

}  // namespace

std::span<const Diagnosis> image_failures() { return rows; }

}  // namespace envgen::diagnosis
