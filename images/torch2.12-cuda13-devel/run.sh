#!/usr/bin/env bash
# torch 2.12.1, CUDA 13.0, cuDNN 9.20.0.48, Python 3.12 on Ubuntu 24.04, for H100 with driver >=580.65.06
# Made by envgen; hand edits are kept unless --force is used. sha256:b8cde7441dcc2fe509c63649db9a0099baaa4dc2658f9df89701051f786e3828
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag torch2.12-cuda13-devel --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.12-cuda13-devel}" "$@"
