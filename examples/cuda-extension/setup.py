"""Builds the operator for CPU, and for CUDA where nvcc and a CUDA build of torch are there."""

import os
import sys
from pathlib import Path

import torch
from setuptools import Extension, setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension

NAME = "fused_bias_gelu._C"


def has_cuda_compiler() -> bool:
    return (
        torch.version.cuda is not None
        and CUDA_HOME is not None
        and (Path(CUDA_HOME) / "bin" / "nvcc").is_file()
    )


def make_extension() -> Extension:
    if not has_cuda_compiler():
        print("fused_bias_gelu: building for CPU alone (no nvcc, or a torch without CUDA)", file=sys.stderr)
        return CppExtension(NAME, ["csrc/bias_gelu.cpp"], extra_compile_args=["-O3"])
    if not torch.cuda.is_available() and "TORCH_CUDA_ARCH_LIST" not in os.environ:
        sys.exit(
            "error: no GPU is visible here: name the ones to build for, as in TORCH_CUDA_ARCH_LIST='8.0;9.0'"
        )
    return CUDAExtension(
        NAME,
        ["csrc/bias_gelu.cpp", "csrc/bias_gelu_cuda.cu"],
        extra_compile_args={"cxx": ["-O3"], "nvcc": ["-O3"]},
    )


setup(ext_modules=[make_extension()], cmdclass={"build_ext": BuildExtension})
