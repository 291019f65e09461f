#!/usr/bin/env bash
# torch 1.12.1, CUDA 11.6, cuDNN 8.3.2, Python 3.10 on ubuntu20.04, for V100 under driver >=450.80.02,<581
# Made by envgen; edits are kept unless --force. sha256:c0be5f929f3f210e6606afd6f7acf3b4d588aac96a84d6d751d7ecaf60007049
#
#   ./run.sh                     a shell in the container, with this folder as /workspace
#   ./run.sh python train.py     a command there
#
# The image is made by: docker build --tag torch1.12-conda --build-arg USER_UID="$(id -u)" --build-arg USER_GID="$(id -g)" .
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
exec docker run "${flags[@]}" "${ENVGEN_IMAGE:-torch1.12-conda}" "$@"
