#!/usr/bin/env bash
# torch 2.3.1, CUDA 12.1, cuDNN 8.9.2.26, Python 3.10 on Ubuntu 22.04, for GeForce RTX 4090 with driver >=530.30.02
# Made by envgen; hand edits are kept unless --force is used. sha256:2717c0f2c092d9f2769860f7a0b8ebdf72fe39d2a00a614a0eab0289a731d3b9
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag torch2.3-cuda12.1-devel --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
set -euo pipefail

flags=(
  --rm                                       # remove the container when it exits
  --gpus all                                 # every GPU
  --ipc=host                                 # DataLoader workers and NCCL exchange data in /dev/shm; the default is 64 MB
  --ulimit memlock=-1                        # pinned memory and InfiniBand
  --ulimit stack=67108864                    # deep recursion in compilers; NVIDIA's images recommend this limit
  --volume "$PWD:/workspace"                 # this folder
)
if [[ -t 0 && -t 1 ]]; then flags+=(--interactive --tty); fi
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.3-cuda12.1-devel}" "$@"
