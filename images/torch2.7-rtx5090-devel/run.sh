#!/usr/bin/env bash
# torch 2.7.1, CUDA 12.8, cuDNN 9.7.1.26, Python 3.12 on ubuntu24.04, for GeForce RTX 5090 under driver >=570.86.16
# Made by envgen; edits are kept unless --force. sha256:18e5a36e08342ed7d585842d91c6e4ef25cccc68f723a7d1637748a150fd6889
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command there
#
# The image is made by: docker build --tag torch2.7-rtx5090-devel --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.7-rtx5090-devel}" "$@"
