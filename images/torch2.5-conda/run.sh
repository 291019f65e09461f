#!/usr/bin/env bash
# torch 2.5.1, CUDA 12.4, cuDNN 9.1.0, Python 3.11 on Ubuntu 22.04, driver >=525.60.13
# Made by envgen; hand edits are kept unless --force is used. sha256:4f39659c439c49c64fa8146fe5647ec3ecf3ffdf6b7c9908247ba60bbaff2abf
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag torch2.5-conda --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.5-conda}" "$@"
