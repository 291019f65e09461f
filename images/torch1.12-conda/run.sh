#!/usr/bin/env bash
# torch 1.12.1, CUDA 11.6, cuDNN 8.3.2, Python 3.9 on Ubuntu 22.04, for V100 with driver >=450.80.02,<581
# Made by envgen; hand edits are kept unless --force is used. sha256:63575590e3f2983c8d7df41dc039149dacf79b3508ff22a2e5b525872e7bf639
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag torch1.12-conda --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch1.12-conda}" "$@"
