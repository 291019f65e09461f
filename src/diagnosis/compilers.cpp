#include <array>

#include "diagnosis/subjects.hpp"

namespace envgen::diagnosis {
namespace {

constexpr std::array rows{
    Diagnosis{
        .id = "cuda-version-mismatch",
        .title = "nvcc and PyTorch are of different CUDA majors",
        .cause = "An extension is compiled by the nvcc that was found first (CUDA_HOME, /usr/local/cuda), and torch was built "
                 "with another CUDA.",
        .fix = "Compile with the nvcc of torch's CUDA: an image -devel of it, or conda's cuda-nvcc; or install the torch for "
               "the CUDA that is here.",
        .commands = "python3 -c 'import torch; print(torch.version.cuda)'\n"
                    "nvcc --version\n"
                    "envgen resolve --variant devel",
        .source = "Dao-AILab/flash-attention#219, Dao-AILab/flash-attention#1759, Adamdad/rational_kat_cu#4",
        .proof = Proof::thread,
        .patterns = R"(The detected CUDA version * mismatches the version that was used to compile
CUDA_MISMATCH_MESSAGE
Installed CUDA version * does not match the version torch was compiled with)",
    },
    Diagnosis{
        .id = "nvcc-missing",
        .title = "No CUDA compiler is here",
        .cause = "Something compiles CUDA code, and there is no nvcc: a runtime image, or wheels that bring CUDA without its "
                 "compiler.",
        .fix = "Use an image -devel of the same CUDA, set CUDA_HOME where a toolkit is, or install a wheel that is compiled "
               "already.",
        .commands = "ls -d /usr/local/cuda*\n"
                    "export CUDA_HOME=/usr/local/cuda\n"
                    "envgen resolve --variant devel",
        .source = "issues of Dao-AILab/flash-attention; torch/utils/cpp_extension.py",
        .proof = Proof::thread,
        .patterns = R"(CUDA_HOME environment variable is not set
CUDA_HOME does not exist
/usr/local/cuda/bin/nvcc: No such file
No such file or directory: '/usr/local/cuda/bin/nvcc
No such file or directory: '/usr/local/cuda * nvcc
nvcc: command not found
nvcc: not found
Failed to find nvcc
nvcc was not found
Could not find nvcc
CUDA_TOOLKIT_ROOT_DIR not found
No CMAKE_CUDA_COMPILER could be found
No such file or directory: 'nvcc')",
    },
    Diagnosis{
        .id = "gcc-too-new",
        .title = "The C++ compiler is newer than nvcc accepts",
        .cause = "Each CUDA takes GCC up to one release (11.8: 11, 12.1: 12.2, 12.4: 13, 12.8: 14, 13.0: 15), and the system "
                 "has a newer one.",
        .fix = "Install an older g++ and name it, or use a newer CUDA.",
        .commands = "sudo apt-get install -y g++-12\n"
                    "NVCC_CCBIN=g++-12 CC=gcc-12 CXX=g++-12 pip install --no-build-isolation PACKAGE\n"
                    "envgen show cuda 12.1",
        .source = "NVlabs/instant-ngp#1562, cms-patatrack/pixeltrack-standalone#432, ninja-build/ninja#2595",
        .proof = Proof::thread,
        .patterns = R"(unsupported GNU version! gcc versions later than
unsupported clang version! clang version must be
The current installed version of g++ * is greater than the maximum required version)",
    },
    Diagnosis{
        .id = "nvcc-unknown-arch",
        .title = "This CUDA cannot compile for that GPU",
        .cause = "The compiler is older than the GPU (compute_120 needs CUDA 12.8), or so new that it dropped it (CUDA 13 "
                 "starts at 7.5, CUDA 11 dropped 3.0).",
        .fix = "A CUDA that knows the GPU, or a TORCH_CUDA_ARCH_LIST (-DCMAKE_CUDA_ARCHITECTURES) of what this CUDA knows.",
        .commands = "nvcc --list-gpu-arch\n"
                    "nvidia-smi --query-gpu=compute_cap --format=csv,noheader\n"
                    "TORCH_CUDA_ARCH_LIST=9.0+PTX pip install --no-build-isolation PACKAGE",
        .source = "gpustack/gpustack#4372, mit-han-lab/Block-Sparse-Attention#15, utcs-scea/altis#19, zai-org/VisualGLM-6B#94",
        .proof = Proof::thread,
        .patterns = R"(Unsupported gpu architecture 'compute_
Value 'sm_ * is not defined for option
Value 'compute_ * is not defined for option)",
    },
    Diagnosis{
        .id = "torch-unknown-arch",
        .title = "This torch does not know the architecture that it shall compile for",
        .cause = "TORCH_CUDA_ARCH_LIST (or the GPU itself) names an architecture that came after this torch.",
        .fix = "A newer torch, or the newest architecture that it knows with PTX, as 9.0+PTX.",
        .commands = "python3 -c 'import torch; print(torch.__version__, torch.cuda.get_arch_list())'\n"
                    "envgen resolve --gpu GPU --variant devel",
        .source = "oobabooga/text-generation-webui#1382",
        .proof = Proof::thread,
        .patterns = R"(Unknown CUDA arch ()",
    },
    Diagnosis{
        .id = "arch-list-empty",
        .title = "No GPU was seen, and no architecture was named to compile for",
        .cause = "torch asks the GPU what to compile for. In docker build there is none, and TORCH_CUDA_ARCH_LIST is not set.",
        .fix = "Set TORCH_CUDA_ARCH_LIST to the GPUs that the image is for.",
        .commands = "export TORCH_CUDA_ARCH_LIST=\"8.0;8.6;8.9;9.0+PTX\"",
        .source = "pytorch/pytorch#137261, tianweiy/CenterPoint#234, mlcommons/training#690",
        .proof = Proof::thread,
        .patterns = R"(arch_list[-1] += '+PTX'
? No CUDA runtime is found, using CUDA_HOME=)",
    },
    Diagnosis{
        .id = "cuda-headers-glibc",
        .title = "This glibc is newer than CUDA's headers",
        .cause = "glibc 2.41 declares cospi and sinpi (2.42: rsqrt) otherwise than the headers of CUDA 12.9 and earlier do.",
        .fix = "Build in an image of an older system (Ubuntu 24.04, Debian 12), or with a newer CUDA.",
        .commands = "ldd --version | head -1\n"
                    "envgen resolve --os ubuntu24.04 --variant devel",
        .source = "NVIDIA/cuda-samples#378, NVIDIA/nccl#1700, opencv/opencv#27111",
        .proof = Proof::thread,
        .patterns = R"(exception specification is incompatible with that of previous function "cospi
exception specification is incompatible with that of previous function "sinpi
exception specification is incompatible with that of previous function "rsqrt)",
    },
    Diagnosis{
        .id = "triton-no-compiler",
        .title = "Triton needs a C compiler when it runs",
        .cause = "torch.compile and other users of Triton compile a small C file at run time, and the image has no compiler, "
                 "or lacks the headers of Python.",
        .fix = "Install a compiler and the headers of Python.",
        .commands = "apt-get install -y gcc python3-dev",
        .source = "pytorch/pytorch#116696, pytorch/pytorch#170235, theroyallab/tabbyAPI#456, sgl-project/sglang#1067",
        .proof = Proof::thread,
        .patterns = R"(Failed to find C compiler. Please specify via CC
cuda_utils.c * Python.h: No such file
Python.h: No such file or directory)",
    },
    Diagnosis{
        .id = "build-isolation",
        .title = "A package is built in isolation from the installed torch",
        .cause = "pip and uv build a package in an environment of its own, without torch, and its setup imports torch.",
        .fix = "Install torch first, with packaging and ninja, and build without isolation.",
        .commands = "pip install packaging ninja setuptools wheel\n"
                    "pip install --no-build-isolation PACKAGE",
        .source = "Dao-AILab/flash-attention#219",
        .proof = Proof::thread,
        .patterns = R"(? No module named 'torch'
+ Getting requirements to build wheel
+ get_requires_for_build_wheel
+ Preparing metadata (setup.py)
+ Failed to build
+ setup.py egg_info)",
    },
};

}  // namespace

std::span<const Diagnosis> compiler_failures() { return rows; }

}  // namespace envgen::diagnosis
