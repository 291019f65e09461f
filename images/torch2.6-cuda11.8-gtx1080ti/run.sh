#!/usr/bin/env bash
# torch 2.6.0, CUDA 11.8, cuDNN 9.1.0.70, Python 3.12 on Ubuntu 24.04, for GeForce GTX 1080 Ti with driver >=450.80.02,<581
# Made by envgen; hand edits are kept unless --force is used. sha256:70825dec2ab3fbeabd8d606cff09611daa2993248acd4ca0cc976e884f40a7b4
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag torch2.6-cuda11.8-gtx1080ti --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.6-cuda11.8-gtx1080ti}" "$@"
