#!/usr/bin/env bash
# tensorflow 2.12.1, CUDA 11.8, cuDNN 8.6, Python 3.10 on Ubuntu 22.04, for Tesla T4 with driver >=520.61.05
# Made by envgen; hand edits are kept unless --force is used. sha256:5fae39eeac69c01ce9da13a1aa6800cc17535f4f7d1687d0985d80bc738502b1
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag tensorflow2.12 --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-tensorflow2.12}" "$@"
