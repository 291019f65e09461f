#!/usr/bin/env bash
# tensorflow 2.15.1, CUDA 12.2, cuDNN 8.9.4.25, Python 3.10 on ubuntu22.04, for Tesla T4 under driver >=525.60.13
# Made by envgen; edits are kept unless --force. sha256:65ce1b450431dcede752eff6cd778613b35c2be3a0d50d3114fd79d1ed5f13af
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag tensorflow2.15 --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-tensorflow2.15}" "$@"
