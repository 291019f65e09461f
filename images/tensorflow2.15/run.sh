#!/usr/bin/env bash
# tensorflow 2.15.1, CUDA 12.2, cuDNN 8.9.4.25, Python 3.10 on Ubuntu 22.04, for Tesla T4 with driver >=525.60.13
# Made by envgen; hand edits are kept unless --force is used. sha256:65e5ae07b3059ee60bb6dec19dce8379e25962e185672d0d3e57c60f9aed9c6b
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
  --ulimit stack=67108864                    # deep recursion in compilers; NVIDIA's images recommend this limit
  --volume "$PWD:/workspace"                 # this folder
)
if [[ -t 0 && -t 1 ]]; then flags+=(--interactive --tty); fi
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-tensorflow2.15}" "$@"
