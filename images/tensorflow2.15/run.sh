#!/usr/bin/env bash
# tensorflow 2.15.1, CUDA 12.2, cuDNN 8.9.4.25, Python 3.10 on Ubuntu 22.04, for Tesla T4 with driver >=525.60.13
# Made by envgen; hand edits are kept unless --force is used. sha256:6ed66db23f8d29db68a22fecf136b95486b3575647472e8ea50798a2b2609dbd
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag tensorflow2.15 --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
set -euo pipefail

flags=(
  --rm                                       # remove the container when it exits
  --gpus all                                 # every GPU
  --ipc=host                                 # DataLoader workers and NCCL exchange data in /dev/shm; the default is 64 MB
  --ulimit memlock=-1                        # pinned memory and InfiniBand
  --ulimit stack=67108864                    # deep recursion in compilers, as NVIDIA's images recommend
  --volume "$PWD:/workspace"                 # this folder
)
if [[ -t 0 && -t 1 ]]; then flags+=(--interactive --tty); fi
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-tensorflow2.15}" "$@"
