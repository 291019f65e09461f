#!/usr/bin/env bash
# Builds the doubles of CUDA's libraries for containers of any glibc from 2.17 on, as envgen-bench is built: the driver's into
# build/e2e/doubles/driver, those of an image into build/e2e/doubles/image. Exit status 77: ziglang cannot be had.
source "$(dirname "${BASH_SOURCE[0]}")/../../../scripts/common.sh"
# shellcheck source=scripts/ziglang.sh
source scripts/ziglang.sh

sources=tests/support/doubles
folder=$PWD/build/e2e/doubles

# Optimised as envgen-bench is: for another degree zig would compile its C++ library once more, which takes a minute.
# double PLACE FILE SOURCE...
double() {
  local file=$folder/$1/$2 source
  shift 2
  set -- "$sources/faults.cpp" "$@"
  for source; do
    if [[ ! -e "$file" || "$source" -nt "$file" ]]; then
      portable_cxx "$(uname -m)" -Os -shared -fPIC -s -fvisibility-inlines-hidden -I"$sources" -Ibench/src -Ibench/kernels "$@" \
        "-Wl,-soname,${file##*/}" -o "$file.part"
      mv "$file.part" "$file"
      return
    fi
  done
}

mkdir -p "$folder"/{driver,image}
double driver libcuda.so.1 "$sources"/{libcuda,kernels,simulated,memory}.cpp bench/src/element.cpp
double driver libnvidia-ml.so.1 "$sources/libnvidia_ml.cpp"
double image libcudart.so.12 "$sources"/{libcudart,memory}.cpp
double image libcublas.so.12 "$sources"/{libcublas,product}.cpp bench/src/element.cpp
double image libcublasLt.so.12 "$sources"/{libcublas_lt,product}.cpp bench/src/element.cpp
double image libnccl.so.2 "$sources/libnccl.cpp"
