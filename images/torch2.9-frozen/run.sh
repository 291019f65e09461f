#!/usr/bin/env bash
# torch 2.9.1, CUDA 12.8, cuDNN 9.10.2.21, Python 3.12 on Ubuntu 24.04, for H100 with driver >=525.60.13
# Made by envgen; hand edits are kept unless --force is used. sha256:bab3e7322899a88b397be734e6b8ad881f7c676bfdbac43c30f5fbd7b2e35019
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag torch2.9-frozen --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.9-frozen}" "$@"
