#!/usr/bin/env bash
# torch 1.12.1, CUDA 10.2, cuDNN 7.6.5.32, Python 3.10 on Ubuntu 22.04, for Tesla K80 with driver >=440.33,<471
# Made by envgen; hand edits are kept unless --force is used. sha256:48e37d11dce34b53d32d0ef6f9a531bfdfd5c0102a7d52ef00c57e9700613883
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
  --ulimit stack=67108864                    # deep recursion in compilers; NVIDIA's images recommend this limit
  --volume "$PWD:/workspace"                 # this folder
)
if [[ -t 0 && -t 1 ]]; then flags+=(--interactive --tty); fi
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch1.12-k80}" "$@"
