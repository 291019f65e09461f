#!/usr/bin/env bash
# torch 2.15.0, CUDA 13.2, cuDNN 9.26.0.51, Python 3.12 on ubuntu22.04, for Tesla T4 under driver >=580.65.06
# Made by envgen; edits are kept unless --force. sha256:1f4c031e9ef660b5edeb22f25144aead07eb7b0dd11e55f5581b81c76516b0a0
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command there
#
# The image is made by: docker build --tag torch-colab-t4 --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
set -euo pipefail

flags=(
  --rm                                       # nothing is left of the container when it ends
  --gpus all                                 # every GPU
  --ipc=host                                 # DataLoader workers and NCCL exchange data in /dev/shm, of which a container has 64 MB
  --ulimit memlock=-1                        # pinned memory and InfiniBand
  --ulimit stack=67108864                    # deep recursion in compilers, as NVIDIA's images ask
  --volume "$PWD:/workspace"                 # this folder
)
if [[ -t 0 && -t 1 ]]; then flags+=(--interactive --tty); fi
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch-colab-t4}" "$@"
