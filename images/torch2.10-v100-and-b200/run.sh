#!/usr/bin/env bash
# torch 2.10.0, CUDA 12.8, cuDNN 9.10.2.21, Python 3.12 on Ubuntu 24.04, for V100 with driver >=525.60.13,<581, for B200 with driver >=570.86.15
# Made by envgen; hand edits are kept unless --force is used. sha256:afdb393fe77cb21563a8b9829ebc8c1bdf2974e19b28b40e0c40fb3b4671b550
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command in the container
#
# Build the image with: docker build --tag torch2.10-v100-and-b200 --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch2.10-v100-and-b200}" "$@"
