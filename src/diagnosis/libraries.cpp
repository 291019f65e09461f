#include <array>

#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::array rows{
    Diagnosis{
        .id = "cublaslt-mixed",
        .title = "The system's cublasLt was loaded beside the wheel's cuBLAS",
        .cause =
            "Two releases of cuBLAS are mixed in one process: libcublas of the wheel found libcublasLt of the system, most often "
            "by LD_LIBRARY_PATH.",
        .fix = "Clean LD_LIBRARY_PATH of CUDA's folders; or load the wheel's cublasLt by its full path first.",
        .commands = "env -u LD_LIBRARY_PATH python3 -c 'import torch; print(torch.version.cuda)'",
        .source = "pytorch/pytorch#103832, pytorch/pytorch#174320",
        .proof = Proof::thread,
        .patterns = R"(undefined symbol: cublasLt
symbol cublasLt * not defined in file * with link time reference
libcublas.so * undefined symbol * libcublasLt.so
undefined symbol: cublas * version libcublas)",
    },
    Diagnosis{
        .id = "libcudart-mixed",
        .title = "Two CUDA runtimes are in each other's way",
        .cause = "Of two files of libcudart the wrong one is found, or may be: conda brought one with cuDNN or cudatoolkit, or "
                 "LD_LIBRARY_PATH names an older CUDA.",
        .fix = "One installer for CUDA and cuDNN, both from one channel and pinned to one CUDA; and no CUDA on LD_LIBRARY_PATH.",
        .commands = "env -u LD_LIBRARY_PATH python3 -c 'import torch; print(torch.version.cuda)'\n"
                    "conda list | grep -iE 'cuda|cudnn'",
        .source = "guides of users; ztxz16/fastllm#293",
        .proof = Proof::thread,
        .patterns = R"(undefined symbol: cuda * version libcudart.so
symbol cuda * not defined in file libcudart.so
libcudart.so * version `libcudart.so * not found)",
    },
    Diagnosis{
        .id = "nvjitlink-mixed",
        .title = "The system's nvJitLink is found before the wheel's",
        .cause = "libcusparse of the wheel needs the libnvJitLink that came with it, and an older one of the system or of conda "
                 "is first on "
                 "the way.",
        .fix = "Clean LD_LIBRARY_PATH of CUDA's folders, or put the wheel's own folder first.",
        .commands = "env -u LD_LIBRARY_PATH python3 -c 'import torch; print(torch.version.cuda)'",
        .source = "pytorch/pytorch#111469, pytorch/pytorch#134929, pytorch/pytorch#140797",
        .proof = Proof::thread,
        .patterns = R"(undefined symbol: __nvJitLink
undefined symbol: nvJitLink
symbol __nvJitLink * not defined in file
symbol nvJitLink * not defined in file)",
    },
    Diagnosis{
        .id = "cuda-library-missing",
        .title = "A library of CUDA is missing",
        .cause = "The program was built for a CUDA whose libraries are not here: an extension for another CUDA than the "
                 "installed one (libcudart.so.11.0 where CUDA 12 is), a runtime that was never installed, or a folder that the "
                 "loader does not know.",
        .fix = "Take the build of the package for the CUDA that is here (the version in the name of the library says which "
               "it wants), or install that CUDA.",
        .commands = "python3 -c 'import torch; print(torch.version.cuda)'\n"
                    "ldconfig -p | grep -E \"libcudart|libcublas\"\n"
                    "envgen resolve --host auto",
        .source = "CannyLab/tsne-cuda#126, iSEE-Laboratory/LLMDet#32, JdeRobot/BehaviorMetrics#385, NVIDIA/tensorflow#110",
        .proof = Proof::thread,
        .patterns = R"(? libcudart.so. * cannot open shared object file
? libcublas * cannot open shared object file
? libcufft.so * cannot open shared object file
? libcurand.so * cannot open shared object file
? libcusolver.so * cannot open shared object file
? libcusparse.so * cannot open shared object file
? libnvrtc * cannot open shared object file
? libnvJitLink.so * cannot open shared object file
? libcupti.so * cannot open shared object file
? libnccl.so * cannot open shared object file
Cannot dlopen some GPU libraries
Could not load dynamic library 'libcu !! libcuda.so !! libcudnn)",
    },
    Diagnosis{
        .id = "cudnn-missing",
        .title = "cuDNN is missing, or of another major version",
        .cause = "The program wants cuDNN of one major version (libcudnn.so.8, libcudnn_ops.so.9) and it is not here, or not "
                 "on the loader's way. torch up to 2.3 brings cuDNN 8, later ones 9; ctranslate2 since 4.5 and onnxruntime-gpu "
                 "since 1.19 want 9.",
        .fix = "Bring the packages to one cuDNN: ctranslate2>=4.5 with torch>=2.4, or both before. Else install the cuDNN "
               "that is named, or put the wheel's folder on LD_LIBRARY_PATH.",
        .commands = "python3 -c 'import torch; print(torch.backends.cudnn.version())'\n"
                    "pip list | grep -iE 'cudnn|ctranslate2|onnxruntime'\n"
                    "python3 -c 'import nvidia.cudnn, os; print(os.path.join(list(nvidia.cudnn.__path__)[0], \"lib\"))'",
        .source = "SYSTRAN/faster-whisper#516, MahmoudAshraf97/whisper-diarization#259, daswer123/xtts-finetune-webui#18",
        .proof = Proof::thread,
        .patterns = R"(libcudnn * cannot open shared object file
Unable to load any of {libcudnn
Could not locate cudnn
Cannot load symbol cudnn
Could not load dynamic library 'libcudnn
Please make sure libcudnn * is in your library path)",
        .hides = "cuda-library-missing",
    },
    Diagnosis{
        .id = "cudnn-mixed",
        .title = "Two releases of cuDNN are mixed",
        .cause = "torch found another cuDNN than it was built with, or parts of two releases: the system's on LD_LIBRARY_PATH, "
                 "or one of conda, hides the wheel's own.",
        .fix = "Clean LD_LIBRARY_PATH, or remove the second cuDNN; for torch from wheels use an image without cuDNN.",
        .commands = "env -u LD_LIBRARY_PATH python3 -c 'import torch; print(torch.version.cuda)'\n"
                    "find / -xdev -name \"libcudnn.so*\" 2>/dev/null",
        .source = "bmaltais/kohya_ss#1096, NVIDIA/nvidia-docker#1726, NVIDIA/nvidia-container-toolkit#224, "
                  "VisionLearningGroup/DA_Detection#19",
        .proof = Proof::thread,
        .patterns = R"(cuDNN version incompatibility
cuDNN version mismatch
CUDNN_STATUS_VERSION_MISMATCH
CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH
undefined symbol: * version libcudnn
not defined in file libcudnn
undefined symbol: _Z * cudnn
undefined symbol: cudnn
Loaded runtime CuDNN library: * but source was compiled with)",
        .hides = "cudnn-not-initialized",
    },
    Diagnosis{
        .id = "cudnn-not-initialized",
        .title = "cuDNN could not start",
        .cause = "The threads name two causes: the CUDA or cuDNN that torch brings does not fit the board or the driver (a "
                 "newer board than the build), or the memory of the GPU was full when cuDNN asked for its own.",
        .fix = "See whether the board is one of those that the build is for, and whether the memory is free; then take a "
               "build that is for it.",
        .commands = "python3 -c 'import torch; print(torch.__version__, torch.cuda.get_arch_list())'\n"
                    "nvidia-smi\n"
                    "envgen resolve --host auto",
        .source = "haotian-liu/LLaVA#458, qubvel-org/segmentation_models.pytorch#287",
        .proof = Proof::thread,
        .patterns = R"(CUDNN_STATUS_NOT_INITIALIZED
Could not create cudnn handle)",
    },
    Diagnosis{
        .id = "cublas-not-initialized",
        .title = "cuBLAS could not start",
        .cause = "Most often the memory of the GPU was full when cuBLAS asked for its own; else an earlier failure on the GPU "
                 "(an assertion, an illegal access) that shows only here, or mixed libraries.",
        .fix = "Free memory (a smaller batch, no other process) and look at the lines before; run once with "
               "CUDA_LAUNCH_BLOCKING=1.",
        .commands = "nvidia-smi\n"
                    "CUDA_LAUNCH_BLOCKING=1 python3 TRAIN.py\n"
                    "env -u LD_LIBRARY_PATH python3 -c 'import torch; print(torch.version.cuda)'",
        .source = "tensorflow/tensorflow#9489, tensorflow/tensorflow#30912, awslabs/sockeye#897",
        .proof = Proof::thread,
        .patterns = R"(CUBLAS_STATUS_NOT_INITIALIZED
cuBLAS status 1
Create cublas handle failed)",
    },
    Diagnosis{
        .id = "nccl-mixed",
        .title = "An older NCCL is found before the right one",
        .cause = "torch needs the NCCL that came with it, and another one is first on the way: nvidia-nccl-cu11 beside -cu12 "
                 "(or -cu12 beside -cu13), a system's libnccl, or one of another package.",
        .fix = "Uninstall the NCCL of the other CUDA, and install the wheel's own again.",
        .commands = "pip list | grep -i nccl\n"
                    "pip uninstall -y nvidia-nccl-cu11\n"
                    "env -u LD_LIBRARY_PATH python3 -c 'import torch'",
        .source = "pytorch/pytorch#119932, pytorch/pytorch#186591, rwth-i6/returnn#1802",
        .proof = Proof::thread,
        .patterns = R"(undefined symbol: nccl
undefined symbol: "nccl)",
    },
    Diagnosis{
        .id = "mkl-symbol",
        .title = "MKL 2024.1 and later lacks a symbol that this torch needs",
        .cause = "torch of the pytorch conda channel (up to 2.5) was linked to MKL with iJIT_NotifyEvent, which MKL 2024.1 "
                 "dropped, and its packages do not say so.",
        .fix = "Hold MKL below 2024.1.",
        .commands = "conda install 'mkl<2024.1'",
        .source = "pytorch/pytorch#123097, Pointcept/Pointcept#230",
        .proof = Proof::thread,
        .patterns = R"(undefined symbol: iJIT_)",
    },
    Diagnosis{
        .id = "glibc-too-old",
        .title = "This system's glibc is older than the program needs",
        .cause = "A program or a wheel was built on a newer system: torch since 2.6 (CUDA 12.6) and 2.7 needs glibc 2.28, "
                 "which Ubuntu 18.04 and CentOS 7 do not have.",
        .fix = "A newer system (or an image of one), or a build for this one; envgen resolve --os names what fits.",
        .commands = "ldd --version | head -1\n"
                    "envgen resolve --os ubuntu22.04",
        .source = "pytorch/pytorch#123649, pytorch/pytorch#138732, ai4d-iasc/trixie#97",
        .proof = Proof::thread,
        .patterns = R"(version `GLIBC_ * not found
GLIBC_2. * not found (required by)",
    },
    Diagnosis{
        .id = "glibcxx-too-old",
        .title = "An older libstdc++ is found before the right one",
        .cause = "A library was built with a newer GCC than the libstdc++ that was loaded: the system's in place of that of "
                 "conda, or conda's older one in place of the system's.",
        .fix = "Bring a newer libstdc++ into the environment and let it be found first.",
        .commands = "conda install -c conda-forge 'libstdcxx-ng>=13'\n"
                    "LD_PRELOAD=\"$CONDA_PREFIX/lib/libstdc++.so.6\" python3 -c 'import torch'",
        .source = "pytorch/pytorch#157709, pytorch/pytorch#87279, vietanhdev/anylabeling#110",
        .proof = Proof::thread,
        .patterns = R"(version `GLIBCXX_ * not found
version `CXXABI_ * not found)",
    },
    Diagnosis{
        .id = "libgl-missing",
        .title = "OpenCV wants OpenGL, which this image has not",
        .cause = "opencv-python is linked to libGL and GLib, which wheels may not bring along, and slim or runtime images are "
                 "without them.",
        .fix = "Use opencv-python-headless, which needs no OpenGL; or install the libraries.",
        .commands = "pip uninstall -y opencv-python && pip install opencv-python-headless\n"
                    "apt-get install -y libgl1 libglib2.0-0",
        .source = "opencv/opencv-python#370, opencv/opencv-python#373, opencv/opencv-python#203, fisher60/friendo-bot#68",
        .proof = Proof::thread,
        .patterns = R"(libGL.so.1: cannot open shared object file
libgthread-2.0.so.0: cannot open shared object file
libglib-2.0.so.0: cannot open shared object file)",
    },
    Diagnosis{
        .id = "extension-abi",
        .title = "An extension was built for another torch",
        .cause = "A compiled package (flash-attn, torch-scatter ...) looks for a C++ symbol of torch that the installed torch "
                 "does not have: it is for another release of torch, or for the other C++ ABI (it changed in 2.6 for CUDA 12.6 "
                 "and in 2.7 for all).",
        .fix = "Install the build for this torch, this CUDA and this ABI, or compile it against the installed torch.",
        .commands = "python3 -c 'import torch; print(torch.__version__, torch._C._GLIBCXX_USE_CXX11_ABI)'\n"
                    "pip install --no-build-isolation --no-cache-dir --force-reinstall --no-deps PACKAGE",
        .source = "Dao-AILab/flash-attention#1644, Dao-AILab/flash-attention#1783, pytorch/pytorch#152790",
        .proof = Proof::thread,
        .patterns = R"(undefined symbol: _ZN3c
undefined symbol: _ZN2at
undefined symbol: _ZNK3c
undefined symbol: _ZNK2at
undefined symbol: _ZN5torch
undefined symbol: _ZNK5torch
undefined symbol: _ZN4c
undefined symbol: _ZN8pybind)",
    },
    Diagnosis{
        .id = "torchvision-mismatch",
        .title = "torch and torchvision do not belong together",
        .cause = "torchvision is of another release, or from another index (CPU, another CUDA), than torch, so its operators "
                 "were not registered.",
        .fix = "Install both in one command from one index; torchvision 0.(x+15) belongs to torch 2.x.",
        .commands = "pip list | grep -E '^torch'\n"
                    "envgen resolve --host auto",
        .source = "pytorch/vision#8985, pytorch/pytorch#157648, vladmandic/sdnext#3531",
        .proof = Proof::thread,
        .patterns = R"(operator torchvision::nms does not exist
Couldn't load custom C++ ops
No module named 'torchvision._C' * compiled
Could not run 'torchvision::nms' with arguments from the 'CUDA' backend)",
    },
    Diagnosis{
        .id = "xformers-mismatch",
        .title = "xFormers was built for another torch",
        .cause = "Each release of xFormers is for one torch and one CUDA, and another one is installed.",
        .fix = "Install the xFormers that pins the installed torch, from the same index.",
        .commands = "python3 -m xformers.info\n"
                    "pip list | grep -iE \"torch|xformers\"",
        .source = "arsac/containers#7 and the metadata of the xformers wheels",
        .proof = Proof::thread,
        .patterns = R"(xFormers can't load C++/CUDA extensions)",
        .remark = true,
    },
    Diagnosis{
        .id = "cusparselt-missing",
        .title = "libcusparseLt is missing",
        .cause = "Builds of torch since 2.4 need cuSPARSELt, and the package that has it is not installed (Jetson, a trimmed "
                 "environment).",
        .fix = "Install the wheel of the same CUDA major, or the system package libcusparselt0.",
        .commands = "pip install nvidia-cusparselt-cu12",
        .source = "the requirements of the torch wheels since 2.4 (Requires-Dist, read from the wheels)",
        .proof = Proof::source_read,
        .patterns = R"(libcusparseLt.so * cannot open shared object file)",
        .hides = "cuda-library-missing",
    },
    Diagnosis{
        .id = "jax-cuda-older",
        .title = "JAX was built for newer CUDA libraries than it found",
        .cause = "The copy of CUDA, cuDNN, cuBLAS or cuSOLVER that was loaded (the system's, or that of another package such "
                 "as torch) is older than the one that jaxlib was built against.",
        .fix = "Let JAX bring its own libraries (jax[cuda12]), and clean LD_LIBRARY_PATH; where torch is in the same "
               "environment, choose releases of the same CUDA.",
        .commands = "pip install -U 'jax[cuda12]'\n"
                    "env -u LD_LIBRARY_PATH python3 -c 'import jax; print(jax.devices())'",
        .source = "the check in jax (_src/xla_bridge.py) that prints the message; notes of users",
        .proof = Proof::source_read,
        .patterns = R"(but JAX was built against version
? CUDA backend failed to initialize)",
    },
};

}  // namespace

std::span<const Diagnosis> library_failures() { return rows; }

}  // namespace envgen::diagnosis
