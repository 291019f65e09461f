#!/usr/bin/env bash
# torch 2.3.1, CUDA 12.1, cuDNN 8.9.2.26, Python 3.10 on Ubuntu 22.04, driver >=525.60.13
# Made by envgen; hand edits are kept unless --force is used. sha256:e4fdddc6ce6d7c7902e06739ff53a3f4ce040ccc336c593a02e3ee2a3090f927
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag torch2.3-pytorch-image --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.3-pytorch-image}" "$@"
