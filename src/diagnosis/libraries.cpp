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
        .title = "An older CUDA runtime is found before the right one",
        .cause = "A second libcudart is first on the way: conda brought one with cuDNN or cudatoolkit, or LD_LIBRARY_PATH names "
                 "an older "
                 "CUDA.",
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
};

}  // namespace

std::span<const Diagnosis> library_failures() { return rows; }

}  // namespace envgen::diagnosis
