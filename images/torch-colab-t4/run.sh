#!/usr/bin/env bash
# torch 2.15.0, CUDA 13.2, cuDNN 9.26.0.51, Python 3.12 on Ubuntu 22.04, for Tesla T4 with driver >=580.65.06
# Made by envgen; hand edits are kept unless --force is used. sha256:f4431b6536cf0d7f5e75a13256212ab6152a7026aaa2a715d5169119a7b953db
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag torch-colab-t4 --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch-colab-t4}" "$@"
