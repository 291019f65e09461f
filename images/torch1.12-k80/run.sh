#!/usr/bin/env bash
# torch 1.12.1, CUDA 10.2, cuDNN 7.6.5.32, Python 3.10 on ubuntu22.04, for Tesla K80 under driver >=440.33,<471
# Made by envgen; edits are kept unless --force. sha256:f5939ab4ffa45cb9c3b3c9a9d06e9c8a25d4731957e6ad6a772ea137be168f07
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag torch1.12-k80 --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch1.12-k80}" "$@"
