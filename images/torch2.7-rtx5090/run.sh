#!/usr/bin/env bash
# torch 2.7.1, CUDA 12.8, cuDNN 9.7.1.26, Python 3.12 on Ubuntu 24.04, for GeForce RTX 5090 with driver >=570.86.16
# Made by envgen; hand edits are kept unless --force is used. sha256:86fb1bbd4f9f18a29e753ffb9f6d37639614726874d4428314a93d3b3374b309
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag torch2.7-rtx5090 --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.7-rtx5090}" "$@"
