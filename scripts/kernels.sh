#!/usr/bin/env bash
# Compiles bench/kernels/*.cu to PTX with clang-14, which can still target sm_50. PTX ISA 6.3 (CUDA 10.0) is what the drivers of
# every supported branch compile. The result is committed: a build of envgen-bench needs no clang.
# usage: kernels.sh [FOLDER]    FOLDER: where to write (default: bench/kernels/ptx)
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v clang++-14 >/dev/null || {
  echo "clang-14 is not installed, and another release writes other bytes"
  exit 77
}
to=${1:-bench/kernels/ptx}
mkdir -p "$to"
for source in bench/kernels/*.cu; do
  clang++-14 -std=c++20 -x cuda --cuda-device-only --cuda-gpu-arch=sm_50 -nocudainc -nocudalib -Xclang -target-feature -Xclang +ptx63 \
    -O2 -Wall -Wextra -Werror -Wno-unknown-cuda-version -S "$source" -o "$to/$(basename "$source" .cu).sm_50.ptx"
done
